import { isDeepStrictEqual } from 'node:util';
import { CommandError, HttpError, type Client } from '../client.js';
import { compareExperiments, type Measure } from '../compare.js';
import { createProgressBar } from '../output/progress.js';
import { comparableValue } from './compare-traces.js';
import { loadKeptVersion } from './kept-version.js';
import { projectIdsOf } from './graph-projects.js';
import { readRecordedRun, recordingLink, type RecordedRunFile } from './recorded-run.js';
import type { Sandbox, SandboxResult } from './sandbox.js';
import type { TraceStep } from './trace-steps.js';

/** `--gate`: how many recorded runs are replayed, and which scores must not get worse. */
export interface GateSpec {
  last: number;
  /** Evaluators of the new project, and `same_outputs`, `latency`, `error_rate`. */
  scores: string[];
}

/** 1 if the outputs equal those of the recorded run. */
export const SAME_OUTPUTS = 'same_outputs';
const MEASURES = ['latency', 'error_rate', SAME_OUTPUTS];
const UNDECIDED = 2;
const LAST = 100;
const PAGE = 100;
/** Runs that are looked at for each recorded one that is wanted. */
const SEARCHED_FACTOR = 10;

/** Parses `last=200,score=correct,latency`. Throws CommandError. */
export function parseGate(text: string): GateSpec {
  const spec: GateSpec = { last: LAST, scores: [] };
  for (const part of text.split(',').map((one) => one.trim())) {
    const [, name = 'score', value = part] = /^(\w+)=(.*)$/.exec(part) ?? [];
    if (name === 'last' && /^[1-9]\d{0,4}$/.test(value)) spec.last = Number(value);
    else if (name === 'score' && value !== '') spec.scores.push(value);
    else
      throw new CommandError(
        `--gate: "${part}" is not known. Write it like last=200,score=correct,latency: the number of runs, and scores.`,
      );
  }
  return spec.scores.length > 0 ? spec : { ...spec, scores: ['error_rate'] };
}

/** The scores that code of the project gives. */
export function evaluatorsOf({ scores }: Pick<GateSpec, 'scores'>): string[] {
  return scores.filter((name) => !MEASURES.includes(name));
}

/** The newest runs of a graph that have a recording, the oldest of them first. */
export async function newestRecordedRuns(client: Client, graphId: string, count: number): Promise<RecordedRunFile[]> {
  const projectIds = await projectIdsOf(client, graphId);
  const found: RecordedRunFile[] = [];
  let cursor: string | null = null;
  let searched = 0;
  do {
    if (projectIds.length === 0) break;
    const page = JSON.parse(
      await client.post('/runs/query', {
        session: projectIds,
        is_root: true,
        select: ['id', 'end_time'],
        limit: PAGE,
        ...(cursor === null ? {} : { cursor }),
      }),
    ) as { runs: Pick<TraceStep, 'id' | 'end_time'>[]; cursors: { next: string | null } };
    for (const { id, end_time: endTime } of page.runs) {
      searched += 1;
      if (found.length >= count || searched > count * SEARCHED_FACTOR) break;
      const run = endTime === null ? null : await replayableRun(client, id);
      if (run !== null) found.push(run);
    }
    cursor = page.cursors.next;
  } while (cursor !== null && found.length < count && searched <= count * SEARCHED_FACTOR);
  return found.reverse();
}

/** Null if it has no recording, or its state is gone. */
async function replayableRun(client: Client, runId: string): Promise<RecordedRunFile | null> {
  if (!(await hasRecording(client, runId))) return null;
  try {
    return await readRecordedRun(client, runId, null);
  } catch (error) {
    if (error instanceof CommandError) return null;
    throw error;
  }
}

async function hasRecording(client: Client, runId: string): Promise<boolean> {
  try {
    return (await recordingLink(client, runId)) !== null;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return false;
    throw error;
  }
}

/** What a comparison needs of the root of a trace. */
export type RootStep = Pick<TraceStep, 'name' | 'inputs' | 'outputs' | 'error' | 'start_time' | 'end_time'>;

/** What one version of the code made of a run. */
export interface JudgedSide {
  root: RootStep;
  /** Scores of the evaluators. */
  feedback: SandboxResult['feedback'];
}

/** A run of production, and what two versions of the code made of it. */
export interface JudgedPair {
  runId: string;
  recorded: RootStep;
  before: JudgedSide;
  after: JudgedSide;
}

/** The root of a trace without the rest of it. */
export function rootStepOf(steps: readonly TraceStep[]): RootStep {
  const { name, inputs, outputs, error, start_time, end_time } = steps[0]!;
  return { name, inputs, outputs, error, start_time, end_time };
}

export function sideOf({ steps, feedback }: SandboxResult): JudgedSide {
  return { root: rootStepOf(steps), feedback };
}

