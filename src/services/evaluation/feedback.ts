import type { FeedbackConfigPatch } from '../../../schemas/compiled/types.js';
import { filterOf, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { asObject, jsonBytes, parseJson, type JsonBytes } from '../../base/json/json.js';
import { wholeValue } from '../../base/json/slices.js';
import { invalidRequest } from '../../base/request-problems.js';
import { feedbackConfigOf, putFeedbackConfig, putConfigIfNew } from '../../store/evaluation/feedback-configs.js';
import { keys } from '../../store/keys.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import { ORPHAN_LIST } from '../../store/evaluation/block-lists.js';
import { readFeedback } from '../../wire/evaluation/read-feedback.js';
import type { RequestObject } from '../../wire/evaluation/request-object.js';
import type { EvaluationContext } from './context.js';
import { applyFeedback, seesFeedback } from './ingest-runs.js';
import { ListChanges } from './list-changes.js';

/** Stores feedback and returns its id. Existing feedback with this id is replaced. */
export async function createFeedback(
  evaluation: EvaluationContext,
  caller: Caller,
  bytes: Uint8Array,
): Promise<string> {
  const change = readFeedback(bytes, wholeValue(bytes));
  const changes = new ListChanges(evaluation);
  const { feedbackId } = applyFeedback(evaluation, caller, changes, change);
  await changes.commit();
  return feedbackId;
}

/** Changes the given fields. Null clears a field. Throws FEEDBACK_NOT_FOUND. */
export async function patchFeedback(
  evaluation: EvaluationContext,
  caller: Caller,
  feedbackId: string,
  read: RequestObject,
): Promise<void> {
  const changes = new ListChanges(evaluation);
  const { list, feedback } = requireFeedback(evaluation, caller, changes, feedbackId);
  const next = { ...feedback, modifiedAtUs: evaluation.nowUs() };
  for (const name of ['score', 'value', 'comment', 'correction'] as const)
    if (read.has(name)) next[name] = read.freeForm(name);
  const config = read.freeForm('feedback_config') ?? read.freeForm('feedbackConfig');
  read.finish();
  if (config !== null) {
    next.config = config;
    putConfigIfNew(changes.plan, feedback.key, config, next.modifiedAtUs);
  }
  changes.putFeedback(list, next);
  await changes.commit();
}

/** Throws FEEDBACK_NOT_FOUND. */
export async function deleteFeedback(evaluation: EvaluationContext, caller: Caller, feedbackId: string): Promise<void> {
  const changes = new ListChanges(evaluation);
  requireFeedback(evaluation, caller, changes, feedbackId);
  changes.removeFeedback(feedbackId);
  await changes.commit();
}

/** Deletes the feedback on runs of graphs together with these runs, unless it belongs to a trace. */
export async function deleteFeedbackOfRuns(evaluation: EvaluationContext, runIds: readonly string[]): Promise<void> {
  const changes = new ListChanges(evaluation);
  let hasChanges = false;
  for (const runId of runIds) {
    for (const key of evaluation.latest.store.keys({ prefix: keys.feedbackOfRun(runId) })) {
      const feedbackId = key[2] as string;
      const known = changes.feedback(feedbackId);
      // Feedback with the metadata of its thread is meant to outlive the thread.
      if (known?.list !== ORPHAN_LIST || known.feedback.thread == null || known.feedback.thread.metadata !== null)
        continue;
      changes.removeFeedback(feedbackId);
      hasChanges = true;
    }
  }
  if (hasChanges) await changes.commit();
}

function requireFeedback(
  evaluation: EvaluationContext,
  caller: Caller,
  changes: ListChanges,
  feedbackId: string,
): NonNullable<ReturnType<ListChanges['feedback']>> {
  const known = changes.feedback(feedbackId);
  if (known === undefined || !seesFeedback(evaluation, caller, changes, known))
    throw fail('FEEDBACK_NOT_FOUND', { feedbackId });
  return known;
}

/**
 * An identical configuration is accepted again. A different one for the same key is refused (evaluation-api.md,
 * 3.5).
 */
export async function createFeedbackConfig(evaluation: EvaluationContext, read: RequestObject): Promise<string> {
  const [feedbackKey, config] = [read.text('feedback_key')!, read.freeForm('feedback_config')];
  const isLowerScoreBetter = (read.values['is_lower_score_better'] as boolean | null | undefined) ?? null;
  if (config === null) read.problems.push({ loc: ['feedback_config'], msg: 'must be object', type: 'type' });
  read.finish();
  const plan = new DraftCommit(evaluation.latest);
  const known = feedbackConfigOf(plan, feedbackKey);
  if (known !== undefined) {
    if (
      !sameConfig(known.config, config!) ||
      (isLowerScoreBetter !== null && isLowerScoreBetter !== known.isLowerScoreBetter)
    )
      throw fail('FEEDBACK_CONFIG_EXISTS', { feedbackKey });
    return feedbackKey;
  }
  putFeedbackConfig(plan, { feedbackKey, config: config!, isLowerScoreBetter, modifiedAtUs: evaluation.nowUs() });
  await evaluation.latest.write(plan);
  return feedbackKey;
}

function sameConfig(a: Uint8Array, b: Uint8Array): boolean {
  return (
    JSON.stringify(JSON.parse(Buffer.from(a).toString())) === JSON.stringify(JSON.parse(Buffer.from(b).toString()))
  );
}

/** Throws FEEDBACK_CONFIG_NOT_FOUND. */
export async function patchFeedbackConfig(
  evaluation: EvaluationContext,
  caller: Caller,
  read: RequestObject,
): Promise<string> {
  const [feedbackKey, config] = [read.text('feedback_key')!, read.freeForm('feedback_config')];
  read.finish();
  const plan = new DraftCommit(evaluation.latest);
  const known = feedbackConfigOf(plan, feedbackKey);
  if (known === undefined) throw fail('FEEDBACK_CONFIG_NOT_FOUND', { feedbackKey });
  refuseFilteredCallers(caller, 'feedback:update');
  putFeedbackConfig(plan, {
    ...known,
    config: withCategories(config ?? known.config, read.values as unknown as FeedbackConfigPatch),
    isLowerScoreBetter: read.has('is_lower_score_better')
      ? (read.values['is_lower_score_better'] as boolean | null)
      : known.isLowerScoreBetter,
    modifiedAtUs: evaluation.nowUs(),
  });
  await evaluation.latest.write(plan);
  return feedbackKey;
}

/** Adds and removes categories. The rest of the configuration keeps its bytes. Throws INVALID_REQUEST. */
function withCategories(
  config: JsonBytes,
  { add_categories: added, remove_categories: removed }: FeedbackConfigPatch,
): JsonBytes {
  if (added == null && removed == null) return config;
  const before = asObject(parseJson(config));
  const known = (before['categories'] ?? []) as { value: number; label?: string | null }[];
  const kept = known.filter(({ value }) => removed?.includes(value) !== true);
  for (const one of added ?? []) {
    if (kept.some(({ value, label }) => value === one.value || (label != null && label === one.label)))
      throw invalidRequest('body', [
        { loc: ['add_categories'], msg: `has a value or label that is taken: ${one.value}`, type: 'duplicate' },
      ]);
    kept.push(one);
  }
  if (kept.length < 2)
    throw invalidRequest('body', [
      { loc: ['remove_categories'], msg: 'must leave at least two categories', type: 'too_short' },
    ]);
  return jsonBytes({ ...before, categories: kept });
}

/** The configuration of a key is shared by everyone, so callers with a filter may add one, but not change it. */
function refuseFilteredCallers(caller: Caller, action: string): void {
  if (filterOf(caller, 'experiments') !== null) throw fail('FORBIDDEN', { action });
}

export async function deleteFeedbackConfig(
  evaluation: EvaluationContext,
  caller: Caller,
  feedbackKey: string,
): Promise<void> {
  refuseFilteredCallers(caller, 'feedback:delete');
  const plan = new DraftCommit(evaluation.latest);
  if (feedbackConfigOf(plan, feedbackKey) === undefined) throw fail('FEEDBACK_CONFIG_NOT_FOUND', { feedbackKey });
  plan.remove(keys.feedbackConfig(feedbackKey));
  await evaluation.latest.write(plan);
}
