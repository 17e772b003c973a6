import { CheckpointParams, HistoryListQuery, HistoryQuery, StateAtCheckpoint, StateQuery, ThreadCreate, ThreadGetQuery, ThreadListQuery, ThreadParams, ThreadPatch, ThreadSearch } from '../../../schemas/compiled/validators.js';
import { isObject, type JsonObject } from '../../base/json.js';
import type { Caller } from '../../base/caller.js';
import type { ThreadQuery } from '../../store/threads.js';
import type { Services } from '../../services/context.js';
import { threadHistory, threadState } from '../../services/state.js';
import { ttlJson, ttlOf } from '../../services/thread-ttl.js';
import { createThread } from '../../services/create-thread.js';
import { deleteThread, getFreshThread, patchThread, searchThreads } from '../../services/threads.js';
import { threadJson } from '../../services/views.js';
import type { Select } from '../../store/run-json.js';
import { page } from '../pages.js';
import { defineRoute, json, type Reply } from '../route.js';

export const create = defineRoute({
  method: 'post', path: '/threads', action: 'threads:create',
  summary: 'Create a thread',
  body: ThreadCreate, largeBody: true, schemas: { body: 'ThreadCreate' },
  async handle({ body, caller }, services) {
    const record = await createThread(services, caller, {
      threadId: body.thread_id?.toLowerCase() ?? null,
      metadata: body.metadata ?? {},
      ifExists: body.if_exists ?? 'raise',
      ttl: ttlOf(body.ttl ?? undefined),
      supersteps: body.supersteps ?? [],
    });
    return json(threadJson(services, caller, record));
  },
});

export const list = defineRoute({
  method: 'get', path: '/threads', action: 'threads:search',
  summary: 'List threads',
  query: ThreadListQuery, schemas: { query: 'ThreadListQuery' },
  handle({ query, caller }, services) {
    return found(services, caller, {
      limit: query.limit ?? 10,
      offset: query.offset ?? 0,
      ...(query.status === undefined ? {} : { status: query.status }),
      ...(query.metadata === undefined ? {} : { metadata: query.metadata }),
      ...(query.sort_by === undefined ? {} : { sortBy: query.sort_by }),
      ...(query.sort_order === undefined ? {} : { sortOrder: query.sort_order }),
    }, null);
  },
});

export const search = defineRoute({
  method: 'post', path: '/threads/search', action: 'threads:search',
  summary: 'Search threads',
  body: ThreadSearch, schemas: { body: 'ThreadSearch' },
  handle({ body, caller }, services) {
    return found(services, caller, {
      limit: body.limit ?? 10,
      offset: body.offset ?? 0,
      ...(body.ids ? { ids: [...new Set(body.ids.map((id) => id.toLowerCase()))] } : {}),
      ...(body.metadata ? { metadata: body.metadata } : {}),
      ...(body.values ? { values: body.values } : {}),
      ...(body.status ? { status: body.status } : {}),
      ...(body.sort_by ? { sortBy: body.sort_by } : {}),
      ...(body.sort_order ? { sortOrder: body.sort_order } : {}),
    }, body.select && body.select.length > 0 ? new Set<string>(body.select) : null);
  },
});

export const get = defineRoute({
  method: 'get', path: '/threads/:thread_id', action: 'threads:read',
  summary: 'One thread with its latest values',
  params: ThreadParams, query: ThreadGetQuery, schemas: { params: 'ThreadParams', query: 'ThreadGetQuery' },
  async handle({ params, query, caller }, services) {
    const record = await getFreshThread(services, caller, params.thread_id);
    const body = threadJson(services, caller, record);
    return json(query.include?.includes('ttl') === true ? `${body.slice(0, -1)},"ttl":${ttlJson(record)}}` : body);
  },
});

export const patch = defineRoute({
  method: 'patch', path: '/threads/:thread_id', action: 'threads:update',
  summary: 'Merge metadata into a thread',
  params: ThreadParams, body: ThreadPatch, schemas: { params: 'ThreadParams', body: 'ThreadPatch' },
  async handle({ params, body, caller, headers }, services) {
    const record = await patchThread(services, caller, params.thread_id, { metadata: body.metadata ?? {}, ttl: ttlOf(body.ttl) });
    if (headers['prefer']?.includes('return=minimal')) return { status: 204, body: '' };
    return json(threadJson(services, caller, record));
  },
});

