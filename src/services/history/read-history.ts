import { isoTime } from '../../base/clock.js';
import { fail } from '../../base/errors.js';
import { HISTOGRAM_BOUNDS, quantileOf } from '../../base/histogram.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import { HISTORY_STEPS, joinSamples, type HistorySample } from '../../store/history.js';
import type { Needs } from '../context.js';

export interface HistoryQuery {
  /** Null: an hour before the end. */
  start: string | null;
  /** Null: now. */
  end: string | null;
  /** Null: one that makes at most 200 points. */
  stepSeconds: number | null;
}

const DEFAULT_RANGE_MS = 3_600_000;
const DEFAULT_POINTS_MAX = 200;
const STEPS_S = [60, 600, 3_600, 21_600, 86_400];
const POINTS_PER_SLICE = 100;

/**
 * The history in steps, as JSON. Steps in which nothing was written are left out. Throws INVALID_REQUEST with the
 * place.
 */
export function* historyJson(services: Needs<'clock' | 'stores'>, query: HistoryQuery): Steps<string> {
  const { startMs, endMs, stepSeconds } = rangeOf(query, services.clock.nowMs());
  const stepMs = stepSeconds * 1_000;
  const samples = new Map<number, HistorySample[]>();
  for (const { startMs: atMs, sample } of services.stores.history.between(startMs, endMs)) {
    const slotMs = Math.floor(atMs / stepMs) * stepMs;
    const sameStep = samples.get(slotMs);
    if (sameStep === undefined) samples.set(slotMs, [sample]);
    else sameStep.push(sample);
  }
  const points: { slotMs: number; sample: HistorySample }[] = [];
  for (const slotMs of [...samples.keys()].toSorted((one, other) => one - other)) {
    points.push({ slotMs, sample: joinSamples(samples.get(slotMs)!) });
    if (points.length % POINTS_PER_SLICE === 0) yield;
  }
  return JSON.stringify({
    start: isoTime(startMs),
    end: isoTime(endMs),
    step_seconds: stepSeconds,
    points: points.map(({ slotMs, sample }) => ({ start: isoTime(slotMs), ...figuresJson(sample) })),
    total: points.length === 0 ? null : figuresJson(joinSamples(points.map(({ sample }) => sample))),
  });
}

/** The first step is whole, and no step is shorter than the samples of its time. */
function rangeOf(
  { start, end, stepSeconds }: HistoryQuery,
  nowMs: number,
): { startMs: number; endMs: number; stepSeconds: number } {
  const endMs = end === null ? nowMs : timeOf('end', end);
  const fromMs = start === null ? endMs - DEFAULT_RANGE_MS : timeOf('start', start);
  if (fromMs >= endMs) throw fail('INVALID_REQUEST', { problems: 'query.start: must be before the end' });
  const pointsOf = (seconds: number): number => (endMs - fromMs) / (seconds * 1_000);
  const wanted = stepSeconds ?? STEPS_S.find((seconds) => pointsOf(seconds) <= DEFAULT_POINTS_MAX) ?? STEPS_S.at(-1)!;
  const kept = HISTORY_STEPS.find(({ keptMs }) => nowMs - fromMs <= keptMs) ?? HISTORY_STEPS.at(-1)!;
  // A multiple of the length of the samples, so that each of them is in one step.
  const seconds = Math.ceil(wanted / kept.seconds) * kept.seconds;
  if (pointsOf(seconds) > LIMITS.historyPointsMax)
    throw fail('INVALID_REQUEST', {
      problems: `query.step_seconds: this time has ${Math.ceil(pointsOf(seconds))} steps of ${seconds} s, and at most ${LIMITS.historyPointsMax} are returned. Take longer steps or a shorter time`,
    });
  return { startMs: Math.floor(fromMs / (seconds * 1_000)) * seconds * 1_000, endMs, stepSeconds: seconds };
}

/** The schema also allows leap seconds, which no date has. */
function timeOf(name: 'start' | 'end', text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw fail('INVALID_REQUEST', { problems: `query.${name}: is not a time` });
  return ms;
}

function figuresJson(sample: HistorySample): Record<string, number | null> {
  const { queueWaits, runDurations } = sample;
  return {
    runs_started: sample.runsStarted,
    runs_succeeded: sample.runsSucceeded,
    runs_failed: sample.runsFailed,
    runs_interrupted: sample.runsInterrupted,
    queue_wait_p95_seconds: rounded(quantileOf(HISTOGRAM_BOUNDS.queue, queueWaits, 0.95)),
    run_duration_p50_seconds: rounded(quantileOf(HISTOGRAM_BOUNDS.run, runDurations, 0.5)),
    run_duration_p95_seconds: rounded(quantileOf(HISTOGRAM_BOUNDS.run, runDurations, 0.95)),
    requests: sample.requests,
    requests_failed: sample.requestsFailed,
    cpu_seconds: rounded(sample.cpuSeconds),
    runs_queued: sample.runsQueued,
    runs_running: sample.runsRunning,
    workers: sample.workers,
    workers_busy: sample.workersBusy,
    memory_bytes: sample.memoryBytes,
    storage_bytes: sample.storageBytes,
  };
}

/** To the millisecond: times are estimates. */
function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1_000) / 1_000;
}
