import { join } from 'node:path';
import { PROGRAM_FOLDER } from '../../base/program-files.js';
import type { Caller } from '../../domain/caller.js';
import type { BodyMessage } from '../../wire/evaluation/evaluation.js';
import type { Needs } from '../context.js';
import { uploadExperiment, type UploadSession } from '../evaluation/upload-experiment.js';
import { NO_REQUEST } from '../runs/request-context.js';
import { startRun } from '../runs/start-run.js';
import { SAMPLE_THREADS, sampleExperiments, type SampleExperiment, type SampleThread } from './sample-data.js';

/** Parts of the sample that do not exist yet, by kind. */
export interface SampleCounts {
  threads: number;
  experiments: number;
}

export type SampleServices = Needs<
  | 'clock'
  | 'defaultTtl'
  | 'disabled'
  | 'evaluation'
  | 'graphIds'
  | 'graphs'
  | 'ids'
  | 'quotas'
  | 'scheduler'
  | 'stateBudgets'
  | 'stores'
  | 'threads'
  | 'webhooks'
>;

const SAMPLE_LOCK = 'sample';

/** Counts what `loadSample` would create. */
export function countMissingSample(services: SampleServices): SampleCounts {
  return { threads: missingThreads(services).length, experiments: missingExperiments(services).length };
}

/**
 * Creates what is missing of the sample, and returns how much it created. Threads are runs of the example graphs, so
 * only a server that serves those has them: a sample never runs a graph of the user.
 */
export async function loadSample(services: SampleServices, caller: Caller): Promise<SampleCounts> {
  services.scheduler.checkIntake();
  return services.evaluation.locks.withLocks([SAMPLE_LOCK], async () => {
    const threads = missingThreads(services);
    const experiments = missingExperiments(services);
    const loadThreads = async (): Promise<void> => {
      // One after the other, so that the list of threads has their order.
      for (const thread of threads) await runThread(services, caller, thread);
    };
    await Promise.all([
      loadThreads(),
      (async () => {
        for (const experiment of experiments) await upload(services, caller, experiment);
      })(),
    ]);
    return { threads: threads.length, experiments: experiments.length };
  });
}

function missingThreads({ graphs, threads, disabled }: SampleServices): SampleThread[] {
  if (disabled.has('threads') || disabled.has('runs')) return [];
  return SAMPLE_THREADS.filter(
    ({ graphId, file, threadId }) =>
      graphs.fileOf(graphId) === join(PROGRAM_FOLDER, 'examples', file) && !threads.isTaken(threadId),
  );
}

function missingExperiments({ evaluation, clock }: SampleServices): SampleExperiment[] {
  return sampleExperiments(clock.nowMs()).filter(({ name }) => evaluation.experiments.idByName(name) === undefined);
}

async function runThread(
  services: SampleServices,
  caller: Caller,
  { threadId, graphId, title, inputs }: SampleThread,
): Promise<void> {
  for (const input of inputs) {
    const run = startRun(services, threadId, {
      caller,
      body: { assistant_id: graphId, input, if_not_exists: 'create', metadata: { title } },
      purpose: 'background',
      context: NO_REQUEST,
    });
    await run.created;
    await services.scheduler.whenEnded(run);
  }
}

async function upload({ evaluation }: SampleServices, caller: Caller, experiment: SampleExperiment): Promise<void> {
  const session: UploadSession = evaluation.pool.openSession('upload');
  const send = (message: { type: 'form'; lines: boolean; encoding: string } | BodyMessage): void =>
    session.duplex.send(message);
  send({ type: 'form', lines: false, encoding: '' });
  send({ type: 'body', bytes: new TextEncoder().encode(JSON.stringify(experiment.upload)) });
  send({ type: 'bodyEnd' });
  session.result.catch(() => undefined);
  session.start(0);
  try {
    await uploadExperiment(evaluation, caller, session);
  } catch (error) {
    session.cancel(error as Error);
    throw error;
  }
}
