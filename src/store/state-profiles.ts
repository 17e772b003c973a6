import { LIMITS } from '../base/limits.js';
import { packRow, unpackRow } from '../wire/codec.js';
import { keys } from './keys.js';
import type { Reader } from './reader.js';
import type { Commit } from './store.js';

export type NamedBytes = [name: string, bytes: number];

/** The state of all threads on a day. */
export interface StateProfileRecord {
  atMs: number;
  /** Stored bytes of the states of all threads. */
  bytes: number;
  threads: number;
  /** The largest threads, largest first. */
  largest: NamedBytes[];
  /** The largest of each, by name. Threads without an owner are under the empty name. */
  owners: NamedBytes[];
  graphs: NamedBytes[];
  channels: NamedBytes[];
  namespaces: NamedBytes[];
}

/** In the order of the stored rows. Append new fields at the end. */
const FIELDS: readonly (keyof StateProfileRecord)[] = [
  'atMs',
  'bytes',
  'threads',
  'largest',
  'owners',
  'graphs',
  'channels',
  'namespaces',
];

export const DAY_MS = 24 * 3_600_000;

/** The bytes of state over the last year, in one record of about 10 KiB a day. */
export class StateProfiles {
  readonly #store: Reader;

  constructor(store: Reader) {
    this.#store = store;
  }

  /** Replaces the record of the same day, and removes old ones. */
  put(commit: Commit, record: StateProfileRecord): void {
    const dayMs = dayOf(record.atMs);
    commit.put(keys.stateProfile(dayMs), packRow(record, FIELDS));
    const oldestMs = dayMs - LIMITS.stateProfileDaysKept * DAY_MS;
    for (const key of this.#store.keys({ prefix: keys.stateProfiles() })) {
      if ((key[1] as number) > oldestMs) break;
      commit.remove(key);
    }
  }

  has(atMs: number): boolean {
    return this.#store.has(keys.stateProfile(dayOf(atMs)));
  }

  /** Oldest first. */
  *all(): Generator<StateProfileRecord> {
    for (const [, value] of this.#store.entries({ prefix: keys.stateProfiles() })) yield unpackStateProfile(value);
  }
}

export function unpackStateProfile(value: Uint8Array): StateProfileRecord {
  return unpackRow<StateProfileRecord>(value, FIELDS);
}

/** The first moment of the day in UTC. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}
