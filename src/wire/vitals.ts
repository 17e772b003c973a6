import { getHeapStatistics } from 'node:v8';
import { LIMITS } from '../base/limits.js';
import { BOUNDS, Tally } from '../base/histogram.js';
import { primordials } from './user-code/primordials.js';

/**
 * What a thread says of itself in memory that it shares with the front: it is heard without a message, also while its loop
 * stands still. A counter of beats, then numbers that only the thread writes: heap, sum and counts of how late beats came.
 */
const BEAT_BYTES = 8;
const HEAP = 0;
const SUM = 1;
const COUNTS = 2;
const BUCKETS = BOUNDS.delay.length + 1;
/** The heap is looked at once a second. */
const BEATS_PER_LOOK = Math.ceil(1_000 / LIMITS.beatMs);

export interface Vitals {
  heapBytes: number;
  /** How late the thread's timers were, since it started. */
  delay: Tally;
}

export function sharedVitals(): SharedArrayBuffer {
  return new SharedArrayBuffer(BEAT_BYTES + (COUNTS + BUCKETS) * Float64Array.BYTES_PER_ELEMENT);
}

/** How often it has beaten, for the watchdog. */
export function beatsOf(shared: SharedArrayBuffer): () => number {
  const beats = new Int32Array(shared, 0, 1);
  return () => Atomics.load(beats, 0);
}

export function vitalsOf(shared: SharedArrayBuffer): Vitals {
  const numbers = new Float64Array(shared, BEAT_BYTES);
  const counts = [...numbers.subarray(COUNTS)];
  return { heapBytes: numbers[HEAP]!, delay: Tally.of(BOUNDS.delay, counts, numbers[SUM]!) };
}

/** Call in the thread: beats from a timer of its loop, so while beats come, the loop turns (DESIGN, section 3). Returns what ends it. */
export function startBeating(shared: SharedArrayBuffer): () => void {
  const beats = new Int32Array(shared, 0, 1);
  const numbers = new Float64Array(shared, BEAT_BYTES);
  // Another thread may have had this memory before.
  numbers.fill(0);
  const delay = new Tally(BOUNDS.delay);
  let beaten = 0;
  let dueMs = 0;
  const beat = (): void => {
    const now = primordials.now();
    if (beaten % BEATS_PER_LOOK === 0) numbers[HEAP] = getHeapStatistics().used_heap_size;
    if (beaten > 0) {
      const bucket = delay.note(Math.max(0, now - dueMs) / 1_000);
      numbers[SUM] = delay.sum;
      numbers[COUNTS + bucket] = delay.counts[bucket]!;
    }
    beaten += 1;
    dueMs = now + LIMITS.beatMs;
    primordials.atomicsAdd(beats, 0, 1);
  };
  beat();
  const timer = primordials.setInterval(beat, LIMITS.beatMs).unref();
  return () => primordials.clearInterval(timer);
}
