import type { AnnotationQueueListQuery, QueueRunListQuery, QueueSizeQuery } from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { asObject, jsonBytes, parseJson } from '../../src/base/json/json.js';
import { isoMicros } from '../../src/base/micros.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { completedBy, isReviewed, reservedBy, sectionOf, type Section } from '../../src/domain/queue-reviews.js';
import {
  isQueueVisible,
  queueOf,
  rulesOf,
  unpackQueueEntry,
  type QueueEntry,
  type QueueRecord,
} from '../../src/store/evaluation/annotation-queues.js';
import { feedbackConfigOf } from '../../src/store/evaluation/feedback-configs.js';
import { keys } from '../../src/store/keys.js';
import { unpack } from '../../src/wire/codec.js';
import type { Caches } from './caches.js';
import { listJson, parseId, parseIds, parseTime, sliceOfPage } from './pages.js';
import { experimentOf } from './reads-experiments.js';
import { findRun, runFieldsOf } from './reads-runs.js';
import type { Found } from './runs-in-order.js';
import { isoOrNull, jsonObject, TENANT_ID } from './records-json.js';
import type { QueryHandler } from './read.js';

export type InQueue = { queue_id: string };

export function requireQueue(caches: Caches, caller: Caller, queueId: string): QueueRecord {
  const record = queueOf(caches.reader, caller, queueId);
  if (record === undefined) throw fail('QUEUE_NOT_FOUND', { queueId });
  return record;
}

function fieldsOf(record: QueueRecord): Record<string, unknown> {
  return {
    default_dataset: null,
    num_reviewers_per_item: 1,
    enable_reservations: false,
    reservation_minutes: null,
    reviewer_access_mode: 'any',
    ...asObject(parseJson(record.settings)),
    id: record.queueId,
    tenant_id: TENANT_ID,
    name: record.name,
    description: record.description,
    queue_type: 'single',
    created_at: isoMicros(record.createdAtUs),
    updated_at: isoMicros(record.modifiedAtUs),
    metadata: record.metadata,
    assigned_reviewers: [],
    run_rule_id: null,
    source_rule_id: null,
  };
}

/** With the rubric. Each item has the configuration of its key. */
const get: QueryHandler<InQueue> = (caches, caller, { queue_id: queueId }) => {
  const record = requireQueue(caches, caller, queueId);
  const items = record.rubricItems === null ? null : (parseJson(record.rubricItems) as Record<string, unknown>[]);
  return jsonObject({
    ...fieldsOf(record),
    rubric_instructions: record.rubricInstructions,
    rubric_items:
      items?.map((item) => ({ ...item, feedback_config: configOf(caches, String(item['feedback_key'])) })) ?? null,
  });
};

function configOf(caches: Caches, key: string): unknown {
  const config = feedbackConfigOf(caches.reader, key);
  if (config === undefined) return null;
  return {
    feedback_key: key,
    feedback_config: parseJson(config.config),
    tenant_id: TENANT_ID,
    modified_at: isoMicros(config.modifiedAtUs),
    is_lower_score_better: config.isLowerScoreBetter,
  };
}

/** The same fields as the response to creating it. */
const plain: QueryHandler<InQueue> = (caches, caller, { queue_id: queueId }) =>
  jsonObject(fieldsOf(requireQueue(caches, caller, queueId)));

const list: QueryHandler<AnnotationQueueListQuery> = (caches, caller, query) => {
  const ids = parseIds(query.ids, 'ids');
  const part = query.name_contains?.toLowerCase();
  // Queues have no reviewers of their own, no tags and no pairs.
  if (query.assigned_to_me === true || query.queue_type === 'pairwise' || query.tag_value_id !== undefined)
    return jsonBytes([]);
  const descending = (query.sort_by_desc ?? true) ? -1 : 1;
  const found = [...caches.reader.entries({ prefix: keys.queues() })]
    .map(([, bytes]) => unpack<QueueRecord>(bytes))
    .filter(
      (record) =>
        isQueueVisible(caller, record) &&
        (ids === null || ids.includes(record.queueId)) &&
        (query.name === undefined || record.name === query.name) &&
        (part === undefined || record.name.toLowerCase().includes(part)) &&
        (query.dataset_id === undefined || fieldsOf(record)['default_dataset'] === query.dataset_id),
    )
    .sort((a, b) => descending * ORDERS[query.sort_by ?? 'created_at'](a, b));
  return listJson(sliceOfPage(found, query), (record) => {
    const pending = count(pendingOf(entriesOf(caches, caller, record), record));
    return jsonObject({ ...fieldsOf(record), total_runs: pending });
  });
};

const ORDERS: Readonly<
  Record<NonNullable<AnnotationQueueListQuery['sort_by']>, (a: QueueRecord, b: QueueRecord) => number>
> = {
  name: (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)),
  created_at: (a, b) => a.createdAtUs - b.createdAtUs,
  updated_at: (a, b) => a.modifiedAtUs - b.modifiedAtUs,
};

export interface FoundEntry extends Found {
  entry: QueueEntry;
}

/** Entries in order whose runs the caller sees. Runs that were deleted are left out. */
export function* entriesOf(caches: Caches, caller: Caller, { queueId }: QueueRecord): Generator<FoundEntry> {
  for (const [, bytes] of caches.reader.entries({ prefix: keys.queueEntries(queueId) })) {
    const entry = unpackQueueEntry(bytes);
    const found = findRun(caches, caller, entry.runId);
    if (found !== undefined) yield { entry, ...found };
  }
}

function* pendingOf(entries: Iterable<FoundEntry>, queue: QueueRecord): Generator<FoundEntry> {
  const rules = rulesOf(queue);
  for (const one of entries) if (!isReviewed(one.entry, rules)) yield one;
}

