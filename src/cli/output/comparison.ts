import { isObject, setOwn, type JsonObject } from '../../base/json/json.js';
import { printable } from '../client.js';
import { escapeMarkdown, markdownTable } from './markdown.js';
import { formatNumber, formatPairs, formatPercent, formatSigned, formatTable } from './table.js';

const INPUTS_CHARS_MAX = 60;

export interface Session {
  id: string;
  name: string;
  reference_dataset_id: string | null;
}

export interface Difference {
  pairs: number;
  baseline_mean: number | null;
  mean: number | null;
  difference: number | null;
  interval: [number, number] | null;
  improved: number;
  regressed: number;
  unchanged: number;
  changed_pairs_min: number;
  unpaired_baseline_examples: number;
  unpaired_candidate_examples: number;
  verdict: 'better' | 'worse' | 'not_enough_evidence';
}

export interface Versus {
  examples_changed: number;
  latency: Difference;
  error_rate: Difference;
  feedback: Record<string, Difference>;
}

export interface Comparison {
  feedback_keys: string[];
  experiments: { id: string; run_count: number; versus_baseline: Versus | null }[];
  rows: {
    example: { id: string; inputs: unknown };
    scores: Record<string, Record<string, number | null>>;
    differences: Record<string, Record<string, number | null> | null>;
  }[];
}

/** An example whose score got worse. */
export interface Regression {
  example_id: string;
  baseline: number | null;
  candidate: number | null;
  difference: number | null;
  inputs: unknown;
}

/** A comparison with everything that is printed of it. */
export interface Report {
  /** Address of the comparison in the console; null: the server has no console. */
  console: string | null;
  baseline: Session;
  candidate: Session;
  datasetId: string;
  confidence: number;
  comparison: Comparison;
  versus: Versus;
  worst: Map<string, Regression[]>;
  failed: string[];
  undecided: string[];
  warnings: string[];
  exitCode: number;
}

export function formatJson({
  baseline,
  candidate,
  datasetId,
  confidence,
  versus,
  worst,
  failed,
  undecided,
  warnings,
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
    warnings,
    exit_code: exitCode,
  });
}

export function formatText(report: Report): string {
  const { console: consoleUrl, baseline, candidate, confidence, versus, worst, failed, undecided } = report;
  const parts = [
    formatPairs([
      ['baseline', `${baseline.name} (${runsOf(report, baseline)})`],
      ['candidate', `${candidate.name} (${runsOf(report, candidate)})`],
      ...(consoleUrl === null ? [] : [['console', consoleUrl] as const]),
    ]),
    formatTable(
      columnsOf(report),
      rowsOf(report),
      new Set(['pairs', 'without pair', 'baseline', 'candidate', 'difference', 'improved', 'regressed', 'unchanged']),
    ),
    ...tooFewChanges(versus, confidence),
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

/** Says which measures cannot get a verdict, however the examples changed. Measures without a change need no note. */
function tooFewChanges(versus: Versus, confidence: number): string[] {
  const named: [string, Difference][] = [
    ...Object.entries(versus.feedback),
    ['latency', versus.latency],
    ['error rate', versus.error_rate],
  ];
  const few = named.filter(([, { improved, regressed, changed_pairs_min: needed }]) => {
    const changed = improved + regressed;
    return changed > 0 && changed < needed;
  });
  if (few.length === 0) return [];
  return [
    printable(
      `Too few changes: a verdict at ${formatPercent(confidence)} needs at least ${few[0]![1].changed_pairs_min} ` +
        `examples that changed. ${few.map(([name, one]) => `${name} has ${one.improved + one.regressed}`).join(', ')}.`,
    ),
  ];
}

/** The inputs in a few characters. A single text input is shown without its name. */
function inputsPreview(inputs: unknown): string {
  const values = isObject(inputs) ? Object.values(inputs) : [];
  const text = values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(inputs);
  return text.length > INPUTS_CHARS_MAX ? `${text.slice(0, INPUTS_CHARS_MAX - 1)}…` : text;
}

function runsOf({ comparison }: Report, session: Session): string {
  return countOf(comparison.experiments.find(({ id }) => id === session.id)!.run_count, 'run');
}

function columnsOf({ confidence }: Report): string[] {
  return [
    '',
    'pairs',
    'without pair',
    'baseline',
    'candidate',
    'difference',
    `${formatPercent(confidence)} interval`,
    'improved',
    'regressed',
    'unchanged',
    'verdict',
  ];
}

/** One row for each score, and for latency and errors. */
function rowsOf({ comparison, versus }: Report): string[][] {
  const row = (name: string, one: Difference): string[] => [
    name,
    String(one.pairs),
    `${one.unpaired_baseline_examples} / ${one.unpaired_candidate_examples}`,
    formatNumber(one.baseline_mean),
    formatNumber(one.mean),
    formatSigned(one.difference),
    one.interval === null ? '' : `${formatSigned(one.interval[0])} to ${formatSigned(one.interval[1])}`,
    String(one.improved),
    String(one.regressed),
    String(one.unchanged),
    one.verdict.replaceAll('_', ' '),
  ];
  return [
    ...comparison.feedback_keys.map((key) => row(key, versus.feedback[key]!)),
    row('latency in s', versus.latency),
    row('error rate', versus.error_rate),
  ];
}

/** The comparison as Markdown, for the summary of a pull request. */
export function formatMarkdown(report: Report): string {
  const { console: consoleUrl, baseline, candidate, worst, failed, undecided, warnings, exitCode } = report;
  const verdict =
    failed.length > 0
      ? `Worse: ${failed.join(', ')}.`
      : undecided.length > 0
        ? `Not enough evidence: ${undecided.join(', ')}.`
        : 'Nothing that was checked is worse.';
  return [
    `### ${exitCode === 0 ? '✅' : exitCode === 1 ? '❌' : '❔'} ${escapeMarkdown(candidate.name)}, compared with ${escapeMarkdown(baseline.name)}`,
    escapeMarkdown(verdict),
    `${runsOf(report, candidate)}, ${runsOf(report, baseline)} of the baseline.` +
      (consoleUrl === null ? '' : ` [Open the comparison](${consoleUrl})`),
    markdownTable(columnsOf(report), rowsOf(report)),
    ...[...worst].map(
      ([key, rows]) =>
        `Largest regressions of ${escapeMarkdown(key)}:\n\n${markdownTable(
          ['baseline', 'candidate', 'inputs'],
          rows.map((one) => [formatNumber(one.baseline), formatNumber(one.candidate), inputsPreview(one.inputs)]),
        )}`,
    ),
    ...warnings.map((warning) => `> ${escapeMarkdown(warning)}`),
    '',
  ].join('\n\n');
}

export function countOf(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
