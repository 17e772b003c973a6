import { SERVER_CALLER, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { RunLog, type Gap } from '../../pool/graphs/run-log.js';
import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import { FIRST_EVENT_ID, nextEventId, type ThreadRecord } from '../../store/threads/threads.js';
import { jsonFrame, singleFrame, type FrameBatch } from '../../wire/runs/frame.js';
import { isProtocolName } from '../../wire/runs/protocol.js';
import type { Subscription } from '../runs/subscription.js';
import { startListening, type LiveRun } from '../runs/live.js';
import { headHasInterrupts, latestStateJson } from '../state/state.js';
import type { EventFilter } from '../runs/stream-filter.js';
import type { ThreadTable } from './thread-table.js';
import { ThreadWaiters } from './thread-waiters.js';

export type ThreadStreamMode = 'run_modes' | 'lifecycle' | 'state_update';

const STATE_UPDATE = 'state_update';

/** The events of each mode, by name. The start and the end of a run are both `metadata` events. */
const MODE_FILTERS: Record<ThreadStreamMode, (name: string) => boolean> = {
  run_modes: (name) => name !== STATE_UPDATE && !isProtocolName(name),
  lifecycle: (name) => name === 'metadata',
  state_update: (name) => name === STATE_UPDATE,
};

/** The events of a thread over all its runs. Exists while there are readers. */
interface ThreadFeed {
  readonly log: RunLog;
  readers: number;
  /** True if a reader wants states. Otherwise no state is read. */
  wantsState: boolean;
  /** Runs with stored frames, ordered by event id. */
  readonly stored: { runId: string; firstSeq: number }[];
}

export interface FeedQuery {
  /** Null: only new events. */
  lastEventId: number | null;
  modes: readonly ThreadStreamMode[];
  /** Replaces the filter of the modes. */
  wants?: EventFilter;
  /** Without a cursor: start with the events of the executing run, or of the last run if its interrupts are open. */
  fromCurrentRun?: boolean;
  /**
   * If set: wait for a thread that does not exist yet. `hidden` is called if the thread is created and this
   * caller may not see it.
   */
  awaitCreation?: { hidden: () => void };
}

export interface FeedSubscription {
  subscription: Subscription;
  unsubscribe: () => void;
}

/** Event ids reserved for the end of a run. */
export interface ReservedEnd {
  feed: ThreadFeed;
  seq: number;
}

/**
 * Event streams of threads (agent-server.md, section 7). All runs of a thread share one counter of event ids,
 * so one log and one cursor are enough. A thread without readers costs nothing: no feed, no ids, no state
 * reads.
 */
export class ThreadEvents {
  readonly #stores: Stores;
  readonly #threads: ThreadTable;
  readonly #log: Logger;
  readonly #waiters: ThreadWaiters;
  readonly #feeds = new Map<string, ThreadFeed>();
  /** Timers of feeds without readers, the oldest first. */
  readonly #idle = new Map<string, NodeJS.Timeout>();

  constructor(stores: Stores, threads: ThreadTable, log: Logger) {
    this.#stores = stores;
    this.#threads = threads;
    this.#log = log;
    this.#waiters = new ThreadWaiters(threads);
  }

  /**
   * Subscribes to a thread. Without a cursor, the reader gets only new events. With a cursor, it also gets the
   * kept events above it, and a gap for the others; -1 starts at the first kept event. Call `unsubscribe` at
   * the end. Throws THREAD_NOT_FOUND, OVERLOADED.
   */
  async subscribe(caller: Caller, threadId: string, query: FeedQuery): Promise<FeedSubscription> {
    // Waits for the disk, so that the reads below find every run that a client may know.
    await this.#stores.store.settled();
    await this.#threads.live(threadId)?.executing?.returned;
    const record = this.#threads.find(caller, threadId);
    if (record !== undefined)
      return this.#addReader(this.feedOf(threadId) ?? this.#openFeed(record), threadId, query, () =>
        this.#currentRunSeq(caller, record),
      );
    const { awaitCreation } = query;
    if (awaitCreation === undefined || this.#threads.isStored(threadId)) throw fail('THREAD_NOT_FOUND', { threadId });
    const stop = this.#waiters.wait(caller, threadId, () => {
      if (this.#threads.find(caller, threadId) === undefined) awaitCreation.hidden();
    });
    const { subscription, unsubscribe } = this.#addReader(
      this.feedOf(threadId) ?? this.#createFeed(threadId, FIRST_EVENT_ID, []),
      threadId,
      query,
      () => 0,
    );
    return {
      subscription,
      unsubscribe: () => {
        stop();
        unsubscribe();
      },
    };
  }

  #addReader(feed: ThreadFeed, threadId: string, query: FeedQuery, now: () => number): FeedSubscription {
    if (feed.readers >= LIMITS.threadReadersMax)
      throw fail('OVERLOADED', { what: `${feed.readers} readers follow this thread` });
    feed.readers += 1;
    feed.wantsState ||= query.modes.includes(STATE_UPDATE);
    clearTimeout(this.#idle.get(threadId));
    this.#idle.delete(threadId);
    const wants = query.modes.map((mode) => MODE_FILTERS[mode]);
    let hasLeft = false;
    return {
      subscription: {
        log: feed.log,
        afterSeq: this.#startSeq(feed, query, now),
        live: null,
        wants: query.wants ?? ((name) => wants.some((one) => one(name))),
        finalText: '',
        continueAfterGap: true,
      },
      unsubscribe: () => {
        if (hasLeft) return;
        hasLeft = true;
        feed.readers -= 1;
        if (feed.readers === 0 && this.#feeds.get(threadId) === feed) this.#keepIdle(threadId);
      },
    };
  }

  #startSeq(feed: ThreadFeed, query: FeedQuery, now: () => number): number {
    const { lastSeq } = feed.log;
    const { lastEventId } = query;
    if (lastEventId === null) return query.fromCurrentRun === true ? Math.min(now(), lastSeq) : lastSeq;
    return lastEventId < 0 ? this.#firstKeptSeq(feed) - 1 : Math.min(lastEventId, lastSeq);
  }

  /** Id before the first event of the current run: the executing one, or the last one if its interrupts are open. */
  #currentRunSeq(caller: Caller, record: ThreadRecord): number {
    const executing = this.#threads.live(record.threadId)?.executing ?? null;
    if (executing !== null) return executing.log.firstSeq - 1;
    const last = this.feedOf(record.threadId)?.stored.at(-1);
    return last !== undefined && headHasInterrupts({ stores: this.#stores }, caller, record)
      ? last.firstSeq - 1
      : Infinity;
  }

  /** The feed of a thread. Undefined if it has no readers. */
  feedOf(threadId: string): ThreadFeed | undefined {
    return this.#feeds.size === 0 ? undefined : this.#feeds.get(threadId);
  }

  /** Publishes events of a run to the thread's readers. */
  publish(run: LiveRun, batch: FrameBatch): void {
    const feed = this.feedOf(run.record.threadId);
    if (feed === undefined) return;
    const { runId } = run.record;
    if (run.kwargs.resumable && feed.stored.at(-1)?.runId !== runId) {
      feed.stored.push({ runId, firstSeq: batch.firstSeq });
      if (feed.stored.length > LIMITS.threadRunsScanMax) feed.stored.shift();
    }
    feed.log.append(batch);
  }

  /** Call it before the end of a run is stored. Null if the thread has no readers, or if the run never started. */
  reserveEnd(run: LiveRun): ReservedEnd | null {
    const { thread } = run;
    const feed = this.feedOf(thread.threadId);
    // If another run executes, that run assigns the event ids.
    if (feed === undefined || run.record.lease === 0 || (thread.executing !== null && thread.executing !== run))
      return null;
    const { seq } = thread;
    thread.seq += 2;
    return { feed, seq };
  }

  /** Publishes the end of a run. Call it when the end is on disk. */
  publishRunEnd({ record, thread }: LiveRun, { feed, seq }: ReservedEnd, status: string): void {
    feed.log.append(singleFrame(seq, 'metadata', { status: 'run_done', run_id: record.runId, run_status: status }));
    if (thread.deleted) this.closeFeed(thread.threadId);
    else this.#emitState(feed, thread.stored!, seq + 1);
  }

  /**
   * Publishes a state change that was not made by a run and is on disk. Call it while the change holds the
   * thread's slot.
   */
  publishStateUpdate(threadId: string): void {
    const feed = this.feedOf(threadId);
    const record = this.#threads.current(SERVER_CALLER, threadId);
    if (feed === undefined || record === undefined) return;
    const live = this.#threads.hold(record);
    const seq = live.seq;
    live.seq += 1;
    const commit = new Commit();
    const changed = this.#threads.update(commit, live, { nextSeq: Math.max(live.seq, record.nextSeq) });
    // Published after its id is on disk, because a restart would otherwise assign the id again.
    commit.onDurable(() => this.#emitState(feed, changed, seq));
    this.#stores.store
      .write(commit)
      .catch(() => undefined)
      .finally(() => this.#threads.release(live));
  }

  /** The thread was deleted: ends its streams. */
  closeFeed(threadId: string): void {
    const feed = this.#feeds.get(threadId);
    if (feed === undefined) return;
    this.#dropFeed(threadId);
    feed.log.end();
  }

  #openFeed(record: ThreadRecord): ThreadFeed {
    const { threadId } = record;
    const live = this.#threads.live(threadId);
    const stored = this.#storedRuns(record);
    const executing = live?.executing ?? null;
    const known = executing?.log.batches ?? [];
    const feed = this.#createFeed(threadId, known[0]?.firstSeq ?? live?.seq ?? nextEventId(record), stored);
    for (const batch of known) feed.log.append(batch);
    if (executing !== null) startListening(executing);
    return feed;
  }

  /** `seq`: id of the first event in the feed's own log. */
  #createFeed(threadId: string, seq: number, stored: ThreadFeed['stored']): ThreadFeed {
    const feed: ThreadFeed = {
      readers: 0,
      wantsState: false,
      stored,
      log: new RunLog((afterSeq, kept) => this.#loadOlder(stored, afterSeq, kept)),
    };
    feed.log.begin(seq, 0);
    this.#feeds.set(threadId, feed);
    return feed;
  }

  #storedRuns(record: ThreadRecord): ThreadFeed['stored'] {
    const { runs, events } = this.#stores;
    return runs
      .list(SERVER_CALLER, record, { limit: LIMITS.threadRunsScanMax, offset: 0 })
      .map(({ runId }) => ({ runId, firstSeq: events.firstSeq(SERVER_CALLER, runId) }))
      .filter((one): one is { runId: string; firstSeq: number } => one.firstSeq !== null)
      .toSorted((a, b) => a.firstSeq - b.firstSeq);
  }

  /** Reads stored frames of the thread's resumable runs. Missing frames become a gap up to the next kept one. */
  async #loadOlder(stored: ThreadFeed['stored'], afterSeq: number, kept: number): Promise<(FrameBatch | Gap)[]> {
    await this.#stores.store.settled();
    let from = stored.findLastIndex(({ firstSeq }) => firstSeq <= afterSeq + 1);
    if (from < 0) from = 0;
    for (const { runId } of stored.slice(from)) {
      const [batch] = this.#stores.events.read(SERVER_CALLER, runId, afterSeq);
      if (batch === undefined) continue;
      if (batch.firstSeq <= afterSeq + 1) return [batch];
      const to = Math.min(batch.firstSeq, kept) - 1;
      return [{ gap: true, from: afterSeq + 1, to }];
    }
    return [];
  }

  #firstKeptSeq({ log, stored }: ThreadFeed): number {
    const inMemory = log.batches[0]?.firstSeq ?? log.lastSeq + 1;
    for (const { runId } of stored) {
      const first = this.#stores.events.firstSeq(SERVER_CALLER, runId);
      if (first !== null) return Math.min(first, inMemory);
    }
    return inMemory;
  }

  #emitState(feed: ThreadFeed, record: ThreadRecord, seq: number): void {
    if (!feed.wantsState) return;
    try {
      feed.log.append(jsonFrame(seq, STATE_UPDATE, latestStateJson({ stores: this.#stores }, SERVER_CALLER, record)));
    } catch (error) {
      // The change itself succeeded, and its request must not fail because of the readers.
      this.#log.error(
        { err: error, threadId: record.threadId },
        'the state of a thread could not be sent to its readers',
      );
    }
  }

  /** The last reader has left. It may only have lost its connection, so the feed is kept for a while. */
  #keepIdle(threadId: string): void {
    // The last connections may end after the store.
    if (this.#stores.store.isClosed || !this.#threads.isTaken(threadId)) {
      this.#dropFeed(threadId);
      return;
    }
    this.#idle.set(threadId, setTimeout(() => this.#dropFeed(threadId), LIMITS.threadFeedTtlMs).unref());
    if (this.#idle.size > LIMITS.threadFeedsIdleMax) this.#dropFeed(this.#idle.keys().next().value!);
  }

  #dropFeed(threadId: string): void {
    clearTimeout(this.#idle.get(threadId));
    this.#idle.delete(threadId);
    this.#feeds.delete(threadId);
  }
}
