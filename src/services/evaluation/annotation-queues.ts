import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { canonicalUuid } from '../../base/ids.js';
import { isReviewed, withReview, type ReviewChange } from '../../domain/queue-reviews.js';
import { jsonBytes, parseJson, type JsonObject } from '../../base/json/json.js';
import { invalidRequest } from '../../base/request-problems.js';
import {
  isQueueVisible,
  putQueue,
  putQueueEntry,
  queueEntryKeys,
  queueEntryOf,
  queueEntryOfRun,
  queueOf,
  removeQueue,
  rulesOf,
  type QueueEntry,
  type QueueRecord,
} from '../../store/evaluation/annotation-queues.js';
import { keys } from '../../store/keys.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import type { RequestObject } from '../../wire/evaluation/request-object.js';
import type { EvaluationContext } from './context.js';
import { stampMetadata } from './extra.js';
import { traceSubject } from './shares.js';

/** Settings of queues that are stored as the client sent them. */
const SETTINGS = [
  'default_dataset',
  'num_reviewers_per_item',
  'enable_reservations',
  'reservation_minutes',
  'reviewer_access_mode',
];

/** Creates a queue and returns its id. Throws QUEUE_EXISTS. */
export async function createQueue(evaluation: EvaluationContext, caller: Caller, read: RequestObject): Promise<string> {
  const { latest } = evaluation;
  const nowUs = evaluation.nowUs();
  const record: QueueRecord = {
    queueId: read.uuid('id') ?? evaluation.ids.next(),
    name: read.text('name')!,
    description: read.text('description'),
    createdAtUs: read.timeUs('created_at') ?? nowUs,
    modifiedAtUs: nowUs,
    metadata: stampMetadata(caller, read.freeForm('metadata')),
    rubricInstructions: read.text('rubric_instructions'),
    rubricItems: read.freeForm('rubric_items'),
    settings: settingsOf(read, {}),
  };
  read.finish();
  const plan = new DraftCommit(latest);
  if (plan.get(keys.queue(record.queueId)) !== undefined) throw fail('QUEUE_EXISTS', { queueId: record.queueId });
  putQueue(plan, record);
  await latest.write(plan);
  return record.queueId;
}

function settingsOf(read: RequestObject, before: JsonObject): Uint8Array {
  if (read.values['reviewer_access_mode'] === 'assigned')
    read.problems.push({
      loc: ['reviewer_access_mode'],
      msg: 'must be "any", because reviewers cannot be assigned on this server',
      type: 'not_supported',
    });
  const changed = SETTINGS.filter((name) => read.has(name)).map((name) => [name, read.values[name]] as const);
  return jsonBytes({ ...before, ...Object.fromEntries(changed) });
}

/** Changes the given fields. Throws QUEUE_NOT_FOUND. */
export async function patchQueue(
  evaluation: EvaluationContext,
  caller: Caller,
  queueId: string,
  read: RequestObject,
): Promise<void> {
  const { latest } = evaluation;
  const before = requireQueue(evaluation, caller, queueId);
  const metadata = read.freeForm('metadata');
  const record: QueueRecord = {
    ...before,
    name: read.text('name') ?? before.name,
    description: read.has('description') ? read.text('description') : before.description,
    metadata: read.has('metadata') ? stampMetadata(caller, metadata) : before.metadata,
    rubricInstructions: read.has('rubric_instructions') ? read.text('rubric_instructions') : before.rubricInstructions,
    rubricItems: read.has('rubric_items') ? read.freeForm('rubric_items') : before.rubricItems,
    settings: settingsOf(read, parseJson(before.settings) as JsonObject),
    modifiedAtUs: evaluation.nowUs(),
  };
  read.finish();
  // Prevents a change that would hide the queue from its own caller.
  if (!isQueueVisible(caller, record)) throw fail('FORBIDDEN', { action: 'experiments:update' });
  const plan = new DraftCommit(latest);
  putQueue(plan, record);
  await latest.write(plan);
}

/** Deletes the queue with its entries. The runs stay. Throws QUEUE_NOT_FOUND. */
export async function deleteQueue(evaluation: EvaluationContext, caller: Caller, queueId: string): Promise<void> {
  const { latest, remover } = evaluation;
  const plan = new DraftCommit(latest);
  removeQueue(plan, requireQueue(evaluation, caller, queueId));
  await latest.write(plan);
  remover.wake();
}

function requireQueue({ latest }: EvaluationContext, caller: Caller, queueId: string): QueueRecord {
  const record = queueOf(latest, caller, queueId);
  if (record === undefined) throw fail('QUEUE_NOT_FOUND', { queueId });
  return record;
}

/**
 * Adds runs in the given order and returns their entries. A run that is already in the queue keeps its place. If one
 * run does not exist, none is added. Throws QUEUE_NOT_FOUND, EVALUATION_RUN_NOT_FOUND, INVALID_REQUEST.
 */
