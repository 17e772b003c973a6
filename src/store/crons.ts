import { filterOf, sees, type Caller } from '../domain/caller.js';
import type { ErrorRecord } from '../base/errors.js';
import { jsonBytes, parseJson, type JsonBytes, type JsonObject } from '../base/json/json.js';
import { pack, unpack } from '../wire/codec.js';
import type { Commit } from './env.js';
import { keys } from './keys.js';
import type { Lookup } from './read-your-writes.js';
import { filterAlternatives, filterLeaves, idsUnder, moveLeaves } from './metadata-index.js';
import type { Reader } from './reader.js';

export interface CronRecord {
  cronId: string;
  assistantId: string;
  /** Null: every firing has a thread of its own. */
  threadId: string | null;
  schedule: string;
  /** Null: UTC. */
  timezone: string | null;
  endAtMs: number | null;
  enabled: boolean;
  /** What becomes of the thread of a firing; null for a cron of a thread. */
  onRunCompleted: 'delete' | 'keep' | null;
  createdAtMs: number;
  updatedAtMs: number;
  /** The slot that is to fire next; null when no more is. */
  nextAtMs: number | null;
  /** Who made it, for the bound of each caller. */
  identity: string;
  /** The same as it is shown; null when nobody was asked. */
  userId: string | null;
  /** The caller that it fires as, sealed. */
  sealed: Uint8Array;
  metadata: JsonBytes;
  /** The last run that it started, and when. */
  lastRunId: string | null;
  lastRunAtMs: number | null;
  /** Why its last slot did not become a run; null when it did. */
  lastError: (ErrorRecord & { atMs: number }) | null;
}

/** Everything but the payload, which may be long and is only needed to fire and to be shown. */
export class Crons {
  readonly #lookup: Lookup;
  readonly #reader: Reader;

  constructor(lookup: Lookup, reader: Reader) {
    this.#lookup = lookup;
    this.#reader = reader;
  }

  /** Undefined when there is none, or none that this caller sees. */
  get(caller: Caller, cronId: string): CronRecord | undefined {
    const bytes = this.#lookup.get(keys.cron(cronId));
    if (bytes === undefined) return undefined;
    const record = unpack<CronRecord>(bytes);
    return sees(caller, 'crons', () => parseJson(record.metadata) as JsonObject) ? record : undefined;
  }

  /** What its runs are asked to do. The cron has been read with the same caller. */
  payload(_caller: Caller, cronId: string): JsonBytes {
    return this.#lookup.get(keys.cronPayload(cronId)) ?? jsonBytes({});
  }

  /** Every cron, for start-up; the server itself asks. */
  *all(): Generator<CronRecord> {
    for (const [, bytes] of this.#reader.entries({ prefix: keys.crons() })) yield unpack<CronRecord>(bytes);
  }

  /** Ids among which all are that this caller sees and whose metadata contains this; null when all ids are. */
  candidates(caller: Caller, metadata: JsonObject): ReadonlySet<string> | null {
    const filter = filterOf(caller, 'crons');
    if (filter === undefined) return new Set();
    const equalities = [
      ...(filter === null ? [] : filterAlternatives(filter)),
      ...filterLeaves(metadata).map((one) => [one]),
    ];
    const ids = idsUnder(this.#reader, equalities, keys.cronLeaves);
    return ids === null ? null : new Set(ids);
  }

  put(commit: Commit, record: CronRecord, previous: CronRecord | null): void {
    moveLeaves(commit, (leaf) => keys.cronLeaf(leaf, record.cronId), previous?.metadata ?? null, record.metadata);
    commit.put(keys.cron(record.cronId), pack(record));
  }

  putPayload(commit: Commit, cronId: string, payload: JsonBytes): void {
    commit.put(keys.cronPayload(cronId), payload);
  }

  remove(commit: Commit, record: CronRecord): void {
    moveLeaves(commit, (leaf) => keys.cronLeaf(leaf, record.cronId), record.metadata, null);
    commit.remove(keys.cron(record.cronId));
    commit.remove(keys.cronPayload(record.cronId));
  }
}
