import type { Caller } from '../../domain/caller.js';
import type { ErrorRecord } from '../../base/errors.js';
import { utf8, type JsonBytes } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { pack, packRow, unpack, unpackRow } from '../../wire/codec.js';
import { EMPTY, type Commit, type Store } from '../env.js';
import { keys } from '../keys.js';
import type { ThreadRecord } from '../threads/threads.js';

export type RunStatus = 'pending' | 'running' | 'success' | 'error' | 'timeout' | 'interrupted';
export type MultitaskStrategy = 'reject' | 'rollback' | 'interrupt' | 'enqueue';

export interface RunRecord {
  runId: string;
  threadId: string;
  assistantId: string;
  graphId: string;
  /** Lies in the future for a delayed run (`after_seconds`). */
  createdAtMs: number;
  updatedAtMs: number;
  status: RunStatus;
  metadata: JsonBytes;
  multitask: MultitaskStrategy;
  /** Number of the attempt that is due or under way, from 1. */
  attempt: number;
  /** Rises at every dispatch. */
  lease: number;
  error: ErrorRecord | null;
}

/** The stored order. */
const FIELDS = [
  'runId',
  'threadId',
  'assistantId',
  'graphId',
  'createdAtMs',
  'updatedAtMs',
  'status',
  'metadata',
  'multitask',
  'attempt',
  'lease',
  'error',
] as const satisfies (keyof RunRecord)[];

export function unpackRun(bytes: Uint8Array): RunRecord {
  return unpackRow<RunRecord>(bytes, FIELDS);
}

/** What is kept of a run only while it is not terminal. */
export interface AliveRecord {
  runId: string;
  threadId: string;
  uid: string;
  /** The caller, sealed; gone with this record at the terminal commit. */
  sealed: Uint8Array;
  /** A first checkpoint or write of this run is on disk: later attempts run with input null. */
  inputConsumed: boolean;
  /** Ids of the interrupts whose answers, out of a map of answers, have been used. */
  answered: string[];
  /** Rises with every run that a thread takes: after a restart they wait in this order. Missing in runs of releases before 0.3. */
  order?: number;
  /** Lost together with others: the next attempt runs on a worker of its own. */
  suspect: boolean;
}

export class Runs {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The thread has been read with the same caller: a run is seen by whoever sees its thread. */
  get(_caller: Caller, runId: string): RunRecord | undefined {
    const bytes = this.#store.get(keys.run(runId));
    return bytes === undefined ? undefined : unpackRun(bytes);
  }

  /** JSON of what the run was asked to do. */
  kwargs(_caller: Caller, runId: string): JsonBytes {
    return this.#store.get(keys.runKwargs(runId)) ?? EMPTY;
  }

  /** Newest first. */
  list(
    caller: Caller,
    thread: ThreadRecord,
    query: { status?: RunStatus; limit: number; offset: number },
  ): RunRecord[] {
    const found: RunRecord[] = [];
    for (const key of this.#store.index({
      prefix: keys.threadRuns(thread.uid),
      reverse: true,
      limit: LIMITS.scanRowsMax,
    })) {
      const record = this.get(caller, key[3] as string);
      if (record === undefined || (query.status !== undefined && record.status !== query.status)) continue;
      found.push(record);
      if (found.length >= query.offset + query.limit) break;
    }
    return found.slice(query.offset);
  }

  /** Every run that had not ended, for start-up; the server itself asks, before there is a caller. */
  *alive(): Generator<{ alive: AliveRecord; run: RunRecord | undefined }> {
    for (const [, bytes] of this.#store.entries({ prefix: keys.alives() })) {
      const alive = unpack<AliveRecord>(bytes);
      const run = this.#store.get(keys.run(alive.runId));
      yield { alive, run: run === undefined ? undefined : unpackRun(run) };
    }
  }

  create(commit: Commit, uid: string, record: RunRecord, kwargs: JsonBytes, alive: AliveRecord): void {
    commit.put(keys.run(record.runId), packRow(record, FIELDS));
    commit.put(keys.runKwargs(record.runId), kwargs);
    commit.put(keys.threadRun(uid, record.createdAtMs, record.runId), EMPTY);
    commit.put(keys.alive(record.runId), pack(alive));
  }

  /** Its row goes when its assistant is deleted. */
  goesWithAssistant(commit: Commit, uid: string, record: RunRecord): void {
    commit.put(keys.assistantRun(record.assistantId, record.runId), utf8(uid));
  }

  update(commit: Commit, record: RunRecord): void {
    commit.put(keys.run(record.runId), packRow(record, FIELDS));
  }

  updateAlive(commit: Commit, alive: AliveRecord): void {
    commit.put(keys.alive(alive.runId), pack(alive));
  }

  removeAlive(commit: Commit, runId: string): void {
    commit.remove(keys.alive(runId));
  }

  /** The run is terminal: the sealed caller goes. */
  settle(commit: Commit, record: RunRecord): void {
    commit.put(keys.run(record.runId), packRow(record, FIELDS));
    commit.remove(keys.alive(record.runId));
  }

  /** The row goes; what it wrote is undone by rollBack (services), its frames by the remover. */
  remove(commit: Commit, uid: string, record: RunRecord): void {
    this.hide(commit, uid, record);
    commit.remove(keys.runKwargs(record.runId));
    commit.remove(keys.webhookLog(record.runId));
    commit.put(keys.leftover('run', record.runId), EMPTY);
  }

  /** Nobody finds the run any more, but all that it has stored stays until its webhook has been sent (Webhooks.end). */
  hide(commit: Commit, uid: string, record: RunRecord): void {
    commit.remove(keys.run(record.runId));
    commit.remove(keys.threadRun(uid, record.createdAtMs, record.runId));
    commit.remove(keys.assistantRun(record.assistantId, record.runId));
    commit.remove(keys.alive(record.runId));
  }
}
