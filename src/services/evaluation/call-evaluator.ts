import type { JsonBytes } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { UserCodeError, type UserCodePool } from '../../pool/user-code/user-code-pool.js';
import type { EvaluatorCall, EvaluatorScore } from '../../wire/evaluation/evaluators.js';
import type { UserCodeCalls } from '../../wire/user-code/user-code.js';
import type { Feedback } from '../../store/evaluation/feedback.js';
import type { EvaluationContext } from './context.js';

/** A score of an evaluator, or of one that failed. */
export interface EvaluatorResult extends EvaluatorScore {
  failed: boolean;
}

/** The scores of an evaluator. One that fails has a score without a number, whose comment says why. */
export async function callEvaluator<T extends 'evaluate' | 'evaluate.summary'>(
  userCode: UserCodePool,
  type: T,
  params: UserCodeCalls[T]['params'],
): Promise<EvaluatorResult[]> {
  try {
    const { scores } = await userCode.callHandler(type, params);
    return scores.map((score) => ({ ...score, failed: false }));
  } catch (error) {
    if (!(error instanceof UserCodeError)) throw error;
    return [failedScore(params.evaluator, error.message)];
  }
}

export function failedScore({ key, name }: EvaluatorCall, reason: string): EvaluatorResult {
  const comment = JSON.stringify(`Evaluator failed: ${reason}`.slice(0, LIMITS.evaluatorErrorCharsMax));
  return { key: key ?? name, score: null, value: null, correction: null, comment, failed: true };
}

const EVALUATOR_SOURCE: JsonBytes = Buffer.from('{"type":"model"}');

/** A score as feedback on a run; null: on the experiment. */
export function feedbackOf(
  evaluation: EvaluationContext,
  { key, score, value, comment, correction, failed }: EvaluatorResult,
  runId: string | null,
): Feedback {
  const createdAtUs = evaluation.nowUs();
  return {
    feedbackId: evaluation.ids.next(),
    runId,
    traceId: runId,
    key,
    createdAtUs,
    modifiedAtUs: createdAtUs,
    comment: bytesOf(comment),
    error: failed,
    score: bytesOf(score),
    value: bytesOf(value),
    correction: bytesOf(correction),
    source: EVALUATOR_SOURCE,
    config: null,
    extra: null,
    groupId: null,
    comparativeId: null,
  };
}

function bytesOf(text: string | null): JsonBytes | null {
  return text === null ? null : Buffer.from(text);
}
