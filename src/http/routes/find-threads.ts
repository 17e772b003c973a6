import { ThreadCount, ThreadListQuery, ThreadSearch } from '../../../schemas/compiled/validators.js';
import type { Caller } from '../../domain/caller.js';
import type { Needs } from '../../services/context.js';
import { countThreads, searchThreads, type ThreadQuery } from '../../services/threads/find-threads.js';
import type { Exchange } from '../transport/exchange.js';
import { defineRoute, jsonReply, type Reply } from '../route.js';

export const listThreadsRoute = defineRoute({
  method: 'get',
  path: '/threads',
  action: 'threads:search',
  summary: 'List threads',
  query: ThreadListQuery,
  schemas: { query: 'ThreadListQuery' },
  handle({ query, caller, exchange }, services) {
    return searchReply(services, caller, exchange, query);
  },
});

export const searchThreadsRoute = defineRoute({
  method: 'post',
  path: '/threads/search',
  action: 'threads:search',
  summary: 'Search threads',
  body: ThreadSearch,
  schemas: { body: 'ThreadSearch' },
  handle({ body, caller, exchange }, services) {
    return searchReply(services, caller, exchange, body);
  },
});

export const countThreadsRoute = defineRoute({
  method: 'post',
  path: '/threads/count',
  action: 'threads:search',
  summary: 'Count threads',
  body: ThreadCount,
  schemas: { body: 'ThreadCount' },
  async handle({ body, caller, exchange }, services) {
    return jsonReply(
      String(await services.timeSlicer.run(countThreads(services, caller, body), () => exchange.aborted)),
    );
  },
});

export const findThreadRoutes = [listThreadsRoute, searchThreadsRoute, countThreadsRoute];

async function searchReply(
  services: Needs<'stores' | 'threads' | 'timeSlicer'>,
  caller: Caller,
  exchange: Exchange,
  query: ThreadQuery,
): Promise<Reply> {
  const page = await services.timeSlicer.run(searchThreads(services, caller, query), () => exchange.aborted);
  if (query.cursor !== undefined && query.cursor !== null)
    return jsonReply(page.json, page.cursor === null ? {} : { 'x-pagination-cursor': page.cursor });
  const [limit, offset] = [query.limit ?? 10, query.offset ?? 0];
  return jsonReply(page.json, {
    'x-pagination-total': String(offset + page.count + (page.more ? 1 : 0)),
    ...(page.more ? { 'x-pagination-next': String(offset + limit) } : {}),
  });
}
