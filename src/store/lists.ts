import { pack, unpack } from '../wire/codec.js';
import type { Commit } from './env.js';
import { keys } from './keys.js';
import type { Lookup } from './latest.js';

/** List 0 holds the feedback whose runs have not come yet. */
export const ORPHAN_LIST = 0;

/** Hands out numbers of lists. The number on disk is never below one that was used: it is put in the commit that uses it. */
export class Lists {
  #next: number;

  constructor(lookup: Lookup) {
    const bytes = lookup.get(keys.meta('lists'));
    this.#next = bytes === undefined ? ORPHAN_LIST + 1 : unpack<number>(bytes);
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
