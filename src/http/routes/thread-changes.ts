import { StatePatch, StateUpdate, ThreadParams, ThreadPrune } from '../../../schemas/compiled/validators.js';
import { copyThread } from '../../services/threads/copy-thread.js';
import { editState, type Superstep } from '../../services/state/edit-state.js';
import { pruneThreads } from '../../services/threads/prune-threads.js';
import { threadStorage } from '../../services/threads/thread-storage.js';
import { getSettledThread, patchThread } from '../../services/threads/threads.js';
import { threadJson } from '../../services/state/resource-json.js';
import { defineRoute, jsonReply } from '../route.js';

export const updateStateRoute = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/state',
  action: 'threads:update',
  summary: 'Update the state of a thread',
  params: ThreadParams,
  body: StateUpdate,
  largeBody: true,
  schemas: { params: 'ThreadParams', body: 'StateUpdate' },
  async handle({ params, body, caller }, services) {
    const step: Superstep = {
      updates: [
        { values: body.values ?? null, ...(typeof body.as_node === 'string' ? { as_node: body.as_node } : {}) },
      ],
    };
    const checkpoint = await editState(services, caller, params.thread_id, {
      supersteps: [step],
      base: {
        ns: body.checkpoint?.checkpoint_ns ?? '',
        checkpointId: body.checkpoint_id ?? body.checkpoint?.checkpoint_id ?? null,
      },
    });
    return jsonReply(JSON.stringify({ checkpoint }));
  },
});

export const patchThreadMetadataRoute = defineRoute({
  method: 'patch',
  path: '/threads/:thread_id/state',
  action: 'threads:update',
  summary: 'Merge metadata into a thread',
  params: ThreadParams,
  body: StatePatch,
  schemas: { params: 'ThreadParams', body: 'StatePatch' },
  async handle({ params, body, caller }, services) {
    await patchThread(services, caller, params.thread_id, { metadata: body.metadata ?? {} });
    return { status: 204, body: '' };
  },
});

export const copyThreadRoute = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/copy',
  action: 'threads:create',
  additionalActions: ['threads:read'],
  summary: 'Copy a thread with its state and history',
  params: ThreadParams,
  schemas: { params: 'ThreadParams' },
  async handle({ params, caller }, services) {
    return jsonReply(threadJson(services, caller, await copyThread(services, caller, params.thread_id)));
  },
});

export const pruneThreadsRoute = defineRoute({
  method: 'post',
  path: '/threads/prune',
  action: 'threads:delete',
  summary: 'Delete threads, or all but their newest state',
  body: ThreadPrune,
  schemas: { body: 'ThreadPrune' },
  async handle({ body, caller }, services) {
    const pruned = await pruneThreads(
      services,
      caller,
      [...new Set(body.thread_ids.map((id) => id.toLowerCase()))],
      body.strategy ?? 'delete',
    );
    return jsonReply(JSON.stringify({ pruned_count: pruned }));
  },
});

export const getThreadStorageRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/storage',
  action: 'threads:read',
  summary: 'Show how much disk space a thread uses',
  params: ThreadParams,
  schemas: { params: 'ThreadParams' },
  async handle({ params, caller }, services) {
    const thread = await getSettledThread(services, caller, params.thread_id);
    return jsonReply(JSON.stringify(await threadStorage(services, caller, thread)));
  },
});

export const threadChangeRoutes = [
  updateStateRoute,
  patchThreadMetadataRoute,
  copyThreadRoute,
  pruneThreadsRoute,
  getThreadStorageRoute,
];
