import { getHeapStatistics } from 'node:v8';
import { LIMITS } from '../base/limits.js';
import { HeapShrinker } from '../base/heap-shrinker.js';
import { HISTOGRAM_BOUNDS, Histogram } from '../base/histogram.js';
import { primordials } from './user-code/primordials.js';

/**
 * Metrics of a thread, in memory that it shares with the front thread. They can be read without a message, even
 * while the thread's event loop is blocked. Layout: a heartbeat counter, the graph that is being loaded, then numbers
 * that only the thread writes: heap size, and the sum and counts of timer delays.
 */
const BEAT_BYTES = 8;
const HEAP = 0;
const SUM = 1;
const COUNTS = 2;
const BUCKETS = HISTOGRAM_BOUNDS.delay.length + 1;
const BEATS_PER_HEAP_READ = Math.ceil(LIMITS.heapReadMs / LIMITS.workerHeartbeatMs);

export interface ThreadMetrics {
  heapBytes: number;
  /** Delay of the thread's timers since its start. */
  delay: Histogram;
}

export function createMetricsMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(BEAT_BYTES + (COUNTS + BUCKETS) * Float64Array.BYTES_PER_ELEMENT);
}

/** Returns a function that reads the heartbeat counter, for the watchdog. */
export function heartbeatCounter(shared: SharedArrayBuffer): () => number {
  const beats = new Int32Array(shared, 0, 1);
  return () => Atomics.load(beats, 0);
}

/** Position of the graph whose modules the thread loads; null when it loads none. */
export function readLoadingGraph(shared: SharedArrayBuffer): number | null {
  const place = Atomics.load(new Int32Array(shared, 0, 2), 1);
  return place === 0 ? null : place - 1;
}

/** Call this in the thread: a module that never finishes loading blocks it, so it can send no message about it. */
export function setLoadingGraph(shared: SharedArrayBuffer, position: number | null): void {
  Atomics.store(new Int32Array(shared, 0, 2), 1, position === null ? 0 : position + 1);
}

export function readThreadMetrics(shared: SharedArrayBuffer): ThreadMetrics {
  const numbers = new Float64Array(shared, BEAT_BYTES);
  const counts = [...numbers.subarray(COUNTS)];
  return { heapBytes: numbers[HEAP]!, delay: Histogram.of(HISTOGRAM_BOUNDS.delay, counts, numbers[SUM]!) };
}

/**
 * Call this in the thread. It increments the counter from a timer of the event loop, so the counter advances
 * only while the loop turns. Returns a function that stops it. The heap shrinks at rest as long as `mayShrink` returns
 * true: the next work then takes up to twice as long.
 */
export function startHeartbeat(shared: SharedArrayBuffer, mayShrink: () => boolean = () => true): () => void {
  const beats = new Int32Array(shared, 0, 1);
  const numbers = new Float64Array(shared, BEAT_BYTES);
  // An earlier thread may have used this memory.
  numbers.fill(0);
  const delay = new Histogram(HISTOGRAM_BOUNDS.delay);
  let beatCount = 0;
  let dueMs = 0;
  const shrinker = new HeapShrinker();
  const beat = (): void => {
    const now = primordials.now();
    if (beatCount % BEATS_PER_HEAP_READ === 0) {
      const heap = getHeapStatistics();
      numbers[HEAP] = heap.used_heap_size;
      if (mayShrink()) shrinker.observe(now, heap);
    }
    if (beatCount > 0) {
      const bucket = delay.observe(Math.max(0, now - dueMs) / 1_000);
      numbers[SUM] = delay.sum;
      numbers[COUNTS + bucket] = delay.counts[bucket]!;
    }
    beatCount += 1;
    dueMs = now + LIMITS.workerHeartbeatMs;
    primordials.atomicsAdd(beats, 0, 1);
  };
  beat();
  const timer = primordials.setInterval(beat, LIMITS.workerHeartbeatMs).unref();
  return () => primordials.clearInterval(timer);
}
