import {
  AnnotationQueueCreate,
  AnnotationQueueListQuery,
  AnnotationQueuePatch,
  QueueIndexParams,
  QueueItemParams,
  QueueParams,
  QueuePopulate,
  QueueRunAdd,
  QueueRunDelete,
  QueueRunListQuery,
  QueueRunParams,
  QueueRunPatch,
  QueueRunStatus,
  QueueSizeQuery,
} from '../../../../schemas/compiled/validators.js';
import { canonicalUuid } from '../../../base/ids.js';
import type { ReviewChange } from '../../../domain/queue-reviews.js';
import { isoMicros } from '../../../base/micros.js';
import {
  addManyQueueRuns,
  addQueueRuns,
  changeQueueEntry,
  clearQueue,
  createQueue,
  deleteQueue,
  patchQueue,
  removeQueueRuns,
  reviewQueueEntry,
} from '../../../services/evaluation/annotation-queues.js';
import type { QueueEntry } from '../../../store/evaluation/annotation-queues.js';
import { defineRoute, jsonReply } from '../../route.js';
import { readRequestObject } from './body.js';
import { changeAndConfirm, changeAndRead } from './change.js';
import { runQuery } from './run-query.js';

/** Queues have the actions of experiments, so that existing handlers separate them (docs/decisions/0053). */

export const createQueueRoute = defineRoute({
  method: 'post',
  path: '/annotation-queues',
  action: 'experiments:create',
  errors: 'evaluation',
  summary: 'Create an annotation queue',
  body: AnnotationQueueCreate,
  schemas: { body: 'AnnotationQueueCreate' },
  handle: ({ bytes, caller }, services) =>
    changeAndRead(services, caller, 'queues.plain', async () => ({
      queue_id: await createQueue(services.evaluation, caller, readRequestObject(bytes, AnnotationQueueCreate)),
    })),
});

export const listQueuesRoute = defineRoute({
  method: 'get',
  path: '/annotation-queues',
  action: 'experiments:search',
  errors: 'evaluation',
  summary: 'List annotation queues',
  query: AnnotationQueueListQuery,
  schemas: { query: 'AnnotationQueueListQuery' },
  handle: ({ query, caller }, services) => runQuery(services, caller, 'queues.list', query),
});

export const getQueueRoute = defineRoute({
  method: 'get',
  path: '/annotation-queues/:queue_id',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'Get an annotation queue with its rubric',
  params: QueueParams,
  schemas: { params: 'QueueParams' },
  handle: ({ params, caller }, services) => runQuery(services, caller, 'queues.get', params),
});

export const updateQueueRoute = defineRoute({
  method: 'patch',
  path: '/annotation-queues/:queue_id',
  action: 'experiments:update',
  errors: 'evaluation',
  summary: 'Update an annotation queue',
  params: QueueParams,
  body: AnnotationQueuePatch,
  schemas: { params: 'QueueParams', body: 'AnnotationQueuePatch' },
  handle: ({ params, bytes, caller }, services) =>
    changeAndRead(services, caller, 'queues.get', async () => {
      const read = readRequestObject(bytes, AnnotationQueuePatch);
      await patchQueue(services.evaluation, caller, params.queue_id, read);
      return params;
    }),
});

export const deleteQueueRoute = defineRoute({
  method: 'delete',
  path: '/annotation-queues/:queue_id',
  action: 'experiments:delete',
  errors: 'evaluation',
  summary: 'Delete an annotation queue; its runs stay',
  params: QueueParams,
  schemas: { params: 'QueueParams' },
  handle: ({ params, caller }, services) =>
    changeAndConfirm(services, () => deleteQueue(services.evaluation, caller, params.queue_id)),
});

function entryJson({ entryId, queueId, runId, addedAtUs, reviewedAtUs }: QueueEntry): object {
  return {
    id: entryId,
    queue_id: queueId,
    run_id: runId,
    added_at: isoMicros(addedAtUs),
    last_reviewed_time: reviewedAtUs === null ? null : isoMicros(reviewedAtUs),
    source_proposed_example_id: null,
  };
}

