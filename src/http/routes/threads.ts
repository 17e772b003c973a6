import { ThreadCreate, ThreadParams, ThreadPatch, ThreadQuery } from '../../../schemas/compiled/validators.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { createThread } from '../../services/threads/create-thread.js';
import { parseTtl } from '../../services/threads/thread-ttl.js';
import { deleteThread, getSettledThread, patchThread } from '../../services/threads/threads.js';
import { threadJson, taggedThreadJson } from '../../services/state/resource-json.js';
import { parseIfMatch, replyUnlessCached } from '../conditional.js';
import { defineRoute, jsonReply } from '../route.js';
import { findThreadRoutes } from './find-threads.js';
import { threadStateRoutes } from './thread-states.js';

export const createThreadRoute = defineRoute({
  method: 'post',
  path: '/threads',
  action: 'threads:create',
  summary: 'Create a thread',
  // Only a body with supersteps may be large.
  body: ThreadCreate,
  largeBody: true,
  mayBeLarge: (bytes) => bytes.includes('"supersteps"'),
  schemas: { body: 'ThreadCreate' },
  async handle({ body, bytes, caller }, services) {
    const bytesMax = LIMITS.queryBodyBytesMax;
    if (bytes.byteLength > bytesMax && (body.supersteps ?? []).length === 0) throw fail('BODY_TOO_LARGE', { bytesMax });
    const record = await createThread(services, caller, {
      threadId: body.thread_id?.toLowerCase() ?? null,
      metadata: body.metadata ?? {},
      ifExists: body.if_exists ?? 'raise',
      ttl: parseTtl(body.ttl ?? undefined),
      keepLast: body.keep_last ?? null,
      supersteps: body.supersteps ?? [],
    });
    return jsonReply(threadJson(services, caller, record));
  },
});

export const getThreadRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id',
  action: 'threads:read',
  summary: 'Get a thread with its latest values',
  params: ThreadParams,
  query: ThreadQuery,
  schemas: { params: 'ThreadParams', query: 'ThreadQuery' },
  async handle({ params, query, caller, exchange }, services) {
    const record = await getSettledThread(services, caller, params.thread_id);
    return replyUnlessCached(services, exchange, taggedThreadJson(services, caller, record, new Set(query.include)));
  },
});

export const updateThreadRoute = defineRoute({
  method: 'patch',
  path: '/threads/:thread_id',
  action: 'threads:update',
  summary: 'Merge metadata into a thread',
  params: ThreadParams,
  body: ThreadPatch,
  schemas: { params: 'ThreadParams', body: 'ThreadPatch' },
  async handle({ params, body, caller, headers, exchange }, services) {
    const record = await patchThread(services, caller, params.thread_id, {
      metadata: body.metadata ?? {},
      ttl: parseTtl(body.ttl),
      keepLast: body.keep_last,
      tagMatches: parseIfMatch(headers),
    });
    const { tag, json: shown } = taggedThreadJson(services, caller, record, new Set());
    if (/\breturn=minimal\b/.test(headers['prefer'] ?? '')) return { status: 204, body: '', headers: { etag: tag } };
    return jsonReply(await services.timeSlicer.run(shown(), () => exchange.aborted), { etag: tag });
  },
});

export const deleteThreadRoute = defineRoute({
  method: 'delete',
  path: '/threads/:thread_id',
  action: 'threads:delete',
  summary: 'Delete a thread with all its data',
  params: ThreadParams,
  schemas: { params: 'ThreadParams' },
  async handle({ params, caller }, services) {
    await deleteThread(services, caller, params.thread_id);
    return jsonReply('{}');
  },
});

export const threadRoutes = [
  createThreadRoute,
  ...findThreadRoutes,
  getThreadRoute,
  updateThreadRoute,
  deleteThreadRoute,
  ...threadStateRoutes,
];
