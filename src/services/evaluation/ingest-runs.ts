import { filterOf, type Caller } from '../../domain/caller.js';
import { NO_USAGE, USAGE_FIELDS, type Usage } from '../../domain/usage.js';
import { fail } from '../../base/errors.js';
import type { EvaluationSession } from '../../pool/evaluation-pool.js';
import type { EvaluationRun } from '../../store/evaluation/evaluation-runs.js';
import { putConfigIfNew } from '../../store/evaluation/feedback-configs.js';
import {
  DEFAULT_SOURCE,
  seesFeedbackWithoutExperiment,
  type Feedback,
  type RunThread,
} from '../../store/evaluation/feedback.js';
import { ORPHAN_LIST } from '../../store/evaluation/block-lists.js';
import type { IngestChange, FeedbackChange, FromIngest, RunChange, ToIngest } from '../../wire/evaluation/ingest.js';
import type { EvaluationContext } from './context.js';
import { newExperiment } from './experiments.js';
import { stampExtra } from './extra.js';
import { receiveAll } from './receive-messages.js';
import { ListChanges } from './list-changes.js';

export type IngestSession = EvaluationSession<ToIngest, FromIngest, number>;

/** Project of runs that name none (evaluation-api.md, 4.3). */
export const DEFAULT_PROJECT = 'default';

/**
 * Stores runs and feedback that the evaluation thread has parsed and validated. Refuses them before the first
 * commit. Each slice is one commit; the promise resolves when the last one is on disk. Repeating a body changes
 * nothing, because every record is put by its id.
 */
