import { isDeepStrictEqual } from 'node:util';
import { CommandError, type Client } from '../client.js';
import { compareExperiments } from '../compare.js';
import { createProgressBar } from '../output/progress.js';
import { comparableValue } from './compare-traces.js';
import { loadKeptVersion } from './kept-version.js';
import { readRecordedRun, readRecording, type RecordedRunFile } from './recorded-run.js';
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
const NOT_ENOUGH_EVIDENCE = 2;
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
export function evaluatorsOf({ scores }: GateSpec): string[] {
  return scores.filter((name) => !MEASURES.includes(name));
}

/** The newest runs of a graph that have a recording, the oldest of them first. */
export async function newestRecordedRuns(client: Client, graphId: string, count: number): Promise<RecordedRunFile[]> {
  const metadata = encodeURIComponent(JSON.stringify({ graph_id: graphId }));
  const projects = JSON.parse(await client.get(`/api/v1/sessions?metadata=${metadata}`)) as { id: string }[];
  const found: RecordedRunFile[] = [];
  let cursor: string | null = null;
  let searched = 0;
  do {
    if (projects.length === 0) break;
    const page = JSON.parse(
      await client.post('/runs/query', {
        session: projects.map(({ id }) => id),
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
export async function replayableRun(client: Client, runId: string): Promise<RecordedRunFile | null> {
  if ((await readRecording(client, runId)) === null) return null;
  try {
    return await readRecordedRun(client, runId, null);
  } catch (error) {
    if (error instanceof CommandError) return null;
    throw error;
  }
}

/** A run, and what two versions of the code made of it. */
export interface ReplayedPair {
  recorded: RecordedRunFile;
  before: SandboxResult;
  after: SandboxResult;
}

/** Replays runs under the code that the server has, and under that of the sandbox, one after the other. */
export async function replayPairs(
  runs: readonly RecordedRunFile[],
  { client, sandbox, version, scores }: { client: Client; sandbox: Sandbox; version: string; scores: number },
): Promise<ReplayedPair[]> {
  const pairs: ReplayedPair[] = [];
  const warnings = new Set<string>();
  const bar = createProgressBar(runs.length, 'with other outputs');
  try {
    for (const recorded of runs) {
      const { run, graphId, runId } = recorded;
      const warn = (text: string): void => void warnings.add(text);
      const code = await loadKeptVersion(client, version, { sandbox, graphId, warn });
      const before = await sandbox.run({ ...run, replayId: `${runId}-before`, code }, scores);
      const after = await sandbox.run({ ...run, replayId: `${runId}-after`, code: null }, scores);
      pairs.push({ recorded, before, after });
      bar.update(pairs.length, pairs.filter((pair) => !hasSameOutputs(pair.before, pair.after)).length);
    }
  } finally {
    bar.stop();
  }
  for (const text of warnings) process.stderr.write(`${text}\n`);
  return pairs;
}

export function hasSameOutputs(one: Pick<SandboxResult, 'steps'>, other: Pick<SandboxResult, 'steps'>): boolean {
  const outputsOf = ({ steps }: Pick<SandboxResult, 'steps'>): unknown => comparableValue(steps[0]?.outputs, 'outputs');
  return isDeepStrictEqual(outputsOf(one), outputsOf(other));
}

/**
 * Stores both sides as experiments over the dataset "gate GRAPH" of the server, and prints their comparison. Returns 0
 * if nothing is worse, 1 if something is, 2 if more pairs of a score got worse than better, but too few for a verdict.
 */
export async function judgePairs(
  client: Client,
  pairs: readonly ReplayedPair[],
  {
    graphId,
    names,
    spec,
    markdown,
    apiKey,
  }: { graphId: string; names: [string, string]; spec: GateSpec; markdown?: string; apiKey?: string },
): Promise<number> {
  const dataset = `gate ${graphId}`;
  const [before, after] = names;
  await upload(client, { dataset, name: before }, pairs, (pair) => pair.before);
  await upload(client, { dataset, name: after }, pairs, (pair) => pair.after);
  const { exitCode, undecided } = await compareExperiments(before, after, {
    url: client.url,
    ...(apiKey === undefined ? {} : { apiKey }),
    dataset,
    failOnRegression: spec.scores,
    confidence: '0.95',
    correction: 'none',
    ...(markdown === undefined ? {} : { markdown }),
  });
  if (exitCode !== NOT_ENOUGH_EVIDENCE) return exitCode;
  // Times always differ a little.
  const isDoubtful = undecided.some(
    ({ name, difference: { improved, regressed } }) => name !== 'latency' && regressed > improved,
  );
  if (isDoubtful) return NOT_ENOUGH_EVIDENCE;
  process.stdout.write('In no score did more runs get worse than better, so the gate is passed.\n');
  return 0;
}

async function upload(
  client: Client,
  { dataset, name }: { dataset: string; name: string },
  pairs: readonly ReplayedPair[],
  sideOf: (pair: ReplayedPair) => SandboxResult,
): Promise<void> {
  const results = pairs.map((pair) => {
    const { recorded } = pair;
    const side = sideOf(pair);
    const root = side.steps[0]!;
    return {
      row_id: recorded.runId,
      inputs: recorded.steps[0]!.inputs,
      expected_outputs: recorded.steps[0]!.outputs,
      actual_outputs: root.outputs,
      error: root.error,
      start_time: root.start_time,
      end_time: root.end_time,
      run_name: root.name,
      run_metadata: { replay_of: recorded.runId },
      evaluation_scores: [...side.feedback, { key: SAME_OUTPUTS, score: hasSameOutputs(recorded, side) ? 1 : 0 }],
    };
  });
  const times = results.flatMap((row) => [row.start_time, row.end_time!]).sort();
  await client.post('/api/v1/datasets/upload-experiment', {
    experiment_name: name,
    experiment_start_time: times[0],
    experiment_end_time: times.at(-1),
    dataset_name: dataset,
    dataset_description: 'Runs of production, replayed before deployments. The expected outputs are those of the runs.',
    results,
  });
}
