import type { ComparisonQuery } from '../../schemas/compiled/types.js';
import { asText, setOwn, type JsonObject } from '../../src/base/json/json.js';
import { unknownFeedbackKey } from './feedback-keys.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { isoMicros } from '../../src/base/micros.js';
import { runAt } from '../../src/store/evaluation/run-blocks.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import type { ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import { statsOf } from './aggregate.js';
import type { Caches } from './caches.js';
import { holm, levelOf, pairedDifference, type PairedDifference } from './comparison.js';
import { DatasetExamples } from './dataset-examples.js';
import type { ExampleEntry } from './example-directory.js';
import { parseCursor, cursorText, parseId, parseIds, listJson } from './pages.js';
import { datasetOf } from './reads-datasets.js';
import { experimentsOf, higherIsBetter, runsOf } from './reads-example-runs.js';
import { sameJson } from './read-upload.js';
import { jsonArray, jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';
import { comparedRun, withPreviews } from './run-json.js';
import { meanLatency, pairsOf, tableOf, valueIn, type Pairing, type ScoreTable } from './score-table.js';

const CONFIDENCE = 0.95;
const LIMIT = 50;
/** A fixed seed, so that the same query always returns the same interval. */
const SEED = 20_260_101;
/** Number of cached differences. A page with fifty experiments has a few hundred. */
const CACHED_DIFFERENCES_MAX = 5_000;

interface Compared {
  experiment: ExperimentRecord;
  table: ScoreTable;
}

/** The difference, and how many examples of each experiment are not in a pair. */
type Difference = PairedDifference & Omit<Pairing, 'baseline' | 'candidate'>;

const cachedDifferences = new Map<string, Difference>();
/** Numbers of changed examples, for each state of two experiments and their dataset. */
const cachedChanges = new Map<string, number>();

/**
 * Compares experiments of a dataset with a baseline. For each score: the mean difference over the examples that
 * both have, its interval and a verdict. Then a page of the examples, with every run and
 * difference.
 */
const compare: QueryHandler<ComparisonQuery & { dataset_id: string }> = (caches, caller, body) => {
  const dataset = datasetOf(caches, caller, body.dataset_id);
  const ids = [...new Set(parseIds(body.experiment_ids, 'experiment_ids', 'body'))];
  const experiments = experimentsOf(caches, caller, dataset, ids);
  return new Comparison(caches, dataset, experiments, body).json();
};

function cached<T>(cache: Map<string, T>, key: string, compute: () => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = compute();
  if (cache.size >= CACHED_DIFFERENCES_MAX) cache.delete(cache.keys().next().value!);
  cache.set(key, value);
  return value;
}

function baselineId(dataset: DatasetRecord, body: ComparisonQuery, ids: readonly string[]): string {
  if (body.baseline_id == null) return ids.find((id) => id === dataset.baselineExperimentId) ?? ids[0]!;
  const id = parseId(body.baseline_id, ['baseline_id'], 'body');
  if (!ids.includes(id))
    throw invalidRequest('body', [{ loc: ['baseline_id'], msg: 'must be one of experiment_ids', type: 'one_of' }]);
  return id;
}

/** How far the experiments are from the baseline on one example. Null if none of them can be compared. */
interface DifferenceRange {
  /** Worst difference of any experiment from the baseline, where higher is better. */
  worst: number | null;
  best: number | null;
  /** Largest and smallest number of seconds by which any experiment is slower than the baseline. */
  slowest: number | null;
  fastest: number | null;
}

interface Ranked extends DifferenceRange {
  entry: ExampleEntry;
  order: number;
}

/** Number of cached rankings. Clients page through a ranking, and people switch between a few orders. */
const RANKINGS_MAX = 8;
const rankings = new Map<string, readonly Ranked[]>();

/** A value that experiments are compared by. */
interface Measure {
  /** Name in the cache of differences. */
  name: string;
  higherIsBetter: boolean;
  /** Level of the test after a correction; undefined without one. */
  level?: number;
  columnOf(table: ScoreTable): Float64Array | undefined;
}

const LATENCY: Measure = { name: 'latency', higherIsBetter: false, columnOf: (table) => table.latency };
const ERROR_RATE: Measure = { name: 'error', higherIsBetter: false, columnOf: (table) => table.failed };

class Comparison {
  readonly #caches: Caches;
  readonly #examples: DatasetExamples;
  readonly #body: ComparisonQuery;
  readonly #compared: readonly Compared[];
  readonly #baseline: Compared;
  /** Feedback keys of all experiments. */
  readonly #keys: readonly string[];
  /** The feedback key that examples are ranked by; null when there is no feedback. */
  readonly #key: string | null;
  readonly #confidence: number;
  readonly #isCorrected: boolean;

  constructor(caches: Caches, dataset: DatasetRecord, experiments: readonly ExperimentRecord[], body: ComparisonQuery) {
    this.#caches = caches;
    this.#examples = new DatasetExamples(caches, dataset);
    this.#body = body;
    this.#compared = experiments.map((experiment) => ({
      experiment,
      table: tableOf(caches.facts(experiment.list)),
    }));
    const ids = experiments.map(({ experimentId }) => experimentId);
    this.#baseline = this.#compared[ids.indexOf(baselineId(dataset, body, ids))]!;
    this.#keys = [...new Set(this.#compared.flatMap(({ table }) => [...table.scores.keys()]))].sort();
    if (body.feedback_key != null && !this.#keys.includes(body.feedback_key))
      throw unknownFeedbackKey(body.feedback_key, this.#keys, ['body', 'feedback_key']);
    this.#key = body.feedback_key ?? this.#keys[0] ?? null;
    this.#confidence = body.confidence ?? CONFIDENCE;
    this.#isCorrected = body.correction === 'holm';
  }

  json(): Buffer {
    const ranked = this.#ranking();
    const limit = this.#body.limit ?? LIMIT;
    const from = pageStart(ranked, this.#body, limit);
    const page = ranked.slice(from, from + limit);
    const next =
      from + page.length < ranked.length ? cursorText([page.at(-1)!.entry.exampleId, from + page.length]) : null;
    const differences = this.#differences();
    return jsonObject({
      dataset_id: this.#examples.dataset.datasetId,
      baseline_id: this.#baseline.experiment.experimentId,
      feedback_keys: this.#keys,
      feedback_key: this.#key,
      confidence: this.#confidence,
      correction: this.#isCorrected ? 'holm' : 'none',
      experiments: this.#compared.map((one) => this.#summary(one, differences.get(one))),
      total: ranked.length,
      offset: from,
      rows: listJson(page, ({ entry }) => this.#row(entry)),
      next_cursor: next,
    });
  }

  /** Differences of an experiment by the name of the measure; undefined for the baseline. */
  #summary(one: Compared, differences: ReadonlyMap<string, JsonObject> | undefined): JsonObject {
    const { experiment, table } = one;
    const { feedback_stats: feedback, ...stats } = statsOf(this.#caches.facts(experiment.list));
    const versus =
      differences === undefined
        ? null
        : {
            examples_changed: this.#changedExamples(one),
            latency: differences.get(LATENCY.name),
            error_rate: differences.get(ERROR_RATE.name),
            feedback: this.#byKey((key) => differences.get(this.#measureOf(key).name)),
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
      latency_mean: meanLatency(table),
      total_tokens: stats.total_tokens,
      total_cost: stats.total_cost,
      feedback_stats: feedback,
      versus_baseline: versus,
    };
  }

  #byKey(valueOf: (key: string) => unknown): JsonObject {
    const object: JsonObject = {};
    for (const key of this.#keys) setOwn(object, key, valueOf(key));
    return object;
  }

  #measureOf(key: string): Measure {
    return {
      name: `score ${key}`,
      higherIsBetter: higherIsBetter(this.#caches, key),
      columnOf: (table) => table.scores.get(key),
    };
  }

  /** The differences of all experiments except the baseline, by the name of the measure. */
  #differences(): Map<Compared, Map<string, JsonObject>> {
    const measures = [LATENCY, ERROR_RATE, ...this.#keys.map((key) => this.#measureOf(key))];
    const found = this.#compared
      .filter((one) => one !== this.#baseline)
      .flatMap((one) => measures.map((measure) => ({ one, measure, difference: this.#difference(one, measure) })));
    if (this.#isCorrected) {
      // A measure with too few changes cannot get a verdict, true or false, so it does not count.
      const tested = found.filter(
        ({ difference }) => difference.improved + difference.regressed >= difference.changed_pairs_min,
      );
      const pValues = tested.map(({ difference }) => difference.p_value!);
      holm(pValues, levelOf(this.#confidence)).forEach(({ level, pValue }, at) => {
        const { one, measure } = tested[at]!;
        tested[at]!.difference = { ...this.#difference(one, { ...measure, level }), p_value: pValue };
      });
    }
    const differences = new Map<Compared, Map<string, JsonObject>>();
    for (const { one, measure, difference } of found) {
      const ofOne = differences.get(one) ?? new Map<string, JsonObject>();
      ofOne.set(measure.name, { ...difference, higher_is_better: measure.higherIsBetter });
      differences.set(one, ofOne);
    }
    return differences;
  }

  #difference(one: Compared, { name, higherIsBetter, level, columnOf }: Measure): Difference {
    const states = [this.#baseline, one].map((each) => this.#stateOf(each));
    const cacheKey = [...states, String(higherIsBetter), this.#confidence, level ?? '', name].join(' ');
    return cached(cachedDifferences, cacheKey, () => {
      const { baseline, candidate, ...unpaired } = pairsOf(this.#baseline.table, one.table, columnOf);
      const options = { confidence: this.#confidence, higherIsBetter, seed: SEED };
      return {
        ...pairedDifference({ baseline, candidate }, level === undefined ? options : { ...options, level }),
        ...unpaired,
      };
    });
  }

  /** Number of examples of both experiments whose inputs or outputs changed between the two. */
  #changedExamples(one: Compared): number {
    const { dataset, directory } = this.#examples;
    const cacheKey = [dataset.datasetId, dataset.seq, this.#stateOf(this.#baseline), this.#stateOf(one)].join(' ');
    return cached(cachedChanges, cacheKey, () => {
      let changed = 0;
      for (const exampleId of this.#baseline.table.exampleIds) {
        if (!one.table.indexOf.has(exampleId) || (directory.versions.get(exampleId)?.length ?? 0) < 2) continue;
        const before = directory.at(exampleId, this.#baseline.experiment.createdAtUs);
        const after = directory.at(exampleId, one.experiment.createdAtUs);
        if (before === undefined || after === undefined || before.versionUs === after.versionUs) continue;
        const [from, to] = [this.#examples.load(before), this.#examples.load(after)];
        // A version can also differ in its metadata or split only.
        if (!sameJson(from.inputs, to.inputs) || !sameJson(from.outputs, to.outputs)) changed += 1;
      }
      return changed;
    });
  }

  /** Identifies the experiment and its last change. */
  #stateOf({ experiment }: Compared): string {
    return `${experiment.list}.${this.#caches.facts(experiment.list).seq}`;
  }

  /** Computed once for every state of the dataset and its experiments. */
  #ranking(): readonly Ranked[] {
    const { dataset } = this.#examples;
    const body = this.#body;
    const higher = this.#key === null || higherIsBetter(this.#caches, this.#key);
    const cacheKey = JSON.stringify([
      dataset.datasetId,
      dataset.seq,
      this.#compared.map((one) => this.#stateOf(one)),
      this.#compared.indexOf(this.#baseline),
      this.#key,
      higher,
      body.only,
      body.sort_by,
      body.sort_order,
      body.full_text_contains,
    ]);
    const ranked = rankings.get(cacheKey) ?? this.#rank(higher ? 1 : -1);
    rankings.delete(cacheKey);
    rankings.set(cacheKey, ranked);
    if (rankings.size > RANKINGS_MAX) rankings.delete(rankings.keys().next().value!);
    return ranked;
  }

  /**
   * Examples that any of the experiments ran, filtered and in the requested order. `sign` is -1 if lower scores are
   * better.
   */
  #rank(sign: 1 | -1): Ranked[] {
    const { only, sort_by: sortBy, sort_order: sortOrder } = this.#body;
    const others = this.#compared.filter((one) => one !== this.#baseline);
    const needles = (this.#body.full_text_contains ?? []).map((text) => text.toLowerCase());
    const ranked: Ranked[] = [];
    for (const [order, entry] of this.#examples.directory.newestFirst(null).entries()) {
      const { exampleId } = entry;
      if (!this.#compared.some(({ table }) => table.indexOf.has(exampleId))) continue;
      if (needles.length > 0 && !hasAll(this.#textOf(entry), needles)) continue;
      const range = this.#rangeOf(exampleId, others, sign);
      const hasErrors = (): boolean =>
        this.#compared.some(({ table }) => (valueIn(table, table.failed, exampleId) ?? 0) > 0);
      if (matchesOnly(only, range, hasErrors)) ranked.push({ entry, order, ...range });
    }
    const descending = sortOrder === 'desc';
    if (sortBy !== 'difference' && sortBy !== 'latency') return descending ? ranked.reverse() : ranked;
    // Less time is better, so a slowdown ranks like a loss.
    const rankOf =
      sortBy === 'latency'
        ? ({ slowest, fastest }: Ranked): number | null => negated(descending ? fastest : slowest)
        : ({ worst, best }: Ranked): number | null => (descending ? best : worst);
    return ranked.sort((a, b) => {
      const [left, right] = [rankOf(a), rankOf(b)];
      if (left === null || right === null)
        return (left === null ? 1 : 0) - (right === null ? 1 : 0) || a.order - b.order;
      return (descending ? right - left : left - right) || a.order - b.order;
    });
  }

  /** How far the other experiments are from the baseline on one example. */
  #rangeOf(exampleId: string, others: readonly Compared[], sign: 1 | -1): DifferenceRange {
    const { table: baseline } = this.#baseline;
    const secondsBefore = valueIn(baseline, baseline.latency, exampleId);
    const before = this.#scoreIn(baseline, exampleId);
    let worst: number | null = null;
    let best: number | null = null;
    let slowest: number | null = null;
    let fastest: number | null = null;
    for (const { table } of others) {
      const seconds = valueIn(table, table.latency, exampleId);
      if (secondsBefore !== null && seconds !== null) {
        slowest = Math.max(slowest ?? -Infinity, seconds - secondsBefore);
        fastest = Math.min(fastest ?? Infinity, seconds - secondsBefore);
      }
      const after = this.#scoreIn(table, exampleId);
      if (before === null || after === null) continue;
      const gain = sign * (after - before);
      worst = worst === null ? gain : Math.min(worst, gain);
      best = best === null ? gain : Math.max(best, gain);
    }
    return { worst, best, slowest, fastest };
  }

  #scoreIn(table: ScoreTable, exampleId: string): number | null {
    return this.#key === null ? null : valueIn(table, table.scores.get(this.#key), exampleId);
  }

  #textOf(entry: ExampleEntry): string {
    const { inputs, outputs } = this.#examples.load(entry);
    return `${asText(inputs)}${outputs === null ? '' : asText(outputs)}`.toLowerCase();
  }

  #row(entry: ExampleEntry): Buffer {
    const { exampleId } = entry;
    const charsMax = this.#body.value_chars_max ?? null;
    const { table: baseline } = this.#baseline;
    const perExperiment = (valueOf: (one: Compared) => unknown): Buffer =>
      jsonObject(Object.fromEntries(this.#compared.map((one) => [one.experiment.experimentId, valueOf(one)])));
    return jsonObject({
      example: jsonObject(withPreviews(this.#examples.fields(entry), charsMax)),
      runs: perExperiment(({ experiment }) =>
        jsonArray(
          runsOf(this.#caches, experiment, exampleId).map((kept) => {
            const run = runAt(this.#caches.reader, kept.place)!;
            return jsonObject(withPreviews(comparedRun(run, kept), charsMax));
          }),
        ),
      ),
      scores: perExperiment(({ table }) => this.#byKey((key) => valueIn(table, table.scores.get(key), exampleId))),
      differences: perExperiment((one) =>
        one === this.#baseline
          ? null
          : this.#byKey((key) => {
              const before = valueIn(baseline, baseline.scores.get(key), exampleId);
              const after = valueIn(one.table, one.table.scores.get(key), exampleId);
              return before === null || after === null ? null : after - before;
            }),
      ),
      latencies: perExperiment(({ table }) => valueIn(table, table.latency, exampleId)),
    });
  }
}

function matchesOnly(
  only: ComparisonQuery['only'],
  { worst, best }: DifferenceRange,
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

export const comparisonReads = { 'datasets.compare': compare };
