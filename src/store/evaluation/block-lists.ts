import { pack, unpack } from '../../wire/codec.js';
import type { Commit } from '../store.js';
import { keys, type Key } from '../keys.js';
import type { Lookup } from '../lookup.js';
import type { Reader } from '../reader.js';

/** List 0 holds feedback on graph runs, and on evaluation runs that were not uploaded yet. */
export const ORPHAN_LIST = 0;

/** Assigns numbers of block lists and of groups of attachments. No number is used twice. */
export class BlockLists {
  #next: number;

  /**
   * The stored number may be too low, because a commit planned early may be written late. So existing lists count
   * too.
   */
  constructor(reader: Reader) {
    const bytes = reader.get(keys.meta('lists'));
    const last = (prefix: Key): number =>
      Math.max(ORPHAN_LIST, ...[...reader.keys({ prefix, reverse: true, limit: 1 })].map((key) => key[1] as number));
    const named = [...reader.keys({ prefix: keys.leftovers() })]
      .filter(([, kind]) => kind === 'examples' || kind === 'experiment' || kind === 'attachments')
      // The leftover of a group has `group:at` as its id.
      .map((key) => Number.parseInt(key[2] as string, 10));
    const staged = [...reader.entries({ prefix: keys.uploads() })]
      .flatMap(([, value]) => Object.values(unpack<Record<string, number | null>>(value)))
      .map((list) => list ?? ORPHAN_LIST);
    this.#next =
      Math.max(
        bytes === undefined ? ORPHAN_LIST : unpack<number>(bytes) - 1,
        last(keys.exampleLists()),
        last(keys.experimentLists()),
        last(keys.attachments()),
        ...named,
        ...staged,
      ) + 1;
  }

  assign(commit: Commit): number {
    const list = this.#next;
    this.#next += 1;
    commit.put(keys.meta('lists'), pack(this.#next));
    return list;
  }
}

/** Numbers of the next items in an experiment's list. `seq` counts the commits that changed the list. */
export interface ListHead {
  seq: number;
  nextRun: number;
  nextFeedback: number;
  /** All runs that were ever in the list started in this time. Absent if it is not known. */
  startsUs?: readonly [earliest: number, latest: number];
}

/** The head after runs were added or changed that started at these times. */
export function withStarts(head: ListHead, startsUs: readonly number[]): ListHead {
  if (startsUs.length === 0 || (head.nextRun > 0 && head.startsUs === undefined)) return head;
  let [earliest, latest] = head.startsUs ?? [Infinity, -Infinity];
  for (const startUs of startsUs) {
    earliest = Math.min(earliest, startUs);
    latest = Math.max(latest, startUs);
  }
  return { ...head, startsUs: [earliest, latest] };
}

export function listHead(lookup: Lookup, list: number): ListHead {
  const bytes = lookup.get(keys.listHead(list));
  return bytes === undefined ? { seq: 0, nextRun: 0, nextFeedback: 0 } : unpack<ListHead>(bytes);
}

/** Changes of one commit: first numbers of the changed blocks, or `all`. */
export interface ListChange {
  all: boolean;
  runs: number[];
  feedback: number[];
}

/**
 * Records a change. The entry tells the aggregator what to compute, also after a crash, and lets caches update without
 * reading the whole list. Returns its number.
 */
export function recordChange(commit: Commit, list: number, head: ListHead, change: ListChange): number {
  const seq = recordAggregatedChange(commit, list, head);
  if (list !== ORPHAN_LIST) commit.put(keys.change(list, seq), pack(change));
  return seq;
}

/** Records a change whose statistics are part of the same commit, so that nothing remains to be computed. */
export function recordAggregatedChange(commit: Commit, list: number, head: ListHead): number {
  const next = { ...head, seq: head.seq + 1 };
  commit.put(keys.listHead(list), pack(next));
  return next.seq;
}
