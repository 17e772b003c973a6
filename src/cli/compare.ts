import { isUuid } from '../base/ids.js';
import { isObject, setOwn, type JsonObject } from '../base/json/json.js';
import { Client, CommandError, printable, HttpError, runCommand, type Connection } from './client.js';
import { writeReport } from './output/report.js';
import { formatPairs, formatNumber, formatPercent, formatSigned, formatTable } from './output/table.js';

export interface CompareFlags extends Connection {
  dataset?: string;
  failOnRegression?: string[];
  confidence: string;
  html?: string;
  json?: boolean;
}

const COMPARED = 0;
const WORSE = 1;
const NOT_ENOUGH_EVIDENCE = 2;
const NOT_COMPARED = 3;

const WORST_MAX = 5;
const INPUTS_CHARS_MAX = 60;

interface Session {
  id: string;
  name: string;
  reference_dataset_id: string | null;
}

interface Difference {
  pairs: number;
  baseline_mean: number | null;
  mean: number | null;
  difference: number | null;
  interval: [number, number] | null;
  improved: number;
  regressed: number;
  unchanged: number;
  verdict: 'better' | 'worse' | 'not_enough_evidence';
}

interface Comparison {
  feedback_keys: string[];
  experiments: {
    id: string;
    run_count: number;
    versus_baseline: { latency: Difference; error_rate: Difference; feedback: Record<string, Difference> } | null;
  }[];
  rows: {
    example: { id: string; inputs: unknown };
    scores: Record<string, Record<string, number | null>>;
    differences: Record<string, Record<string, number | null> | null>;
  }[];
}

/** An example whose score got worse. */
interface Regression {
  example_id: string;
  baseline: number | null;
  candidate: number | null;
  difference: number | null;
  inputs: unknown;
}

/** Compares two experiments and prints the server's comparison. The exit code is the result of --fail-on-regression. */
export function compare(baselineName: string, candidateName: string, flags: CompareFlags): Promise<void> {
  return runCommand(NOT_COMPARED, async () => {
    const confidence = Number(flags.confidence);
    if (!(confidence > 0.5 && confidence < 1))
      throw new CommandError('--confidence: must be a number above 0.5 and below 1, such as 0.95');
    const client = new Client(flags);
    const [baseline, candidate] = [await experimentOf(client, baselineName), await experimentOf(client, candidateName)];
    const datasetId = await commonDataset(client, baseline, candidate, flags.dataset);
    const body = { experiment_ids: [baseline.id, candidate.id], baseline_id: baseline.id, confidence };
    const fetchComparison = async (more: JsonObject): Promise<Comparison> =>
      JSON.parse(await client.post(`/api/v1/datasets/${datasetId}/comparison`, { ...body, ...more })) as Comparison;
    const comparison = await fetchComparison({ limit: 1 });
    const { versus_baseline: versus } = comparison.experiments.find(({ id }) => id === candidate.id)!;
    const guarded = guardedKeysOf(flags.failOnRegression, comparison.feedback_keys);
    const withVerdict = (verdict: Difference['verdict']): string[] =>
      guarded.filter((key) => versus!.feedback[key]!.verdict === verdict);
    const failed = withVerdict('worse');
    const undecided = withVerdict('not_enough_evidence');
    const exitCode = failed.length > 0 ? WORSE : undecided.length > 0 ? NOT_ENOUGH_EVIDENCE : COMPARED;

    // Regressions are listed for the guarded scores, else for all scores that are worse.
    const shownKeys =
      guarded.length > 0
        ? guarded
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
      await writeReport(client, flags.html, { datasetId, body, confidence, key: shownKeys[0] ?? null });
    const report = {
      baseline,
      candidate,
      datasetId,
      confidence,
      comparison,
      versus: versus!,
      worst,
      failed,
      undecided,
      exitCode,
    };
    process.stdout.write(`${flags.json === true ? formatJson(report) : formatText(report)}\n`);
    return exitCode;
  });
}

