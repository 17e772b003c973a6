import type { JsonObject } from '../../base/json/json.js';
import { ThreadmillError } from '../../base/errors.js';
import type { Logger } from '../../base/log/log.js';
import type { Caller } from '../../domain/caller.js';
import type { UserCodePool } from '../../pool/user-code/user-code-pool.js';
import { queueEntryOfRun } from '../../store/evaluation/annotation-queues.js';
import { evaluatorCall, type EvaluatorKind } from '../../wire/evaluation/evaluators.js';
import { addQueueRuns } from '../evaluation/annotation-queues.js';
import { callEvaluator, feedbackOf, type EvaluatorResult } from '../evaluation/call-evaluator.js';
import type { EvaluationContext } from '../evaluation/context.js';
import { ListChanges } from '../evaluation/list-changes.js';
import { addRunToDataset } from './add-to-dataset.js';
import type { Attempted, RuleSettings } from './rule.js';

/** A run that matches a rule. */
export interface MatchedRun {
  runId: string;
  /** In the format of the API; only its id if the rule has no evaluators. */
  run: JsonObject;
}

export interface ActionResult {
  /** False if all of it had been done before. */
  hasChanged: boolean;
  /** Why parts of it could not be done. */
  problems: readonly string[];
}

export type RuleAction = (settings: RuleSettings, caller: Caller, matched: MatchedRun) => Promise<ActionResult>;

export interface ActionParts {
  evaluation: EvaluationContext;
  userCode: UserCodePool;
  /** The evaluators of langgraph.json, which `dev` replaces. */
  evaluators: () => readonly EvaluatorKind[];
  log: Logger;
}

/** Does what a rule says with a run. One action that fails does not stop the others. */
export function ruleActions(parts: ActionParts): RuleAction {
  return async ({ actions }, caller, matched) => {
    const { dataset, queueId, evaluators } = actions;
    const results = [
      dataset === null ? null : await attempt(() => addRunToDataset(parts.evaluation, caller, matched.runId, dataset)),
      queueId === null ? null : await attempt(() => addToQueue(parts.evaluation, caller, queueId, matched.runId)),
      evaluators.length === 0 ? null : await attempt(() => score(parts, matched, evaluators)),
    ].filter((one) => one !== null);
    return {
      hasChanged: results.some((one) => one === true),
      problems: results.filter((one) => typeof one === 'string'),
    };
  };
}

async function attempt(action: () => Promise<Attempted>): Promise<Attempted> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof ThreadmillError) return error.message;
    throw error;
  }
}

async function addToQueue(
  evaluation: EvaluationContext,
  caller: Caller,
  queueId: string,
  runId: string,
): Promise<Attempted> {
  const isKnown = queueEntryOfRun(evaluation.latest, queueId, runId) !== undefined;
  await addQueueRuns(evaluation, caller, queueId, [runId]);
  return !isKnown;
}

async function score(
  { evaluation, userCode, evaluators, log }: ActionParts,
  { runId, run }: MatchedRun,
  names: readonly string[],
): Promise<Attempted> {
  const missing = names.find((name) => !evaluators().some((one) => one.name === name));
  if (missing !== undefined) return `langgraph.json has no evaluator "${missing}"`;
  const results: EvaluatorResult[] = [];
  for (const name of names) {
    const example = { inputs: run['inputs'], outputs: null };
    results.push(...(await callEvaluator(userCode, 'evaluate', { evaluator: evaluatorCall({ name }), run, example })));
  }
  for (const { key, failed, comment } of results) if (failed) log.warn({ runId, key, comment }, 'an evaluator failed');
  const changes = new ListChanges(evaluation);
  const found = changes.run(runId);
  // Deleted meanwhile.
  if (found === undefined) return false;
  for (const result of results) changes.putFeedback(found.list, feedbackOf(evaluation, result, runId));
  await changes.commit();
  return true;
}