export const remove = defineRoute({
  method: 'delete', path: '/threads/:thread_id', action: 'threads:delete',
  summary: 'Delete a thread with all that belongs to it',
  params: ThreadParams, schemas: { params: 'ThreadParams' },
  async handle({ params, caller }, services) {
    await deleteThread(services, caller, params.thread_id);
    return json('{}');
  },
});

export const state = defineRoute({
  method: 'get', path: '/threads/:thread_id/state', action: 'threads:read',
  summary: 'The latest state of a thread',
  params: ThreadParams, query: StateQuery, schemas: { params: 'ThreadParams', query: 'StateQuery' },
  async handle({ params, query, caller }, services) {
    const thread = await getFreshThread(services, caller, params.thread_id);
    return json(threadState(services, caller, thread, { ns: '', checkpointId: null, subgraphs: query.subgraphs ?? false }));
  },
});

export const stateById = defineRoute({
  method: 'get', path: '/threads/:thread_id/state/:checkpoint_id', action: 'threads:read',
  summary: 'The state of a thread at a checkpoint',
  params: CheckpointParams, query: StateQuery, schemas: { params: 'CheckpointParams', query: 'StateQuery' },
  async handle({ params, query, caller }, services) {
    const thread = await getFreshThread(services, caller, params.thread_id);
    return json(threadState(services, caller, thread, { ns: '', checkpointId: params.checkpoint_id, subgraphs: query.subgraphs ?? false }));
  },
});

export const stateAtCheckpoint = defineRoute({
  method: 'post', path: '/threads/:thread_id/state/checkpoint', action: 'threads:read',
  summary: 'The state of a thread, or of a subgraph in it, at a checkpoint',
  params: ThreadParams, body: StateAtCheckpoint, schemas: { params: 'ThreadParams', body: 'StateAtCheckpoint' },
  async handle({ params, body, caller }, services) {
    const thread = await getFreshThread(services, caller, params.thread_id);
    const { checkpoint } = body;
    return json(threadState(services, caller, thread, { ns: checkpoint.checkpoint_ns ?? '', checkpointId: checkpoint.checkpoint_id ?? null, subgraphs: body.subgraphs ?? false }));
  },
});

export const history = defineRoute({
  method: 'post', path: '/threads/:thread_id/history', action: 'threads:read',
  summary: 'States of a thread, newest first',
  params: ThreadParams, body: HistoryQuery, schemas: { params: 'ThreadParams', body: 'HistoryQuery' },
  async handle({ params, body, caller }, services) {
    const thread = await getFreshThread(services, caller, params.thread_id);
    return json(threadHistory(services, caller, thread, {
      ns: body.checkpoint?.checkpoint_ns ?? '',
      limit: body.limit ?? 10,
      before: checkpointIdOf(body.before),
      metadata: body.metadata ?? null,
    }));
  },
});

export const historyList = defineRoute({
  method: 'get', path: '/threads/:thread_id/history', action: 'threads:read',
  summary: 'States of a thread, newest first',
  params: ThreadParams, query: HistoryListQuery, schemas: { params: 'ThreadParams', query: 'HistoryListQuery' },
  async handle({ params, query, caller }, services) {
    const thread = await getFreshThread(services, caller, params.thread_id);
    return json(threadHistory(services, caller, thread, { ns: '', limit: query.limit ?? 10, before: query.before ?? null, metadata: null }));
  },
});

export const threadRoutes = [create, list, search, get, patch, remove, state, stateById, stateAtCheckpoint, history, historyList];

function found(services: Services, caller: Caller, query: Omit<ThreadQuery, 'where'> & { values?: JsonObject }, select: Select): Reply {
  return page(query, searchThreads(services, caller, query), (record) => threadJson(services, caller, record, select));
}

/** PY sends the id, JS a checkpoint or a config (agent-server.md, trap 12). */
function checkpointIdOf(before: string | JsonObject | null | undefined): string | null {
  if (before === undefined || before === null || typeof before === 'string') return before ?? null;
  const { configurable } = before;
  const id = (isObject(configurable) ? configurable : before)['checkpoint_id'];
  return typeof id === 'string' ? id : null;
}
