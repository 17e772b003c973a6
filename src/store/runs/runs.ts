import type { Caller } from '../../domain/caller.js';
import type { ErrorRecord } from '../../base/errors.js';
import { utf8, type JsonBytes } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { packHash, packId, unpackHash, unpackId, type PackedHash, type PackedId } from '../../base/packed-ids.js';
import { packPooled, unpack } from '../../wire/codec.js';
import { compress, decompress } from '../../wire/compression.js';
import { EMPTY_VALUE, type Commit, type Store } from '../store.js';
import { keys } from '../keys.js';
import type { ThreadRecord } from '../threads/threads.js';

export type RunStatus = 'pending' | 'running' | 'success' | 'error' | 'timeout' | 'interrupted';
export type MultitaskStrategy = 'reject' | 'rollback' | 'interrupt' | 'enqueue';

export interface RunRecord {
  runId: string;
  threadId: string;
  assistantId: string;
  graphId: string;
  /** In the future for a delayed run (`after_seconds`). */
  createdAtMs: number;
  updatedAtMs: number;
  status: RunStatus;
  metadata: JsonBytes;
  multitask: MultitaskStrategy;
  /** Number of the attempt that is waiting or running, from 1. */
  attempt: number;
  /** Increases with every dispatch. */
  lease: number;
  error: ErrorRecord | null;
  /** Hash of the code of the last attempt. Absent in older records, and before the first attempt. */
  code?: string | null;
}

/** Until format 3 the ids and the hash were text, and the metadata was complete. */
type RunRow = [
  runId: PackedId,
  threadId: PackedId,
  assistantId: PackedId,
  graphId: string,
  createdAtMs: number,
  updatedAtMs: number,
  status: RunStatus,
  /** In a list if it lacks the opening brace and its last members, which repeat the record (`repeatedMembers`). */
  metadata: Uint8Array | [beginning: Uint8Array],
  multitask: MultitaskStrategy,
  attempt: number,
  lease: number,
  error: ErrorRecord | null,
  code?: PackedHash | null,
];

export function packRun(record: RunRecord): Uint8Array<ArrayBuffer> {
  const { metadata, code } = record;
  const members = repeatedMembers(record);
  const end = metadata.byteLength - members.byteLength;
  return packPooled([
    packId(record.runId),
    packId(record.threadId),
    packId(record.assistantId),
    record.graphId,
    record.createdAtMs,
    record.updatedAtMs,
    record.status,
    end > 0 && members.equals(metadata.subarray(end)) ? [metadata.subarray(1, end)] : metadata,
    record.multitask,
    record.attempt,
    record.lease,
    record.error,
    code === null || code === undefined ? null : packHash(code),
  ] satisfies RunRow);
}

export function unpackRun(bytes: Uint8Array): RunRecord {
  const [
    runId,
    threadId,
    packedAssistantId,
    graphId,
    createdAtMs,
    updatedAtMs,
    status,
    packedMetadata,
    multitask,
    attempt,
    lease,
    error,
    code,
  ] = unpack<RunRow>(bytes);
  const assistantId = unpackId(packedAssistantId);
  const metadata = Array.isArray(packedMetadata)
    ? Buffer.concat([OPENING_BRACE, packedMetadata[0], repeatedMembers({ assistantId, graphId })])
    : packedMetadata;
  return {
    runId: unpackId(runId),
    threadId: unpackId(threadId),
    assistantId,
    graphId,
    createdAtMs,
    updatedAtMs,
    status,
    metadata: metadata as JsonBytes,
    multitask,
    attempt,
    lease,
    error,
    ...(code === undefined ? {} : { code: code === null ? null : unpackHash(code) }),
  };
}

const OPENING_BRACE = Buffer.from('{');

/** The last one, because consecutive runs mostly have the same assistant. */
let repeated = { assistantId: '', graphId: '', members: Buffer.alloc(0) };

/** The end of the metadata of a run: the server adds these members to those of the client. */
function repeatedMembers({ assistantId, graphId }: Pick<RunRecord, 'assistantId' | 'graphId'>): Buffer {
  if (repeated.assistantId !== assistantId || repeated.graphId !== graphId) {
    const text = `"assistant_id":${JSON.stringify(assistantId)},"graph_id":${JSON.stringify(graphId)}}`;
    repeated = { assistantId, graphId, members: Buffer.from(text) };
  }
  return repeated.members;
}

