import {
  QueueItemIdParams,
  QueueItemPlaceParams,
  QueueItemsAdd,
  QueueItemsCountQuery,
  QueueItemsDelete,
  QueueItemsQuery,
  QueueItemStatus,
  QueueParams,
  QueueRunPatch,
} from '../../../../schemas/compiled/validators.js';
import type { Problem } from '../../../base/errors.js';
import { canonicalUuid } from '../../../base/ids.js';
import { isoMicros } from '../../../base/micros.js';
import { invalidRequest } from '../../../base/request-problems.js';
import type { ReviewChange } from '../../../domain/queue-reviews.js';
import {
  addQueueRuns,
  changeQueueEntry,
  removeQueueRuns,
  reviewQueueEntry,
} from '../../../services/evaluation/annotation-queues.js';
import { defineRoute, jsonReply } from '../../route.js';
import { readTimes } from './annotation-queues.js';
import { readRequestObject } from './body.js';
import { changeAndConfirm, changeAndRead } from './change.js';
import { runQuery } from './run-query.js';

/** Items are the entries of queues in the words of the newest clients. Items of threads are not supported. */

const addQueueItemsRoute = defineRoute({
  method: 'post',
  path: '/annotation-queues/:queue_id/items',
  action: 'experiments:update',
  errors: 'problem',
  summary: 'Add runs to an annotation queue as items',
  params: QueueParams,
  body: QueueItemsAdd,
  schemas: { params: 'QueueParams', body: 'QueueItemsAdd' },
  handle: ({ params: { queue_id: queueId }, body, caller }, services) =>
    changeAndRead(services, caller, 'queues.itemsById', async () => {
      const entries = await addQueueRuns(services.evaluation, caller, queueId, runIdsOf(body.items));
      return { queue_id: queueId, item_ids: entries.map(({ entryId }) => entryId) };
    }),
});

/** Throws INVALID_REQUEST for items that are not runs. */
function runIdsOf(items: readonly { item_type?: string | null; run_id?: string | null }[]): string[] {
  const problems: Problem[] = [];
  const runIds = items.map(({ item_type: type, run_id: runId }, at) => {
    if (type != null && type.toUpperCase() !== 'RUN')
      problems.push({ loc: ['items', at, 'item_type'], msg: 'must be RUN on this server', type: 'not_supported' });
    else if (runId == null) problems.push({ loc: ['items', at, 'run_id'], msg: 'is required', type: 'missing' });
    return runId ?? '';
  });
  if (problems.length > 0) throw invalidRequest('body', problems);
  return runIds;
}

const listQueueItemsRoute = defineRoute({
  method: 'get',
  path: '/annotation-queues/:queue_id/items',
  action: 'experiments:read',
  errors: 'problem',
  summary: 'List the items of an annotation queue in one section, for the caller',
  params: QueueParams,
  query: QueueItemsQuery,
  schemas: { params: 'QueueParams', query: 'QueueItemsQuery' },
  handle: ({ params, query, caller }, services) => runQuery(services, caller, 'queues.items', { ...query, ...params }),
});

const countQueueItemsRoute = defineRoute({
  method: 'get',
  path: '/annotation-queues/:queue_id/items/count',
  action: 'experiments:read',
  errors: 'problem',
  summary: 'Count the items of an annotation queue in one section, for the caller',
  params: QueueParams,
  query: QueueItemsCountQuery,
  schemas: { params: 'QueueParams', query: 'QueueItemsCountQuery' },
  handle: ({ params, query, caller }, services) =>
    runQuery(services, caller, 'queues.itemCount', { ...query, ...params }),
});

const getQueueItemPlacementRoute = defineRoute({
  method: 'get',
  path: '/annotation-queues/:queue_id/items/:item_id/placement',
  action: 'experiments:read',
  errors: 'problem',
  summary: 'Get section and place of an item of an annotation queue, for the caller',
  params: QueueItemPlaceParams,
  schemas: { params: 'QueueItemPlaceParams' },
  handle: ({ params, caller }, services) => runQuery(services, caller, 'queues.placement', params),
});

const updateQueueItemRoute = defineRoute({
  method: 'patch',
  path: '/annotation-queues/:queue_id/items/:item_id',
  action: 'experiments:update',
  errors: 'problem',
  summary: 'Change the place or the time of the review of an item',
  params: QueueItemPlaceParams,
  body: QueueRunPatch,
  schemas: { params: 'QueueItemPlaceParams', body: 'QueueRunPatch' },
  handle: ({ params: { queue_id: queueId, item_id: id }, bytes, caller }, services) =>
    changeAndRead(services, caller, 'queues.itemsById', async () => {
      await changeQueueEntry(services.evaluation, caller, { queueId, id }, readTimes(bytes));
      return { queue_id: queueId, item_ids: [id], single: true };
    }),
});

const setQueueItemStatusRoute = defineRoute({
  method: 'post',
  path: '/annotation-queues/items/:queue_item_id/status',
  action: 'experiments:update',
  errors: 'problem',
  summary: 'Mark an item of an annotation queue as viewed or completed by the caller, or as neither',
  params: QueueItemIdParams,
  body: QueueItemStatus,
  schemas: { params: 'QueueItemIdParams', body: 'QueueItemStatus' },
  async handle({ params, bytes, caller }, { evaluation, scheduler }) {
    scheduler.checkIntake();
    const read = readRequestObject(bytes, QueueItemStatus);
    const addedAtUs = read.timeUs('override_added_at');
    const status = read.text('status');
    read.finish();
    const { entry, isArchived } = await reviewQueueEntry(evaluation, caller, params.queue_item_id, {
      change: (status ?? 'open') as ReviewChange,
      addedAtUs,
    });
    return jsonReply(
      JSON.stringify({
        queue_item_id: entry.entryId,
        status,
        is_archived: isArchived,
        override_added_at: addedAtUs === null ? null : isoMicros(addedAtUs),
      }),
    );
  },
});

const deleteQueueItemsRoute = defineRoute({
  method: 'post',
  path: '/annotation-queues/:queue_id/items/delete',
  action: 'experiments:update',
  errors: 'problem',
  summary: 'Remove items from an annotation queue: all of them or none',
  params: QueueParams,
  body: QueueItemsDelete,
  schemas: { params: 'QueueParams', body: 'QueueItemsDelete' },
  handle: ({ params, body, caller }, services) =>
    changeAndConfirm(services, () =>
      removeQueueRuns(
        services.evaluation,
        caller,
        params.queue_id,
        body.item_ids.map((id) => canonicalUuid(id) ?? id),
      ),
    ),
});

/** Mounted beside the other routes of `/platform`. */
export const queueItemRoutes = [
  addQueueItemsRoute,
  listQueueItemsRoute,
  countQueueItemsRoute,
  getQueueItemPlacementRoute,
  updateQueueItemRoute,
  setQueueItemStatusRoute,
  deleteQueueItemsRoute,
];
