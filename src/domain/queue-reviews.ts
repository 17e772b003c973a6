import type { JsonObject } from '../base/json/json.js';

/** Reviews of a run in an annotation queue: who has reviewed it, and for whom it is next. */

export type ReviewStatus = 'needs_review' | 'completed' | 'archived';

/** What one reviewer did with a run. */
export interface Review {
  /** Identity of the caller. */
  reviewer: string;
  /** False if the reviewer only opened the run. */
  isCompleted: boolean;
  atUs: number;
}

export interface Reviewed {
  status: ReviewStatus;
  /** At most one for each reviewer. */
  reviews: readonly Review[];
}

/** The part of a queue in which a reviewer finds a run. */
export type Section = 'needs_my_review' | 'needs_others_review' | 'archived';

export interface ReviewRules {
  /** Number of reviewers that complete a run. */
  reviewers: number;
  /** How long a run that somebody opened is kept for this reviewer; null if it is not. */
  reservationUs: number | null;
}

const RESERVATION_MINUTES = 60;
const US_PER_MINUTE = 60_000_000;

/** From the settings of a queue, as the client sent them. */
export function reviewRules(settings: JsonObject): ReviewRules {
  const count = (name: string, otherwise: number): number =>
    typeof settings[name] === 'number' ? settings[name] : otherwise;
  const reserves = settings['enable_reservations'] === true;
  return {
    reviewers: count('num_reviewers_per_item', 1),
    reservationUs: reserves ? count('reservation_minutes', RESERVATION_MINUTES) * US_PER_MINUTE : null,
  };
}

export function completedBy({ reviews }: Reviewed): string[] {
  return reviews.filter(({ isCompleted }) => isCompleted).map(({ reviewer }) => reviewer);
}

/** Reviewers who have opened the run and not completed it, while their reservation lasts. */
export function reservedBy({ reviews }: Reviewed, { reservationUs }: ReviewRules, nowUs: number): string[] {
  if (reservationUs === null) return [];
  return reviews
    .filter(({ isCompleted, atUs }) => !isCompleted && nowUs < atUs + reservationUs)
    .map(({ reviewer }) => reviewer);
}

/** True if the run needs no review any more. */
export function isReviewed(entry: Reviewed, rules: ReviewRules): boolean {
  return entry.status !== 'needs_review' || completedBy(entry).length >= rules.reviewers;
}

export function sectionOf(
  entry: Reviewed,
  rules: ReviewRules,
  { reviewer, nowUs }: { reviewer: string; nowUs: number },
): Section {
  if (isReviewed(entry, rules)) return 'archived';
  const completed = completedBy(entry);
  if (completed.includes(reviewer)) return 'needs_others_review';
  const others = [...completed, ...reservedBy(entry, rules, nowUs)].filter((one) => one !== reviewer);
  return others.length >= rules.reviewers ? 'needs_others_review' : 'needs_my_review';
}

/** `open` withdraws the reviewer's own review, `needs_review` all reviews. */
export type ReviewChange = 'viewed' | 'open' | ReviewStatus;

/** The entry after a reviewer has changed its review. */
export function withReview(
  entry: Reviewed,
  rules: ReviewRules,
  { reviewer, atUs, change }: { reviewer: string; atUs: number; change: ReviewChange },
): Reviewed & { reviewedAtUs: number | null } {
  const others = entry.reviews.filter((one) => one.reviewer !== reviewer);
  const before = entry.reviews.find((one) => one.reviewer === reviewer);
  const completed = (reviews: readonly Review[]): number | null =>
    reviews.reduce<number | null>((last, one) => (one.isCompleted ? Math.max(last ?? 0, one.atUs) : last), null);
  switch (change) {
    case 'viewed': {
      const reviews =
        before?.isCompleted === true ? entry.reviews : [...others, { reviewer, isCompleted: false, atUs }];
      return { status: entry.status, reviews, reviewedAtUs: completed(reviews) };
    }
    case 'completed': {
      const reviews = [...others, { reviewer, isCompleted: true, atUs }];
      const isDone = completedBy({ status: entry.status, reviews }).length >= rules.reviewers;
      return { status: isDone ? 'completed' : entry.status, reviews, reviewedAtUs: atUs };
    }
    case 'archived':
      return { status: 'archived', reviews: entry.reviews, reviewedAtUs: atUs };
    case 'open':
      return { status: 'needs_review', reviews: others, reviewedAtUs: completed(others) };
    case 'needs_review':
      return { status: 'needs_review', reviews: [], reviewedAtUs: null };
  }
}
