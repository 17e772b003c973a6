import { pack, unpack } from '../../wire/codec.js';
import type { Commit } from '../env.js';
import { keys, type Key } from '../keys.js';
import type { Lookup } from '../read-your-writes.js';
import type { Reader } from '../reader.js';

/** List 0 holds the feedback whose runs have not come yet. */
export const ORPHAN_LIST = 0;

/** Hands out numbers of lists; none is ever used twice. */
export class Lists {
  #next: number;

  /** The stored number may lag behind: a commit that was planned early may be written late. So lists that are there count too. */
  constructor(reader: Reader) {
    const bytes = reader.get(keys.meta('lists'));
    const last = (prefix: Key): number =>
      Math.max(ORPHAN_LIST, ...[...reader.keys({ prefix, reverse: true, limit: 1 })].map((key) => key[1] as number));
    const named = [...reader.keys({ prefix: keys.leftovers() })]
      .filter(([, kind]) => kind === 'examples' || kind === 'experiment')
      .map((key) => Number(key[2]));
    const staged = [...reader.entries({ prefix: keys.stagings() })]
      .flatMap(([, value]) => Object.values(unpack<Record<string, number | null>>(value)))
      .map((list) => list ?? ORPHAN_LIST);
    this.#next =
      Math.max(
        bytes === undefined ? ORPHAN_LIST : unpack<number>(bytes) - 1,
        last(keys.exampleLists()),
        last(keys.experimentLists()),
        ...named,
        ...staged,
      ) + 1;
  }

  take(commit: Commit): number {
    const list = this.#next;
    this.#next += 1;
    commit.put(keys.meta('lists'), pack(this.#next));
    return list;
  }
}

/** Where the next item of an experiment's lists goes, and how many commits have changed them. */
export interface ListHead {
  seq: number;
  nextRun: number;
  nextFeedback: number;
}

export function headOf(lookup: Lookup, list: number): ListHead {
  const bytes = lookup.get(keys.listHead(list));
  return bytes === undefined ? { seq: 0, nextRun: 0, nextFeedback: 0 } : unpack<ListHead>(bytes);
}

/** What one commit changed: first numbers of blocks, or everything. */
export interface Change {
  all: boolean;
  runs: number[];
  feedback: number[];
}

/**
 * Notes a change: the entry is the aggregator's work (it survives a crash), and lets caches catch up without reading the
 * whole list. Returns its number.
 */
export function noteChange(commit: Commit, list: number, head: ListHead, change: Change): number {
  const next = { ...head, seq: head.seq + 1 };
  commit.put(keys.listHead(list), pack(next));
  if (list !== ORPHAN_LIST) commit.put(keys.change(list, next.seq), pack(change));
  return next.seq;
}
