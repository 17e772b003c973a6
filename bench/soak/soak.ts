import { setTimeout as sleep } from 'node:timers/promises';
import { startOurs } from '../contenders/ours.js';
import { everything, type Report } from './everything.js';
import { Sampler, type Sample } from './sampler.js';
import { SERIES } from './series.js';

export interface SoakOptions {
  /** Under load, without what comes before and after. */
  seconds: number;
  /** Goes on until so many short runs are done, too. */
  runs: number;
  sampleMs: number;
  /** Everything once before, so that what is opened on first use is open when the level at rest is taken. */
  preludeSeconds: number;
  /** Before the level at rest is taken: idle connections close, and events of resumable runs go. */
  restSeconds: number;
  /** To come back to it afterwards. */
  backSecondsMax: number;
}

export interface SoakResult extends Report {
  /** Under load. */
  samples: Sample[];
  rest: { before: Sample; after: Sample };
}

/** The default is 120 s: a short soak would spend its time on the first filling of the store. */
const EVENTS_TTL_S = 5;

/** A real server under everything at once, and what became of it. Rejects when it ends or does not answer. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const server = await startOurs({ env: { RESUMABLE_STREAM_TTL_SECONDS: String(EVENTS_TTL_S) } });
  const sampler = new Sampler(server);
  const report: Report = { done: new Map(), errors: new Map() };
  try {
    await loaded(server.url, { done: new Map(), errors: report.errors }, (signal) =>
      sleep(options.preludeSeconds * 1_000, undefined, { signal }),
    );
    await sleep(options.restSeconds * 1_000);
    const before = await sampler.take();
    sampler.samples.length = 0;
    const ended = performance.now() + options.seconds * 1_000;
    await loaded(server.url, report, async (signal) => {
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
    return { ...report, samples, rest: { before, after: await back(sampler, before, options) } };
  } finally {
    await sampler.close();
    await server.close();
  }
}

/** Load for as long as `during` takes; over when the load is. */
async function loaded(url: string, report: Report, during: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  const load = everything(url, stop.signal, report);
  try {
    await during(stop.signal);
  } finally {
    stop.abort();
    await load;
  }
}

/** The first sample in which everything is back at its level at rest, else the last one. */
async function back(sampler: Sampler, before: Sample, { restSeconds, backSecondsMax }: SoakOptions): Promise<Sample> {
  const until = performance.now() + backSecondsMax * 1_000;
  await sleep(restSeconds * 1_000);
  for (;;) {
    const sample = await sampler.take();
    if (
      SERIES.every(({ name, atRest }) => isBack(before.values[name], sample.values[name], atRest)) ||
      performance.now() > until
    )
      return sample;
    await sleep(1_000);
  }
}

export function isBack(before: number, after: number, atRest: number | null): boolean {
  return atRest === null || after <= before + atRest;
}