/** Replays runs under the code that the server has, and under that of the sandbox, one after the other. */
export async function replayPairs(
  runs: readonly RecordedRunFile[],
  { client, sandbox, version, scores }: { client: Client; sandbox: Sandbox; version: string; scores: number },
): Promise<JudgedPair[]> {
  const pairs: JudgedPair[] = [];
  const warnings = new Set<string>();
  const bar = createProgressBar(runs.length, 'with other outputs');
  try {
    for (const recorded of runs) {
      const { run, graphId, runId, steps } = recorded;
      const warn = (text: string): void => void warnings.add(text);
      const code = await loadKeptVersion(client, version, { sandbox, graphId, warn });
      const before = await sandbox.run({ ...run, replayId: `${runId}-before`, code }, scores);
      const after = await sandbox.run({ ...run, replayId: `${runId}-after`, code: null }, scores);
      pairs.push({ runId, recorded: rootStepOf(steps), before: sideOf(before), after: sideOf(after) });
      bar.update(pairs.length, pairs.filter((pair) => !hasSameOutputs(pair.before.root, pair.after.root)).length);
    }
  } finally {
    bar.stop();
  }
  for (const text of warnings) process.stderr.write(`${text}\n`);
  return pairs;
}

export function hasSameOutputs(one: RootStep, other: RootStep): boolean {
  return isDeepStrictEqual(comparableValue(one.outputs, 'outputs'), comparableValue(other.outputs, 'outputs'));
}

export interface JudgeOptions {
  /** The dataset that both experiments are stored over. */
  dataset: string;
  /** Names of the experiments. */
  names: [before: string, after: string];
  /** Scores that must not get worse. */
  scores: readonly string[];
  markdown?: string;
  apiKey?: string;
  json?: boolean;
}

/**
 * Stores both sides as experiments of the server, and prints their comparison. Returns 0 if nothing is worse, 1 if
 * something is, 2 if more pairs of a score got worse than better, but too few for a verdict.
 */
export async function judgePairs(
  client: Client,
  pairs: readonly JudgedPair[],
  { dataset, names: [before, after], scores, ...output }: JudgeOptions,
): Promise<number> {
  await upload(client, { dataset, name: before }, pairs, (pair) => pair.before);
  await upload(client, { dataset, name: after }, pairs, (pair) => pair.after);
  const { exitCode, undecided } = await compareExperiments(before, after, {
    ...output,
    url: client.url,
    dataset,
    failOnRegression: [...scores],
    confidence: '0.95',
    correction: 'none',
  });
  if (exitCode !== UNDECIDED) return exitCode;
  // Times always differ a little.
  const isDoubtful = undecided.some(
    ({ name, difference: { improved, regressed } }) => name !== 'latency' && regressed > improved,
  );
  if (isDoubtful) return UNDECIDED;
  (output.json === true ? process.stderr : process.stdout).write(`${passedText(undecided, pairs.length)}\n`);
  return 0;
}

/** Why scores without a verdict pass. */
function passedText(undecided: readonly Measure[], runs: number): string {
  const isUnchanged = undecided.every(({ difference: { improved, regressed } }) => improved + regressed === 0);
  if (!isUnchanged) return 'In no score did more runs get worse than better, so the new code passes.';
  // If a larger share of all runs got worse, so many unchanged ones would be seen in less than one of 20 cases.
  const share = (1 - 0.05 ** (1 / runs)) * 100;
  return (
    `None of ${runs} runs changed, so the new code passes. At most ${share.toFixed(share < 10 ? 1 : 0)} % of all runs ` +
    'get worse, at a confidence of 95 %.'
  );
}

async function upload(
  client: Client,
  { dataset, name }: { dataset: string; name: string },
  pairs: readonly JudgedPair[],
  chosenSide: (pair: JudgedPair) => JudgedSide,
): Promise<void> {
  const results = pairs.map((pair) => {
    const { runId, recorded } = pair;
    const { root, feedback } = chosenSide(pair);
    return {
      row_id: runId,
      inputs: recorded.inputs,
      expected_outputs: recorded.outputs,
      actual_outputs: root.outputs,
      error: root.error,
      start_time: root.start_time,
      end_time: root.end_time,
      run_name: root.name,
      run_metadata: { replay_of: runId },
      evaluation_scores: [...feedback, { key: SAME_OUTPUTS, score: hasSameOutputs(recorded, root) ? 1 : 0 }],
    };
  });
  const times = results.flatMap((row) => [row.start_time, row.end_time!]).sort();
  await client.post('/api/v1/datasets/upload-experiment', {
    experiment_name: name,
    experiment_start_time: times[0],
    experiment_end_time: times.at(-1),
    dataset_name: dataset,
    dataset_description:
      'Runs of production, and what new code made of them. The expected outputs are those of the runs.',
    results,
  });
}
