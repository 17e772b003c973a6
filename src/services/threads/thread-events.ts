import { SERVER_CALLER, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { RunLog, type Gap } from '../../pool/graphs/run-log.js';
import { Commit } from '../../store/env.js';
import type { Stores } from '../../store/stores.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import { jsonFrame, singleFrame, type FrameBatch } from '../../wire/runs/frame.js';
import { isProtocolName } from '../../wire/runs/protocol.js';
import type { Following } from '../runs/follow-run.js';
import { listen, type LiveRun } from '../runs/live.js';
import { headAsks, stateNow } from '../state/state.js';
import type { EventFilter } from '../runs/stream-filter.js';
import type { ThreadTable } from './thread-table.js';
import { ThreadWaiters } from './thread-waiters.js';

export type ThreadStreamMode = 'run_modes' | 'lifecycle' | 'state_update';

const STATE_UPDATE = 'state_update';

/** Which events a mode is about, by their names: start and end of a run are both told as `metadata`. */
const WANTS: Record<ThreadStreamMode, (name: string) => boolean> = {
  run_modes: (name) => name !== STATE_UPDATE && !isProtocolName(name),
  lifecycle: (name) => name === 'metadata',
  state_update: (name) => name === STATE_UPDATE,
};

/** Events of a thread over all its runs, for as long as someone follows it. */
interface Feed {
  readonly log: RunLog;
  readers: number;
  /** Someone wants the state; it is not read for nobody. */
  wantsState: boolean;
  /** Runs whose frames are stored too, in the order of their ids. */
  readonly stored: { runId: string; firstSeq: number }[];
}

export interface FeedQuery {
  /** Null: what comes from now on. */
  lastEventId: number | null;
  modes: readonly ThreadStreamMode[];
  /** Instead of what the modes say. */
  wants?: EventFilter;
  /** Without a cursor: also what the run that is under way, or whose questions are open, has said. */
  now?: boolean;
  /** Given: a thread that is not there yet is waited for. `hidden`: it was made, and this caller does not see it. */
  unmade?: { hidden: () => void };
}

export interface Joined {
  following: Following;
  leave: () => void;
}

/** Ids that a run's end may use, taken while no other run can. */
export interface ReservedEnd {
  feed: Feed;
  seq: number;
}

/**
 * The streams of threads (agent-server.md, section 7). All runs of a thread share one counter of ids, so one log and one
 * cursor are enough. A thread that nobody follows costs nothing: no feed, no ids, no state read.
 */
export class ThreadEvents {
  readonly #stores: Stores;
  readonly #threads: ThreadTable;
  readonly #log: Logger;
  readonly #waiters: ThreadWaiters;
  readonly #feeds = new Map<string, Feed>();
  /** Feeds without readers, the longest left first. */
  readonly #idle = new Map<string, NodeJS.Timeout>();

  constructor(stores: Stores, threads: ThreadTable, log: Logger) {
    this.#stores = stores;
    this.#threads = threads;
    this.#log = log;
    this.#waiters = new ThreadWaiters(threads);
  }

  /**
   * Follows a thread. Without a cursor the reader gets what comes; with one, what is kept above it, and of what is not the
   * gap; -1 is from the first that is kept. Call `leave` when the reader is gone. Throws THREAD_NOT_FOUND, OVERLOADED.
   */
  async join(caller: Caller, threadId: string, query: FeedQuery): Promise<Joined> {
    // What the thread's runs have stored is looked at below, and what a client has heard of is there.
    await this.#stores.store.settled();
    const record = this.#threads.find(caller, threadId);
    if (record !== undefined)
      return this.#read(this.of(threadId) ?? this.#open(record), threadId, query, () => this.#whereNow(caller, record));
    const { unmade } = query;
    if (unmade === undefined || this.#threads.isStored(threadId)) throw fail('THREAD_NOT_FOUND', { threadId });
    const stop = this.#waiters.wait(caller, threadId, () => {
      if (this.#threads.find(caller, threadId) === undefined) unmade.hidden();
    });
    const { following, leave } = this.#read(this.of(threadId) ?? this.#feed(threadId, 1, []), threadId, query, () => 0);
    return {
      following,
      leave: () => {
        stop();
        leave();
      },
    };
  }

  #read(feed: Feed, threadId: string, query: FeedQuery, now: () => number): Joined {
    if (feed.readers >= LIMITS.threadReadersMax)
      throw fail('OVERLOADED', { what: `${feed.readers} readers follow this thread` });
    feed.readers += 1;
    feed.wantsState ||= query.modes.includes(STATE_UPDATE);
    clearTimeout(this.#idle.get(threadId));
    this.#idle.delete(threadId);
    const wants = query.modes.map((mode) => WANTS[mode]);
    let left = false;
    return {
      following: {
        log: feed.log,
        afterSeq: this.#beginning(feed, query, now),
        live: null,
        wants: query.wants ?? ((name) => wants.some((one) => one(name))),
        farewell: '',
        goesOn: true,
      },
      leave: () => {
        if (left) return;
        left = true;
        feed.readers -= 1;
        if (feed.readers === 0 && this.#feeds.get(threadId) === feed) this.#rest(threadId);
      },
    };
  }

  #beginning(feed: Feed, query: FeedQuery, now: () => number): number {
    const { lastSeq } = feed.log;
    const { lastEventId } = query;
    if (lastEventId === null) return query.now === true ? Math.min(now(), lastSeq) : lastSeq;
    return lastEventId < 0 ? this.#firstKept(feed) - 1 : Math.min(lastEventId, lastSeq);
  }

  /** Below the first event of what is under way: of the run that executes, or of the last, when its questions are open. */
  #whereNow(caller: Caller, record: ThreadRecord): number {
    const executing = this.#threads.live(record.threadId)?.executing ?? null;
    if (executing !== null) return executing.log.firstSeq - 1;
    const last = this.of(record.threadId)?.stored.at(-1);
    return last !== undefined && headAsks({ stores: this.#stores }, caller, record) ? last.firstSeq - 1 : Infinity;
  }

  /** The feed of a thread that someone follows. */
  of(threadId: string): Feed | undefined {
    return this.#feeds.size === 0 ? undefined : this.#feeds.get(threadId);
  }

  /** Passes on events of a run of the thread. */
  tell(run: LiveRun, batch: FrameBatch): void {
    const feed = this.of(run.record.threadId);
    if (feed === undefined) return;
    const { runId } = run.record;
    if (run.kwargs.resumable && feed.stored.at(-1)?.runId !== runId) {
      feed.stored.push({ runId, firstSeq: batch.firstSeq });
      if (feed.stored.length > LIMITS.threadRunsLookMax) feed.stored.shift();
    }
    feed.log.append(batch);
  }

  /** Before the end of a run is stored: ids for telling it. Null when nobody follows, or when the run never began. */
  reserveEnd(run: LiveRun): ReservedEnd | null {
    const { thread } = run;
    const feed = this.of(thread.threadId);
    // Another run that executes counts the ids itself.
    if (feed === undefined || run.record.lease === 0 || (thread.executing !== null && thread.executing !== run))
      return null;
    const { seq } = thread;
    thread.seq += 2;
    return { feed, seq };
  }

  /** The end of a run is on disk. */
  ended({ record, thread }: LiveRun, { feed, seq }: ReservedEnd, status: string): void {
    feed.log.append(singleFrame(seq, 'metadata', { status: 'run_done', run_id: record.runId, run_status: status }));
    if (thread.deleted) this.closed(thread.threadId);
    else this.#tellState(feed, thread.stored!, seq + 1);
  }

  /** The state of a thread was changed by no run, on disk. Call it while the change holds the thread's slot. */
  stateUpdated(threadId: string): void {
    const feed = this.of(threadId);
    const record = this.#threads.current(SERVER_CALLER, threadId);
    if (feed === undefined || record === undefined) return;
    const live = this.#threads.hold(record);
    const seq = live.seq;
    live.seq += 1;
    const commit = new Commit();
    const changed = this.#threads.update(commit, live, { nextSeq: Math.max(live.seq, record.nextSeq) });
    // Told when its id is on disk: a restart would give it out again.
    commit.onDurable(() => this.#tellState(feed, changed, seq));
    this.#stores.store
      .write(commit)
      .catch(() => undefined)
      .finally(() => this.#threads.release(live));
  }

  /** The thread is gone: its streams end. */
  closed(threadId: string): void {
    const feed = this.#feeds.get(threadId);
    if (feed === undefined) return;
    this.#drop(threadId);
    feed.log.end();
  }

  #open(record: ThreadRecord): Feed {
    const { threadId } = record;
    const live = this.#threads.live(threadId);
    const stored = this.#storedRuns(record);
    const executing = live?.executing ?? null;
    const known = executing?.log.batches ?? [];
    const feed = this.#feed(threadId, known[0]?.firstSeq ?? live?.seq ?? record.nextSeq, stored);
    for (const batch of known) feed.log.append(batch);
    if (executing !== null) listen(executing);
    return feed;
  }

  /** `seq`: the first event that it will have itself. */
  #feed(threadId: string, seq: number, stored: Feed['stored']): Feed {
    const feed: Feed = {
      readers: 0,
      wantsState: false,
      stored,
      log: new RunLog((afterSeq, kept) => this.#older(stored, afterSeq, kept)),
    };
    feed.log.begin(seq, 0);
    this.#feeds.set(threadId, feed);
    return feed;
  }

  #storedRuns(record: ThreadRecord): Feed['stored'] {
    const { runs, events } = this.#stores;
    return runs
      .list(SERVER_CALLER, record, { limit: LIMITS.threadRunsLookMax, offset: 0 })
      .map(({ runId }) => ({ runId, firstSeq: events.firstSeq(SERVER_CALLER, runId) }))
      .filter((one): one is { runId: string; firstSeq: number } => one.firstSeq !== null)
      .toSorted((a, b) => a.firstSeq - b.firstSeq);
  }

  /** What the store has of the thread's resumable runs; what it has not is a gap up to the next that is kept. */
  async #older(stored: Feed['stored'], afterSeq: number, kept: number): Promise<(FrameBatch | Gap)[]> {
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

  #firstKept({ log, stored }: Feed): number {
    const inMemory = log.batches[0]?.firstSeq ?? log.lastSeq + 1;
    for (const { runId } of stored) {
      const first = this.#stores.events.firstSeq(SERVER_CALLER, runId);
      if (first !== null) return Math.min(first, inMemory);
    }
    return inMemory;
  }

  #tellState(feed: Feed, record: ThreadRecord, seq: number): void {
    if (!feed.wantsState) return;
    try {
      feed.log.append(jsonFrame(seq, STATE_UPDATE, stateNow({ stores: this.#stores }, SERVER_CALLER, record)));
    } catch (error) {
      // The change itself is done and its own request has nothing to do with who follows.
      this.#log.error({ err: error, threadId: record.threadId }, 'the readers of a thread could not be told its state');
    }
  }

  /** Its last reader has left, and may only have lost its connection. */
  #rest(threadId: string): void {
    if (!this.#threads.taken(threadId)) {
      this.#drop(threadId);
      return;
    }
    this.#idle.set(threadId, setTimeout(() => this.#drop(threadId), LIMITS.threadFeedTtlMs).unref());
    if (this.#idle.size > LIMITS.threadFeedsIdleMax) this.#drop(this.#idle.keys().next().value!);
  }

  #drop(threadId: string): void {
    clearTimeout(this.#idle.get(threadId));
    this.#idle.delete(threadId);
    this.#feeds.delete(threadId);
  }
}
