import type { Comparison } from '../../../api/evaluation.js';
import { ownProperty } from '../../../shared/scores.js';
import { scoreScale } from './cell-state.js';
import type { View } from './view.js';

/** Scores on screen unless the person chooses others. */
export const SCORES_SHOWN = 4;

/** How much a score differs from the baseline. */
export interface ScoreChange {
  key: string;
  /** Largest difference of an experiment; null if no experiment can be compared by this score. */
  difference: number | null;
  /** True if an experiment is better or worse with enough evidence. */
  isDecided: boolean;
  /** Size of the largest difference as a share of the range of the score. */
  share: number;
}

/** All scores, the one that changed most first. Changes with a verdict come before those without enough evidence. */
export function scoresByChange({
  experiments,
  feedback_keys: keys,
}: Pick<Comparison, 'experiments' | 'feedback_keys'>): ScoreChange[] {
  return keys
    .map((key): ScoreChange => {
      const found = experiments.flatMap(({ versus_baseline: versus }) => ownProperty(versus?.feedback, key) ?? []);
      const { range } = scoreScale({ experiments, feedback_key: key });
      // The summary marks a decided difference, so a larger one that may be chance is not the change of the score.
      const decided = found.filter(({ verdict }) => verdict !== 'not_enough_evidence');
      const difference = (decided.length > 0 ? decided : found)
        .flatMap((one) => one.difference ?? [])
        .reduce<number | null>((most, one) => (most === null || Math.abs(one) > Math.abs(most) ? one : most), null);
      return {
        key,
        difference,
        isDecided: decided.length > 0,
        share: difference === null || range === 0 ? 0 : Math.abs(difference) / range,
      };
    })
    .sort(
      (a, b) =>
        Number(b.isDecided) - Number(a.isDecided) ||
        b.share - a.share ||
        Number(a.difference === null) - Number(b.difference === null),
    );
}

/** The score that examples are ranked by: that of the URL, or else the one of the chosen scores that changed most. */
export function openingScore(comparison: Comparison, { key, scores }: Pick<View, 'key' | 'scores'>): string | null {
  if (key !== null) return key;
  const ranked = scoresByChange(comparison);
  return (ranked.find((one) => scores?.includes(one.key)) ?? ranked[0])?.key ?? null;
}

/** Scores on screen, the one that changed most first. The score that examples are ranked by is always one of them. */
export function shownScores(
  ranked: readonly ScoreChange[],
  chosen: string | null,
  { scores, allScores }: Pick<View, 'scores' | 'allScores'>,
): string[] {
  const keys = ranked.map(({ key }) => key);
  if (allScores) return keys;
  const wanted = scores === null ? [] : keys.filter((key) => scores.includes(key));
  // None of the scores of an old link may exist anymore.
  const shown = wanted.length === 0 ? keys.slice(0, SCORES_SHOWN) : wanted;
  return keys.filter((key) => shown.includes(key) || key === chosen);
}
