import { LIMITS } from '../../base/limits.js';
import { UserCodeError, type UserCodePool } from '../../pool/user-code/user-code-pool.js';
import type { EvaluatorCall, EvaluatorScore } from '../../wire/evaluation/evaluators.js';
import type { UserCodeCalls } from '../../wire/user-code/user-code.js';

/** A score of an evaluator, or of one that failed. */
export interface JobScore extends EvaluatorScore {
  failed: boolean;
}

/** The scores of an evaluator. One that fails has a score without a number, whose comment says why. */
export async function callEvaluator<T extends 'evaluate' | 'evaluate.summary'>(
  userCode: UserCodePool,
  type: T,
  params: UserCodeCalls[T]['params'],
): Promise<JobScore[]> {
  try {
    const { scores } = await userCode.callHandler(type, params);
    return scores.map((score) => ({ ...score, failed: false }));
  } catch (error) {
    if (!(error instanceof UserCodeError)) throw error;
    return [failedScore(params.evaluator, error.message)];
  }
}

export function failedScore({ key, name }: EvaluatorCall, reason: string): JobScore {
  const comment = JSON.stringify(`Evaluator failed: ${reason}`.slice(0, LIMITS.evaluatorErrorCharsMax));
  return { key: key ?? name, score: null, value: null, correction: null, comment, failed: true };
}
