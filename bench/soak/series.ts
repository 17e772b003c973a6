import type { Sample } from './sampler.js';

/** A value that is sampled during the whole soak. */
export interface Series {
  name: keyof Sample['values'];
  title: string;
  unit: 'MiB' | 'ms' | '';
  /** Smaller rises are ignored, in the unit: for example pages of an allocator, or one more thread in a pool. */
  riseMin: number;
  /** Seconds until the value is stable; 0 if it is stable at once. V8 lets heaps grow until it collects them rarely. */
  settleSeconds: number;
  /** How far the idle value after the load may exceed the idle value before it; null if it need not recover. */
  restTolerance: number | null;
}

/**
 * In an hour with 350,000 short runs, worker heaps rose for 12 minutes and were stable for 48 (docs/reliability.md).
 */
const HEAP_SETTLES_S = 900;

/**
 * The values that must not grow. `ownMemory` excludes pages of the store's file, because the system decides how many of
 * them stay in memory. `resident` includes them, so it may rise more.
 */
export const SERIES: readonly Series[] = [
  {
    name: 'frontHeap',
    title: 'Heap of the front thread',
    unit: 'MiB',
    riseMin: 4,
    settleSeconds: HEAP_SETTLES_S,
    restTolerance: null,
  },
  {
    name: 'workerHeap',
    title: 'Heap of the workers',
    unit: 'MiB',
    riseMin: 8,
    settleSeconds: HEAP_SETTLES_S,
    restTolerance: null,
  },
  {
    name: 'ownMemory',
    title: 'Memory without file pages',
    unit: 'MiB',
    riseMin: 16,
    settleSeconds: HEAP_SETTLES_S,
    restTolerance: null,
  },
  {
    name: 'resident',
    title: 'Resident memory',
    unit: 'MiB',
    riseMin: 32,
    settleSeconds: HEAP_SETTLES_S,
    restTolerance: null,
  },
  { name: 'storeFile', title: 'Size of data.mdb', unit: 'MiB', riseMin: 8, settleSeconds: 0, restTolerance: null },
  { name: 'files', title: 'File descriptors', unit: '', riseMin: 4, settleSeconds: 0, restTolerance: 3 },
  { name: 'threads', title: 'Threads', unit: '', riseMin: 2, settleSeconds: 0, restTolerance: 2 },
  { name: 'readerSlots', title: 'LMDB reader slots', unit: '', riseMin: 2, settleSeconds: 0, restTolerance: 1 },
  { name: 'readTransactions', title: 'Open LMDB reads', unit: '', riseMin: 2, settleSeconds: 0, restTolerance: 1 },
  { name: 'streamReaders', title: 'Stream readers', unit: '', riseMin: 2, settleSeconds: 0, restTolerance: 0 },
  { name: 'webSockets', title: 'WebSockets', unit: '', riseMin: 2, settleSeconds: 0, restTolerance: 0 },
  { name: 'connections', title: 'Open connections', unit: '', riseMin: 4, settleSeconds: 0, restTolerance: 1 },
  { name: 'runsAlive', title: 'Unfinished runs', unit: '', riseMin: 4, settleSeconds: 0, restTolerance: 0 },
  { name: 'commitsPending', title: 'Pending commits', unit: '', riseMin: 4, settleSeconds: 0, restTolerance: 0 },
  {
    name: 'frontDelay',
    title: 'Mean event-loop delay of the front thread',
    unit: 'ms',
    riseMin: 5,
    settleSeconds: 0,
    restTolerance: null,
  },
  {
    name: 'workerDelay',
    title: 'Mean event-loop delay of the workers',
    unit: 'ms',
    riseMin: 10,
    settleSeconds: 0,
    restTolerance: null,
  },
];