const addRunsRoute = (path: string, summary: string): ReturnType<typeof defineRoute> =>
  defineRoute({
    method: 'post',
    path,
    action: 'experiments:update',
    errors: 'evaluation',
    summary,
    params: QueueParams,
    body: QueueRunAdd,
    schemas: { params: 'QueueParams', body: 'QueueRunAdd' },
    async handle({ params, body, caller }, { evaluation, scheduler }) {
      scheduler.checkIntake();
      const entries = await addQueueRuns(evaluation, caller, params.queue_id, body);
      return jsonReply(JSON.stringify(entries.map(entryJson)));
    },
  });

export const addQueueRunsRoute = addRunsRoute('/annotation-queues/:queue_id/runs', 'Add runs to an annotation queue');
export const addQueueRunsByKeyRoute = addRunsRoute(
  '/annotation-queues/:queue_id/runs/by-key',
  'Add runs to an annotation queue, as objects with run_id',
);

export const listQueueRunsRoute = defineRoute({
  method: 'get',
  path: '/annotation-queues/:queue_id/runs',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'List the runs of an annotation queue',
  params: QueueParams,
  query: QueueRunListQuery,
  schemas: { params: 'QueueParams', query: 'QueueRunListQuery' },
  handle: ({ params, query, caller }, services) => runQuery(services, caller, 'queues.runs', { ...query, ...params }),
});

export const getQueueRunRoute = defineRoute({
  method: 'get',
  path: '/annotation-queues/:queue_id/run/:index',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'Get the run at a place among those that need a review',
  params: QueueIndexParams,
  schemas: { params: 'QueueIndexParams' },
  handle: ({ params, caller }, services) => runQuery(services, caller, 'queues.run', params),
});

export const updateQueueRunRoute = defineRoute({
  method: 'patch',
  path: '/annotation-queues/:queue_id/runs/:queue_run_id',
  action: 'experiments:update',
  errors: 'evaluation',
  summary: 'Change the place or the time of the review of a run in a queue',
  params: QueueRunParams,
  body: QueueRunPatch,
  schemas: { params: 'QueueRunParams', body: 'QueueRunPatch' },
  handle: ({ params, bytes, caller }, services) =>
    changeAndConfirm(services, async () => {
      const place = { queueId: params.queue_id, id: params.queue_run_id };
      await changeQueueEntry(services.evaluation, caller, place, readTimes(bytes));
    }),
});

/** Times that are missing or null stay. */
export function readTimes(bytes: Uint8Array): Partial<Pick<QueueEntry, 'addedAtUs' | 'reviewedAtUs'>> {
  const read = readRequestObject(bytes, QueueRunPatch);
  const [addedAtUs, reviewedAtUs] = [read.timeUs('added_at'), read.timeUs('last_reviewed_time')];
  read.finish();
  return { ...(addedAtUs === null ? {} : { addedAtUs }), ...(reviewedAtUs === null ? {} : { reviewedAtUs }) };
}

export const setQueueRunStatusRoute = defineRoute({
  method: 'post',
  path: '/annotation-queues/status/:queue_run_id',
  action: 'experiments:update',
  errors: 'evaluation',
  summary: 'Mark a run in a queue as completed, archived, or in need of a review',
  params: QueueItemParams,
  body: QueueRunStatus,
  schemas: { params: 'QueueItemParams', body: 'QueueRunStatus' },
  handle: ({ params, bytes, caller }, services) =>
    changeAndConfirm(services, async () => {
      const read = readRequestObject(bytes, QueueRunStatus);
      const addedAtUs = read.timeUs('override_added_at');
      const change = (read.text('status') ?? 'open') as ReviewChange;
      read.finish();
      await reviewQueueEntry(services.evaluation, caller, params.queue_run_id, { change, addedAtUs });
    }),
});

