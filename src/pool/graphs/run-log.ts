import { LIMITS } from '../../base/limits.js';
import type { ErrorRecord } from '../../base/errors.js';
import type { FrameBatch } from '../../wire/runs/frame.js';

/** Frames a reader asked for are no longer kept; `from` and `to` are the ids it misses, both inclusive. */
export interface Gap {
  gap: true;
  from: number;
  to: number;
}

/** Reads older frames than memory holds, which has those from `kept` on: the next batch, or a gap before it; nothing when there is none. */
export type OlderFrames = (afterSeq: number, kept: number) => Promise<(FrameBatch | Gap)[]>;

/**
 * The events of one run as far as memory holds them, and whoever follows. One log, a cursor per reader: a second reader
 * takes nothing from the first, and the producer never waits for one (DESIGN, decision 6).
 */
export class RunLog {
  /** Id of the last event; one below the first when there was none. */
  lastSeq = -1;
  /** How many there were since the server started. */
  events = 0;
  ended = false;
  isBrokenOff = false;
  /** Why the run failed, for readers that come after its end. */
  failure: ErrorRecord | null = null;
  /** Id of the run's first event; known when it is first dispatched. */
  #firstSeq = 0;
  #begun = false;
  readonly #continues: boolean;
  readonly #older: OlderFrames | null;
  readonly #batches: FrameBatch[] = [];
  #dropped = 0;
  #bytes = 0;
  readonly #wakes = new Set<() => void>();

  /**
   * `older` is given for resumable runs, whose frames are also stored. `continues`: the run has events from before a restart of
   * the server, which only the store has.
   */
  constructor(older: OlderFrames | null, continues = false) {
    this.#older = older;
    this.#continues = continues && older !== null;
  }

  /** The run's events start at `seq`. Later attempts go on where the log stands. `firstSeq`: there may be older ones elsewhere. */
  begin(seq: number, firstSeq = this.#continues ? 0 : seq): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#firstSeq = firstSeq;
    this.lastSeq = seq - 1;
  }

  /** What memory holds, in order. */
  get batches(): readonly FrameBatch[] {
    return this.#batches;
  }

  /** Id of the run's first event; 0 before it is known. */
  get firstSeq(): number {
    return this.#firstSeq;
  }

  /** Nothing has been said: nobody listened, or the graph had nothing to say. */
  get isEmpty(): boolean {
    return this.lastSeq < this.#firstSeq || this.lastSeq < 0;
  }

  append(batch: FrameBatch): void {
    this.#batches.push(batch);
    this.#bytes += batch.bytes.byteLength;
    this.lastSeq = batch.lastSeq;
    if (batch.lost !== true) this.events += batch.lastSeq - batch.firstSeq + 1;
    while (this.#bytes > LIMITS.runTailBytesMax && this.#batches.length > 1) {
      this.#bytes -= this.#batches.shift()!.bytes.byteLength;
      this.#dropped += 1;
    }
    this.#wake();
  }

  /** No frame follows. Call when the terminal status is on disk. */
  end(): void {
    this.ended = true;
    this.#wake();
  }

  /** The run has not ended, but does not go on in this process. Streams break off, so that their clients reconnect. */
  breakOff(): void {
    if (this.ended) return;
    this.isBrokenOff = true;
    this.#wake();
  }

  /** Calls `wake` whenever there may be more to read; the returned function stops that. */
  follow(wake: () => void): () => void {
    this.#wakes.add(wake);
    return () => {
      this.#wakes.delete(wake);
    };
  }

  /** A reader that gets events with ids above `afterSeq`. */
  cursor(afterSeq: number): LogCursor {
    return new LogCursor(this, afterSeq);
  }

  /** The batch that holds event `seq`: from memory, from the store, or the gap in its place. */
  take(wanted: number, hint: number): { batch: FrameBatch; index: number } | Promise<FrameBatch | Gap> | undefined {
    const seq = Math.max(wanted, this.#firstSeq);
    const oldest = this.#batches[0];
    if (oldest === undefined) {
      return seq <= this.lastSeq ? this.#takeOlder(seq, this.lastSeq + 1) : undefined;
    }
    if (seq < oldest.firstSeq) return this.#takeOlder(seq, oldest.firstSeq);
    let at = Math.max(0, hint - this.#dropped);
    if (at >= this.#batches.length || this.#batches[at]!.firstSeq > seq) at = 0;
    while (at < this.#batches.length && this.#batches[at]!.lastSeq < seq) at += 1;
    const batch = this.#batches[at];
    return batch === undefined ? undefined : { batch, index: at + this.#dropped };
  }

  async #takeOlder(seq: number, kept: number): Promise<FrameBatch | Gap> {
    const gap: Gap = { gap: true, from: seq, to: kept - 1 };
    if (this.#older === null) return gap;
    const [found] = await this.#older(seq - 1, kept);
    if (found !== undefined) return found;
    const oldest = this.#batches[0];
    return this.#continues && oldest !== undefined ? oldest : gap;
  }

  #wake(): void {
    for (const wake of this.#wakes) wake();
  }
}

/** Where one reader stands. */
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

  /** True when the reader has everything, no more will come, and the run has not ended. */
  get isBrokenOff(): boolean {
    return this.#log.isBrokenOff && Math.max(this.#afterSeq + 1, this.#log.firstSeq) > this.#log.lastSeq;
  }

  /**
   * What comes next: a batch whose frames above `afterSeq` are new, a gap (the reader's stream ends with it), a promise of
   * either, or undefined when there is nothing yet. Call `advance` when the batch has been taken.
   */
  next(): FrameBatch | Promise<FrameBatch | Gap> | undefined {
    const found = this.#log.take(this.#afterSeq + 1, this.#hint);
    if (found === undefined || found instanceof Promise) return found;
    this.#hint = found.index;
    return found.batch;
  }

  advance(seq: number): void {
    this.#afterSeq = seq;
  }
}
