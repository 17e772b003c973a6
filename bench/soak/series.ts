import type { Sample } from './sampler.js';

/** One thing that is watched over the whole soak. */
export interface Series {
  name: keyof Sample['values'];
  title: string;
  unit: 'MiB' | 'ms' | '';
  /** A rise that means nothing however steady it is, in the unit: pages of an allocator, a thread more in a pool. */
  leastRise: number;
  /** How long it rises before it stands, in seconds: V8 lets heaps grow until they are collected as seldom as it likes. 0: it stands at once. */
  settlesS: number;
  /** How far above its level at rest before the load it may be at rest after it; null: need not come back. */
  atRest: number | null;
}

/** In an hour with 350,000 short runs the heaps of the workers rose for 12 minutes and stood for 48 (docs/reliability.md). */
const HEAP_SETTLES_S = 900;

/**
 * What must not grow. Of memory, what is the process's own: pages of the store's file are the system's to keep and to drop,
 * so all that is resident is shown with the rest but has as much room as the file.
 */
export const SERIES: readonly Series[] = [
  {
    name: 'frontHeap',
    title: 'Heap of the front thread',
    unit: 'MiB',
    leastRise: 4,
    settlesS: HEAP_SETTLES_S,
    atRest: null,
  },
  {
    name: 'workerHeap',
    title: 'Heap of the workers',
    unit: 'MiB',
    leastRise: 8,
    settlesS: HEAP_SETTLES_S,
    atRest: null,
  },
  { name: 'ownMemory', title: 'Memory of its own', unit: 'MiB', leastRise: 16, settlesS: HEAP_SETTLES_S, atRest: null },
  { name: 'resident', title: 'Resident memory', unit: 'MiB', leastRise: 32, settlesS: HEAP_SETTLES_S, atRest: null },
  { name: 'storeFile', title: 'Size of data.mdb', unit: 'MiB', leastRise: 8, settlesS: 0, atRest: null },
  { name: 'files', title: 'File descriptors', unit: '', leastRise: 4, settlesS: 0, atRest: 3 },
  { name: 'threads', title: 'Threads', unit: '', leastRise: 2, settlesS: 0, atRest: 2 },
  { name: 'readerSlots', title: 'LMDB reader slots', unit: '', leastRise: 2, settlesS: 0, atRest: 1 },
  { name: 'readTransactions', title: 'LMDB reads open', unit: '', leastRise: 2, settlesS: 0, atRest: 1 },
  { name: 'streamReaders', title: 'Stream readers', unit: '', leastRise: 2, settlesS: 0, atRest: 0 },
  { name: 'webSockets', title: 'WebSockets', unit: '', leastRise: 2, settlesS: 0, atRest: 0 },
  { name: 'connections', title: 'Open connections', unit: '', leastRise: 4, settlesS: 0, atRest: 1 },
  { name: 'runsAlive', title: 'Runs that have not ended', unit: '', leastRise: 4, settlesS: 0, atRest: 0 },
  { name: 'commitsPending', title: 'Commits under way', unit: '', leastRise: 4, settlesS: 0, atRest: 0 },
  {
    name: 'frontDelay',
    title: 'Event-loop delay of the front, mean',
    unit: 'ms',
    leastRise: 5,
    settlesS: 0,
    atRest: null,
  },
  {
    name: 'workerDelay',
    title: 'Event-loop delay of the workers, mean',
    unit: 'ms',
    leastRise: 10,
    settlesS: 0,
    atRest: null,
  },
];
