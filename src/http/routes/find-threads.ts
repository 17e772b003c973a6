import { ThreadCount, ThreadListQuery, ThreadSearch } from '../../../schemas/compiled/validators.js';
import type { Caller } from '../../domain/caller.js';
import type { Services } from '../../services/context.js';
import { countThreads, searchThreads, type ThreadQuery } from '../../services/threads/find-threads.js';
import type { Exchange } from '../transport/exchange.js';
import { defineRoute, json, type Reply } from '../route.js';

export const listThreadsRoute = defineRoute({
  method: 'get',
  path: '/threads',
  action: 'threads:search',
  summary: 'List threads',
  query: ThreadListQuery,
  schemas: { query: 'ThreadListQuery' },
  handle({ query, caller, exchange }, services) {
    return found(services, caller, exchange, query);
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
    return found(services, caller, exchange, body);
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
    return json(String(await services.turns.run(countThreads(services, caller, body), () => exchange.aborted)));
  },
});

export const findThreadRoutes = [listThreadsRoute, searchThreadsRoute, countThreadsRoute];

async function found(services: Services, caller: Caller, exchange: Exchange, asked: ThreadQuery): Promise<Reply> {
  const page = await services.turns.run(searchThreads(services, caller, asked), () => exchange.aborted);
  if (asked.cursor !== undefined && asked.cursor !== null)
    return json(page.json, page.cursor === null ? {} : { 'x-pagination-cursor': page.cursor });
  const [limit, offset] = [asked.limit ?? 10, asked.offset ?? 0];
  return json(page.json, {
    'x-pagination-total': String(offset + page.count + (page.more ? 1 : 0)),
    ...(page.more ? { 'x-pagination-next': String(offset + limit) } : {}),
  });
}
