import { setOwn } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { deviation, mean, pushFinite, quantileOrNull, sorted } from './numbers.js';

/** Statistics of feedback, for each key. */

/** The parts of a feedback record that statistics use. */
export interface FeedbackFact {
  key: string;
  /** A finite number, with booleans converted to 1 and 0; null without a score. */
  score: number | null;
  /** Label of a categorical `value`; null without one. */
  label: string | null;
  comment: string | null;
  /** True if the evaluator failed. */
  error: boolean;
  source: string | null;
}

/** Statistics of the feedback with one key. Null means too few scores. The names are those of the API. */
export interface FeedbackStats {
  /** Number of feedback records, including those without a score. */
  n: number;
  avg: number | null;
  /** Sample deviation (n - 1), so null for fewer than two scores. */
  stdev: number | null;
  min: number | null;
  max: number | null;
  median: number | null;
  errors: number;
  /** Count per label. Only the first labels are counted if there are more than the limit. */
  values: Record<string, number>;
  /** The first ten comments that are not empty. */
  comments: string[];
  /** Distinct sources in order of appearance. */
  sources: string[];
  contains_thread_feedback: false;
}

/** A summary contains only a few comments. Clients can list the feedback to get all. */
const COMMENTS_MAX = 10;

/** Statistics per key, in order of appearance. Keys are own properties, whatever their names. */
export function feedbackStats(facts: Iterable<FeedbackFact>): Record<string, FeedbackStats> {
  return feedbackStatsOf(talliesOf(facts));
}

export function talliesOf(facts: Iterable<FeedbackFact>): Map<string, FeedbackTally> {
  const tallies = new Map<string, FeedbackTally>();
  for (const fact of facts) addFeedback(tallies, fact);
  return tallies;
}

/** Values collected in one pass over a key's feedback. All scores are kept, because the median needs them. */
export interface FeedbackTally {
  n: number;
  errors: number;
  scores: number[];
  labels: Map<string, number>;
  comments: string[];
  sources: Set<string>;
}

export function addFeedback(tallies: Map<string, FeedbackTally>, fact: FeedbackFact): void {
  const tally = tallyOf(tallies, fact.key);
  tally.n += 1;
  if (fact.error) tally.errors += 1;
  pushFinite(tally.scores, fact.score);
  if (fact.label !== null) addLabel(tally, fact.label, 1);
  if (tally.comments.length < COMMENTS_MAX) {
    const { comment } = fact;
    if (comment !== null && comment !== '') tally.comments.push(comment);
  }
  if (fact.source !== null) tally.sources.add(fact.source);
}

function tallyOf(tallies: Map<string, FeedbackTally>, key: string): FeedbackTally {
  const known = tallies.get(key);
  if (known !== undefined) return known;
  const tally = { n: 0, errors: 0, scores: [], labels: new Map(), comments: [], sources: new Set<string>() };
  tallies.set(key, tally);
  return tally;
}

function addLabel({ labels }: FeedbackTally, label: string, count: number): void {
  if (labels.size < LIMITS.labelsMax || labels.has(label)) labels.set(label, (labels.get(label) ?? 0) + count);
}

/** The feedback of several sets together, in their order. */
export function mergedTallies(sets: readonly ReadonlyMap<string, FeedbackTally>[]): ReadonlyMap<string, FeedbackTally> {
  if (sets.length === 1) return sets[0]!;
  const tallies = new Map<string, FeedbackTally>();
  for (const [key, one] of sets.flatMap((set) => [...set])) {
    const tally = tallyOf(tallies, key);
    tally.n += one.n;
    tally.errors += one.errors;
    for (const score of one.scores) tally.scores.push(score);
    for (const [label, count] of one.labels) addLabel(tally, label, count);
    tally.comments.push(...one.comments.slice(0, COMMENTS_MAX - tally.comments.length));
    for (const source of one.sources) tally.sources.add(source);
  }
  return tallies;
}

export function feedbackStatsOf(tallies: ReadonlyMap<string, FeedbackTally>): Record<string, FeedbackStats> {
  const stats: Record<string, FeedbackStats> = {};
  for (const [key, tally] of tallies) setOwn(stats, key, summary(tally));
  return stats;
}

function summary(tally: FeedbackTally): FeedbackStats {
  const scores = sorted(tally.scores);
  const avg = scores.length === 0 ? null : mean(scores);
  const values: Record<string, number> = {};
  for (const [label, count] of tally.labels) setOwn(values, label, count);
  return {
    n: tally.n,
    avg,
    stdev: avg === null || scores.length < 2 ? null : deviation(scores, avg),
    min: scores[0] ?? null,
    max: scores.at(-1) ?? null,
    median: quantileOrNull(scores, 0.5),
    errors: tally.errors,
    values,
    comments: tally.comments,
    sources: [...tally.sources],
    contains_thread_feedback: false,
  };
}
