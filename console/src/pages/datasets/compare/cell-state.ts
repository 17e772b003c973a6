import type { ComparedExperiment, ComparedRow, Comparison } from '../../../api/evaluation.js';
import { ownProperty } from '../../../shared/scores.js';

/** What a cell shows: the result of one experiment for one example. */
export interface CellState {
  score: number | null;
  /** Label of feedback without a numeric score. */
  label: string | null;
  difference: number | null;
  kind: 'better' | 'worse' | 'same' | null;
  /** Size of the difference in quarters of the scale, 1 to 4; 0 without a difference. */
  shade: 0 | 1 | 2 | 3 | 4;
}

const SHADES = 4;

export function cellState(row: ComparedRow, experimentId: string, key: string | null, scale: Scale): CellState {
  const score = key === null ? null : (ownProperty(row.scores[experimentId], key) ?? null);
  const difference = key === null ? null : (ownProperty(row.differences[experimentId], key) ?? null);
  const label =
    score !== null || key === null
      ? null
      : (row.runs[experimentId]?.[0]?.feedbacks.find((one) => one.key === key)?.value ?? null);
  if (difference === null) return { score, label, difference, kind: null, shade: 0 };
  if (difference === 0) return { score, label, difference, kind: 'same', shade: 0 };
  const share = scale.range === 0 ? 1 : Math.min(1, Math.abs(difference) / scale.range);
  return {
    score,
    label,
    difference,
    kind: difference > 0 === scale.higherIsBetter ? 'better' : 'worse',
    shade: Math.max(1, Math.ceil(share * SHADES)) as CellState['shade'],
  };
}

export interface Scale {
  higherIsBetter: boolean;
  /** Range of the scores of the key, which is the largest possible difference. */
  range: number;
}

export function scoreScale({
  experiments,
  feedback_key: key,
}: Pick<Comparison, 'experiments' | 'feedback_key'>): Scale {
  if (key === null) return { higherIsBetter: true, range: 0 };
  const stats = experiments.map((one) => ownProperty(one.feedback_stats, key)).filter((one) => one !== undefined);
  const ends = stats.flatMap(({ min, max }) => (min === null || max === null ? [] : [min, max]));
  return {
    higherIsBetter: isHigherBetter(experiments, key),
    range: ends.length === 0 ? 0 : Math.max(...ends) - Math.min(...ends),
  };
}

export function isHigherBetter(experiments: readonly ComparedExperiment[], key: string): boolean {
  return experiments.every(
    ({ versus_baseline: versus }) => ownProperty(versus?.feedback, key)?.higher_is_better !== false,
  );
}
