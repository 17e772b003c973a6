import { setTimeout as sleep } from 'node:timers/promises';
import { startThreadmill } from '../contenders/threadmill.js';
import { runWorkloads, type Report } from './everything.js';
import { Sampler, type Sample } from './sampler.js';
import { SERIES } from './series.js';

export interface SoakOptions {
  /** Time under load, without prelude and rest. */
  seconds: number;
  /** The load also continues until this many short runs are done. */
  runs: number;
  sampleMs: number;
  /** Load before the first idle sample, so that everything that opens on first use is open then. */
  preludeSeconds: number;
  /** Pause before an idle sample, in which idle connections close and events of resumable runs expire. */
  restSeconds: number;
  /** Longest time to recover to the idle values after the load. */
  recoverySecondsMax: number;
}

export interface SoakResult extends Report {
  /** Samples under load. */
  samples: Sample[];
  rest: { before: Sample; after: Sample };
}

/** Shorter than the default of 120 s, in which the stored events of a short soak would only grow. */
const EVENTS_TTL_S = 5;

/** Runs all workloads on a real server and samples it. Rejects if the server exits or does not answer. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const server = await startThreadmill({ env: { RESUMABLE_STREAM_TTL_SECONDS: String(EVENTS_TTL_S) } });
  const sampler = new Sampler(server);
  const report: Report = { done: new Map(), errors: new Map() };
  try {
    await underLoad(server.url, { done: new Map(), errors: report.errors }, (signal) =>
      sleep(options.preludeSeconds * 1_000, undefined, { signal }),
    );
    await sleep(options.restSeconds * 1_000);
    const before = await sampler.takeSample();
    sampler.samples.length = 0;
    const ended = performance.now() + options.seconds * 1_000;
    await underLoad(server.url, report, async (signal) => {
      const sampled = new AbortController();
      const samples = sampler.run(options.sampleMs, AbortSignal.any([signal, sampled.signal]));
      const over = async (): Promise<void> => {
        while (!signal.aborted && (performance.now() < ended || (report.done.get('short runs') ?? 0) < options.runs))
          await sleep(100);
        sampled.abort();
      };
      await Promise.all([samples, over()]);
    });
    const samples = sampler.samples.slice();
    return { ...report, samples, rest: { before, after: await waitForRecovery(sampler, before, options) } };
  } finally {
    await sampler.close();
    await server.close();
  }
}

/** Runs the load while `during` runs, then waits for the load to end. */
async function underLoad(
  url: string,
  report: Report,
  during: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const stop = new AbortController();
  const load = runWorkloads(url, stop.signal, report);
  try {
    await during(stop.signal);
  } finally {
    stop.abort();
    await load;
  }
}

/** The first sample in which every value has recovered, or the last one when the time is over. */
async function waitForRecovery(
  sampler: Sampler,
  before: Sample,
  { restSeconds, recoverySecondsMax }: SoakOptions,
): Promise<Sample> {
  const until = performance.now() + recoverySecondsMax * 1_000;
  await sleep(restSeconds * 1_000);
  for (;;) {
    const sample = await sampler.takeSample();
    if (
      SERIES.every(({ name, restTolerance }) =>
        hasRecovered(before.values[name], sample.values[name], restTolerance),
      ) ||
      performance.now() > until
    )
      return sample;
    await sleep(1_000);
  }
}

export function hasRecovered(before: number, after: number, restTolerance: number | null): boolean {
  return restTolerance === null || after <= before + restTolerance;
}
