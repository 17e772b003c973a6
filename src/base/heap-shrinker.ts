import { runInNewContext } from 'node:vm';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { KiB, MiB } from './limits.js';

/** A change of the heap's size between two observations that a thread at rest does not exceed. */
const REST_BYTES_MAX = 256 * KiB;
/**
 * V8 shrinks the young generation at the end of a full collection, and only if the thread has allocated less than 1,000
 * bytes a millisecond during the last 5 s (Heap::ReduceNewSpaceSize, GCTracer::kThroughputTimeFrame; V8 11 to 14). It
 * measures this from one collection to the next.
 */
const WINDOW_MS = 5_200;
const WINDOW_BYTES_MAX = 4 * MiB;
/** Less is not worth a full collection. */
const GROWTH_BYTES_MIN = 4 * MiB;
/** A full collection blocks the thread for about 15 ms with 25 MiB. With more than this it would be noticed. */
const USED_BYTES_MAX = 64 * MiB;

export interface HeapSize {
  used_heap_size: number;
  total_physical_size: number;
}

/** The thread's garbage collector. */
export interface Collector {
  /** Collects the young generation, in about 2 ms. */
  collectYoung(): void;
  collectAll(): void;
  size(): HeapSize;
}

/**
 * Returns the memory that a burst of work needed to the system, from the heap of this thread. A thread at rest does not
 * allocate, so V8 does not collect and keeps this memory: 30 MB of the front thread after a large upload.
 */
export class HeapShrinker {
  readonly #collector: Collector;
  /** Size after the last full collection. */
  #shrunkTo = 0;
  #previous = Infinity;
  /** Start of the window that V8 measures; null outside of one. */
  #window: { startMs: number; used: number } | null = null;

  constructor(collector: Collector = COLLECTOR) {
    this.#collector = collector;
  }

  /** Call it a few times a second. Collects when the thread has been at rest after its heap has grown. */
  observe(nowMs: number, heap: HeapSize): void {
    const { used_heap_size: used } = heap;
    const isAtRest = Math.abs(used - this.#previous) <= REST_BYTES_MAX;
    this.#previous = used;
    const window = this.#window;
    if (window === null) {
      const hasGrown = heap.total_physical_size >= this.#shrunkTo + GROWTH_BYTES_MIN;
      if (isAtRest && hasGrown) this.#startWindow(nowMs);
    } else if (nowMs >= window.startMs + WINDOW_MS) {
      this.#window = null;
      // Less than at the start of the window: V8 has collected in between.
      if (used >= window.used && used - window.used <= WINDOW_BYTES_MAX) this.#shrink(used);
    }
  }

  #startWindow(startMs: number): void {
    this.#collector.collectYoung();
    const { used_heap_size: used } = this.#collector.size();
    this.#previous = used;
    this.#window = { startMs, used };
  }

  #shrink(usedBefore: number): void {
    if (usedBefore <= USED_BYTES_MAX) this.#collector.collectAll();
    const { used_heap_size: used, total_physical_size: total } = this.#collector.size();
    this.#previous = used;
    this.#shrunkTo = total;
  }
}

type Gc = (options?: { type: 'minor' }) => void;

/** There already if Node was started with `--expose-gc`. Then the flag stays as it is. */
const exposedGc = (globalThis as { gc?: Gc }).gc;

/** Collects the whole heap of this thread. */
export function collectGarbage(): void {
  // Without an argument: V8 11 collects only the young generation for any object.
  (exposedGc ?? newGc())?.();
}

const COLLECTOR: Collector = {
  collectYoung: () => (exposedGc ?? newGc())?.({ type: 'minor' }),
  collectAll: collectGarbage,
  size: getHeapStatistics,
};

/**
 * V8 gives the function to contexts that are created while the flag is set. All threads share the flag: if another one
 * resets it at this moment, there is no function, and no collection.
 */
function newGc(): Gc | undefined {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('globalThis.gc') as Gc | undefined;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
