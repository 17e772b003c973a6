import { LIMITS } from '../../base/limits.js';
import type { ErrorRecord } from '../../base/errors.js';
import type { FrameBatch } from '../../wire/runs/frame.js';

/**
 * Frames that a reader asked for and that are no longer kept. `from` and `to` are the missing ids, both
 * inclusive.
 */
export interface Gap {
  gap: true;
  from: number;
  to: number;
}

/**
 * Reads frames that are older than those in memory, which start at `keptFromSeq`. Returns the next batch, a gap before
 * it, or nothing.
 */
export type LoadOlderFrames = (afterSeq: number, keptFromSeq: number) => Promise<(FrameBatch | Gap)[]>;

/**
 * The events of one run that are in memory, and its subscribers. There is one log, with a cursor per reader:
 * readers do not affect each other, and the producer never waits for one.
 */
export class RunLog {
  /** Id of the last event. One below the first id if there are none. */
  lastSeq = -1;
  /** Number of events since the server started. */
  events = 0;
  ended = false;
  isAborted = false;
  /** Why the run failed, for readers that subscribe after its end. */
  failure: ErrorRecord | null = null;
  /** Id of the run's first event, known after the first dispatch. */
  #firstSeq = 0;
  #hasBegun = false;
  readonly #continues: boolean;
  readonly #older: LoadOlderFrames | null;
  readonly #batches: FrameBatch[] = [];
  #dropped = 0;
  #bytes = 0;
  readonly #listeners = new Set<() => void>();

  /**
   * `older` is set for resumable runs, whose frames are also stored. `continues`: the run has events from
   * before a server restart, which exist only in the store.
   */
  constructor(older: LoadOlderFrames | null, continues = false) {
    this.#older = older;
    this.#continues = continues && older !== null;
  }

  /**
   * Sets the id of the first event in this log. Later attempts continue the log. `firstSeq`: id of the run's
   * first event, which may only be in the store.
   */
  begin(seq: number, firstSeq = this.#continues ? 0 : seq): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#firstSeq = firstSeq;
    this.lastSeq = seq - 1;
  }

  /** The batches in memory, in order. */
  get batches(): readonly FrameBatch[] {
    return this.#batches;
  }

  /** Id of the run's first event. 0 if unknown. */
  get firstSeq(): number {
    return this.#firstSeq;
  }

  /** True if there are no events: nobody listened, or the graph emitted none. */
  get isEmpty(): boolean {
    return this.lastSeq < this.#firstSeq || this.lastSeq < 0;
  }

  append(batch: FrameBatch): void {
    this.#batches.push(batch);
    this.#bytes += batch.bytes.byteLength;
    this.lastSeq = batch.lastSeq;
    if (batch.lost !== true) this.events += batch.lastSeq - batch.firstSeq + 1;
    if (this.#bytes > LIMITS.runTailBytesMax) this.#dropOldest();
    this.#notify();
  }

  /** Drops an eighth of the tail at once. To remove the first of many batches, the array would move all others. */
  #dropOldest(): void {
    let count = 0;
    while (this.#bytes > (LIMITS.runTailBytesMax * 7) / 8 && count < this.#batches.length - 1) {
      this.#bytes -= this.#batches[count]!.bytes.byteLength;
      count += 1;
    }
    this.#batches.splice(0, count);
    this.#dropped += count;
  }

  /** No frames follow. Call it when the final status is on disk. */
  end(): void {
    this.ended = true;
    this.#notify();
  }

  /**
   * The run has not ended, but does not continue in this process. Streams are cut off, so that their clients
   * reconnect.
   */
  abort(): void {
    if (this.ended) return;
    this.isAborted = true;
    this.#notify();
  }

  /** Calls `wake` whenever there may be more to read. Returns a function that unsubscribes. */
  subscribe(wake: () => void): () => void {
    this.#listeners.add(wake);
    return () => {
      this.#listeners.delete(wake);
    };
  }

  /** Returns a reader of the events with ids above `afterSeq`. */
  cursor(afterSeq: number): LogCursor {
    return new LogCursor(this, afterSeq);
  }

  /** The batch that contains event `seq`: from memory, from the store, or the gap in its place. */
  batchAt(
    wantedSeq: number,
    hint: number,
  ): { batch: FrameBatch; index: number } | Promise<FrameBatch | Gap> | undefined {
    const seq = Math.max(wantedSeq, this.#firstSeq);
    const oldest = this.#batches[0];
    if (oldest === undefined) {
      return seq <= this.lastSeq ? this.#loadOlder(seq, this.lastSeq + 1) : undefined;
    }
    if (seq < oldest.firstSeq) return this.#loadOlder(seq, oldest.firstSeq);
    let at = Math.max(0, hint - this.#dropped);
    if (at >= this.#batches.length || this.#batches[at]!.firstSeq > seq) at = 0;
    while (at < this.#batches.length && this.#batches[at]!.lastSeq < seq) at += 1;
    const batch = this.#batches[at];
    return batch === undefined ? undefined : { batch, index: at + this.#dropped };
  }

  async #loadOlder(seq: number, keptFromSeq: number): Promise<FrameBatch | Gap> {
    const gap: Gap = { gap: true, from: seq, to: keptFromSeq - 1 };
    if (this.#older === null) return gap;
    const [found] = await this.#older(seq - 1, keptFromSeq);
    if (found !== undefined) return found;
    const oldest = this.#batches[0];
    return this.#continues && oldest !== undefined ? oldest : gap;
  }

  #notify(): void {
    for (const wake of this.#listeners) wake();
  }
}

/** Position of one reader. */
export class LogCursor {
  readonly #log: RunLog;
  #afterSeq: number;
  #hint = 0;

  constructor(log: RunLog, afterSeq: number) {
    this.#log = log;
    this.#afterSeq = afterSeq;
  }

  get afterSeq(): number {
    return this.#afterSeq;
  }

  get ended(): boolean {
    return this.#log.ended && Math.max(this.#afterSeq + 1, this.#log.firstSeq) > this.#log.lastSeq;
  }

  /** True if the reader has all events, no more will arrive, and the run has not ended. */
  get isAborted(): boolean {
    return this.#log.isAborted && Math.max(this.#afterSeq + 1, this.#log.firstSeq) > this.#log.lastSeq;
  }

  /**
   * The next element: a batch whose frames above `afterSeq` are new, a gap (which ends the reader's stream), a
   * promise of either, or undefined if there is nothing yet. Call `advance` after processing a batch.
   */
  next(): FrameBatch | Promise<FrameBatch | Gap> | undefined {
    const found = this.#log.batchAt(this.#afterSeq + 1, this.#hint);
    if (found === undefined || found instanceof Promise) return found;
    this.#hint = found.index;
    return found.batch;
  }

  advance(seq: number): void {
    this.#afterSeq = seq;
  }
}