export const deleteQueueRunRoute = defineRoute({
  method: 'delete',
  path: '/annotation-queues/:queue_id/runs/:queue_run_id',
  action: 'experiments:update',
  errors: 'evaluation',
  summary: 'Remove a run from an annotation queue',
  params: QueueRunParams,
  schemas: { params: 'QueueRunParams' },
  handle: ({ params, caller }, services) =>
    changeAndConfirm(services, () =>
      removeQueueRuns(services.evaluation, caller, params.queue_id, [params.queue_run_id]),
    ),
});

export const deleteQueueRunsRoute = defineRoute({
  method: 'post',
  path: '/annotation-queues/:queue_id/runs/delete',
  action: 'experiments:update',
  errors: 'evaluation',
  summary: 'Remove runs from an annotation queue, or all but some',
  params: QueueParams,
  body: QueueRunDelete,
  schemas: { params: 'QueueParams', body: 'QueueRunDelete' },
  handle: ({ params, body, caller }, services) =>
    changeAndConfirm(services, () => {
      const idsOf = (given: readonly string[] | null | undefined): string[] =>
        (given ?? []).map((id) => canonicalUuid(id) ?? id);
      return body.delete_all === true
        ? clearQueue(services.evaluation, caller, params.queue_id, new Set(idsOf(body.exclude_run_ids)))
        : removeQueueRuns(services.evaluation, caller, params.queue_id, idsOf(body.run_ids));
    }),
});

const sizeRoute = (
  name: string,
  kind: 'pending' | 'all' | 'archived',
  summary: string,
): ReturnType<typeof defineRoute> =>
  defineRoute({
    method: 'get',
    path: `/annotation-queues/:queue_id/${name}`,
    action: 'experiments:read',
    errors: 'evaluation',
    summary,
    params: QueueParams,
    query: QueueSizeQuery,
    schemas: { params: 'QueueParams', query: 'QueueSizeQuery' },
    handle: ({ params, query, caller }, services) =>
      runQuery(services, caller, 'queues.size', { ...query, ...params, kind }),
  });

export const getQueueSizeRoute = sizeRoute('size', 'pending', 'Count the runs of a queue that need a review');
export const getQueueTotalSizeRoute = sizeRoute('total_size', 'all', 'Count all runs of a queue');
export const getQueueArchivedSizeRoute = sizeRoute(
  'total_archived',
  'archived',
  'Count the runs of a queue that need no review any more',
);

export const populateQueueRoute = defineRoute({
  method: 'post',
  path: '/annotation-queues/populate',
  action: 'experiments:update',
  errors: 'evaluation',
  summary: 'Add the root runs of experiments to an annotation queue',
  body: QueuePopulate,
  schemas: { body: 'QueuePopulate' },
  handle: ({ body, caller }, services) =>
    changeAndConfirm(services, async () => {
      const { evaluation } = services;
      const found = await evaluation.pool.read('queues.rootRuns', caller, { session_ids: body.session_ids });
      const runIds = JSON.parse(Buffer.from(found.body).toString()) as string[];
      await addManyQueueRuns(evaluation, caller, body.queue_id, runIds);
    }),
});

export const listQueuesOfRunRoute = defineRoute({
  method: 'get',
  path: '/annotation-queues/:queue_id/queues',
  action: 'experiments:search',
  errors: 'evaluation',
  summary: 'List the queues of a run, whose id takes the place of the id of a queue',
  params: QueueParams,
  schemas: { params: 'QueueParams' },
  handle: ({ params, caller }, services) => runQuery(services, caller, 'queues.ofRun', { run_id: params.queue_id }),
});

export const annotationQueueRoutes = [
  populateQueueRoute,
  createQueueRoute,
  listQueuesRoute,
  getQueueRoute,
  updateQueueRoute,
  deleteQueueRoute,
  addQueueRunsRoute,
  addQueueRunsByKeyRoute,
  listQueueRunsRoute,
  getQueueRunRoute,
  updateQueueRunRoute,
  setQueueRunStatusRoute,
  deleteQueueRunRoute,
  deleteQueueRunsRoute,
  getQueueSizeRoute,
  getQueueTotalSizeRoute,
  getQueueArchivedSizeRoute,
  listQueuesOfRunRoute,
];
