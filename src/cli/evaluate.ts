import { setTimeout } from 'node:timers/promises';
import { checkCompareFlags, compareExperiments, experimentOf, type CompareFlags } from './compare.js';
import { Client, CommandError, runCommand } from './client.js';
import { formatExperiment, waitForStatistics, type Experiment } from './output/experiment.js';
import { createProgressBar } from './output/progress.js';
import { wholeNumber } from './whole-number.js';

export interface EvaluateFlags extends CompareFlags {
  dataset: string;
  assistant: string;
  evaluators?: string[];
  experiment?: string;
  description?: string;
  metadata?: string;
  split?: string[];
  repetitions?: string;
  concurrency?: string;
  baseline?: string;
}

const NOT_EVALUATED = 3;
const POLL_MS = 250;

interface Job {
  experiment_id: string;
  dataset_id: string;
  status: 'running' | 'success' | 'error' | 'cancelled';
  error: string | null;
  total: number;
  done: number;
  failed: number;
}

/**
 * Lets the server run an experiment, shows its progress, and prints its scores. With a baseline, prints their
 * comparison, and ends with its exit code. Ctrl-C cancels the experiment.
 */
export function evaluate(flags: EvaluateFlags): Promise<void> {
  return runCommand(NOT_EVALUATED, async () => {
    if (flags.baseline === undefined && flags.failOnRegression !== undefined)
      throw new CommandError('--fail-on-regression: needs a --baseline to compare with');
    checkCompareFlags(flags);
    const client = new Client(flags);
    if (flags.baseline !== undefined) await experimentOf(client, flags.baseline);
    const job = await finish(client, JSON.parse(await client.post('/api/v1/experiments', bodyOf(flags))) as Job);
    const { experiment_id: id, dataset_id: datasetId } = job;
    if (job.status === 'error') throw new CommandError(`The experiment could not go on: ${job.error}`);
    if (job.status === 'cancelled')
      throw new CommandError(`The experiment was cancelled. ${job.done} of its ${job.total} runs are stored.`);
    if (flags.baseline !== undefined) return (await compareExperiments(flags.baseline, id, flags)).exitCode;
    const experiment = await waitForStatistics(client, JSON.stringify({ id }), job.done);
    if (flags.json === true) {
      process.stdout.write(`${experiment}\n`);
      return 0;
    }
    const { name } = JSON.parse(await client.get(`/api/v1/datasets/${datasetId}`)) as { name: string };
    const addresses = {
      api: `${client.url}/api/v1/sessions/${id}`,
      console: await client.consoleUrl(`/experiments/${id}`),
    };
    const text = formatExperiment(JSON.parse(experiment) as Experiment, { dataset: name, rows: job.done, addresses });
    process.stdout.write(`${text}\n`);
    return 0;
  });
}

/** Waits until the server has finished the experiment. */
async function finish(client: Client, started: Job): Promise<Job> {
  const path = `/api/v1/experiments/${started.experiment_id}`;
  const bar = createProgressBar(started.total, 'failed');
  const cancel = (): void => void client.post(`${path}/cancel`, {}).catch(() => undefined);
  process.once('SIGINT', cancel);
  try {
    let job = started;
    while (job.status === 'running') {
      bar.update(job.done, job.failed);
      await setTimeout(POLL_MS);
      job = JSON.parse(await client.get(path)) as Job;
    }
    return job;
  } finally {
    process.removeListener('SIGINT', cancel);
    bar.stop();
  }
}

function bodyOf(flags: EvaluateFlags): Record<string, unknown> {
  return {
    dataset: flags.dataset,
    assistant_id: flags.assistant,
    name: flags.experiment ?? null,
    description: flags.description ?? null,
    metadata: flags.metadata === undefined ? null : parseFlag('--metadata', flags.metadata),
    evaluators: (flags.evaluators ?? []).flatMap(evaluatorsOf),
    splits: flags.split ?? null,
    repetitions: wholeNumber('--repetitions', flags.repetitions),
    max_concurrency: wholeNumber('--concurrency', flags.concurrency),
  };
}

/** Names separated by commas, or one evaluator as a JSON object. */
function evaluatorsOf(flag: string): unknown[] {
  return flag.trimStart().startsWith('{')
    ? [parseFlag('--evaluators', flag)]
    : flag.split(',').map((name) => name.trim());
}

function parseFlag(name: string, flag: string): unknown {
  try {
    return JSON.parse(flag);
  } catch (error) {
    throw new CommandError(`${name}: is not valid JSON: ${(error as Error).message}`);
  }
}