export async function ingestRuns(evaluation: EvaluationContext, caller: Caller, task: IngestSession): Promise<void> {
  const slices: IngestChange[][] = [];
  await receiveAll(task, ({ changes }) => {
    slices.push(changes);
  });
  for (const slice of slices)
    for (const change of slice) checkExperiment(evaluation, caller, (change.run ?? change.feedback).sessionId);
  const written: Promise<unknown>[] = [];
  for (const slice of slices) {
    const changes = new ListChanges(evaluation);
    for (const change of slice) {
      if (change.run !== undefined) applyRun(evaluation, caller, changes, change.run);
      else applyFeedback(evaluation, caller, changes, change.feedback);
    }
    written.push(changes.commit());
    // Other work runs between slices.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await Promise.all(written);
}

function checkExperiment({ experiments }: EvaluationContext, caller: Caller, experimentId: string | null): void {
  if (experimentId !== null && experiments.get(caller, experimentId) === undefined)
    throw fail('EXPERIMENT_NOT_FOUND', { experimentId });
}

function applyRun(evaluation: EvaluationContext, caller: Caller, changes: ListChanges, change: RunChange): void {
  const seen = (one: number): boolean => isVisible(evaluation, caller, changes, one);
  const known = changes.run(change.runId);
  const traced = changes.listOfTrace(change.traceId ?? change.runId);
  // The sender chooses the trace id. It must not move a run into or out of another caller's list.
  if ([known?.list ?? null, traced].some((list) => list !== null && !seen(list))) {
    // A part of an unknown run is accepted and creates the run. A part of another caller's run is accepted and
    // dropped: the response must not reveal the difference.
    if (!change.whole) return;
    throw fail('EVALUATION_RUN_NOT_FOUND', { runId: change.runId });
  }
  const list =
    listOfChange(evaluation, caller, changes, change) ??
    known?.list ??
    (change.traceId === null ? null : traced) ??
    projectList(evaluation, caller, changes, DEFAULT_PROJECT);
  changes.putRun(list, mergeRun(evaluation, known?.run, change));
}

/** The list of the project that the change names. Null if it names none. */
function listOfChange(
  evaluation: EvaluationContext,
  caller: Caller,
  changes: ListChanges,
  change: RunChange,
): number | null {
  if (change.sessionId !== null) {
    const experiment = evaluation.experiments.over(changes.plan).get(caller, change.sessionId);
    if (experiment === undefined) throw fail('EXPERIMENT_NOT_FOUND', { experimentId: change.sessionId });
    return experiment.list;
  }
  return change.sessionName === null ? null : projectList(evaluation, caller, changes, change.sessionName);
}

/** A project is created with its first run. */
function projectList(evaluation: EvaluationContext, caller: Caller, changes: ListChanges, name: string): number {
  const experiments = evaluation.experiments.over(changes.plan);
  const id = experiments.idByName(name);
  if (id !== undefined) {
    const experiment = experiments.get(caller, id);
    // Project names are unique. If another caller owns the default project, this caller gets its own one.
    if (experiment === undefined && name === DEFAULT_PROJECT)
      return projectList(evaluation, caller, changes, `${DEFAULT_PROJECT} (${caller.identity})`);
    if (experiment === undefined) throw fail('EXPERIMENT_NOT_FOUND', { experimentId: id });
    return experiment.list;
  }
  const experiment = newExperiment(evaluation, changes.plan, { name, extra: stampExtra(caller, null) });
  experiments.put(changes.plan, experiment, null);
  return experiment.list;
}

/** True if the caller sees the experiment that owns the list. */
function isVisible(evaluation: EvaluationContext, caller: Caller, changes: ListChanges, list: number): boolean {
  if (filterOf(caller, 'experiments') === null) return true;
  const experiments = evaluation.experiments.over(changes.plan);
  const id = experiments.idOfList(list);
  return id !== undefined && experiments.get(caller, id) !== undefined;
}

/**
 * Null fields of a change keep the previous value. A partial run is sufficient to create a run; the rest may
 * follow. A complete run (`post`) counts as older, even if it arrives after a part or again: where both have a
 * value, that of the part wins.
 */
function mergeRun(evaluation: EvaluationContext, before: EvaluationRun | undefined, change: RunChange): EvaluationRun {
  const nowUs = evaluation.nowUs();
  const startUs = change.startUs ?? before?.startUs ?? nowUs;
  const last = <T>(known: T | null | undefined, changed: T | null): T | null =>
    change.whole ? (known ?? changed) : (changed ?? known ?? null);
  const usage: Usage = { ...NO_USAGE };
  for (const field of USAGE_FIELDS) usage[field] = last(before?.[field], change[field]);
  return {
    runId: change.runId,
    traceId: change.traceId ?? before?.traceId ?? change.runId,
    parentRunId: change.parentRunId ?? before?.parentRunId ?? null,
    name: change.name ?? before?.name ?? 'run',
    runType: change.runType ?? before?.runType ?? 'chain',
    startUs,
    dottedOrder: change.dottedOrder ?? before?.dottedOrder ?? null,
    exampleId: change.exampleId ?? before?.exampleId ?? null,
    receivedUs: before?.receivedUs ?? nowUs,
    endUs: last(before?.endUs, change.endUs),
    error: last(before?.error, change.error),
    firstTokenUs: last(before?.firstTokenUs, change.firstTokenUs),
    ...usage,
    inputs: last(before?.inputs, change.inputs),
    outputs: last(before?.outputs, change.outputs),
    extra: last(before?.extra, change.extra),
    tags: last(before?.tags, change.tags),
    events: last(before?.events, change.events),
    serialized: last(before?.serialized, change.serialized),
  };
}

/**
 * Feedback is stored in the list of its run. If the run has not arrived yet, it is stored with the named
 * experiment, or it waits. Feedback on a graph's run belongs to the run's thread.
 */
export function applyFeedback(
  evaluation: EvaluationContext,
  caller: Caller,
  changes: ListChanges,
  change: FeedbackChange,
): { list: number; feedbackId: string } {
  const experiments = evaluation.experiments.over(changes.plan);
  const run = change.runId === null ? undefined : changes.run(change.runId);
  if (run !== undefined && !isVisible(evaluation, caller, changes, run.list))
    throw fail('EVALUATION_RUN_NOT_FOUND', { runId: run.run.runId });
  const experiment = change.sessionId === null ? undefined : experiments.get(caller, change.sessionId);
  if (run === undefined && change.sessionId !== null && experiment === undefined)
    throw fail('EXPERIMENT_NOT_FOUND', { experimentId: change.sessionId });
  const thread =
    run === undefined && experiment === undefined && change.runId !== null
      ? evaluation.graphRuns.threadOf(caller, change.runId)
      : null;
  // Waiting feedback goes to whatever list its run arrives in, so only callers without a filter may send it in
  // advance.
  if (run === undefined && experiment === undefined && thread === null && filterOf(caller, 'experiments') !== null)
    throw fail('EVALUATION_RUN_NOT_FOUND', { runId: change.runId ?? '' });
  const feedbackId = change.feedbackId ?? evaluation.ids.next();
  const known = changes.feedback(feedbackId);
  if (known !== undefined && !seesFeedback(evaluation, caller, changes, known))
    throw fail('FEEDBACK_NOT_FOUND', { feedbackId });
  const list = run?.list ?? experiment?.list ?? ORPHAN_LIST;
  putFeedback(evaluation, changes, {
    list,
    feedbackId,
    change,
    thread,
    traceId: run?.run.traceId ?? change.traceId,
  });
  return { list, feedbackId };
}

/** True if the caller sees this feedback, which is stored or part of the changes. */
export function seesFeedback(
  evaluation: EvaluationContext,
  caller: Caller,
  changes: ListChanges,
  { list, feedback }: { list: number; feedback: Feedback },
): boolean {
  return list === ORPHAN_LIST
    ? seesFeedbackWithoutExperiment(changes.plan, caller, feedback)
    : isVisible(evaluation, caller, changes, list);
}

interface FeedbackPut {
  list: number;
  feedbackId: string;
  change: FeedbackChange;
  /** Thread of the graph's run; null for other feedback. */
  thread: RunThread | null;
  traceId: string | null;
}

/** Adds or replaces feedback by its id. The caller has checked the permission. */
export function putFeedback(
  evaluation: EvaluationContext,
  changes: ListChanges,
  { list, feedbackId, change, thread, traceId }: FeedbackPut,
): void {
  const before = changes.feedback(feedbackId)?.feedback;
  const nowUs = evaluation.nowUs();
  const createdAtUs = change.createdAtUs ?? before?.createdAtUs ?? nowUs;
  changes.putFeedback(list, {
    feedbackId,
    runId: change.runId,
    traceId,
    key: change.key,
    createdAtUs,
    modifiedAtUs: change.modifiedAtUs ?? nowUs,
    comment: change.comment,
    error: change.error,
    score: change.score,
    value: change.value,
    correction: change.correction,
    source: change.source ?? DEFAULT_SOURCE,
    config: change.config,
    extra: change.extra,
    groupId: change.groupId,
    comparativeId: change.comparativeId,
    thread,
  });
  if (change.config !== null) putConfigIfNew(changes.plan, change.key, change.config, nowUs);
}