export const nowUs = (): number => Date.now() * 1_000;

/** Entries in a section for the caller, or in all of them. */
export function* sectionEntries(
  caches: Caches,
  caller: Caller,
  queue: QueueRecord,
  section: Section | 'all',
): Generator<FoundEntry> {
  const rules = rulesOf(queue);
  const who = { reviewer: caller.identity, nowUs: nowUs() };
  for (const one of entriesOf(caches, caller, queue))
    if (section === 'all' || sectionOf(one.entry, rules, who) === section) yield one;
}

export function count(items: Iterable<unknown>): number {
  let total = 0;
  for (const _ of items) total += 1;
  return total;
}

/** Place and reviews of an entry, as both versions of its routes return them. */
export function reviewFields({ entry }: FoundEntry, queue: QueueRecord): Record<string, unknown> {
  const added = isoMicros(entry.addedAtUs);
  return {
    added_at: added,
    effective_added_at: added,
    last_reviewed_time: isoOrNull(entry.reviewedAtUs),
    completed_by: completedBy(entry),
    reserved_by: reservedBy(entry, rulesOf(queue), nowUs()),
  };
}

function entryJson(caches: Caches, queue: QueueRecord, found: FoundEntry): Buffer {
  const { entry, ...run } = found;
  return jsonObject({
    ...runFieldsOf(caches, run),
    queue_run_id: entry.entryId,
    ...reviewFields(found, queue),
    last_queued_at: isoMicros(entry.addedAtUs),
    queue_status: entry.status,
  });
}

const runs: QueryHandler<QueueRunListQuery & InQueue> = (caches, caller, query) => {
  const queue = requireQueue(caches, caller, query.queue_id);
  const { archived, status } = query;
  const section = archived === true ? 'archived' : status === undefined || status === 'completed' ? 'all' : status;
  const found = [...sectionEntries(caches, caller, queue, section)].filter(
    ({ entry }) => archived === true || status !== 'completed' || entry.status === 'completed',
  );
  return listJson(sliceOfPage(found, query), (one) => entryJson(caches, queue, one));
};

/** The run at a place among those that need a review by the caller. */
const run: QueryHandler<InQueue & { index: string }> = (caches, caller, { queue_id: queueId, index }) => {
  const queue = requireQueue(caches, caller, queueId);
  let at = Number(index);
  for (const found of sectionEntries(caches, caller, queue, 'needs_my_review')) {
    if (at === 0) return entryJson(caches, queue, found);
    at -= 1;
  }
  throw fail('QUEUE_RUN_NOT_FOUND', { id: `at ${index}` });
};

/** True for times within optional bounds. */
export function within(fromUs: number | null, toUs: number | null): (us: number | null) => boolean {
  return (us) =>
    (fromUs === null && toUs === null) ||
    (us !== null && (fromUs === null || us >= fromUs) && (toUs === null || us <= toUs));
}

/** `pending` are the entries that somebody has to review. */
const size: QueryHandler<InQueue & QueueSizeQuery & { kind: 'pending' | 'all' | 'archived' }> = (
  caches,
  caller,
  { queue_id: queueId, kind, status, start_time: from, end_time: to },
) => {
  const queue = requireQueue(caches, caller, queueId);
  const reviewed = within(parseTime(from, 'start_time'), parseTime(to, 'end_time'));
  const section = status === 'completed' || kind === 'archived' ? 'archived' : (status ?? 'all');
  const entries = sectionEntries(caches, caller, queue, section);
  const counted = kind === 'pending' && status === undefined ? pendingOf(entries, queue) : entries;
  return jsonBytes({
    size: count([...counted].filter(({ entry }) => section !== 'archived' || reviewed(entry.reviewedAtUs))),
  });
};

const POPULATED_RUNS_MAX = 10_000;

/** Ids of the root runs of experiments, oldest first. */
const rootRuns: QueryHandler<{ session_ids: readonly string[] }> = (caches, caller, { session_ids: ids }) => {
  const found = ids.flatMap((id, at) => {
    const experiment = experimentOf(caches, caller, parseId(id, ['session_ids', at], 'body'));
    if (experiment.referenceDatasetId === null)
      throw invalidRequest('body', [
        { loc: ['session_ids', at], msg: 'must be an experiment on a dataset', type: 'value' },
      ]);
    // An experiment on a dataset has one list.
    return caches
      .facts(experiment.list)
      .derived.runs.filter(({ root }) => root)
      .toReversed()
      .map(({ runId }) => runId);
  });
  if (found.length > POPULATED_RUNS_MAX)
    throw invalidRequest('body', [
      { loc: ['session_ids'], msg: `must not have more than ${POPULATED_RUNS_MAX} runs`, type: 'too_long' },
    ]);
  return jsonBytes(found);
};

/** The queues that a run is in. */
const ofRun: QueryHandler<{ run_id: string }> = (caches, caller, { run_id: runId }) => {
  if (findRun(caches, caller, runId) === undefined) throw fail('EVALUATION_RUN_NOT_FOUND', { runId });
  const found = [...caches.reader.keys({ prefix: keys.queuesOfRun(runId) })]
    .map((key) => queueOf(caches.reader, caller, key[2] as string))
    .filter((record) => record !== undefined);
  return listJson(found, (record) => jsonObject(fieldsOf(record)));
};

export const queueReads = {
  'queues.get': get,
  'queues.plain': plain,
  'queues.list': list,
  'queues.runs': runs,
  'queues.run': run,
  'queues.size': size,
  'queues.rootRuns': rootRuns,
  'queues.ofRun': ofRun,
};