/** Finds an experiment by id, else by name, because a name may look like an id. Throws CommandError. */
async function experimentOf(client: Client, nameOrId: string): Promise<Session> {
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

/** The scores of --fail-on-regression. A score's name may contain a comma. Throws CommandError for unknown scores. */
function guardedKeysOf(flags: readonly string[] | undefined, known: readonly string[]): string[] {
  const keys = (flags ?? []).flatMap((flag) =>
    known.includes(flag) ? [flag] : flag.split(',').map((key) => key.trim()),
  );
  for (const key of keys) {
    if (key === '')
      throw new CommandError('--fail-on-regression: must be the name of a score, or several separated by commas');
    if (!known.includes(key))
      throw new CommandError(
        `--fail-on-regression: neither experiment has a score "${key}". They have: ${known.join(', ') || 'none'}.`,
      );
  }
  return [...new Set(keys)];
}

interface Report {
  baseline: Session;
  candidate: Session;
  datasetId: string;
  confidence: number;
  comparison: Comparison;
  versus: NonNullable<Comparison['experiments'][number]['versus_baseline']>;
  worst: Map<string, Regression[]>;
  failed: string[];
  undecided: string[];
  exitCode: number;
}

function formatJson({
  baseline,
  candidate,
  datasetId,
  confidence,
  versus,
  worst,
  failed,
  undecided,
  exitCode,
}: Report): string {
  const regressions: JsonObject = {};
  for (const [key, rows] of worst)
    setOwn(
      regressions,
      key,
      rows.map(({ inputs: _, ...row }) => row),
    );
  const named = ({ id, name }: Session): JsonObject => ({ id, name });
  return JSON.stringify({
    dataset_id: datasetId,
    baseline: named(baseline),
    candidate: named(candidate),
    confidence,
    ...versus,
    worst_regressions: regressions,
    worse: failed,
    not_enough_evidence: undecided,
    exit_code: exitCode,
  });
}

function formatText({ baseline, candidate, confidence, comparison, versus, worst, failed, undecided }: Report): string {
  const runs = (session: Session): string => {
    const count = comparison.experiments.find(({ id }) => id === session.id)!.run_count;
    return `${count} run${count === 1 ? '' : 's'}`;
  };
  const row = (name: string, one: Difference): string[] => [
    name,
    String(one.pairs),
    formatNumber(one.baseline_mean),
    formatNumber(one.mean),
    formatSigned(one.difference),
    one.interval === null ? '' : `${formatSigned(one.interval[0])} to ${formatSigned(one.interval[1])}`,
    String(one.improved),
    String(one.regressed),
    String(one.unchanged),
    one.verdict.replaceAll('_', ' '),
  ];
  const parts = [
    formatPairs([
      ['baseline', `${baseline.name} (${runs(baseline)})`],
      ['candidate', `${candidate.name} (${runs(candidate)})`],
    ]),
    formatTable(
      [
        '',
        'examples',
        'baseline',
        'candidate',
        'difference',
        `${formatPercent(confidence)} interval`,
        'improved',
        'regressed',
        'unchanged',
        'verdict',
      ],
      [
        ...comparison.feedback_keys.map((key) => row(key, versus.feedback[key]!)),
        row('latency in s', versus.latency),
        row('error rate', versus.error_rate),
      ],
      new Set(['examples', 'baseline', 'candidate', 'difference', 'improved', 'regressed', 'unchanged']),
    ),
    ...[...worst].map(
      ([key, rows]) =>
        `Largest regressions of ${printable(key)}\n${formatTable(
          ['example', 'baseline', 'candidate', 'difference', 'inputs'],
          rows.map((one) => [
            one.example_id,
            formatNumber(one.baseline),
            formatNumber(one.candidate),
            formatSigned(one.difference),
            inputsPreview(one.inputs),
          ]),
          new Set(['baseline', 'candidate', 'difference']),
        )}`,
    ),
  ];
  if (failed.length > 0) parts.push(printable(`Worse: ${failed.join(', ')}.`));
  if (undecided.length > 0) parts.push(printable(`Not enough evidence: ${undecided.join(', ')}.`));
  return parts.join('\n\n');
}

/** The inputs in a few characters. A single text input is shown without its name. */
function inputsPreview(inputs: unknown): string {
  const values = isObject(inputs) ? Object.values(inputs) : [];
  const text = values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(inputs);
  return text.length > INPUTS_CHARS_MAX ? `${text.slice(0, INPUTS_CHARS_MAX - 1)}…` : text;
}
