import type { FeedbackConfigPatch } from '../../../schemas/compiled/types.js';
import { filterOf, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { asObject, jsonBytes, parseJson, type JsonBytes } from '../../base/json/json.js';
import { wholeValue } from '../../base/json/slices.js';
import { refusal } from '../../base/problems.js';
import { feedbackConfigOf, putFeedbackConfig, putConfigIfNew } from '../../store/evaluation/feedback-configs.js';
import { seesWaiting } from '../../store/evaluation/feedback.js';
import { keys } from '../../store/keys.js';
import { Plan } from '../../store/read-your-writes.js';
import { ORPHAN_LIST } from '../../store/evaluation/lists.js';
import { readFeedback } from '../../wire/evaluation/read-feedback.js';
import type { ReadObject } from '../../wire/evaluation/read-values.js';
import type { Evaluation } from './context.js';
import { applyFeedback } from './ingest-runs.js';
import { ListChanges } from './list-changes.js';

/** Keeps feedback; the same id again puts it in the place of the first. Returns its id. */
export async function createFeedback(evaluation: Evaluation, caller: Caller, bytes: Uint8Array): Promise<string> {
  const change = readFeedback(bytes, wholeValue(bytes));
  const changes = new ListChanges(evaluation);
  const { feedbackId } = applyFeedback(evaluation, caller, changes, change);
  await changes.commit();
  return feedbackId;
}

/** What is there is changed, null clears. Throws FEEDBACK_NOT_FOUND. */
export async function patchFeedback(
  evaluation: Evaluation,
  caller: Caller,
  feedbackId: string,
  read: ReadObject,
): Promise<void> {
  const changes = new ListChanges(evaluation);
  const { list, feedback } = found(evaluation, caller, changes, feedbackId);
  const next = { ...feedback, modifiedAtUs: evaluation.nowUs() };
  for (const name of ['score', 'value', 'comment', 'correction'] as const)
    if (read.has(name)) next[name] = read.free(name);
  const config = read.free('feedback_config') ?? read.free('feedbackConfig');
  read.done();
  if (config !== null) {
    next.config = config;
    putConfigIfNew(changes.plan, feedback.key, config, next.modifiedAtUs);
  }
  changes.putFeedback(list, next);
  await changes.commit();
}

/** Throws FEEDBACK_NOT_FOUND. */
export async function deleteFeedback(evaluation: Evaluation, caller: Caller, feedbackId: string): Promise<void> {
  const changes = new ListChanges(evaluation);
  found(evaluation, caller, changes, feedbackId);
  changes.removeFeedback(feedbackId);
  await changes.commit();
}

/** Feedback goes with the graph's runs that it is on, unless it stands with a trace. */
export async function forgetFeedbackOf(evaluation: Evaluation, runIds: readonly string[]): Promise<void> {
  const changes = new ListChanges(evaluation);
  let some = false;
  for (const runId of runIds) {
    for (const key of evaluation.latest.store.keys({ prefix: keys.runFeedbacks(runId) })) {
      const feedbackId = key[2] as string;
      const known = changes.feedback(feedbackId);
      // What was made to outlive its thread has the thread's metadata.
      if (known?.list !== ORPHAN_LIST || known.feedback.thread == null || known.feedback.thread.metadata !== null)
        continue;
      changes.removeFeedback(feedbackId);
      some = true;
    }
  }
  if (some) await changes.commit();
}

function found(
  evaluation: Evaluation,
  caller: Caller,
  changes: ListChanges,
  feedbackId: string,
): NonNullable<ReturnType<ListChanges['feedback']>> {
  const known = changes.feedback(feedbackId);
  const experimentId = known === undefined ? undefined : evaluation.experiments.idOfList(known.list);
  const seen =
    known !== undefined &&
    (known.list === ORPHAN_LIST
      ? seesWaiting(changes.plan, caller, known.feedback)
      : experimentId !== undefined && evaluation.experiments.get(caller, experimentId) !== undefined);
  if (!seen) throw fail('FEEDBACK_NOT_FOUND', { feedbackId });
  return known;
}

/** The same again is taken as done; another one for a key that has one is refused (evaluation-api.md, 3.5). */
export async function createFeedbackConfig(evaluation: Evaluation, read: ReadObject): Promise<string> {
  const [feedbackKey, config] = [read.text('feedback_key')!, read.free('feedback_config')];
  const isLowerScoreBetter = (read.values['is_lower_score_better'] as boolean | null | undefined) ?? null;
  if (config === null) read.problems.push({ loc: ['feedback_config'], msg: 'must be object', type: 'type' });
  read.done();
  const plan = new Plan(evaluation.latest);
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
export async function patchFeedbackConfig(evaluation: Evaluation, caller: Caller, read: ReadObject): Promise<string> {
  const [feedbackKey, config] = [read.text('feedback_key')!, read.free('feedback_config')];
  read.done();
  const plan = new Plan(evaluation.latest);
  const known = feedbackConfigOf(plan, feedbackKey);
  if (known === undefined) throw fail('FEEDBACK_CONFIG_NOT_FOUND', { feedbackKey });
  refuseFiltered(caller, 'feedback:update');
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

/** Categories added and taken away; everything else of the configuration stays as it was sent. Throws INVALID_REQUEST. */
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
      throw refusal('body', [
        { loc: ['add_categories'], msg: `has a value or label that is taken: ${one.value}`, type: 'duplicate' },
      ]);
    kept.push(one);
  }
  if (kept.length < 2)
    throw refusal('body', [
      { loc: ['remove_categories'], msg: 'must leave at least two categories', type: 'too_short' },
    ]);
  return jsonBytes({ ...before, categories: kept });
}

/** How scores of a key are shown is one for all: who sees only some of the results may add to it, not change it. */
function refuseFiltered(caller: Caller, action: string): void {
  if (filterOf(caller, 'experiments') !== null) throw fail('FORBIDDEN', { action });
}

export async function deleteFeedbackConfig(evaluation: Evaluation, caller: Caller, feedbackKey: string): Promise<void> {
  refuseFiltered(caller, 'feedback:delete');
  const plan = new Plan(evaluation.latest);
  if (feedbackConfigOf(plan, feedbackKey) === undefined) throw fail('FEEDBACK_CONFIG_NOT_FOUND', { feedbackKey });
  plan.remove(keys.feedbackConfig(feedbackKey));
  await evaluation.latest.write(plan);
}
