import { filterOf, type Caller } from '../../domain/caller.js';
import { NO_USAGE, USAGE_FIELDS, type Usage } from '../../domain/usage.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { invalidRequest } from '../../base/request-problems.js';
import type { EvaluationSession } from '../../pool/evaluation-pool.js';
import {
  packAttachments,
  removeAttachment,
  unpackAttachments,
  type Attachment,
} from '../../store/evaluation/attachments.js';
import { findEvaluationRun } from '../../store/evaluation/evaluation-runs.js';
import type { EvaluationRun } from '../../wire/evaluation/evaluation-run.js';
import { listsOf, type ExperimentRecord } from '../../store/evaluation/experiments.js';
import { putConfigIfNew } from '../../store/evaluation/feedback-configs.js';
import { RunItem } from '../../wire/evaluation/run-item.js';
import {
  DEFAULT_SOURCE,
  seesFeedbackWithoutExperiment,
  type Feedback,
  type RunThread,
} from '../../store/evaluation/feedback.js';
import type { Commit } from '../../store/store.js';
import { ORPHAN_LIST } from '../../store/evaluation/block-lists.js';
import type {
  IngestChange,
  FeedbackChange,
  FromIngest,
  IngestResult,
  RunChange,
  ToIngest,
} from '../../wire/evaluation/ingest.js';
import type { EvaluationContext } from './context.js';
import { ListChanges } from './list-changes.js';
import { RunPlacement } from './run-placement.js';
import { withStagedLists } from './staging.js';

export type IngestSession = EvaluationSession<ToIngest, FromIngest, IngestResult>;

/**
 * Stores runs and feedback that the evaluation thread has parsed and validated. Refuses them before the first
 * commit. Each slice is one commit; the promise resolves when the last one is on disk. Repeating a body changes
 * nothing, because every record is put by its id. The bytes of attachments are written before the runs that refer
 * to them.
 */
export async function ingestRuns(evaluation: EvaluationContext, caller: Caller, task: IngestSession): Promise<void> {
  const { slices, hasAttachments } = await receiveChanges(task);
  const experimentIds = new Set<string>();
  for (const slice of slices) {
    for (const change of slice) {
      const { sessionId } = change.run ?? change.feedback;
      if (sessionId !== null) experimentIds.add(sessionId);
      if (change.run !== undefined) checkAttachmentCount(evaluation, change.run);
    }
  }
  for (const experimentId of experimentIds)
    if (evaluation.experiments.get(caller, experimentId) === undefined)
      throw fail('EXPERIMENT_NOT_FOUND', { experimentId });
  if (!hasAttachments) return applyChanges(evaluation, caller, slices);
  return withStagedLists(
    evaluation,
    (take) => ({ exampleList: null, experimentList: null, attachmentGroup: take() }),
    async ({ attachmentGroup: group }, { writeSlices, publishAttachments }) => {
      task.duplex.send({ type: 'place', group });
      await writeSlices(task);
      await applyChanges(evaluation, caller, slices, { group, publishAttachments });
    },
  );
}

/** Receives the changes of a body, up to the attachments. */
async function receiveChanges(task: IngestSession): Promise<{ slices: IngestChange[][]; hasAttachments: boolean }> {
  const slices: IngestChange[][] = [];
  for (;;) {
    const message = await task.duplex.receive().catch(() => null);
    if (message === null) {
      await task.result;
      return { slices, hasAttachments: false };
    }
    if (message.type === 'attachments') return { slices, hasAttachments: true };
    if (message.type !== 'changes') throw new Error(`expected changes, got ${message.type}`);
    slices.push(message.changes);
    task.duplex.send({ type: 'more' });
  }
}

interface StagedAttachments {
  group: number;
  publishAttachments(commit: Commit, published: { before: number } | 'all'): void;
}

