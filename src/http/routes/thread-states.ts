import {
  CheckpointParams,
  HistoryListQuery,
  HistoryQuery,
  StateAtCheckpoint,
  StateQuery,
  ThreadParams,
} from '../../../schemas/compiled/validators.js';
import type { Caller } from '../../domain/caller.js';
import { isObject, type JsonObject } from '../../base/json/json.js';
import type { Services } from '../../services/context.js';
import { threadHistory, threadState, type HistoryQuery as History } from '../../services/state/state.js';
import { stateSelect } from '../../services/state/state-view.js';
import { getFreshThread } from '../../services/threads/threads.js';
import { unlessKnown } from '../conditional.js';
import type { Exchange } from '../transport/exchange.js';
import { defineRoute, type Reply } from '../route.js';

export const state = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/state',
  action: 'threads:read',
  summary: 'The latest state of a thread',
  params: ThreadParams,
  query: StateQuery,
  schemas: { params: 'ThreadParams', query: 'StateQuery' },
  async handle({ params, query, caller, exchange }, services) {
    const thread = await getFreshThread(services, caller, params.thread_id);
    return unlessKnown(
      services,
      exchange,
      threadState(services, caller, thread, {
        ns: '',
        checkpointId: null,
        subgraphs: query.subgraphs ?? false,
        select: stateSelect(query.select),
      }),
    );
  },
});

export const stateById = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/state/:checkpoint_id',
  action: 'threads:read',
  summary: 'The state of a thread at a checkpoint',
  params: CheckpointParams,
  query: StateQuery,
  schemas: { params: 'CheckpointParams', query: 'StateQuery' },
  async handle({ params, query, caller, exchange }, services) {
    const thread = await getFreshThread(services, caller, params.thread_id);
    return unlessKnown(
      services,
      exchange,
      threadState(services, caller, thread, {
        ns: '',
        checkpointId: params.checkpoint_id,
        subgraphs: query.subgraphs ?? false,
        select: stateSelect(query.select),
      }),
    );
  },
});

export const stateAtCheckpoint = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/state/checkpoint',
  action: 'threads:read',
  summary: 'The state of a thread, or of a subgraph in it, at a checkpoint',
  params: ThreadParams,
  body: StateAtCheckpoint,
  schemas: { params: 'ThreadParams', body: 'StateAtCheckpoint' },
  async handle({ params, body, caller, exchange }, services) {
    const thread = await getFreshThread(services, caller, params.thread_id);
    const { checkpoint } = body;
    return unlessKnown(
      services,
      exchange,
      threadState(services, caller, thread, {
        ns: checkpoint.checkpoint_ns ?? '',
        checkpointId: checkpoint.checkpoint_id ?? null,
        subgraphs: body.subgraphs ?? false,
        select: stateSelect(body.select),
      }),
    );
  },
});

export const history = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/history',
  action: 'threads:read',
  summary: 'States of a thread, newest first',
  params: ThreadParams,
  body: HistoryQuery,
  schemas: { params: 'ThreadParams', body: 'HistoryQuery' },
  handle({ params, body, caller, exchange }, services) {
    return states(services, caller, exchange, params.thread_id, body);
  },
});

export const historyList = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/history',
  action: 'threads:read',
  summary: 'States of a thread, newest first',
  params: ThreadParams,
  query: HistoryListQuery,
  schemas: { params: 'ThreadParams', query: 'HistoryListQuery' },
  handle({ params, query, caller, exchange }, services) {
    return states(services, caller, exchange, params.thread_id, query);
  },
});

export const threadStateRoutes = [state, stateById, stateAtCheckpoint, history, historyList];

/** What of a history both forms ask for. */
interface AskedHistory {
  limit?: number | null;
  before?: string | JsonObject | null;
  metadata?: JsonObject | null;
  checkpoint?: { checkpoint_ns?: string | null } | null;
  select?: string[] | null;
}

async function states(
  services: Services,
  caller: Caller,
  exchange: Exchange,
  threadId: string,
  asked: AskedHistory,
): Promise<Reply> {
  const thread = await getFreshThread(services, caller, threadId);
  const query: History = {
    ns: asked.checkpoint?.checkpoint_ns ?? '',
    limit: asked.limit ?? 10,
    before: checkpointIdOf(asked.before),
    metadata: asked.metadata ?? null,
    select: stateSelect(asked.select),
  };
  return unlessKnown(
    services,
    exchange,
    await services.turns.run(threadHistory(services, caller, thread, query), () => exchange.aborted),
  );
}

/** PY sends the id, JS a checkpoint or a config (agent-server.md, trap 12); in a query either may come as JSON. */
function checkpointIdOf(before: string | JsonObject | null | undefined): string | null {
  if (before === undefined || before === null) return null;
  if (typeof before === 'string') return before.startsWith('{') ? checkpointIdOf(jsonOf(before)) : before;
  const { configurable } = before;
  const id = (isObject(configurable) ? configurable : before)['checkpoint_id'];
  return typeof id === 'string' ? id : null;
}

function jsonOf(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
