import { filterOf, sees, type Caller } from '../domain/caller.js';
import type { ErrorRecord } from '../base/errors.js';
import { jsonBytes, parseJson, type JsonBytes, type JsonObject } from '../base/json/json.js';
import { pack, unpack } from '../wire/codec.js';
import type { Commit } from './store.js';
import { keys } from './keys.js';
import type { Lookup } from './lookup.js';
import { filterAlternatives, filterLeaves, idsMatching, updateLeaves } from './metadata-index.js';
import type { Reader } from './reader.js';

export interface CronRecord {
  cronId: string;
  assistantId: string;
  /** Null: every firing gets a new thread. */
  threadId: string | null;
  schedule: string;
  /** Null: UTC. */
  timezone: string | null;
  endAtMs: number | null;
  enabled: boolean;
  /** Whether the new thread of a firing is kept after its run. Null for a cron of a fixed thread. */
  onRunCompleted: 'delete' | 'keep' | null;
  createdAtMs: number;
  updatedAtMs: number;
  /** Time of the next firing; null when there is none. */
  nextAtMs: number | null;
  /** Identity of the creator, for the limit of crons per caller. */
  identity: string;
  /** User id of the creator as shown in responses; null when authentication was off. */
  userId: string | null;
  /** The caller on whose behalf it fires, sealed. */
  sealed: Uint8Array;
  metadata: JsonBytes;
  /** Last run that it started, and when. */
  lastRunId: string | null;
  lastRunAtMs: number | null;
  /** Why the last firing started no run; null when it did. */
  lastError: (ErrorRecord & { atMs: number }) | null;
}

/** Cron records. The payload is a record of its own: it may be long, and only firing and showing a cron need it. */
export class Crons {
  readonly #lookup: Lookup;
  readonly #reader: Reader;

  constructor(lookup: Lookup, reader: Reader) {
    this.#lookup = lookup;
    this.#reader = reader;
  }

  /** Undefined when it does not exist or this caller may not see it. */
  get(caller: Caller, cronId: string): CronRecord | undefined {
    const bytes = this.#lookup.get(keys.cron(cronId));
    if (bytes === undefined) return undefined;
    const record = unpack<CronRecord>(bytes);
    return sees(caller, 'crons', () => parseJson(record.metadata) as JsonObject) ? record : undefined;
  }

  /** Input for its runs. The cron must have been read with the same caller. */
  payload(_caller: Caller, cronId: string): JsonBytes {
    return this.#lookup.get(keys.cronPayload(cronId)) ?? jsonBytes({});
  }

  /** Every cron, without access check; for start-up. */
  *all(): Generator<CronRecord> {
    for (const [, bytes] of this.#reader.entries({ prefix: keys.crons() })) yield unpack<CronRecord>(bytes);
  }

  /** Superset of the ids that this caller sees and whose metadata contains `metadata`; null means all ids. */
  candidateIds(caller: Caller, metadata: JsonObject): ReadonlySet<string> | null {
    const filter = filterOf(caller, 'crons');
    if (filter === undefined) return new Set();
    const equalities = [
      ...(filter === null ? [] : filterAlternatives(filter)),
      ...filterLeaves(metadata).map((one) => [one]),
    ];
    const ids = idsMatching(this.#reader, equalities, keys.cronLeaves);
    return ids === null ? null : new Set(ids);
  }

  put(commit: Commit, record: CronRecord, previous: CronRecord | null): void {
    updateLeaves(commit, (leaf) => keys.cronLeaf(leaf, record.cronId), previous?.metadata ?? null, record.metadata);
    commit.put(keys.cron(record.cronId), pack(record));
  }

  putPayload(commit: Commit, cronId: string, payload: JsonBytes): void {
    commit.put(keys.cronPayload(cronId), payload);
  }

  remove(commit: Commit, record: CronRecord): void {
    updateLeaves(commit, (leaf) => keys.cronLeaf(leaf, record.cronId), record.metadata, null);
    commit.remove(keys.cron(record.cronId));
    commit.remove(keys.cronPayload(record.cronId));
  }
}
