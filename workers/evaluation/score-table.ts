import { LIMITS } from '../../src/base/limits.js';
import { statusOf } from './facets.js';
import type { KeptRun, ListFacts } from './list-facts.js';
import { finite, mean } from './numbers.js';

/**
 * The scores of an experiment by example. Repetitions of an example are averaged. NaN means that there is no
 * value.
 */
export interface ScoreTable {
  exampleIds: string[];
  /** Index of an example in the columns. */
  indexOf: Map<string, number>;
  /** Mean score per key. */
  scores: Map<string, Float64Array>;
  /** In seconds. */
  latency: Float64Array;
  /** Share of the example's runs that failed. */
  failed: Float64Array;
}

const tables = new WeakMap<object, ScoreTable>();

/** Computed once for every state of the list. */
export function tableOf(facts: ListFacts): ScoreTable {
  const { derived } = facts;
  let table = tables.get(derived);
  if (table === undefined) {
    table = build(derived.byExample);
    tables.set(derived, table);
  }
  return table;
}

function build(byExample: ReadonlyMap<string, readonly KeptRun[]>): ScoreTable {
  const size = byExample.size;
  const exampleIds = [...byExample.keys()];
  const table: ScoreTable = {
    exampleIds,
    indexOf: new Map(),
    scores: new Map(),
    latency: new Float64Array(size).fill(NaN),
    failed: new Float64Array(size),
  };
  const counts = new Map<string, Float64Array>();
  const keys = frequentKeys(byExample);
  table.exampleIds.forEach((exampleId, index) => {
    table.indexOf.set(exampleId, index);
    const runs = byExample.get(exampleId)!;
    let seconds = 0;
    let ended = 0;
    let failed = 0;
    for (const run of runs) {
      if (run.endUs !== null) {
        seconds += (run.endUs - run.startUs) / 1e6;
        ended += 1;
      }
      if (statusOf(run) === 'error') failed += 1;
      for (const { key, score, comparative } of run.feedback) {
        if (score === null || comparative || !keys.has(key)) continue;
        const column = columnOf(table.scores, key, size, NaN);
        const count = columnOf(counts, key, size, 0);
        // Use a running mean, because a sum of huge scores could overflow.
        count[index]! += 1;
        column[index] = count[index] === 1 ? score : finite(column[index]! + (score - column[index]!) / count[index]!);
      }
    }
    if (ended > 0) table.latency[index] = seconds / ended;
    table.failed[index] = failed / runs.length;
  });
  return table;
}

/**
 * The keys that get a column. Columns are as long as the experiment, so one key per row would take quadratic
 * space.
 */
function frequentKeys(byExample: ReadonlyMap<string, readonly KeptRun[]>): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const runs of byExample.values()) {
    for (const { feedback } of runs)
      for (const { key, score } of feedback) if (score !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Set(
    [...counts]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, LIMITS.comparedKeysMax)
      .map(([key]) => key),
  );
}

function columnOf(columns: Map<string, Float64Array>, key: string, size: number, nothing: number): Float64Array {
  let column = columns.get(key);
  if (column === undefined) {
    column = new Float64Array(size).fill(nothing);
    columns.set(key, column);
  }
  return column;
}

/** The value of an example in a column; null if it has none. */
export function valueIn(table: ScoreTable, column: Float64Array | undefined, exampleId: string): number | null {
  const index = table.indexOf.get(exampleId);
  const value = index === undefined ? undefined : column?.[index];
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** Mean over the examples, in seconds; null if no run has ended. */
export function meanLatency({ latency }: ScoreTable): number | null {
  const known = latency.filter((seconds) => !Number.isNaN(seconds));
  return known.length === 0 ? null : mean(known);
}

/** Values of the examples that both experiments have, in any order. The names of counts are those of the API. */
export interface Pairing {
  baseline: Float64Array;
  candidate: Float64Array;
  /** Examples of the experiment that are not in a pair, because either side has no value. */
  unpaired_baseline_examples: number;
  unpaired_candidate_examples: number;
}

export function pairsOf(
  baseline: ScoreTable,
  candidate: ScoreTable,
  column: (table: ScoreTable) => Float64Array | undefined,
): Pairing {
  const [before, after] = [column(baseline), column(candidate)];
  const size = before === undefined || after === undefined ? 0 : baseline.exampleIds.length;
  const pairs = { baseline: new Float64Array(size), candidate: new Float64Array(size) };
  let count = 0;
  for (let index = 0; index < size; index += 1) {
    const value = valueIn(candidate, after, baseline.exampleIds[index]!);
    if (value === null || Number.isNaN(before![index])) continue;
    pairs.baseline[count] = before![index]!;
    pairs.candidate[count] = value;
    count += 1;
  }
  return {
    baseline: pairs.baseline.subarray(0, count),
    candidate: pairs.candidate.subarray(0, count),
    unpaired_baseline_examples: baseline.exampleIds.length - count,
    unpaired_candidate_examples: candidate.exampleIds.length - count,
  };
}
