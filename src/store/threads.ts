import { sees, type Caller } from '../base/caller.js';
import type { ErrorRecord } from '../base/errors.js';
import { parseJson, type JsonBytes, type JsonObject } from '../base/json.js';
import { pack, unpack } from '../wire/codec.js';
import { Commit, EMPTY, type Store } from './env.js';
import { keys, type Key } from './keys.js';
import { ALL_LEAF, leavesOf, statusLeaf } from './metadata-index.js';
import type { ThreadMoves } from './thread-moves.js';

export type ThreadStatus = 'idle' | 'busy' | 'interrupted' | 'error';

export interface ThreadRecord {
  threadId: string;
  /** Inner id: what lies under the thread is keyed by it (store/keys.ts). */
  uid: string;
  createdAtMs: number;
  updatedAtMs: number;
  /** Not after `updatedAtMs`. */
  stateUpdatedAtMs: number;
  status: ThreadStatus;
  metadata: JsonBytes;
  config: JsonBytes;
  graphId: string | null;
  /** The head checkpoint has next steps: the graph stopped before its end. */
  unfinished: boolean;
  /** Why the last run failed; null when it did not. */
  failure: ErrorRecord | null;
  /** The next event id of the thread; ids below may or may not have been used. */
  nextSeq: number;
  /** Made for one run without a thread; removed when that run ends. */
  temporary: boolean;
}

export class Threads {
  readonly #store: Store;
  readonly #moves: ThreadMoves;

  constructor(store: Store, moves: ThreadMoves) {
    this.#store = store;
    this.#moves = moves;
  }

  /** Undefined when there is none, or none that this caller sees. */
  get(caller: Caller, threadId: string): ThreadRecord | undefined {
    const bytes = this.#store.get(keys.thread(threadId));
    if (bytes === undefined) return undefined;
    const record = unpack<ThreadRecord>(bytes);
    return sees(caller, 'threads', () => parseJson(record.metadata) as JsonObject) ? record : undefined;
  }

  /** True when the id is taken, by whomever. */
  exists(threadId: string): boolean {
    return this.#store.has(keys.thread(threadId));
  }

  /** Threads that say they are busy; after a crash some have nothing left to do. The server itself asks, at start-up. */
  *busy(): Generator<ThreadRecord> {
    for (const key of this.#store.keys({ prefix: keys.threadIndexLeaf('updated', statusLeaf('busy')) })) {
      const bytes = this.#store.get(keys.thread(key[3] as string));
      if (bytes !== undefined) yield unpack<ThreadRecord>(bytes);
    }
  }

  put(commit: Commit, record: ThreadRecord, previous: ThreadRecord | undefined): void {
    const { threadId, createdAtMs, updatedAtMs } = record;
    const leaves = indexLeaves(record);
    const before = previous === undefined ? [] : indexLeaves(previous);
    const moved = previous !== undefined && previous.updatedAtMs !== updatedAtMs;
    if (moved) this.#moves.note(threadId, previous.updatedAtMs, updatedAtMs);
    for (const leaf of before) {
      const stays = leaves.includes(leaf);
      if (moved || !stays) commit.remove(keys.threadIndex('updated', leaf, previous!.updatedAtMs, threadId));
      if (!stays) commit.remove(keys.threadIndex('created', leaf, createdAtMs, threadId));
    }
    for (const leaf of leaves) {
      const stood = before.includes(leaf);
      if (moved || !stood) commit.put(keys.threadIndex('updated', leaf, updatedAtMs, threadId), EMPTY);
      if (!stood) commit.put(keys.threadIndex('created', leaf, createdAtMs, threadId), EMPTY);
    }
    commit.put(keys.thread(threadId), pack(record));
  }

  /** Makes the thread unreachable; its content is named as leftover for the remover. */
  remove(commit: Commit, record: ThreadRecord): void {
    for (const leaf of indexLeaves(record)) {
      commit.remove(keys.threadIndex('updated', leaf, record.updatedAtMs, record.threadId));
      commit.remove(keys.threadIndex('created', leaf, record.createdAtMs, record.threadId));
    }
    commit.remove(keys.thread(record.threadId));
    commit.put(keys.leftover('thread', record.uid), EMPTY);
  }

  /**
   * Data folders of before had no order of creation: their threads are entered into it at start-up, a part at a time. A
   * mark stands in the store until all are.
   */
  async enterCreated(): Promise<void> {
    const any = (order: 'updated' | 'created'): boolean => [...this.#store.keys({ prefix: keys.threadIndexLeaf(order, ALL_LEAF), limit: 1 })].length > 0;
    const mark = keys.meta('entering threads by creation');
    if (!this.#store.has(mark) && (any('created') || !any('updated'))) return;
    let commit = new Commit();
    commit.put(mark, EMPTY);
    for (let after: Key | null = null; ;) {
      const some: [Key, Uint8Array][] = [...this.#store.entries({ prefix: keys.threads(), ...(after === null ? {} : { start: after, after: true }), limit: ENTERED_AT_ONCE })];
      for (const [key, bytes] of some) {
        const record = unpack<ThreadRecord>(bytes);
        for (const leaf of indexLeaves(record)) commit.put(keys.threadIndex('created', leaf, record.createdAtMs, record.threadId), EMPTY);
        after = key;
      }
      if (some.length === 0) commit.remove(mark);
      await this.#store.write(commit);
      if (some.length === 0) return;
      commit = new Commit();
    }
  }
}

const ENTERED_AT_ONCE = 1_000;

function indexLeaves(record: ThreadRecord): string[] {
  return [ALL_LEAF, statusLeaf(record.status), ...leavesOf(parseJson(record.metadata) as JsonObject)];
}
