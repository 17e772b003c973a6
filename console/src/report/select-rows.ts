import type { ComparedExperiment, ComparedRow } from '../api/evaluation.js';
import { ownProperty } from '../shared/scores.js';
import { isHigherBetter } from '../pages/datasets/compare/cell-state.js';
import type { View } from '../pages/datasets/compare/view.js';

interface RankedRow {
  row: ComparedRow;
  /** Largest loss and gain of an experiment against the baseline. Positive is better. Null without a difference. */
  worst: number | null;
  best: number | null;
  order: number;
}

/** Filters and sorts the rows of a saved comparison, in the same way as workers/evaluation/reads-comparison.ts. */
export function selectRows(
  rows: readonly ComparedRow[],
  experiments: readonly ComparedExperiment[],
  key: string | null,
  { only, sort, order, text }: View,
): readonly ComparedRow[] {
  const sign = key === null || isHigherBetter(experiments, key) ? 1 : -1;
  const baseline = experiments.find(({ versus_baseline: versus }) => versus === null)?.id ?? '';
  const others = experiments.map(({ id }) => id).filter((id) => id !== baseline);
  const needle = text.trim().toLowerCase();
  const ranked: RankedRow[] = [];
  rows.forEach((row, at) => {
    if (needle !== '' && !textOf(row).includes(needle)) return;
    const gains = others
      .map((id) => (key === null ? null : (ownProperty(row.differences[id], key) ?? null)))
      .filter((one) => one !== null)
      .map((one) => sign * one);
    if (!matchesFilter(only, gains, row)) return;
    const ranks = sort === 'latency' ? speedups(row, baseline, others) : gains;
    ranked.push({
      row,
      worst: ranks.length === 0 ? null : Math.min(...ranks),
      best: ranks.length === 0 ? null : Math.max(...ranks),
      order: at,
    });
  });
  if (sort === 'example') return (order === 'desc' ? ranked.reverse() : ranked).map(({ row }) => row);
  const descending = order === 'desc';
  const rank = ({ worst, best }: RankedRow): number | null => (descending ? best : worst);
  return ranked
    .sort((a, b) => {
      const [left, right] = [rank(a), rank(b)];
      if (left === null || right === null)
        return (left === null ? 1 : 0) - (right === null ? 1 : 0) || a.order - b.order;
      return (descending ? right - left : left - right) || a.order - b.order;
    })
    .map(({ row }) => row);
}

function matchesFilter(only: View['only'], gains: readonly number[], row: ComparedRow): boolean {
  switch (only) {
    case 'regressed':
      return gains.some((gain) => gain < 0);
    case 'improved':
      return gains.some((gain) => gain > 0);
    case 'changed':
      return gains.some((gain) => gain !== 0);
    case 'unchanged':
      return gains.length > 0 && gains.every((gain) => gain === 0);
    case 'errors':
      return Object.values(row.runs).some((runs) => runs.some(({ status }) => status === 'error'));
    case null:
      return true;
  }
}

/** Seconds by which each experiment is faster than the baseline. Negative is slower. */
function speedups({ latencies }: ComparedRow, baseline: string, others: readonly string[]): number[] {
  const before = latencies[baseline];
  if (before === null || before === undefined) return [];
  return others
    .map((id) => latencies[id])
    .filter((after) => after !== null && after !== undefined)
    .map((after) => before - after);
}

function textOf({ example }: ComparedRow): string {
  return [example.inputs ?? example.inputs_preview, example.outputs ?? example.outputs_preview]
    .map((one) => (typeof one === 'string' ? one : JSON.stringify(one ?? '')))
    .join('')
    .toLowerCase();
}
