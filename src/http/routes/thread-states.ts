import {
  CheckpointParams,
  HistoryListQuery,
  HistoryQuery,
  StateAtCheckpoint,
  StateQuery,
  ThreadParams,
} from '../../../schemas/compiled/validators.js';
import { isObject, type JsonObject } from '../../base/json/json.js';
import type { Needs } from '../../services/context.js';
import { threadHistory, threadState, type HistoryQuery as History } from '../../services/state/state.js';
import { parseStateSelect } from '../../services/state/state-view.js';
import { getSettledThread } from '../../services/threads/threads.js';
import { replyUnlessCached } from '../conditional.js';
import { defineRoute, type HandlerContext, type Reply } from '../route.js';

export const getStateRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/state',
  action: 'threads:read',
  summary: 'Get the latest state of a thread',
  params: ThreadParams,
  query: StateQuery,
  schemas: { params: 'ThreadParams', query: 'StateQuery' },
  async handle({ params, query, caller, exchange }, services) {
    const thread = await getSettledThread(services, caller, params.thread_id);
    return replyUnlessCached(
      services,
      exchange,
      threadState(services, caller, thread, {
        ns: '',
        checkpointId: null,
        subgraphs: query.subgraphs ?? false,
        select: parseStateSelect(query.select),
      }),
    );
  },
});

export const getStateByIdRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/state/:checkpoint_id',
  action: 'threads:read',
  summary: 'Get the state of a thread at a checkpoint',
  params: CheckpointParams,
  query: StateQuery,
  schemas: { params: 'CheckpointParams', query: 'StateQuery' },
  async handle({ params, query, caller, exchange }, services) {
    const thread = await getSettledThread(services, caller, params.thread_id);
    return replyUnlessCached(
      services,
      exchange,
      threadState(services, caller, thread, {
        ns: '',
        checkpointId: params.checkpoint_id,
        subgraphs: query.subgraphs ?? false,
        select: parseStateSelect(query.select),
      }),
    );
  },
});

export const getStateAtCheckpointRoute = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/state/checkpoint',
  action: 'threads:read',
  summary: 'Get the state of a thread, or of one of its subgraphs, at a checkpoint',
  params: ThreadParams,
  body: StateAtCheckpoint,
  schemas: { params: 'ThreadParams', body: 'StateAtCheckpoint' },
  async handle({ params, body, caller, exchange }, services) {
    const thread = await getSettledThread(services, caller, params.thread_id);
    const { checkpoint } = body;
    return replyUnlessCached(
      services,
      exchange,
      threadState(services, caller, thread, {
        ns: checkpoint.checkpoint_ns ?? '',
        checkpointId: checkpoint.checkpoint_id ?? null,
        subgraphs: body.subgraphs ?? false,
        select: parseStateSelect(body.select),
      }),
    );
  },
});

export const searchHistoryRoute = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/history',
  action: 'threads:read',
  summary: 'List the states of a thread, newest first',
  params: ThreadParams,
  body: HistoryQuery,
  schemas: { params: 'ThreadParams', body: 'HistoryQuery' },
  handle(context, services) {
    return historyReply(context, services, context.body);
  },
});

export const listHistoryRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/history',
  action: 'threads:read',
  summary: 'List the states of a thread, newest first',
  params: ThreadParams,
  query: HistoryListQuery,
  schemas: { params: 'ThreadParams', query: 'HistoryListQuery' },
  handle(context, services) {
    return historyReply(context, services, context.query);
  },
});

export const threadStateRoutes = [
  getStateRoute,
  getStateByIdRoute,
  getStateAtCheckpointRoute,
  searchHistoryRoute,
  listHistoryRoute,
];

/** The parameters that both history routes have in common. */
interface HistoryParams {
  limit?: number | null;
  before?: string | JsonObject | null;
  metadata?: JsonObject | null;
  checkpoint?: { checkpoint_ns?: string | null } | null;
  select?: string[] | null;
}

async function historyReply(
  { params, caller, exchange }: HandlerContext<{ thread_id: string }, unknown, unknown>,
  services: Needs<'stores' | 'threads' | 'timeSlicer'>,
  given: HistoryParams,
): Promise<Reply> {
  const thread = await getSettledThread(services, caller, params.thread_id);
  const query: History = {
    ns: given.checkpoint?.checkpoint_ns ?? '',
    limit: given.limit ?? 10,
    before: checkpointIdOf(given.before),
    metadata: given.metadata ?? null,
    select: parseStateSelect(given.select),
  };
  return replyUnlessCached(
    services,
    exchange,
    await services.timeSlicer.run(threadHistory(services, caller, thread, query), () => exchange.aborted),
  );
}

/**
 * The Python client sends the id, the JS client a checkpoint or a config (agent-server.md, trap 12). In a query
 * string either may be JSON text.
 */
function checkpointIdOf(before: string | JsonObject | null | undefined): string | null {
  if (before === undefined || before === null) return null;
  if (typeof before === 'string') return before.startsWith('{') ? checkpointIdOf(parseObject(before)) : before;
  const { configurable } = before;
  const id = (isObject(configurable) ? configurable : before)['checkpoint_id'];
  return typeof id === 'string' ? id : null;
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
