import type { AnnotationQueueListQuery, QueueRunListQuery } from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { asObject, jsonBytes, parseJson } from '../../src/base/json/json.js';
import { isoMicros } from '../../src/base/micros.js';
import {
  isQueueVisible,
  queueOf,
  type QueueEntry,
  type QueueRecord,
  type ReviewStatus,
} from '../../src/store/evaluation/annotation-queues.js';
import { feedbackConfigOf } from '../../src/store/evaluation/feedback-configs.js';
import { keys } from '../../src/store/keys.js';
import { unpack } from '../../src/wire/codec.js';
import type { Caches } from './caches.js';
import { listJson, parseIds, sliceOfPage } from './pages.js';
import { findRun, runFieldsOf, type Found } from './reads-runs.js';
import { isoOrNull, jsonObject, TENANT_ID } from './records-json.js';
import type { QueryHandler } from './read.js';

type InQueue = { queue_id: string };

function requireQueue(caches: Caches, caller: Caller, queueId: string): QueueRecord {
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
    reviewer_access_mode: 'any',
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
  const found = [...caches.reader.entries({ prefix: keys.queues() })]
    .map(([, bytes]) => unpack<QueueRecord>(bytes))
    .filter(
      (record) =>
        isQueueVisible(caller, record) &&
        (ids === null || ids.includes(record.queueId)) &&
        (query.name === undefined || record.name === query.name) &&
        (part === undefined || record.name.toLowerCase().includes(part)),
    )
    .sort((a, b) => b.createdAtUs - a.createdAtUs);
  return listJson(sliceOfPage(found, query), (record) => {
    const pending = count(entriesOf(caches, caller, record.queueId, 'needs_review'));
    return jsonObject({ ...fieldsOf(record), total_runs: pending });
  });
};

interface FoundEntry extends Found {
  entry: QueueEntry;
}

/** Entries in order whose runs the caller sees. Runs that were deleted are left out. */
function* entriesOf(
  caches: Caches,
  caller: Caller,
  queueId: string,
  status: ReviewStatus | null,
): Generator<FoundEntry> {
  for (const [, bytes] of caches.reader.entries({ prefix: keys.queueEntries(queueId) })) {
    const entry = unpack<QueueEntry>(bytes);
    if (status !== null && entry.status !== status) continue;
    const found = findRun(caches, caller, entry.runId);
    if (found !== undefined) yield { entry, ...found };
  }
}

function count(items: Iterable<unknown>): number {
  let total = 0;
  for (const _ of items) total += 1;
  return total;
}

function entryJson(caches: Caches, { entry, ...found }: FoundEntry): Buffer {
  const added = isoMicros(entry.addedAtUs);
  const reviewed = isoOrNull(entry.reviewedAtUs);
  return jsonObject({
    ...runFieldsOf(caches, found),
    queue_run_id: entry.entryId,
    added_at: added,
    effective_added_at: added,
    last_reviewed_time: reviewed,
    last_queued_at: added,
    completed_by: [],
    reserved_by: [],
    queue_status: entry.status,
  });
}

const STATUSES: Readonly<Record<string, ReviewStatus>> = { needs_my_review: 'needs_review', completed: 'completed' };

const runs: QueryHandler<QueueRunListQuery & InQueue> = (caches, caller, query) => {
  requireQueue(caches, caller, query.queue_id);
  // Nobody else reviews: a queue has no reviewers of its own.
  if (query.status === 'needs_others_review') return jsonBytes([]);
  const status = query.archived === true ? 'archived' : query.status === undefined ? null : STATUSES[query.status]!;
  const found = [...entriesOf(caches, caller, query.queue_id, status)];
  return listJson(sliceOfPage(found, query), (one) => entryJson(caches, one));
};

/** The run at a place among those that need a review. */
const run: QueryHandler<InQueue & { index: string }> = (caches, caller, { queue_id: queueId, index }) => {
  requireQueue(caches, caller, queueId);
  let at = Number(index);
  for (const found of entriesOf(caches, caller, queueId, 'needs_review')) {
    if (at === 0) return entryJson(caches, found);
    at -= 1;
  }
  throw fail('QUEUE_RUN_NOT_FOUND', { id: `at ${index}` });
};

const size: QueryHandler<InQueue & { status: ReviewStatus | null }> = (
  caches,
  caller,
  { queue_id: queueId, status },
) => {
  requireQueue(caches, caller, queueId);
  return jsonBytes({ size: count(entriesOf(caches, caller, queueId, status)) });
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
  'queues.ofRun': ofRun,
};
