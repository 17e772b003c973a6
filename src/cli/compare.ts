import { isUuid } from '../base/ids.js';
import { nearestFirst } from '../base/nearest-word.js';
import type { JsonObject } from '../base/json/json.js';
import { Client, CommandError, printable, HttpError, runCommand, type Connection } from './client.js';
import {
  countOf,
  formatJson,
  formatText,
  type Comparison,
  type Difference,
  type Regression,
  type Session,
  type Versus,
  formatMarkdown,
} from './output/comparison.js';
import { appendMarkdown } from './output/markdown.js';
import { writeReport } from './output/report.js';

export interface CompareFlags extends Connection {
  dataset?: string;
  failOnRegression?: string[];
  allowMoreErrors?: boolean;
  confidence: string;
  correction: string;
  html?: string;
  markdown?: string;
  json?: boolean;
}

const COMPARED = 0;
const WORSE = 1;
const NOT_ENOUGH_EVIDENCE = 2;
const NOT_COMPARED = 3;

/** Names of `--fail-on-regression` that are not scores. */
const LATENCY = 'latency';
const ERROR_RATE = 'error_rate';

const WORST_MAX = 5;

/** A score, latency or the error rate. */
export interface Measure {
  name: string;
  difference: Difference;
}

/** Compares two experiments and prints the server's comparison. The exit code is the result of --fail-on-regression. */
export function compare(baselineName: string, candidateName: string, flags: CompareFlags): Promise<void> {
  return runCommand(NOT_COMPARED, async () => (await compareExperiments(baselineName, candidateName, flags)).exitCode);
}

/** Checks the flags of a comparison that need no server. Throws CommandError. */
export function checkCompareFlags({ confidence, correction }: Pick<CompareFlags, 'confidence' | 'correction'>): void {
  if (!(Number(confidence) > 0.5 && Number(confidence) < 1))
    throw new CommandError('--confidence: must be a number above 0.5 and below 1, such as 0.95');
  if (correction !== 'none' && correction !== 'holm') throw new CommandError('--correction: must be "none" or "holm"');
}

export interface ComparisonResult {
  /** 0: nothing of --fail-on-regression is worse; 1: something is; 2: not enough evidence for something. */
  exitCode: number;
  /** Those without a verdict. */
  undecided: Measure[];
}

/** Compares two experiments for another command, and prints the comparison. Throws CommandError if it cannot. */
export async function compareExperiments(
  baselineName: string,
  candidateName: string,
  flags: CompareFlags,
): Promise<ComparisonResult> {
  checkCompareFlags(flags);
  const confidence = Number(flags.confidence);
  const client = new Client(flags);
  const [baseline, candidate] = [await experimentOf(client, baselineName), await experimentOf(client, candidateName)];
  const datasetId = await commonDataset(client, baseline, candidate, flags.dataset);
  const body = {
    experiment_ids: [baseline.id, candidate.id],
    baseline_id: baseline.id,
    confidence,
    correction: flags.correction,
  };
  const fetchComparison = async (more: JsonObject): Promise<Comparison> =>
    JSON.parse(await client.post(`/api/v1/datasets/${datasetId}/comparison`, { ...body, ...more })) as Comparison;
  const comparison = await fetchComparison({ limit: 1 });
  const { versus_baseline: versus } = comparison.experiments.find(({ id }) => id === candidate.id)!;
  const guarded = guardedKeysOf(flags.failOnRegression, comparison.feedback_keys);
  const measures = guarded.flatMap((key) => measuresOf(versus!, key));
  const namesWith = (verdict: Difference['verdict']): string[] => [
    ...new Set(measures.filter(({ difference }) => difference.verdict === verdict).map(({ name }) => name)),
  ];
  const failed = namesWith('worse');
  const undecided = namesWith('not_enough_evidence').filter((name) => !failed.includes(name));
  const warnings = warningsOf(versus!, measures, { baseline, candidate });
  // A candidate that crashes has no scores for the examples on which it crashed, so its scores can look good.
  if (guarded.length > 0 && flags.allowMoreErrors !== true && versus!.error_rate.verdict === 'worse')
    if (!failed.includes(ERROR_RATE)) failed.push(ERROR_RATE);
  const exitCode = failed.length > 0 ? WORSE : undecided.length > 0 ? NOT_ENOUGH_EVIDENCE : COMPARED;

  // Regressions are listed for the guarded scores, else for all scores that are worse.
  const shownKeys =
    guarded.length > 0
      ? guarded.filter((key) => comparison.feedback_keys.includes(key))
      : comparison.feedback_keys.filter((key) => versus!.feedback[key]!.verdict === 'worse');
  const worst = new Map<string, Regression[]>();
  for (const key of shownKeys) {
    if (versus!.feedback[key]!.regressed === 0) continue;
    const { rows } = await fetchComparison({
      limit: WORST_MAX,
      feedback_key: key,
      only: 'regressed',
      sort_by: 'difference',
    });
    worst.set(
      key,
      rows.map(({ example, scores, differences }) => ({
        example_id: example.id,
        baseline: scores[baseline.id]![key] ?? null,
        candidate: scores[candidate.id]![key] ?? null,
        difference: differences[candidate.id]?.[key] ?? null,
        inputs: example.inputs,
      })),
    );
  }
  if (flags.html !== undefined)
    await writeReport(client, flags.html, {
      datasetId,
      body,
      confidence,
      correction: flags.correction,
      key: shownKeys[0] ?? null,
    });
  const report = {
    console: await client.consoleUrl(
      `/datasets/${datasetId}/compare?experiments=${baseline.id},${candidate.id}&baseline=${baseline.id}`,
    ),
    baseline,
    candidate,
    datasetId,
    confidence,
    comparison,
    versus: versus!,
    worst,
    failed,
    undecided,
    warnings,
    exitCode,
  };
  if (flags.markdown !== undefined) appendMarkdown(flags.markdown, formatMarkdown(report));
  for (const warning of warnings) process.stderr.write(`${printable(`Warning: ${warning}`)}\n`);
  process.stdout.write(`${flags.json === true ? formatJson(report) : formatText(report)}\n`);
  return { exitCode, undecided: measures.filter(({ name }) => undecided.includes(name)) };
}

