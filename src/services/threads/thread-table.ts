import type { Caller } from '../../domain/caller.js';
import { sees } from '../../domain/caller.js';
import { parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Commit } from '../../store/env.js';
import type { Stores } from '../../store/stores.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { LiveThread } from '../runs/live.js';

/** Where a thread's last run was, so that the next one finds its state warm. */
interface LastWorker {
  workerId: number;
  headId: string | null;
}

const REMEMBERED_MAX = 100_000;

/**
 * Threads with runs, or with a change that is not on disk yet. Everything else is read from the store. A change is decided on
 * the newest record (`current`); a reader gets the one that is on disk (`find`), so that no crash takes back what it saw.
 */
export class ThreadTable {
  readonly #stores: Stores;
  readonly #live = new Map<string, LiveThread>();
  /** Who waits for threads that are not there yet, by their ids. */
  readonly #awaited = new Map<string, Set<() => void>>();
  readonly #lastWorkers = new Map<string, LastWorker>();

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** The thread as it is on disk, for reading; undefined when there is none that this caller sees. */
  find(caller: Caller, threadId: string): ThreadRecord | undefined {
    const live = this.#live.get(threadId);
    return live === undefined ? this.#stores.threads.get(caller, threadId) : seen(caller, live.stored);
  }

  /** The thread with the changes that are on their way to the disk, for whoever changes it further. */
  current(caller: Caller, threadId: string): ThreadRecord | undefined {
    const live = this.#live.get(threadId);
    if (live === undefined) return this.#stores.threads.get(caller, threadId);
    return live.deleted ? undefined : seen(caller, live.record);
  }

  /** True when the id is taken, by whomever. */
  taken(threadId: string): boolean {
    const live = this.#live.get(threadId);
    return live === undefined ? this.#stores.threads.exists(threadId) : !live.deleted;
  }

  /** True when a thread of this id is on disk, whoever may see it. */
  isStored(threadId: string): boolean {
    const live = this.#live.get(threadId);
    return live === undefined ? this.#stores.threads.exists(threadId) : live.stored !== null;
  }

  live(threadId: string): LiveThread | undefined {
    return this.#live.get(threadId);
  }

  /** The live entry of a thread that is on disk; `release` it when the run or the commit is done. */
  hold(record: ThreadRecord): LiveThread {
    return this.#hold(record, record);
  }

  /** The same of a thread that no commit has stored yet. */
  holdNew(record: ThreadRecord): LiveThread {
    return this.#hold(record, null);
  }

  #hold(record: ThreadRecord, stored: ThreadRecord | null): LiveThread {
    let live = this.#live.get(record.threadId);
    if (live === undefined || live.deleted) {
      live = {
        threadId: record.threadId,
        record,
        stored,
        runs: [],
        executing: null,
        slot: null,
        seq: record.nextSeq,
        holds: 0,
        deleted: false,
      };
      this.#live.set(record.threadId, live);
    }
    live.holds += 1;
    return live;
  }

  /** Calls `made` when a thread of this id, which is not there yet, is on disk; the returned function stops that. */
  whenMade(threadId: string, made: () => void): () => void {
    const waiting = this.#awaited.get(threadId) ?? new Set();
    this.#awaited.set(threadId, waiting);
    waiting.add(made);
    return () => {
      waiting.delete(made);
      if (waiting.size === 0 && this.#awaited.get(threadId) === waiting) this.#awaited.delete(threadId);
    };
  }

  #onMade(threadId: string): void {
    const waiting = this.#awaited.get(threadId);
    this.#awaited.delete(threadId);
    for (const made of waiting ?? []) made();
  }

  release(live: LiveThread): void {
    live.holds -= 1;
    if (live.holds === 0 && this.#live.get(live.threadId) === live) this.#live.delete(live.threadId);
  }

  /** A thread of a run that keeps nothing: in nobody's table, its ids its own. */
  passing(threadId: string): LiveThread {
    return {
      threadId,
      record: null,
      stored: null,
      runs: [],
      executing: null,
      slot: null,
      seq: 0,
      holds: 1,
      deleted: false,
    };
  }

  /**
   * Changes the record in memory and in the commit; clients see the change when the commit is on disk. Null `before` makes the
   * thread. Returns the record of this change, which others may follow before it is on disk.
   */
  update(
    commit: Commit,
    live: LiveThread,
    changes: Partial<ThreadRecord>,
    before: ThreadRecord | null = live.record,
  ): ThreadRecord {
    const record = { ...live.record!, ...changes };
    this.#stores.threads.put(commit, record, before ?? undefined);
    live.record = record;
    commit.onDurable(() => {
      const isNew = live.stored === null;
      live.stored = record;
      if (isNew && this.#awaited.size > 0) this.#onMade(live.threadId);
    });
    return record;
  }

  /** The commit takes the thread away. Nothing changes it any more; clients see it until the commit is on disk. */
  remove(commit: Commit, live: LiveThread): void {
    live.deleted = true;
    commit.onDurable(() => {
      live.stored = null;
    });
  }

  /** Event ids are reserved ahead: what the store says next is never below what was used. */
  reservedSeq(live: LiveThread): number {
    return live.seq + LIMITS.seqBlock;
  }

  remember(threadId: string, workerId: number, headId: string | null): void {
    this.#lastWorkers.delete(threadId);
    this.#lastWorkers.set(threadId, { workerId, headId });
    if (this.#lastWorkers.size > REMEMBERED_MAX) this.#lastWorkers.delete(this.#lastWorkers.keys().next().value!);
  }

  /** No worker may go by what it remembers of the thread. */
  forgetWorker(threadId: string): void {
    this.#lastWorkers.delete(threadId);
  }

  lastWorker(threadId: string): LastWorker | undefined {
    return this.#lastWorkers.get(threadId);
  }
}

function seen(caller: Caller, record: ThreadRecord | null): ThreadRecord | undefined {
  if (record === null) return undefined;
  return sees(caller, 'threads', () => parseJson(record.metadata) as JsonObject) ? record : undefined;
}
