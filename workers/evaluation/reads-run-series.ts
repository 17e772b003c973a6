import type { RunSeriesQuery } from '../../schemas/compiled/types.js';
import { LIMITS } from '../../src/base/limits.js';
import { isoMicros } from '../../src/base/micros.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import type { ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import type { Caches } from './caches.js';
import { statusOf } from './facets.js';
import { quantileOrNull } from './numbers.js';
import { parseIds, parseTime } from './pages.js';
import type { QueryHandler } from './read.js';
import { experimentOf } from './reads-experiments.js';
import { testOf } from './reads-runs.js';
import { jsonObject } from './records-json.js';
import { rootFacts } from './root-facts.js';
import { statsOfTotals, TotalsBuilder, type RunFact } from './run-statistics.js';
import { RunSubject } from './run-subject.js';
import { runsInOrder, type Found } from './runs-in-order.js';

/** Numbers of runs over time. */

const US_PER_S = 1_000_000;
/** An interval that the query does not choose is the shortest of these that makes at most POINTS of them. */
const INTERVALS_S = [60, 300, 900, 3_600, 10_800, 21_600, 86_400, 604_800, 2_592_000, 31_536_000];
const POINTS = 60;
/** Runs between two looks at the clock. */
const RUNS_AT_ONCE = 500;

/** Intervals begin at multiples of their length since 1970. */
interface Intervals {
  fromUs: number;
  /** Exclusive. */
  toUs: number;
  lengthUs: number;
  count: number;
}

function intervalsOf(query: RunSeriesQuery): Intervals {
  const fromUs = parseTime(query.start_time, 'start_time', 'body')!;
  const toUs = parseTime(query.end_time, 'end_time', 'body')!;
  if (toUs <= fromUs)
    throw invalidRequest('body', [{ loc: ['end_time'], msg: 'must be after start_time', type: 'value_error' }]);
  const begins = (lengthS: number): Intervals => {
    const lengthUs = lengthS * US_PER_S;
    const firstUs = Math.floor(fromUs / lengthUs) * lengthUs;
    return { fromUs, toUs, lengthUs, count: Math.ceil((toUs - firstUs) / lengthUs) };
  };
  const chosen =
    query.interval_seconds == null
      ? (INTERVALS_S.map(begins).find(({ count }) => count <= POINTS) ?? begins(INTERVALS_S.at(-1)!))
      : begins(query.interval_seconds);
  if (chosen.count > LIMITS.seriesPointsMax)
    throw invalidRequest('body', [
      {
        loc: ['interval_seconds'],
        msg: `must not make more than ${LIMITS.seriesPointsMax} intervals of this time`,
        type: 'value_error',
      },
    ]);
  return chosen;
}

/** A run that was looked at, with the value of the field that the series are grouped by. */
interface Member {
  run: RunFact;
  /** False if it does not match the query. */
  counts: boolean;
  group: string | null;
}

/** `work_ms`: how long it may take. */
const series: QueryHandler<RunSeriesQuery & { end_time: string; work_ms: number }> = (caches, caller, query) => {
  const intervals = intervalsOf(query);
  const projects = [...new Set(parseIds(query.session, 'session', 'body'))].map((id) =>
    experimentOf(caches, caller, id),
  );
  const groups = new Map<string | null, Group>();
  const firstInterval = Math.floor(intervals.fromUs / intervals.lengthUs);
  const deadline = performance.now() + query.work_ms;
  let looked = 0;
  let completeFromUs = intervals.fromUs;
  for (const member of membersOf(caches, projects, query, intervals)) {
    const { run, group, counts } = member;
    if (looked % RUNS_AT_ONCE === 0 && performance.now() >= deadline) {
      completeFromUs = run.startUs;
      break;
    }
    looked += 1;
    if (!counts) continue;
    const { total, points } = groups.get(group) ?? { total: new TotalsBuilder(), points: [] };
    groups.set(group, { total, points });
    total.add(run);
    (points[Math.floor(run.startUs / intervals.lengthUs) - firstInterval] ??= new TotalsBuilder()).add(run);
  }
  const shown = [...groups]
    .sort(([a, one], [b, other]) => other.total.roots - one.total.roots || (String(a) < String(b) ? -1 : 1))
    .slice(0, query.max_groups);
  return jsonObject({
    interval_seconds: intervals.lengthUs / US_PER_S,
    complete_from: isoMicros(completeFromUs),
    series: shown.map(([group, { total, points }]) => ({
      group,
      total: numbersOf(total),
      points: Array.from({ length: intervals.count }, (_, at) => ({
        start_time: isoMicros((firstInterval + at) * intervals.lengthUs),
        ...numbersOf(points[at] ?? NO_RUNS),
      })),
    })),
  });
};

/** Runs with one value of the field that the series are grouped by. */
interface Group {
  total: TotalsBuilder;
  /** By interval. */
  points: TotalsBuilder[];
}

const NO_RUNS = new TotalsBuilder();

function numbersOf(runs: TotalsBuilder): Record<string, unknown> {
  const totals = runs.finish();
  const stats = statsOfTotals([totals]);
  return {
    run_count: totals.roots,
    error_count: totals.failed,
    latency_p50: stats.latency_p50,
    latency_p95: quantileOrNull(totals.latencies, 0.95),
    latency_p99: stats.latency_p99,
    first_token_p50: stats.first_token_p50,
    prompt_tokens: stats.prompt_tokens,
    completion_tokens: stats.completion_tokens,
    total_tokens: stats.total_tokens,
    total_cost: stats.total_cost,
  };
}

/** The runs of the time that can match, the newest first. */
function* membersOf(
  caches: Caches,
  projects: readonly ExperimentRecord[],
  query: RunSeriesQuery,
  { fromUs, toUs }: Intervals,
): Generator<Member> {
  const groupOf = groupReader(caches, query.group_by ?? null);
  const bounds = { fromUs, toUs: toUs - 1 };
  if (!needsOnlyRoots(query)) {
    const test = testOf(caches, query);
    for (const one of runsInOrder(caches, projects, bounds)) {
      const counts = test(one);
      yield { run: { ...one.run, root: true }, counts, group: counts ? groupOf(one.run, one) : null };
    }
    return;
  }
  for (const run of rootFacts(caches, projects, bounds)) yield { run, counts: true, group: groupOf(run, null) };
}

/** True if the roots of a project and their statuses are enough, which are stored apart for full lists. */
function needsOnlyRoots({ is_root: isRoot, group_by: groupBy, ...query }: RunSeriesQuery): boolean {
  const filters = [query.filter, query.trace_filter, query.tree_filter, query.query];
  return (
    isRoot === true && (groupBy == null || groupBy === 'status') && filters.every((text) => text == null || text === '')
  );
}

/** Reads the value that runs are grouped by. `one` is null only for a field of RunFact. */
function groupReader(caches: Caches, groupBy: string | null): (run: RunFact, one: Found | null) => string | null {
  if (groupBy === null) return () => null;
  if (groupBy === 'status') return (run) => statusOf(run);
  if (groupBy === 'name') return (_, one) => one!.run.name;
  if (groupBy === 'run_type') return (_, one) => one!.run.runType;
  const key = groupBy === 'model' ? 'ls_model_name' : groupBy.slice('metadata.'.length);
  return (_, one) => {
    const metadata = new RunSubject(caches.reader, one!.run, one!.experiment).metadata();
    const value = Object.hasOwn(metadata, key) ? metadata[key] : null;
    return typeof value === 'string' ? value : value == null ? null : JSON.stringify(value);
  };
}

export const runSeriesReads = { 'runs.series': series };