/** Finds an experiment by id, else by name, because a name may look like an id. Throws CommandError. */
export async function experimentOf(client: Client, nameOrId: string): Promise<Session> {
  if (isUuid(nameOrId)) {
    try {
      return JSON.parse(await client.get(`/api/v1/sessions/${nameOrId}?include_stats=false`)) as Session;
    } catch (error) {
      if (!(error instanceof HttpError && error.status === 404)) throw error;
    }
  }
  const [found] = JSON.parse(
    await client.get(`/api/v1/sessions?${new URLSearchParams({ name: nameOrId, include_stats: 'false' }).toString()}`),
  ) as Session[];
  if (found === undefined)
    throw new CommandError(`No experiment "${nameOrId}" was found at ${client.url}. Check its name or id.`);
  return found;
}

/** The id of the dataset of both experiments. Throws CommandError if there is none or `wanted` is another one. */
async function commonDataset(
  client: Client,
  baseline: Session,
  candidate: Session,
  wanted: string | undefined,
): Promise<string> {
  if (baseline.id === candidate.id) throw new CommandError(`"${baseline.name}" cannot be compared with itself.`);
  for (const { name, reference_dataset_id: datasetId } of [baseline, candidate])
    if (datasetId === null) throw new CommandError(`"${name}" is not an experiment: it has no dataset.`);
  const datasetId = baseline.reference_dataset_id!;
  if (datasetId !== candidate.reference_dataset_id)
    throw new CommandError(
      `"${baseline.name}" and "${candidate.name}" belong to different datasets (${datasetId} and ` +
        `${candidate.reference_dataset_id}).`,
    );
  if (wanted !== undefined && wanted.toLowerCase() !== datasetId) {
    const { name } = JSON.parse(await client.get(`/api/v1/datasets/${datasetId}`)) as { name: string };
    if (name !== wanted)
      throw new CommandError(
        `"${baseline.name}" and "${candidate.name}" belong to the dataset "${name}", not to "${wanted}".`,
      );
  }
  return datasetId;
}

/** The names of --fail-on-regression. A score's name may contain a comma. Throws CommandError for unknown names. */
function guardedKeysOf(flags: readonly string[] | undefined, scores: readonly string[]): string[] {
  const known = [...scores, LATENCY, ERROR_RATE];
  const keys = (flags ?? []).flatMap((flag) =>
    known.includes(flag) ? [flag] : flag.split(',').map((key) => key.trim()),
  );
  for (const key of keys) {
    if (key === '')
      throw new CommandError('--fail-on-regression: must be the name of a score, or several separated by commas');
    if (!known.includes(key))
      throw new CommandError(
        `--fail-on-regression: neither experiment has a score "${key}". Known names: ` +
          `${nearestFirst(key, known).join(', ')}.`,
      );
  }
  return [...new Set(keys)];
}

/** Resolves a name of --fail-on-regression. Returns two measures if a score has the name of a built-in measure. */
function measuresOf(versus: Versus, name: string): Measure[] {
  const measures: Measure[] = [];
  if (Object.hasOwn(versus.feedback, name)) measures.push({ name, difference: versus.feedback[name]! });
  if (name === LATENCY) measures.push({ name, difference: versus.latency });
  if (name === ERROR_RATE) measures.push({ name, difference: versus.error_rate });
  return measures;
}

/** Reasons for which the verdicts may not mean what a reader expects. */
function warningsOf(
  versus: Versus,
  measures: readonly Measure[],
  { baseline, candidate }: { baseline: Session; candidate: Session },
): string[] {
  const warnings: string[] = [];
  for (const { name, difference } of measures) {
    const { pairs, unpaired_baseline_examples: ofBaseline, unpaired_candidate_examples: ofCandidate } = difference;
    if (ofBaseline === 0 && ofCandidate === 0) continue;
    warnings.push(
      `${name} is compared on ${countOf(pairs, 'example')} that both experiments have a value for. ` +
        `${countOf(ofBaseline, 'example')} of "${baseline.name}" and ${ofCandidate} of "${candidate.name}" are left out.`,
    );
  }
  if (versus.examples_changed > 0)
    warnings.push(
      `${countOf(versus.examples_changed, 'example')} changed between the two experiments, so they answered ` +
        'different questions there. Run the baseline again on the present examples.',
    );
  return warnings;
}
