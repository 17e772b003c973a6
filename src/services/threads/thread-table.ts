import type { Caller } from '../../domain/caller.js';
import { sees } from '../../domain/caller.js';
import { parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { TransientMap } from '../../base/transient.js';
import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import { FIRST_EVENT_ID, nextEventId, type ThreadRecord } from '../../store/threads/threads.js';
import type { LiveThread } from '../runs/live.js';

/** Worker of a thread's last run. It has the state in memory, so the next run should go there. */
interface LastWorker {
  workerId: number;
  headId: string | null;
}

const REMEMBERED_MAX = 100_000;

/**
 * Threads with runs or with pending writes. All other threads are read from the store. Changes start from the
 * newest record (`current`). Readers get the record on disk (`find`), so that a crash never takes back what
 * they saw.
 */
export class ThreadTable {
  readonly #stores: Stores;
  readonly #live = new TransientMap<string, LiveThread>();
  /** Callbacks that wait for threads to be created, by thread id. */
  readonly #creationListeners = new Map<string, Set<() => void>>();
  readonly #lastWorkers = new Map<string, LastWorker>();

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** The thread as stored on disk, for reading. Undefined if the caller sees none with this id. */
  find(caller: Caller, threadId: string): ThreadRecord | undefined {
    const live = this.#live.get(threadId);
    return live === undefined ? this.#stores.threads.get(caller, threadId) : ifVisible(caller, live.stored);
  }

  /** The thread including pending writes, for further changes. */
  current(caller: Caller, threadId: string): ThreadRecord | undefined {
    const live = this.#live.get(threadId);
    if (live === undefined) return this.#stores.threads.get(caller, threadId);
    return live.deleted ? undefined : ifVisible(caller, live.record);
  }

  /** True if a thread with this id exists, whether visible to the caller or not. */
  isTaken(threadId: string): boolean {
    const live = this.#live.get(threadId);
    return live === undefined ? this.#stores.threads.exists(threadId) : !live.deleted;
  }

  /** True if a thread with this id is on disk, whether visible to the caller or not. */
  isStored(threadId: string): boolean {
    const live = this.#live.get(threadId);
    return live === undefined ? this.#stores.threads.exists(threadId) : live.stored !== null;
  }

  live(threadId: string): LiveThread | undefined {
    return this.#live.get(threadId);
  }

  /** Returns the live entry of a stored thread. `release` it when the run or commit is done. */
  hold(record: ThreadRecord): LiveThread {
    return this.#hold(record, record);
  }

  /** Like `hold`, for a thread that is not stored yet. */
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
        seq: nextEventId(record),
        holds: 0,
        deleted: false,
      };
      this.#live.set(record.threadId, live);
    }
    live.holds += 1;
    return live;
  }

  /** Calls `onCreated` when a new thread with this id is on disk. Returns a function that cancels this. */
  onceCreated(threadId: string, onCreated: () => void): () => void {
    const waiting = this.#creationListeners.get(threadId) ?? new Set();
    this.#creationListeners.set(threadId, waiting);
    waiting.add(onCreated);
    return () => {
      waiting.delete(onCreated);
      if (waiting.size === 0 && this.#creationListeners.get(threadId) === waiting)
        this.#creationListeners.delete(threadId);
    };
  }

  #notifyCreated(threadId: string): void {
    const waiting = this.#creationListeners.get(threadId);
    this.#creationListeners.delete(threadId);
    for (const onCreated of waiting ?? []) onCreated();
  }

  release(live: LiveThread): void {
    live.holds -= 1;
    if (live.holds === 0 && this.#live.get(live.threadId) === live) this.#live.delete(live.threadId);
  }

  /** The thread of a run that stores nothing. It is not in the table and has its own event ids. */
  transientThread(threadId: string): LiveThread {
    return {
      threadId,
      record: null,
      stored: null,
      runs: [],
      executing: null,
      slot: null,
      seq: FIRST_EVENT_ID,
      holds: 1,
      deleted: false,
    };
  }

  /**
   * Changes the record in memory and in the commit. Readers see the change when the commit is on disk. `before:
   * null` creates the thread. Returns the record with this change; later changes may follow before it is on
   * disk.
   *
   * The start of a run leaves the index as it is, because the end of the run changes the same entries again: they were
   * half of the records that a short run writes.
   */
  update(
    commit: Commit,
    live: LiveThread,
    changes: Partial<ThreadRecord>,
    before: ThreadRecord | null = live.record,
  ): ThreadRecord {
    const changed = { ...live.record!, ...changes };
    const record = this.#put(commit, live, changed, { before, indexLater: changed.status === 'busy' });
    // Not at once: another change of a thread may be planned and not written yet.
    if (record.indexedAs !== undefined) commit.onDurable(() => this.#limitOutdated());
    return record;
  }

  #put(
    commit: Commit,
    live: LiveThread,
    changed: ThreadRecord,
    { before, indexLater }: { before: ThreadRecord | null; indexLater: boolean },
  ): ThreadRecord {
    const record = this.#stores.threads.put(commit, changed, before ?? undefined, { indexLater });
    live.record = record;
    commit.onDurable(() => {
      const isNew = live.stored === null;
      live.stored = record;
      if (isNew && this.#creationListeners.size > 0) this.#notifyCreated(live.threadId);
    });
    return record;
  }

  /** Brings the index up to date for the thread that has waited longest, if there are too many. */
  #limitOutdated(): void {
    const { threads, store } = this.#stores;
    if (threads.outdated.size <= LIMITS.outdatedThreadsMax) return;
    for (const threadId of threads.outdated.keys()) {
      const live = this.#live.get(threadId);
      // Others wait only for the disk.
      if (live?.record?.indexedAs === undefined || live.deleted) continue;
      const commit = new Commit();
      this.updateIndex(commit, live);
      store.write(commit).catch(() => undefined);
      return;
    }
  }

  /**
   * Brings the index up to date with the record. Needed in a commit that removes an unfinished run without ending it:
   * after a crash, busy threads without runs are found by the index.
   */
  updateIndex(commit: Commit, live: LiveThread): void {
    const { record } = live;
    if (record?.indexedAs !== undefined && !live.deleted)
      this.#put(commit, live, record, { before: record, indexLater: false });
  }

  /**
   * Marks the thread as deleted by the commit. It accepts no more changes. Readers see it until the commit is
   * on disk.
   */
  remove(commit: Commit, live: LiveThread): void {
    live.deleted = true;
    commit.onDurable(() => {
      live.stored = null;
    });
  }

  /** Event ids are reserved in blocks: the stored next id is never below a used one. */
  reservedSeq(live: LiveThread): number {
    return live.seq + LIMITS.seqBlock;
  }

  rememberWorker(threadId: string, workerId: number, headId: string | null): void {
    this.#lastWorkers.delete(threadId);
    this.#lastWorkers.set(threadId, { workerId, headId });
    if (this.#lastWorkers.size > REMEMBERED_MAX) this.#lastWorkers.delete(this.#lastWorkers.keys().next().value!);
  }

  /** Makes workers reload the state of the thread. */
  forgetWorker(threadId: string): void {
    this.#lastWorkers.delete(threadId);
  }

  lastWorker(threadId: string): LastWorker | undefined {
    return this.#lastWorkers.get(threadId);
  }
}

function ifVisible(caller: Caller, record: ThreadRecord | null): ThreadRecord | undefined {
  if (record === null) return undefined;
  return sees(caller, 'threads', () => parseJson(record.metadata) as JsonObject) ? record : undefined;
}