/** Data of a run that is kept only until the run ends. */
export interface ActiveRunRecord {
  runId: string;
  threadId: string;
  uid: string;
  /** The sealed caller. Removed with this record when the run ends. */
  sealed: Uint8Array;
  /**
   * A checkpoint or an answer of this run is stored, so later attempts run with null input. On disk only in the case of
   * an answer (recover.ts).
   */
  inputConsumed: boolean;
  /** Ids of the interrupts whose values in a resume map have been used. */
  answered: string[];
  /** Increases with every run of a thread. Runs wait in this order after a restart. Absent before release 0.3. */
  order?: number;
  /** Several runs were lost together with this one. Its next attempt gets a worker of its own. */
  suspect: boolean;
  /** Set if its attempt began on another node of a cluster. Absent before release 0.3. */
  place?: RunPlace | null;
}

/** Where a run executes whose attempt began on another node than the owner. */
export interface RunPlace {
  /** Name of the node; null if the owner executes the run itself, because it was that node. */
  node: string | null;
  /** The owner has left the run there for the next owner. */
  isLeft: boolean;
  /** Ids of requests to change long-term memory that are on disk. Their node may send them to the next owner again. */
  memoryRequests: number[];
}

export class Runs {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The thread must have been read with the same caller: its runs have the same visibility. */
  get(_caller: Caller, runId: string): RunRecord | undefined {
    const bytes = this.#store.get(keys.run(runId));
    return bytes === undefined ? undefined : unpackRun(bytes);
  }

  /** Parameters of the run, as JSON. */
  kwargs(_caller: Caller, runId: string): JsonBytes {
    return decompress(this.#store.get(keys.runKwargs(runId)) ?? EMPTY_VALUE);
  }

  /** Newest first. */
  list(
    caller: Caller,
    thread: ThreadRecord,
    query: { status?: RunStatus; limit: number; offset: number },
  ): RunRecord[] {
    const found: RunRecord[] = [];
    for (const key of this.#store.indexKeys({
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

  /** Every unfinished run, without access check; for start-up. */
  *active(): Generator<{ alive: ActiveRunRecord; run: RunRecord | undefined }> {
    for (const [, bytes] of this.#store.entries({ prefix: keys.activeRuns() })) {
      const alive = unpack<ActiveRunRecord>(bytes);
      const run = this.#store.get(keys.run(alive.runId));
      yield { alive, run: run === undefined ? undefined : unpackRun(run) };
    }
  }

  create(commit: Commit, record: RunRecord, kwargs: JsonBytes, alive: ActiveRunRecord): void {
    commit.put(keys.run(record.runId), packRun(record));
    this.putKwargs(commit, record.runId, kwargs);
    commit.put(keys.threadRun(alive.uid, record.createdAtMs, record.runId), EMPTY_VALUE);
    commit.put(keys.activeRun(record.runId), packPooled(alive));
  }

  putKwargs(commit: Commit, runId: string, kwargs: JsonBytes): void {
    commit.put(keys.runKwargs(runId), compress(kwargs, LIMITS.compressedKwargsBytesMax));
  }

  /** Records that the run is deleted together with its assistant. */
  linkToAssistant(commit: Commit, uid: string, record: RunRecord): void {
    commit.put(keys.assistantRun(record.assistantId, record.runId), utf8(uid));
  }

  update(commit: Commit, record: RunRecord): void {
    commit.put(keys.run(record.runId), packRun(record));
  }

  updateActive(commit: Commit, alive: ActiveRunRecord): void {
    commit.put(keys.activeRun(alive.runId), packPooled(alive));
  }

  removeActive(commit: Commit, runId: string): void {
    commit.remove(keys.activeRun(runId));
  }

  /** Stores the run's end and removes its sealed caller. */
  finish(commit: Commit, record: RunRecord): void {
    commit.put(keys.run(record.runId), packRun(record));
    commit.remove(keys.activeRun(record.runId));
  }

  /** Removes the run. `rollBack` (services) undoes its writes; the remover removes its frames. */
  remove(commit: Commit, uid: string, record: RunRecord): void {
    this.hide(commit, uid, record);
    commit.remove(keys.runKwargs(record.runId));
    commit.remove(keys.webhookLog(record.runId));
    commit.put(keys.leftover('run', record.runId), EMPTY_VALUE);
  }

  /** Makes the run unreachable but keeps its content until its webhook is sent (Webhooks.end). */
  hide(commit: Commit, uid: string, record: RunRecord): void {
    commit.remove(keys.run(record.runId));
    commit.remove(keys.threadRun(uid, record.createdAtMs, record.runId));
    commit.remove(keys.assistantRun(record.assistantId, record.runId));
    commit.remove(keys.activeRun(record.runId));
  }
}
