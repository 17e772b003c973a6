import { SERVER_CALLER } from '../../src/domain/caller.js';
import { isoMicros } from '../../src/base/micros.js';
import { listHead } from '../../src/store/evaluation/block-lists.js';
import { listsOf, type ExperimentRecord, type StatisticsRecord } from '../../src/store/evaluation/experiments.js';
import type { Caches } from './caches.js';
import { Facets } from './facets.js';
import { feedbackStatsOf, mergedTallies, talliesOf, type FeedbackTally } from './feedback-statistics.js';
import type { KeptRun, ListFacts } from './list-facts.js';
import { tracesOf } from './list-traces.js';
import { jsonObject } from './records-json.js';
import {
  experimentStats,
  statsOfTotals,
  totalsOf,
  TotalsBuilder,
  type ExperimentStats,
  type RunFact,
} from './run-statistics.js';
import { packRoots, packTallies, rootsOf, unpackFacets, unpackTallies, type ListTotals } from './statistics-parts.js';

/** Computes the statistics of a list; `seq` is the change they include. */
export function statisticsOf(caches: Caches, list: number): StatisticsRecord {
  if (isFull(caches, list)) return statisticsOfFull(caches, list);
  const facts = caches.facts(list);
  return { seq: facts.seq, ...recordOf([totalsOfFacts(facts)]) };
}

function statisticsOfFull(caches: Caches, list: number): StatisticsRecord {
  const { listTotals, roots } = readFull(caches, list);
  const { totals, ofExperiment, facets } = listTotals;
  return {
    seq: listHead(caches.reader, list).seq,
    ...recordOf([listTotals]),
    parts: {
      roots: packRoots(roots),
      feedback: packTallies(totals.feedback),
      ofProject: packTallies(ofExperiment),
      facets: facets.counts,
    },
  };
}

/** Keeps no rows, because reads use what is stored of a full list. */
function readFull(caches: Caches, list: number): { listTotals: ListTotals; roots: readonly RunFact[] } {
  const traces = tracesOf(caches.reader, list);
  if (traces !== null) {
    const { roots, facets } = traces;
    return { listTotals: { totals: totalsOf(roots), ofExperiment: new Map(), facets }, roots };
  }
  const facts = caches.uncachedFacts(list);
  return { listTotals: totalsOfFacts(facts), roots: facts.derived.runs.filter(({ root }) => root) };
}

/** Statistics of a project with several lists. */
export function projectStatistics(caches: Caches, project: ExperimentRecord): StatisticsRecord {
  const seqs = listsOf(project).map((list) => listHead(caches.reader, list).seq);
  return caches.projectStatistics(project.experimentId, seqs.join(), () => ({
    seq: seqs.reduce((sum, seq) => sum + seq, 0),
    ...recordOf(
      listsOf(project)
        .map((list) => totalsOfList(caches, list))
        .toReversed(),
    ),
  }));
}

/**
 * The root runs of a full list that started between the bounds, without their feedback. Null if they are not stored
 * for it as they are now.
 */
export function storedRoots(
  caches: Caches,
  list: number,
  { fromUs, toUs }: { fromUs: number; toUs: number },
): Iterable<RunFact> | null {
  const { seq, parts } = caches.experiments.statistics(list) ?? {};
  const isCurrent = parts !== undefined && seq === listHead(caches.reader, list).seq;
  return isCurrent ? rootsOf(parts, fromUs, toUs) : null;
}

/** True if another list of the project follows. */
function isFull(caches: Caches, list: number): boolean {
  const record = caches.experiments.ofList(SERVER_CALLER, list);
  return record !== undefined && listsOf(record).at(-1) !== list;
}

/** Of a full list, from what is stored, unless it is older than the last change. */
function totalsOfList(caches: Caches, list: number): ListTotals {
  const { seq } = listHead(caches.reader, list);
  return caches.listTotals(list, seq, () => {
    const { seq: storedSeq, parts } = caches.experiments.statistics(list) ?? {};
    if (parts === undefined || storedSeq !== seq) return totalsOfFacts(caches.facts(list));
    return {
      totals: { ...totalsOf(rootsOf(parts)), feedback: unpackTallies(parts.feedback) },
      ofExperiment: unpackTallies(parts.ofProject),
      facets: unpackFacets(parts),
    };
  });
}

function totalsOfFacts(facts: ListFacts): ListTotals {
  const { runs, ofExperiment } = facts.derived;
  const facets = new Facets();
  const totals = new TotalsBuilder();
  for (const run of runs) {
    facets.add(run);
    totals.add(withoutComparative(run));
  }
  return {
    totals: totals.finish(),
    ofExperiment: talliesOf(ofExperiment.filter(({ comparative }) => !comparative)),
    facets,
  };
}

/** `lists`: newest first. */
function recordOf(lists: readonly ListTotals[]): Omit<StatisticsRecord, 'seq'> {
  const stats = statsOfTotals(lists.map(({ totals }) => totals));
  const ofExperiment = mergedTallies(lists.map((one) => one.ofExperiment));
  const facets = lists.length === 1 ? lists[0]!.facets : Facets.merged(lists.map((one) => one.facets));
  return { runCount: stats.run_count, fields: statisticsFields(stats, ofExperiment, facets) };
}

/** The stored form of statistics. */
export function statisticsFields(
  { last_run_start_us: lastUs, ...stats }: ExperimentStats,
  ofExperiment: ReadonlyMap<string, FeedbackTally>,
  facets: Facets,
): StatisticsRecord['fields'] {
  return jsonObject({
    ...stats,
    last_run_start_time: lastUs === null ? null : isoMicros(lastUs),
    last_run_start_time_live: null,
    session_feedback_stats: feedbackStatsOf(ofExperiment),
    run_facets: facets.json(),
  });
}

const known = new WeakMap<object, ExperimentStats>();

/** Computed once for every state of the list. */
export function statsOf(facts: ListFacts): ExperimentStats {
  const { derived } = facts;
  let stats = known.get(derived);
  if (stats === undefined) {
    stats = experimentStats(derived.runs.map(withoutComparative));
    known.set(derived, stats);
  }
  return stats;
}

/** Feedback of pairwise comparisons does not count in statistics. */
export function withoutComparative(run: KeptRun): KeptRun {
  return run.feedback.some(({ comparative }) => comparative)
    ? { ...run, feedback: run.feedback.filter(({ comparative }) => !comparative) }
    : run;
}