async function applyChanges(
  evaluation: EvaluationContext,
  caller: Caller,
  slices: readonly IngestChange[][],
  staged: StagedAttachments | null = null,
): Promise<void> {
  const written: Promise<unknown>[] = [];
  let published = 0;
  for (const [at, slice] of slices.entries()) {
    const changes = new ListChanges(evaluation);
    const target = { evaluation, caller, changes, placement: new RunPlacement(evaluation, caller, changes) };
    for (const change of slice) {
      if (change.run === undefined) applyFeedback(evaluation, caller, changes, change.feedback);
      else {
        applyRun(target, { ...change.run, group: staged?.group ?? null });
        published += change.run.attachments.length;
      }
    }
    staged?.publishAttachments(changes.plan, at === slices.length - 1 ? 'all' : { before: published });
    written.push(changes.commit());
    // Other work runs between slices.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await Promise.all(written);
}

/** A run as received, with the group of its attachments; null if the body has none. */
type PlacedRunChange = RunChange & { group: number | null };

/** Throws INVALID_REQUEST if the run would have too many attachments, together with those that are stored. */
function checkAttachmentCount({ latest }: EvaluationContext, { runId, attachments }: RunChange): void {
  if (attachments.length === 0) return;
  const stored = unpackAttachments(findEvaluationRun(latest, runId)?.run.attachments);
  const names = new Set([...stored, ...attachments].map(({ name }) => name));
  if (names.size > LIMITS.attachmentsPerRecordMax)
    throw invalidRequest('body', [
      {
        loc: [`attachment.${runId}.${attachments.at(-1)!.name}`],
        msg: `a run must not have more than ${LIMITS.attachmentsPerRecordMax} attachments`,
        type: 'too_long',
      },
    ]);
}

/** What the runs of one commit need. */
interface RunTarget {
  evaluation: EvaluationContext;
  caller: Caller;
  changes: ListChanges;
  placement: RunPlacement;
}

function applyRun({ evaluation, caller, changes, placement }: RunTarget, change: PlacedRunChange): void {
  const seen = (one: number): boolean => isVisible(evaluation, caller, changes, one);
  const known = changes.runBeforeWrite(change.runId);
  const traced = changes.listOfTrace(change.traceId ?? change.runId);
  // The sender chooses the trace id. It must not move a run into or out of another caller's list.
  if ([known?.list ?? null, traced].some((list) => list !== null && !seen(list))) {
    // A part of an unknown run is accepted and creates the run. A part of another caller's run is accepted and
    // dropped: the response must not reveal the difference.
    if (!change.whole) {
      for (const attachment of placedAttachments(change)) removeAttachment(changes.plan, attachment);
      return;
    }
    throw fail('EVALUATION_RUN_NOT_FOUND', { runId: change.runId });
  }
  const list = placement.listOf(change, known);
  const run = mergeRun(evaluation, known?.run, change);
  const attachments = mergeAttachments(changes.plan, known?.run.attachments, change);
  changes.putRun(list, RunItem.of({ ...run, attachments }));
}

function placedAttachments({ group, attachments }: PlacedRunChange): Attachment[] {
  return attachments.map((one) => ({ ...one, group: group! }));
}

/** Adds the attachments of a change by name, with the precedence of `mergeRun`. Removes the bytes of the others. */
function mergeAttachments(
  commit: Commit,
  stored: EvaluationRun['attachments'] | undefined,
  change: PlacedRunChange,
): EvaluationRun['attachments'] {
  if (change.attachments.length === 0) return stored ?? null;
  const kept = new Map(unpackAttachments(stored).map((one) => [one.name, one]));
  for (const added of placedAttachments(change)) {
    const known = kept.get(added.name);
    if (known !== undefined) removeAttachment(commit, change.whole ? added : known);
    if (known === undefined || !change.whole) kept.set(added.name, added);
  }
  return packAttachments([...kept.values()]);
}

/** True if the caller sees the experiment or project that the list belongs to. */
function isVisible(evaluation: EvaluationContext, caller: Caller, changes: ListChanges, list: number): boolean {
  if (filterOf(caller, 'experiments') === null) return true;
  return evaluation.experiments.over(changes.plan).ofList(caller, list) !== undefined;
}

/**
 * Null fields of a change keep the previous value. A partial run is sufficient to create a run; the rest may
 * follow. A complete run (`post`) counts as older, even if it arrives after a part or again: where both have a
 * value, that of the part wins.
 */
function mergeRun(
  evaluation: EvaluationContext,
  before: EvaluationRun | undefined,
  change: RunChange,
): Omit<EvaluationRun, 'attachments'> {
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
  const stored = change.runId === null ? undefined : changes.run(change.runId);
  // Who sees a graph's run does not always see its trace.
  const run = stored !== undefined && isVisible(evaluation, caller, changes, stored.list) ? stored : undefined;
  const experiment = change.sessionId === null ? undefined : experiments.get(caller, change.sessionId);
  if (run === undefined && change.sessionId !== null && experiment === undefined)
    throw fail('EXPERIMENT_NOT_FOUND', { experimentId: change.sessionId });
  const thread =
    run === undefined && experiment === undefined && change.runId !== null
      ? evaluation.graphRuns.threadOf(caller, change.runId)
      : null;
  if (stored !== undefined && run === undefined && thread === null)
    throw fail('EVALUATION_RUN_NOT_FOUND', { runId: stored.run.runId });
  // Waiting feedback goes to whatever list its run arrives in, so only callers without a filter may send it in
  // advance.
  if (run === undefined && experiment === undefined && thread === null && filterOf(caller, 'experiments') !== null)
    throw fail('EVALUATION_RUN_NOT_FOUND', { runId: change.runId ?? '' });
  const feedbackId = change.feedbackId ?? evaluation.ids.next();
  const known = changes.feedback(feedbackId);
  if (known !== undefined && !seesFeedback(evaluation, caller, changes, known))
    throw fail('FEEDBACK_NOT_FOUND', { feedbackId });
  const list = run?.list ?? (experiment === undefined ? ORPHAN_LIST : listForFeedback(experiment, change.runId));
  putFeedback(evaluation, changes, {
    list,
    feedbackId,
    change,
    thread,
    traceId: run?.run.traceId ?? change.traceId,
  });
  return { list, feedbackId };
}

/** Feedback that arrives before its run is put where runs arrive now. */
function listForFeedback(experiment: ExperimentRecord, runId: string | null): number {
  return runId === null ? experiment.list : listsOf(experiment).at(-1)!;
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
