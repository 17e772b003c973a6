import { filterOf, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import type { EvaluationTalk } from '../../pool/evaluation-pool.js';
import type { EvaluationRun } from '../../store/evaluation/evaluation-runs.js';
import { putConfigIfNew } from '../../store/evaluation/feedback-configs.js';
import { DEFAULT_SOURCE, seesWaiting, type RunThread } from '../../store/evaluation/feedback.js';
import { ORPHAN_LIST } from '../../store/evaluation/lists.js';
import type { Change, FeedbackChange, FromIngest, RunChange, ToIngest } from '../../wire/evaluation/ingest.js';
import type { Evaluation } from './context.js';
import { newExperiment } from './experiments.js';
import { stampExtra } from './extra.js';
import { takeAll } from './follow-task.js';
import { ListChanges } from './list-changes.js';

export type IngestTalk = EvaluationTalk<ToIngest, FromIngest, number>;

/** Where runs go that name no project (evaluation-api.md, 4.3). */
export const DEFAULT_PROJECT = 'default';

/**
 * Takes runs and feedback as the evaluation thread hands them over, already read and checked there. What is refused here is
 * refused before the first commit; then a slice is one commit, and the promise resolves when the last is on disk. The same
 * body again changes nothing: everything is put by its id.
 */
export async function ingestRuns(evaluation: Evaluation, caller: Caller, task: IngestTalk): Promise<void> {
  const slices: Change[][] = [];
  await takeAll(task, ({ changes }) => {
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
    // Others have their turn between slices.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await Promise.all(written);
}

function checkExperiment({ experiments }: Evaluation, caller: Caller, experimentId: string | null): void {
  if (experimentId !== null && experiments.get(caller, experimentId) === undefined)
    throw fail('EXPERIMENT_NOT_FOUND', { experimentId });
}

function applyRun(evaluation: Evaluation, caller: Caller, changes: ListChanges, change: RunChange): void {
  const seen = (one: number): boolean => isVisible(evaluation, caller, changes, one);
  const known = changes.run(change.runId);
  const traced = changes.listOfTrace(change.traceId ?? change.runId);
  // A trace is named by whoever sends it: it must not lead into what is another's, nor away from it.
  if ([known?.list ?? null, traced].some((list) => list !== null && !seen(list))) {
    // A part of a run that does not exist is accepted, and makes the run. A part of another's run is accepted too and dropped: the answer
    // must not tell the two apart.
    if (!change.whole) return;
    throw fail('EVALUATION_RUN_NOT_FOUND', { runId: change.runId });
  }
  const list =
    listFor(evaluation, caller, changes, change) ??
    known?.list ??
    (change.traceId === null ? null : traced) ??
    projectList(evaluation, caller, changes, DEFAULT_PROJECT);
  changes.putRun(list, merged(evaluation, known?.run, change));
}

/** The list of the project that the change names; null when it names none. */
function listFor(evaluation: Evaluation, caller: Caller, changes: ListChanges, change: RunChange): number | null {
  if (change.sessionId !== null) {
    const experiment = evaluation.experiments.in(changes.plan).get(caller, change.sessionId);
    if (experiment === undefined) throw fail('EXPERIMENT_NOT_FOUND', { experimentId: change.sessionId });
    return experiment.list;
  }
  return change.sessionName === null ? null : projectList(evaluation, caller, changes, change.sessionName);
}

/** Projects come into being with their first run. */
function projectList(evaluation: Evaluation, caller: Caller, changes: ListChanges, name: string): number {
  const experiments = evaluation.experiments.in(changes.plan);
  const id = experiments.idOf(name);
  if (id !== undefined) {
    const experiment = experiments.get(caller, id);
    // Names are unique; what comes without one of its own has a project for each caller then.
    if (experiment === undefined && name === DEFAULT_PROJECT)
      return projectList(evaluation, caller, changes, `${DEFAULT_PROJECT} (${caller.identity})`);
    if (experiment === undefined) throw fail('EXPERIMENT_NOT_FOUND', { experimentId: id });
    return experiment.list;
  }
  const experiment = newExperiment(evaluation, changes.plan, { name, extra: stampExtra(caller, null) });
  experiments.put(changes.plan, experiment, null);
  return experiment.list;
}

/** Whether the caller sees the experiment that a list of runs is of. */
function isVisible(evaluation: Evaluation, caller: Caller, changes: ListChanges, list: number): boolean {
  if (filterOf(caller, 'experiments') === null) return true;
  const experiments = evaluation.experiments.in(changes.plan);
  const id = experiments.idOfList(list);
  return id !== undefined && experiments.get(caller, id) !== undefined;
}

/**
 * What is null in a change stays as it was. A part of a run is enough to make one: the rest may come later. A whole run
 * (`post`) is the earlier word even when it comes after a part, or again: of what both say, the part stands.
 */
function merged(evaluation: Evaluation, before: EvaluationRun | undefined, change: RunChange): EvaluationRun {
  const nowUs = evaluation.nowUs();
  const startUs = change.startUs ?? before?.startUs ?? nowUs;
  const last = <T>(known: T | null | undefined, said: T | null): T | null =>
    change.whole ? (known ?? said) : (said ?? known ?? null);
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
    promptTokens: last(before?.promptTokens, change.promptTokens),
    completionTokens: last(before?.completionTokens, change.completionTokens),
    totalTokens: last(before?.totalTokens, change.totalTokens),
    promptCost: last(before?.promptCost, change.promptCost),
    completionCost: last(before?.completionCost, change.completionCost),
    totalCost: last(before?.totalCost, change.totalCost),
    inputs: last(before?.inputs, change.inputs),
    outputs: last(before?.outputs, change.outputs),
    extra: last(before?.extra, change.extra),
    tags: last(before?.tags, change.tags),
    events: last(before?.events, change.events),
    serialized: last(before?.serialized, change.serialized),
  };
}

/** Feedback on a run stands with it; on one that has not come yet with the experiment it names, or it waits; on a graph's run it belongs to the run's thread. */
export function applyFeedback(
  evaluation: Evaluation,
  caller: Caller,
  changes: ListChanges,
  change: FeedbackChange,
): { list: number; feedbackId: string } {
  const experiments = evaluation.experiments.in(changes.plan);
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
  // What waits for a run goes with it wherever it comes: only who sees all may send it ahead.
  if (run === undefined && experiment === undefined && thread === null && filterOf(caller, 'experiments') !== null)
    throw fail('EVALUATION_RUN_NOT_FOUND', { runId: change.runId ?? '' });
  const feedbackId = change.feedbackId ?? evaluation.ids.next();
  const known = changes.feedback(feedbackId);
  if (known !== undefined) {
    const seen =
      known.list === ORPHAN_LIST
        ? seesWaiting(changes.plan, caller, known.feedback)
        : isVisible(evaluation, caller, changes, known.list);
    if (!seen) throw fail('FEEDBACK_NOT_FOUND', { feedbackId });
  }
  const list = run?.list ?? experiment?.list ?? ORPHAN_LIST;
  putFeedback(evaluation, changes, list, feedbackId, { change, thread, traceId: run?.run.traceId ?? change.traceId });
  return { list, feedbackId };
}

/** Adds it, or puts it in the place of the one that has its id. Who asks may do so. */
export function putFeedback(
  evaluation: Evaluation,
  changes: ListChanges,
  list: number,
  feedbackId: string,
  { change, thread, traceId }: { change: FeedbackChange; thread: RunThread | null; traceId: string | null },
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
