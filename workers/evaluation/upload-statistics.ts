import { DEFAULT_SOURCE, feedbackSourceType, summarizeComment } from '../../src/store/evaluation/feedback.js';
import { isError } from '../../src/wire/evaluation/evaluation-run.js';
import { NO_USAGE } from '../../src/domain/usage.js';
import type { UploadResult } from '../../src/wire/evaluation/evaluation.js';
import { statisticsFields } from './aggregate.js';
import { Facets } from './facets.js';
import type { ReadUpload } from './read-upload.js';
import { talliesOf, type FeedbackFact } from './feedback-statistics.js';
import { experimentStats, type RunFact } from './run-statistics.js';
import { parsedWords, type IdColumn, type UploadRows, type UploadScores } from './upload-rows.js';

/** What an upload stores for rows without a name, and for every row. */
export const DEFAULT_RUN_NAME = 'row';
export const RUN_TYPE = 'chain';

/**
 * The statistics of an uploaded experiment. They equal those that `statisticsOf` computes from the stored records, but
 * need only the rows that are in memory. The reading thread would read all records and keep objects for them.
 */
export function statisticsOfUpload(
  { rows, summary }: ReadUpload,
  runIds: IdColumn,
  nowUs: number,
): UploadResult['statistics'] {
  const facets = new Facets();
  for (let at = 0; at < rows.count; at += 1)
    facets.add({
      name: rows.name(at) ?? DEFAULT_RUN_NAME,
      runType: RUN_TYPE,
      failed: isError(rows.bytes(at, 'error')),
      endUs: rows.endUs(at),
    });
  const stats = experimentStats(runFacts(rows, newestFirst(rows, runIds)));
  const createdAtUs = (at: number): number => summary.timeUs(at, 'createdAtUs') ?? nowUs;
  const ofExperiment = Array.from({ length: summary.count }, (_, at) => at)
    .filter((at) => summary.id(at, 'comparativeId') === null)
    .sort((a, b) => createdAtUs(b) - createdAtUs(a) || a - b)
    .map((at) => new ScoreFact(summary, at));
  return { runCount: stats.run_count, fields: statisticsFields(stats, talliesOf(ofExperiment), facets) };
}

/** Indexes of the rows, newest start first. Runs with the same start are ordered by id, descending. */
function newestFirst(rows: UploadRows, runIds: IdColumn): Uint32Array {
  const order = Uint32Array.from({ length: rows.count }, (_, index) => rows.count - 1 - index);
  const compare = (a: number, b: number): number =>
    rows.startUs(b) - rows.startUs(a) || (runIds.get(a) < runIds.get(b) ? 1 : -1);
  // The rows of most uploads are in order.
  for (let at = 1; at < order.length; at += 1) if (compare(order[at - 1]!, order[at]!) > 0) return order.sort(compare);
  return order;
}

function* runFacts(rows: UploadRows, order: Uint32Array): Generator<RunFact> {
  for (const at of order) {
    const feedback: FeedbackFact[] = [];
    for (let score = rows.scoresStart(at); score < rows.scoresEnd(at); score += 1)
      if (rows.scores.id(score, 'comparativeId') === null) feedback.push(new ScoreFact(rows.scores, score));
    yield {
      startUs: rows.startUs(at),
      endUs: rows.endUs(at),
      failed: isError(rows.bytes(at, 'error')),
      root: true,
      firstTokenUs: null,
      ...NO_USAGE,
      feedback,
    };
  }
}

/** A score of the upload as the stored head of its feedback will have it. */
class ScoreFact implements FeedbackFact {
  readonly key: string;
  readonly score: number | null;
  readonly label: string | null;
  readonly error = false;
  readonly source: string | null;
  readonly #scores: UploadScores;
  readonly #at: number;

  constructor(scores: UploadScores, at: number) {
    this.key = scores.key(at);
    const words = parsedWords(scores, at);
    this.score = words.number;
    this.label = words.label;
    this.source = feedbackSourceType(scores.bytes(at, 'source') ?? DEFAULT_SOURCE);
    this.#scores = scores;
    this.#at = at;
  }

  /** Statistics show only a few comments, so most are never parsed. */
  get comment(): string | null {
    return summarizeComment(this.#scores.bytes(this.#at, 'comment'));
  }
}