export async function addQueueRuns(
  evaluation: EvaluationContext,
  caller: Caller,
  queueId: string,
  wanted: readonly (string | { run_id: string })[],
): Promise<QueueEntry[]> {
  const { latest } = evaluation;
  requireQueue(evaluation, caller, queueId);
  const plan = new DraftCommit(latest);
  const entries = wanted.map((one, at): QueueEntry => {
    const runId = canonicalUuid(typeof one === 'string' ? one : one.run_id);
    if (runId === null) throw invalidRequest('body', [{ loc: [at], msg: 'must be a UUID', type: 'uuid_parsing' }]);
    traceSubject(evaluation, caller, runId);
    const existing = queueEntryOfRun(plan, queueId, runId);
    if (existing !== undefined) return existing;
    const entry: QueueEntry = {
      entryId: evaluation.ids.next(),
      queueId,
      runId,
      addedAtUs: evaluation.nowUs(),
      status: 'needs_review',
      reviews: [],
      reviewedAtUs: null,
    };
    putQueueEntry(plan, entry, undefined);
    return entry;
  });
  await latest.write(plan);
  return entries;
}

const RUNS_AT_ONCE = 500;

/** As `addQueueRuns`, in several commits. Runs that are already in the queue keep their place. */
export async function addManyQueueRuns(
  evaluation: EvaluationContext,
  caller: Caller,
  queueId: string,
  runIds: readonly string[],
): Promise<void> {
  requireQueue(evaluation, caller, queueId);
  for (let at = 0; at < runIds.length; at += RUNS_AT_ONCE)
    await addQueueRuns(evaluation, caller, queueId, runIds.slice(at, at + RUNS_AT_ONCE));
}

/** Finds an entry by its own id or by that of its run: clients send either. Throws QUEUE_RUN_NOT_FOUND. */
function requireEntry({ latest }: EvaluationContext, queueId: string, id: string): QueueEntry {
  const entry = queueEntryOf(latest, id) ?? queueEntryOfRun(latest, queueId, id);
  if (entry === undefined || entry.queueId !== queueId) throw fail('QUEUE_RUN_NOT_FOUND', { id });
  return entry;
}

/** Removes entries; the runs stay. Throws QUEUE_NOT_FOUND, QUEUE_RUN_NOT_FOUND. */
export async function removeQueueRuns(
  evaluation: EvaluationContext,
  caller: Caller,
  queueId: string,
  ids: readonly string[],
): Promise<void> {
  requireQueue(evaluation, caller, queueId);
  const plan = new DraftCommit(evaluation.latest);
  for (const id of ids) for (const key of queueEntryKeys(requireEntry(evaluation, queueId, id))) plan.remove(key);
  await evaluation.latest.write(plan);
}

/** Removes all entries but those of some runs. Throws QUEUE_NOT_FOUND. */
export async function clearQueue(
  evaluation: EvaluationContext,
  caller: Caller,
  queueId: string,
  kept: ReadonlySet<string>,
): Promise<void> {
  const { latest } = evaluation;
  requireQueue(evaluation, caller, queueId);
  const plan = new DraftCommit(latest);
  for (const key of latest.keysUnder(keys.queueEntries(queueId))) {
    const entry = queueEntryOf(plan, key[3] as string);
    if (entry === undefined || kept.has(entry.runId) || kept.has(entry.entryId)) continue;
    for (const one of queueEntryKeys(entry)) plan.remove(one);
  }
  await latest.write(plan);
}

/** Finds an entry for a change. Throws QUEUE_NOT_FOUND, QUEUE_RUN_NOT_FOUND. */
function entryToChange(
  evaluation: EvaluationContext,
  caller: Caller,
  { queueId, id }: { queueId: string | null; id: string },
): { queue: QueueRecord; entry: QueueEntry } {
  const { latest } = evaluation;
  const ownQueueId = queueId ?? queueEntryOf(latest, id)?.queueId;
  const queue = ownQueueId === undefined ? undefined : queueOf(latest, caller, ownQueueId);
  if (queue === undefined)
    throw queueId === null ? fail('QUEUE_RUN_NOT_FOUND', { id }) : fail('QUEUE_NOT_FOUND', { queueId });
  return { queue, entry: requireEntry(evaluation, queue.queueId, id) };
}

/** Changes the place or the time of the review of an entry. Throws QUEUE_NOT_FOUND, QUEUE_RUN_NOT_FOUND. */
export async function changeQueueEntry(
  evaluation: EvaluationContext,
  caller: Caller,
  place: { queueId: string; id: string },
  change: Partial<Pick<QueueEntry, 'addedAtUs' | 'reviewedAtUs'>>,
): Promise<QueueEntry> {
  const { entry: before } = entryToChange(evaluation, caller, place);
  const entry = { ...before, ...change };
  const plan = new DraftCommit(evaluation.latest);
  putQueueEntry(plan, entry, before);
  await evaluation.latest.write(plan);
  return entry;
}

/** Records a review by the caller, and optionally moves the entry. Throws QUEUE_RUN_NOT_FOUND. */
export async function reviewQueueEntry(
  evaluation: EvaluationContext,
  caller: Caller,
  id: string,
  { change, addedAtUs }: { change: ReviewChange; addedAtUs: number | null },
): Promise<{ entry: QueueEntry; isArchived: boolean }> {
  const { queue, entry: before } = entryToChange(evaluation, caller, { queueId: null, id });
  const rules = rulesOf(queue);
  const review = withReview(before, rules, { reviewer: caller.identity, atUs: evaluation.nowUs(), change });
  const entry = { ...before, ...review, addedAtUs: addedAtUs ?? before.addedAtUs };
  const plan = new DraftCommit(evaluation.latest);
  putQueueEntry(plan, entry, before);
  await evaluation.latest.write(plan);
  return { entry, isArchived: isReviewed(entry, rules) };
}
