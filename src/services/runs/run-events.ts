import { LIMITS } from '../../base/limits.js';
import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import type { FrameBatch } from '../../wire/runs/frame.js';
import type { LiveRun, LiveThread } from './live.js';
import type { ThreadEvents } from '../threads/thread-events.js';
import type { ThreadTable } from '../threads/thread-table.js';

/** Creates an event with the given id. */
export type EventFactory = (seq: number) => FrameBatch;

/**
 * Publishes the events of runs to their readers, in the order of their ids. An event is held back until no crash can
 * undo it:
 * - Its id must lie below the ids that the thread has reserved on disk. Otherwise a restart could assign it a second
 *   time.
 * - An event of a resumable run must be on disk itself. Otherwise a reader that reconnects would miss it. Both usually
 *   hold already, and then nothing waits.
 */
export class RunEvents {
  readonly #stores: Stores;
  readonly #threads: ThreadTable;
  readonly #threadEvents: ThreadEvents;

  constructor(stores: Stores, threads: ThreadTable, threadEvents: ThreadEvents) {
    this.#stores = stores;
    this.#threads = threads;
    this.#threadEvents = threadEvents;
  }

  /**
   * Publishes events of the run's worker. `written` settles when they are on disk; it is null when they are not stored.
   * Returns null when they are published already, else a promise that settles then. It rejects when the store has
   * failed; the events are never published in that case.
   */
  publishFromWorker(run: LiveRun, batch: FrameBatch, written: Promise<void> | null): Promise<void> | null {
    run.thread.seq = batch.lastSeq + 1;
    // The reservation, if one is needed, is the later of the two.
    return this.#publishWhenSafe(run, batch, this.#reserve(run.thread, batch) ?? written);
  }

  /** Publishes an event that the server itself creates. */
  emit(run: LiveRun, maker: EventFactory): void {
    const batch = this.#make(run, maker);
    const reserved = this.#reserve(run.thread, batch);
    this.#publishWhenSafe(run, batch, this.#store(run, batch) ?? reserved)?.catch(() => undefined);
    // Commits reach the disk in order, so that of the event does not before the reservation.
    reserved?.catch(() => undefined);
  }

  /** Null when the run's events are not stored; else settles when this one is on disk. */
  #store({ alive, kwargs, record }: LiveRun, batch: FrameBatch): Promise<void> | null {
    if (!kwargs.resumable || alive === null) return null;
    const commit = new Commit();
    this.#stores.events.append(commit, record.runId, batch);
    return this.#stores.store.write(commit);
  }

  /**
   * Creates the last event; `publishLast` publishes it when the end of the run is on disk. Null if the run has no
   * listener.
   */
  createLast(run: LiveRun, maker: EventFactory): FrameBatch | null {
    return run.wantsFrames ? this.#make(run, maker) : null;
  }

  /** Takes the last events of the run's worker; `publishLast` publishes them when the end of the run is on disk. */
  receiveLast(run: LiveRun, batch: FrameBatch): void {
    run.thread.seq = batch.lastSeq + 1;
  }

  publishLast(run: LiveRun, batch: FrameBatch): void {
    this.#publish(run, batch);
  }

  #make(run: LiveRun, maker: EventFactory): FrameBatch {
    const { thread } = run;
    run.log.begin(thread.seq);
    const batch = maker(thread.seq);
    thread.seq = batch.lastSeq + 1;
    return batch;
  }

  #publishWhenSafe(run: LiveRun, batch: FrameBatch, written: Promise<void> | null): Promise<void> | null {
    if (written === null && run.heldEvents === 0) {
      this.#publish(run, batch);
      return null;
    }
    run.heldEvents += 1;
    const published = Promise.all([run.eventsPublished, written]).then(() => {
      run.heldEvents -= 1;
      this.#publish(run, batch);
    });
    // After a failed commit nothing more is published; the store reports the failure when the run settles.
    published.catch(() => undefined);
    run.eventsPublished = published;
    return published;
  }

  #publish(run: LiveRun, batch: FrameBatch): void {
    run.log.append(batch);
    this.#threadEvents.publish(run, batch);
  }

  /** Reserves more ids well before the thread has used up its own. Returns the promise that the batch must wait for. */
  #reserve(thread: LiveThread, batch: FrameBatch): Promise<void> | null {
    if (thread.record === null) return null;
    if (thread.seq >= thread.record.nextSeq - LIMITS.seqBlock / 2) {
      const commit = new Commit();
      this.#threads.update(commit, thread, { nextSeq: this.#threads.reservedSeq(thread) });
      this.#stores.store.write(commit).catch(() => undefined);
    }
    // Commits reach the disk in order, so this resolves no earlier than the reservation.
    return batch.lastSeq < (thread.stored?.nextSeq ?? 0) ? null : this.#stores.store.flushed();
  }
}
