import type { ComparisonQuery } from '../../schemas/compiled/types.js';
import { asText, setOwn, type JsonObject } from '../../src/base/json/json.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { isoMicros } from '../../src/base/micros.js';
import { itemAt } from '../../src/store/evaluation/blocks.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { unpackEvaluationRun } from '../../src/store/evaluation/evaluation-runs.js';
import type { ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import { statsOf } from './aggregate.js';
import type { Caches } from './caches.js';
import { pairedDifference, type PairedDifference } from './comparison.js';
import type { ExampleEntry } from './example-directory.js';
import { parseCursor, cursorText, parseId, parseIds, listJson } from './pages.js';
import { datasetOf } from './reads-datasets.js';
import { exampleFields, loadExample } from './reads-examples.js';
import { experimentsOf, higherIsBetter, runsOf } from './reads-example-runs.js';
import { jsonArray, jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';
import { comparedRun, withPreviews } from './run-json.js';
import { pairsOf, tableOf, valueIn, type ScoreTable } from './score-table.js';

const CONFIDENCE = 0.95;
const LIMIT = 50;
const RESAMPLES = 1_000;
/** A fixed seed, so that the same query always returns the same interval. */
const SEED = 20_260_101;
/** Number of cached differences. A page with fifty experiments has a few hundred. */
const CACHED_DIFFERENCES_MAX = 5_000;

interface Compared {
  experiment: ExperimentRecord;
  table: ScoreTable;
}

const cachedDifferences = new Map<string, PairedDifference>();

/**
 * Compares experiments of a dataset with a baseline. For each score: the mean difference over the examples that
 * both have, its paired bootstrap interval and a verdict. Then a page of the examples, with every run and
 * difference.
 */
const compare: QueryHandler<ComparisonQuery & { dataset_id: string }> = (caches, caller, body) => {
  const dataset = datasetOf(caches, caller, body.dataset_id);
  const ids = [...new Set(parseIds(body.experiment_ids, 'experiment_ids', 'body'))];
  const compared = experimentsOf(caches, caller, dataset, ids).map((experiment) => ({
    experiment,
    table: tableOf(caches.facts(experiment.list)),
  }));
  const baseline = compared.find(({ experiment }) => experiment.experimentId === baselineId(dataset, body, ids))!;
  const keys = [...new Set(compared.flatMap(({ table }) => [...table.scores.keys()]))].sort();
  const key = body.feedback_key ?? keys[0] ?? null;
  const confidence = body.confidence ?? CONFIDENCE;

  const ranked = ranking(caches, dataset, compared, baseline, key, body);
  const limit = body.limit ?? LIMIT;
  const from = pageStart(ranked, body, limit);
  const page = ranked.slice(from, from + limit);
  const next =
    from + page.length < ranked.length ? cursorText([page.at(-1)!.entry.exampleId, from + page.length]) : null;
  return jsonObject({
    dataset_id: dataset.datasetId,
    baseline_id: baseline.experiment.experimentId,
    feedback_keys: keys,
    feedback_key: key,
    confidence,
    experiments: compared.map((one) => experimentSummary(caches, one, baseline, keys, confidence)),
    total: ranked.length,
    offset: from,
    rows: listJson(page, ({ entry }) =>
      rowJson(caches, dataset, entry, compared, baseline, keys, body.value_chars_max ?? null),
    ),
    next_cursor: next,
  });
};

function baselineId(dataset: DatasetRecord, body: ComparisonQuery, ids: readonly string[]): string {
  if (body.baseline_id == null) return ids.find((id) => id === dataset.baselineExperimentId) ?? ids[0]!;
  const id = parseId(body.baseline_id, ['baseline_id'], 'body');
  if (!ids.includes(id))
    throw invalidRequest('body', [{ loc: ['baseline_id'], msg: 'must be one of experiment_ids', type: 'one_of' }]);
  return id;
}

function experimentSummary(
  caches: Caches,
  one: Compared,
  baseline: Compared,
  keys: readonly string[],
  confidence: number,
): JsonObject {
  const { experiment } = one;
  const { feedback_stats: feedback, ...stats } = statsOf(caches.facts(experiment.list));
  const versus =
    one === baseline
      ? null
      : {
          latency: difference(caches, one, baseline, 'latency', false, confidence, (table) => table.latency),
          error_rate: difference(caches, one, baseline, 'error', false, confidence, (table) => table.failed),
          feedback: byKey(keys, (key) =>
            difference(caches, one, baseline, `score ${key}`, higherIsBetter(caches, key), confidence, (table) =>
              table.scores.get(key),
            ),
          ),
        };
  return {
    id: experiment.experimentId,
    name: experiment.name,
    test_run_number: experiment.testRunNumber,
    start_time: isoMicros(experiment.startTimeUs),
    run_count: stats.run_count,
    error_rate: stats.error_rate,
    latency_p50: stats.latency_p50,
    latency_p99: stats.latency_p99,
    total_tokens: stats.total_tokens,
    total_cost: stats.total_cost,
    feedback_stats: feedback,
    versus_baseline: versus,
  };
}

function byKey(keys: readonly string[], valueOf: (key: string) => unknown): JsonObject {
  const object: JsonObject = {};
  for (const key of keys) setOwn(object, key, valueOf(key));
  return object;
}

function difference(
  caches: Caches,
  one: Compared,
  baseline: Compared,
  what: string,
  higher: boolean,
  confidence: number,
  column: (table: ScoreTable) => Float64Array | undefined,
): PairedDifference & { higher_is_better: boolean } {
  const states = [baseline, one].map((each) => stateOf(caches, each));
  const name = [...states, String(higher), confidence, what].join(' ');
  let found = cachedDifferences.get(name);
  if (found === undefined) {
    found = pairedDifference(pairsOf(baseline.table, one.table, column), {
      confidence,
      higherIsBetter: higher,
      resamples: RESAMPLES,
      seed: SEED,
    });
    if (cachedDifferences.size >= CACHED_DIFFERENCES_MAX)
      cachedDifferences.delete(cachedDifferences.keys().next().value!);
    cachedDifferences.set(name, found);
  }
  return { ...found, higher_is_better: higher };
}

interface Ranked {
  entry: ExampleEntry;
  /** Worst difference of any experiment from the baseline, where higher is better; null if there is none. */
  worst: number | null;
  best: number | null;
  /** Largest and smallest number of seconds by which any experiment is slower than the baseline. */
  slowest: number | null;
  fastest: number | null;
  order: number;
}

/** Number of cached rankings. Clients page through a ranking, and people switch between a few orders. */
const RANKINGS_MAX = 8;
const rankings = new Map<string, readonly Ranked[]>();

/** Computed once for every state of the dataset and its experiments. */
function ranking(
  caches: Caches,
  dataset: DatasetRecord,
  compared: readonly Compared[],
  baseline: Compared,
  key: string | null,
  body: ComparisonQuery,
): readonly Ranked[] {
  const states = compared.map((one) => stateOf(caches, one));
  const higher = key === null || higherIsBetter(caches, key);
  const name = JSON.stringify([
    dataset.datasetId,
    dataset.seq,
    states,
    compared.indexOf(baseline),
    key,
    higher,
    body.only,
    body.sort_by,
    body.sort_order,
    body.full_text_contains,
  ]);
  const ranked = rankings.get(name) ?? rank(caches, dataset, compared, baseline, key, body);
  rankings.delete(name);
  rankings.set(name, ranked);
  if (rankings.size > RANKINGS_MAX) rankings.delete(rankings.keys().next().value!);
  return ranked;
}

/** Identifies the experiment and its last change. */
function stateOf(caches: Caches, { experiment }: Compared): string {
  return `${experiment.list}.${caches.facts(experiment.list).seq}`;
}

/** Examples that any of the experiments ran, filtered and in the requested order. */
function rank(
  caches: Caches,
  dataset: DatasetRecord,
  compared: readonly Compared[],
  baseline: Compared,
  key: string | null,
  body: ComparisonQuery,
): Ranked[] {
  const sign = key === null || higherIsBetter(caches, key) ? 1 : -1;
  const others = compared.filter((one) => one !== baseline);
  const needles = (body.full_text_contains ?? []).map((text) => text.toLowerCase());
  const ranked: Ranked[] = [];
  caches
    .directory(dataset)
    .list(null, 'recent', 0, true)
    .forEach((entry, order) => {
      const { exampleId } = entry;
      if (!compared.some(({ table }) => table.indexOf.has(exampleId))) return;
      if (needles.length > 0 && !hasAll(textOfExample(caches, entry), needles)) return;
      const before = key === null ? null : valueIn(baseline.table, baseline.table.scores.get(key), exampleId);
      let worst: number | null = null;
      let best: number | null = null;
      let slowest: number | null = null;
      let fastest: number | null = null;
      const secondsBefore = valueIn(baseline.table, baseline.table.latency, exampleId);
      for (const { table } of others) {
        const seconds = valueIn(table, table.latency, exampleId);
        if (secondsBefore !== null && seconds !== null) {
          slowest = Math.max(slowest ?? -Infinity, seconds - secondsBefore);
          fastest = Math.min(fastest ?? Infinity, seconds - secondsBefore);
        }
        const after = key === null ? null : valueIn(table, table.scores.get(key), exampleId);
        if (before === null || after === null) continue;
        const gain = sign * (after - before);
        worst = worst === null ? gain : Math.min(worst, gain);
        best = best === null ? gain : Math.max(best, gain);
      }
      if (
        matchesOnly(body.only, worst, best, () =>
          compared.some(({ table }) => (valueIn(table, table.failed, exampleId) ?? 0) > 0),
        )
      )
        ranked.push({ entry, worst, best, slowest, fastest, order });
    });
  if (body.sort_by !== 'difference' && body.sort_by !== 'latency')
    return body.sort_order === 'desc' ? ranked.reverse() : ranked;
  const descending = body.sort_order === 'desc';
  // Less time is better, so a slowdown ranks like a loss.
  const rankOf =
    body.sort_by === 'latency'
      ? ({ slowest, fastest }: Ranked): number | null => negated(descending ? fastest : slowest)
      : ({ worst, best }: Ranked): number | null => (descending ? best : worst);
  return ranked.sort((a, b) => {
    const [left, right] = [rankOf(a), rankOf(b)];
    if (left === null || right === null) return (left === null ? 1 : 0) - (right === null ? 1 : 0) || a.order - b.order;
    return (descending ? right - left : left - right) || a.order - b.order;
  });
}

function matchesOnly(
  only: ComparisonQuery['only'],
  worst: number | null,
  best: number | null,
  hasErrors: () => boolean,
): boolean {
  switch (only) {
    case 'regressed':
      return worst !== null && worst < 0;
    case 'improved':
      return best !== null && best > 0;
    case 'unchanged':
      return worst === 0 && best === 0;
    case 'changed':
      return (worst !== null && worst < 0) || (best !== null && best > 0);
    case 'errors':
      return hasErrors();
    default:
      return true;
  }
}

function negated(value: number | null): number | null {
  return value === null ? null : -value;
}

function textOfExample(caches: Caches, entry: ExampleEntry): string {
  const { inputs, outputs } = loadExample(caches, entry);
  return `${asText(inputs)}${outputs === null ? '' : asText(outputs)}`.toLowerCase();
}

function hasAll(text: string, needles: readonly string[]): boolean {
  return needles.every((needle) => text.includes(needle));
}

/**
 * Where the page begins: at an offset, at the page that contains an example, or after the cursor's example,
 * wherever it is now.
 */
function pageStart(
  ranked: readonly Ranked[],
  { cursor, offset, example_id: wanted }: ComparisonQuery,
  limit: number,
): number {
  if (wanted != null) {
    const exampleId = parseId(wanted, ['example_id'], 'body');
    const place = ranked.findIndex(({ entry }) => entry.exampleId === exampleId);
    return place === -1 ? 0 : place - (place % limit);
  }
  if (offset != null) return offset;
  const after = parseCursor<[string, number]>(
    cursor,
    (value): value is [string, number] =>
      Array.isArray(value) &&
      value.length === 2 &&
      typeof value[0] === 'string' &&
      Number.isSafeInteger(value[1]) &&
      value[1] >= 0,
  );
  if (after === null) return 0;
  const [exampleId, at] = after;
  if (ranked[at - 1]?.entry.exampleId === exampleId) return at;
  const now = ranked.findIndex(({ entry }) => entry.exampleId === exampleId);
  return now === -1 ? at : now + 1;
}

function rowJson(
  caches: Caches,
  dataset: DatasetRecord,
  entry: ExampleEntry,
  compared: readonly Compared[],
  baseline: Compared,
  keys: readonly string[],
  charsMax: number | null,
): Buffer {
  const { exampleId } = entry;
  const perExperiment = (valueOf: (one: Compared) => unknown): Buffer =>
    jsonObject(Object.fromEntries(compared.map((one) => [one.experiment.experimentId, valueOf(one)])));
  const scoresOf = ({ table }: Compared): JsonObject =>
    byKey(keys, (key) => valueIn(table, table.scores.get(key), exampleId));
  return jsonObject({
    example: jsonObject(withPreviews(exampleFields(dataset.datasetId, loadExample(caches, entry)), charsMax)),
    runs: perExperiment(({ experiment }) =>
      jsonArray(
        runsOf(caches, experiment, exampleId).map((kept) =>
          jsonObject(
            withPreviews(comparedRun(unpackEvaluationRun(itemAt(caches.reader, 'R', kept.place)!), kept), charsMax),
          ),
        ),
      ),
    ),
    scores: perExperiment(scoresOf),
    differences: perExperiment((one) =>
      one === baseline
        ? null
        : byKey(keys, (key) => {
            const before = valueIn(baseline.table, baseline.table.scores.get(key), exampleId);
            const after = valueIn(one.table, one.table.scores.get(key), exampleId);
            return before === null || after === null ? null : after - before;
          }),
    ),
    latencies: perExperiment(({ table }) => valueIn(table, table.latency, exampleId)),
  });
}

export const comparisonReads = { 'datasets.compare': compare };
