import { LIMITS } from '../base/limits.js';
import { packRow, unpackRow } from '../wire/codec.js';
import { keys, type Key } from './keys.js';
import type { Reader } from './reader.js';
import type { Commit } from './store.js';

/** What the server did in a time, and its load then. */
export interface HistorySample {
  runsStarted: number;
  runsSucceeded: number;
  /** Failed or timed out. */
  runsFailed: number;
  runsInterrupted: number;
  /** Counts below HISTOGRAM_BOUNDS.queue: times until runs got a worker. */
  queueWaits: readonly number[];
  /** Counts below HISTOGRAM_BOUNDS.run. */
  runDurations: readonly number[];
  requests: number;
  /** Answered with a status of 500 or above. */
  requestsFailed: number;
  cpuSeconds: number;
  // The highest values, which are read once a minute.
  runsQueued: number;
  runsRunning: number;
  workers: number;
  workersBusy: number;
  memoryBytes: number;
  storageBytes: number;
}

/** In the order of the stored rows. Append new fields at the end. */
const FIELDS: readonly (keyof HistorySample)[] = [
  'runsStarted',
  'runsSucceeded',
  'runsFailed',
  'runsInterrupted',
  'queueWaits',
  'runDurations',
  'requests',
  'requestsFailed',
  'cpuSeconds',
  'runsQueued',
  'runsRunning',
  'workers',
  'workersBusy',
  'memoryBytes',
  'storageBytes',
];

/** Lengths of the stored samples in seconds, and the age at which they become one sample of the next length. */
export const HISTORY_STEPS = [
  { seconds: 60, keptMs: LIMITS.historyMinutesKeptMs },
  { seconds: 600, keptMs: LIMITS.historyTenMinutesKeptMs },
  { seconds: 3_600, keptMs: LIMITS.historyHoursKeptMs },
] as const;

export interface StoredSample {
  startMs: number;
  seconds: number;
  sample: HistorySample;
}

/**
 * The load of the server over the last months, in at most a few thousand small records: minutes of the last day, ten
 * minutes of the last week, hours before.
 */
export class History {
  readonly #store: Reader;

  constructor(store: Reader) {
    this.#store = store;
  }

  /** Adds a sample to the minute that this time is in. */
  add(commit: Commit, atMs: number, sample: HistorySample): void {
    this.#put(commit, keys.history(HISTORY_STEPS[0].seconds, slotOf(atMs, LIMITS.historySampleMs)), sample);
  }

  /**
   * Shortens the history a little: removes the oldest samples, or joins those of one length. One length at a time,
   * because it reads what is on disk, and not what the commit already has.
   */
  thin(commit: Commit, nowMs: number): void {
    for (const [at, { seconds, keptMs }] of [...HISTORY_STEPS.entries()].toReversed()) {
      const next = HISTORY_STEPS[at + 1];
      const nextMs = (next?.seconds ?? seconds) * 1_000;
      const old = this.#olderThan(seconds, slotOf(nowMs - keptMs, nextMs));
      if (old.length === 0) continue;
      for (const { startMs } of old) commit.remove(keys.history(seconds, startMs));
      if (next === undefined) return;
      const joined = new Map<number, HistorySample[]>();
      for (const { startMs, sample } of old) {
        const slotMs = slotOf(startMs, nextMs);
        const sameSlot = joined.get(slotMs);
        if (sameSlot === undefined) joined.set(slotMs, [sample]);
        else sameSlot.push(sample);
      }
      for (const [slotMs, samples] of joined)
        this.#put(commit, keys.history(next.seconds, slotMs), joinSamples(samples));
      return;
    }
  }

  /** Samples that begin in this time, those of one length after the other. */
  *between(startMs: number, endMs: number): Generator<StoredSample> {
    for (const { seconds } of HISTORY_STEPS)
      for (const found of this.#from(seconds, startMs)) {
        if (found.startMs >= endMs) break;
        yield found;
      }
  }

  #olderThan(seconds: number, untilMs: number): StoredSample[] {
    const found: StoredSample[] = [];
    for (const one of this.#from(seconds, 0)) {
      if (one.startMs >= untilMs || found.length >= LIMITS.historyThinnedMax) break;
      found.push(one);
    }
    return found;
  }

  *#from(seconds: number, startMs: number): Generator<StoredSample> {
    for (const [key, value] of this.#store.entries({
      prefix: keys.historyOf(seconds),
      start: keys.history(seconds, startMs),
    }))
      yield { startMs: key[2] as number, seconds, sample: unpackSample(value) };
  }

  #put(commit: Commit, key: Key, sample: HistorySample): void {
    const stored = this.#store.getBeforeWrite(key);
    const whole = stored === undefined ? sample : joinSamples([unpackSample(stored), sample]);
    commit.put(key, packRow(whole, FIELDS));
  }
}

/** Counts are added, of other values the highest one is taken. */
export function joinSamples(samples: readonly HistorySample[]): HistorySample {
  const sum = (of: (sample: HistorySample) => number): number => samples.reduce((total, one) => total + of(one), 0);
  const max = (of: (sample: HistorySample) => number): number => Math.max(...samples.map(of));
  const counts = (of: (sample: HistorySample) => readonly number[]): number[] =>
    Array.from({ length: max((one) => of(one).length) }, (_, at) => sum((one) => of(one)[at] ?? 0));
  return {
    runsStarted: sum((one) => one.runsStarted),
    runsSucceeded: sum((one) => one.runsSucceeded),
    runsFailed: sum((one) => one.runsFailed),
    runsInterrupted: sum((one) => one.runsInterrupted),
    queueWaits: counts((one) => one.queueWaits),
    runDurations: counts((one) => one.runDurations),
    requests: sum((one) => one.requests),
    requestsFailed: sum((one) => one.requestsFailed),
    cpuSeconds: sum((one) => one.cpuSeconds),
    runsQueued: max((one) => one.runsQueued),
    runsRunning: max((one) => one.runsRunning),
    workers: max((one) => one.workers),
    workersBusy: max((one) => one.workersBusy),
    memoryBytes: max((one) => one.memoryBytes),
    storageBytes: max((one) => one.storageBytes),
  };
}

export function unpackSample(bytes: Uint8Array): HistorySample {
  return unpackRow<HistorySample>(bytes, FIELDS);
}

function slotOf(atMs: number, slotMs: number): number {
  return Math.floor(atMs / slotMs) * slotMs;
}
