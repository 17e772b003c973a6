import {
  LoneRunParams,
  RunCancelQuery,
  RunCreate,
  RunJoinQuery,
  RunListQuery,
  RunParams,
  RunStreamQuery,
  ThreadParams,
} from '../../../schemas/compiled/validators.js';
import type {
  RunCreate as RunCreateBody,
  RunJoinQuery as RunJoinQueryValues,
  RunStreamQuery as RunStreamQueryValues,
} from '../../../schemas/compiled/types.js';
import type { Action } from '../../domain/actions.js';
import type { RunStatus } from '../../store/runs/runs.js';
import { fail } from '../../base/errors.js';
import { cancelRun } from '../../services/runs/cancel-run.js';
import { BY_REQUEST, cancelOne } from '../../services/runs/cancel-runs.js';
import type { Needs } from '../../services/context.js';
import { endedBody, followNew, joinStream, outcomeBody } from '../../services/runs/follow-run.js';
import { getRun, getRunAlone, type FoundRun } from '../../services/runs/find-run.js';
import type { LiveRun } from '../../services/runs/live.js';
import { deleteRun, listRuns, runView } from '../../services/runs/list-runs.js';
import { startRun, startStatelessRun } from '../../services/runs/start-run.js';
import { eventFilter } from '../../services/runs/stream-filter.js';
import type { StreamMode } from '../../wire/runs/messages.js';
import { continueHeaders } from '../forward/continue-headers.js';
import { streamEvents, lastEventId } from '../streams/event-stream.js';
import type { Exchange } from '../transport/exchange.js';
import type { Headers } from '../transport/request-copy.js';
import { ingestRunRoute, isTraceRun } from './evaluation/ingest.js';
import { pageReply } from '../paging.js';
import {
  defineRoute,
  jsonReply,
  type ParsedRequest,
  type HandlerContext,
  type Reply,
  type AuthView,
} from '../route.js';
import { runRequestContext } from '../run-request-context.js';
import { asObject } from '../../base/json/json.js';
import { whyRun } from '../../services/runs/why.js';
import { replyWhenReady } from '../streams/wait-reply.js';

/** A caller who may only read a run must not cancel it by disconnecting. */
const cancelActions = ({ query }: ParsedRequest): readonly Action[] =>
  (query as RunJoinQueryValues | undefined)?.cancel_on_disconnect === true ? ['threads:update'] : [];

/** The view of a run that an auth handler gets (agent-server.md, 17.3). */
export const RUN_VIEW: AuthView = {
  buildValue({ params, body }) {
    const {
      assistant_id,
      metadata,
      multitask_strategy: strategy,
      if_not_exists,
      after_seconds,
      ...kwargs
    } = body as RunCreateBody;
    return {
      thread_id: params['thread_id'] ?? null,
      assistant_id,
      run_id: null,
      status: 'pending',
      metadata: metadata ?? {},
      multitask_strategy: strategy ?? 'enqueue',
      prevent_insert_if_inflight: strategy === 'reject',
      if_not_exists: if_not_exists ?? 'reject',
      after_seconds: after_seconds ?? 0,
      kwargs,
    };
  },
  // The handler cannot change the assistant and the thread, because the request was authorized for them.
  applyChanges(body, { metadata, kwargs }) {
    if (kwargs === undefined) return metadata === undefined ? body : { ...body, metadata };
    const own = ['assistant_id', 'metadata', 'multitask_strategy', 'if_not_exists', 'after_seconds'];
    return {
      ...Object.fromEntries(Object.entries(body).filter(([name]) => own.includes(name))),
      ...(metadata === undefined ? {} : { metadata }),
      ...asObject(kwargs),
    };
  },
};

const onThread = { params: 'ThreadParams', body: 'RunCreate' };

export const createRunRoute = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/runs',
  action: 'threads:create_run',
  additionalActions: ['assistants:read'],
  authView: RUN_VIEW,
  summary: 'Start a run on a thread in the background',
  params: ThreadParams,
  body: RunCreate,
  largeBody: true,
  largeInput: true,
  schemas: onThread,
  async handle({ params, body, caller, exchange }, services) {
    await services.stateBudgets?.prepare(params.thread_id);
    return replyCreated(
      services,
      startRun(services, params.thread_id, {
        caller,
        body,
        purpose: 'background',
        context: runRequestContext(exchange, services),
      }),
      threadLocation,
    );
  },
});

export const streamRunRoute = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/runs/stream',
  action: 'threads:create_run',
  additionalActions: ['assistants:read'],
  authView: RUN_VIEW,
  summary: 'Start a run on a thread and stream its events',
  params: ThreadParams,
  query: RunStreamQuery,
  body: RunCreate,
  largeBody: true,
  largeInput: true,
  schemas: { ...onThread, query: 'RunStreamQuery' },
  async handle(context, services) {
    const { params, body, caller, exchange } = context;
    await services.stateBudgets?.prepare(params.thread_id);
    const run = startRun(services, params.thread_id, {
      caller,
      body,
      purpose: 'stream',
      context: runRequestContext(exchange, services),
    });
    return streamNewRun(context, services, run, threadLocation(run));
  },
});

export const waitForRunRoute = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/runs/wait',
  action: 'threads:create_run',
  additionalActions: ['assistants:read'],
  authView: RUN_VIEW,
  summary: 'Start a run on a thread and wait for its final values',
  params: ThreadParams,
  body: RunCreate,
  largeBody: true,
  largeInput: true,
  schemas: onThread,
  async handle(context, services) {
    const { params, body, caller, exchange } = context;
    await services.stateBudgets?.prepare(params.thread_id);
    const run = startRun(services, params.thread_id, {
      caller,
      body,
      purpose: 'wait',
      context: runRequestContext(exchange, services),
    });
    return waitForNewRun(context, services, run, threadLocation(run));
  },
});

export const createStatelessRunRoute = defineRoute({
  method: 'post',
  path: '/runs',
  action: 'threads:create_run',
  additionalActions: ['assistants:read'],
  authView: RUN_VIEW,
  summary: 'Start a stateless run in the background',
  body: RunCreate,
  largeBody: true,
  largeInput: true,
  schemas: { body: 'RunCreate' },
  alternative: { route: ingestRunRoute, group: 'evaluation', matches: isTraceRun },
  async handle({ body, caller, exchange }, services) {
    return replyCreated(
      services,
      startStatelessRun(services, {
        caller,
        body,
        purpose: 'background',
        context: runRequestContext(exchange, services),
      }),
      statelessLocation,
    );
  },
});

export const streamStatelessRunRoute = defineRoute({
  method: 'post',
  path: '/runs/stream',
  action: 'threads:create_run',
  additionalActions: ['assistants:read'],
  authView: RUN_VIEW,
  summary: 'Start a stateless run and stream its events',
  query: RunStreamQuery,
  body: RunCreate,
  largeBody: true,
  largeInput: true,
  schemas: { query: 'RunStreamQuery', body: 'RunCreate' },
  async handle(context, services) {
    const { body, caller, exchange } = context;
    const run = startStatelessRun(services, {
      caller,
      body,
      purpose: 'stream',
      context: runRequestContext(exchange, services),
    });
    return streamNewRun(context, services, run, statelessLocation(run));
  },
});

export const waitForStatelessRunRoute = defineRoute({
  method: 'post',
  path: '/runs/wait',
  action: 'threads:create_run',
  additionalActions: ['assistants:read'],
  authView: RUN_VIEW,
  summary: 'Start a stateless run and wait for its final values',
  body: RunCreate,
  largeBody: true,
  largeInput: true,
  schemas: { body: 'RunCreate' },
  async handle(context, services) {
    const { body, caller, exchange } = context;
    const run = startStatelessRun(services, {
      caller,
      body,
      purpose: 'wait',
      context: runRequestContext(exchange, services),
    });
    return waitForNewRun(context, services, run, statelessLocation(run));
  },
});

export const listRunsRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/runs',
  action: 'threads:search',
  summary: 'List the runs of a thread, newest first',
  params: ThreadParams,
  query: RunListQuery,
  schemas: { params: 'ThreadParams', query: 'RunListQuery' },
  handle({ params, query, caller }, services) {
    const select = query.select === undefined || query.select.length === 0 ? null : new Set<string>(query.select);
    const wanted = { limit: query.limit ?? 10, offset: query.offset ?? 0 };
    const found = listRuns(services, caller, params.thread_id, {
      ...wanted,
      ...(query.status === undefined ? {} : { status: query.status as RunStatus }),
    });
    return pageReply(wanted, found, (record) => runView(services, caller, record, select));
  },
});

export const getRunRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/runs/:run_id',
  action: 'threads:read',
  summary: 'Get a run',
  params: RunParams,
  schemas: { params: 'RunParams' },
  handle({ params, caller }, services) {
    return jsonReply(runView(services, caller, getRun(services, caller, params.thread_id, params.run_id).record));
  },
});

export const explainRunRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/runs/:run_id/why',
  action: 'threads:read',
  summary: 'Explain what a run is waiting for, or how it ended',
  params: RunParams,
  schemas: { params: 'RunParams' },
  handle({ params, caller }, services) {
    return jsonReply(whyRun(services, getRun(services, caller, params.thread_id, params.run_id)));
  },
});

export const explainRunByIdRoute = defineRoute({
  method: 'get',
  path: '/runs/:run_id/why',
  action: 'threads:read',
  summary: 'Explain what a run is waiting for, by the run id alone',
  params: LoneRunParams,
  schemas: { params: 'LoneRunParams' },
  handle({ params, caller }, services) {
    return jsonReply(whyRun(services, getRunAlone(services, caller, params.run_id)));
  },
});

export const deleteRunRoute = defineRoute({
  method: 'delete',
  path: '/threads/:thread_id/runs/:run_id',
  action: 'threads:delete',
  summary: 'Delete a run and its stored data',
  params: RunParams,
  schemas: { params: 'RunParams' },
  async handle({ params, caller }, services) {
    await deleteRun(services, caller, params.thread_id, params.run_id);
    return jsonReply('{}');
  },
});

export const joinRunRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/runs/:run_id/join',
  action: 'threads:read',
  conditionalActions: cancelActions,
  summary: 'Wait for an existing run',
  params: RunParams,
  query: RunJoinQuery,
  schemas: { params: 'RunParams', query: 'RunJoinQuery' },
  async handle({ params, query, caller, exchange }, services) {
    const { live } = getRun(services, caller, params.thread_id, params.run_id);
    // Also waits for a run whose end is being written to disk, so that the result can be read afterwards.
    if (live === undefined) return jsonReply(endedBody(services, caller, params.thread_id, params.run_id));
    const cancels = query.cancel_on_disconnect === true;
    if (cancels) cancelOnDisconnect(services, exchange, live);
    const headers = !cancels && isKept(live) ? reconnectHeaders(live, 'join', exchange) : {};
    await replyWhenReady(
      exchange,
      { ...headers, ...continueElsewhere(live, 'join', exchange, cancels) },
      services.scheduler.wait(live).then((outcome) => outcomeBody(services, live, outcome)),
    );
    return null;
  },
});

export const joinRunStreamRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/runs/:run_id/stream',
  action: 'threads:read',
  conditionalActions: cancelActions,
  summary: 'Stream the events of an existing run',
  params: RunParams,
  query: RunJoinQuery,
  schemas: { params: 'RunParams', query: 'RunJoinQuery' },
  handle: (context, services) =>
    streamExistingRun(
      context,
      services,
      getRun(services, context.caller, context.params.thread_id, context.params.run_id),
    ),
});

export const joinRunStreamByIdRoute = defineRoute({
  method: 'get',
  path: '/runs/:run_id/stream',
  action: 'threads:read',
  conditionalActions: cancelActions,
  summary: 'Stream the events of an existing run, by the run id alone',
  params: LoneRunParams,
  query: RunJoinQuery,
  schemas: { params: 'LoneRunParams', query: 'RunJoinQuery' },
  handle: (context, services) =>
    streamExistingRun(context, services, getRunAlone(services, context.caller, context.params.run_id)),
});

export const cancelRunRoute = defineRoute({
  method: 'post',
  path: '/threads/:thread_id/runs/:run_id/cancel',
  action: 'threads:update',
  summary: 'Cancel a run that has not ended',
  params: RunParams,
  query: RunCancelQuery,
  schemas: { params: 'RunParams', query: 'RunCancelQuery' },
  async handle({ params, query, caller }, services) {
    if (query.reason !== undefined && query.action === 'rollback')
      throw fail('INVALID_REQUEST', { problems: 'query.reason: is only allowed with the action interrupt' });
    const ended = cancelOne(
      services,
      caller,
      { threadId: params.thread_id, runId: params.run_id },
      { action: query.action ?? 'interrupt', reason: BY_REQUEST[query.reason ?? 'cancelled'] },
    );
    if (query.wait !== true) return { status: 202, body: '{}' };
    await ended;
    return { status: 204, body: '' };
  },
});

export const runRoutes = [
  createRunRoute,
  streamRunRoute,
  waitForRunRoute,
  createStatelessRunRoute,
  streamStatelessRunRoute,
  waitForStatelessRunRoute,
  listRunsRoute,
  getRunRoute,
  explainRunRoute,
  explainRunByIdRoute,
  deleteRunRoute,
  joinRunRoute,
  joinRunStreamRoute,
  joinRunStreamByIdRoute,
  cancelRunRoute,
];

const threadLocation = (run: LiveRun): Headers => ({
  'content-location': `/threads/${run.record.threadId}/runs/${run.record.runId}`,
});
const statelessLocation = (run: LiveRun): Headers => ({ 'content-location': `/runs/${run.record.runId}` });

/** The response is sent after the run is on disk, so that no client learns of a run that could be lost (P1). */
async function replyCreated(
  services: Needs<'scheduler' | 'stores'>,
  run: LiveRun,
  location: (run: LiveRun) => Headers,
): Promise<Reply> {
  const body = runView(services, run.caller, run.record);
  await run.created;
  return jsonReply(body, location(run));
}

async function streamNewRun(
  { query, body, exchange }: HandlerContext<unknown, RunStreamQueryValues, RunCreateBody>,
  services: Needs<'scheduler'>,
  run: LiveRun,
  location: Headers,
): Promise<null> {
  await run.created;
  const cancels = body.on_disconnect === 'cancel';
  if (cancels) cancelOnDisconnect(services, exchange, run);
  const headers =
    !cancels && isResumable(run) ? { ...location, ...reconnectHeaders(run, 'stream', exchange) } : location;
  streamEvents(exchange, followNew(run, eventFilter([], query.namespace ?? null)), {
    headers: { ...headers, ...continueElsewhere(run, 'stream', exchange, cancels) },
  });
  return null;
}

async function waitForNewRun(
  { body, exchange }: HandlerContext<unknown, unknown, RunCreateBody>,
  services: Needs<'scheduler' | 'stores' | 'threads'>,
  run: LiveRun,
  location: Headers,
): Promise<null> {
  const outcome = services.scheduler.wait(run);
  await run.created;
  const cancels = body.on_disconnect === 'cancel';
  if (cancels) cancelOnDisconnect(services, exchange, run);
  const headers = !cancels && isKept(run) ? { ...location, ...reconnectHeaders(run, 'join', exchange) } : location;
  await replyWhenReady(
    exchange,
    { ...headers, ...continueElsewhere(run, 'join', exchange, cancels) },
    outcome.then((one) => outcomeBody(services, run, one)),
  );
  return null;
}

async function streamExistingRun(
  { query, caller, headers, exchange }: HandlerContext<unknown, RunJoinQueryValues, unknown>,
  services: Needs<'scheduler' | 'stores' | 'threads'>,
  run: FoundRun,
): Promise<null> {
  const following = await joinStream(services, caller, run, {
    lastEventId: lastEventId(headers),
    wants: eventFilter((query.stream_mode ?? []) as StreamMode[], query.namespace ?? null),
  });
  const { live } = following;
  const cancels = query.cancel_on_disconnect === true;
  if (live !== null && cancels) cancelOnDisconnect(services, exchange, live);
  streamEvents(exchange, following, {
    headers: {
      ...(live !== null && !cancels && isResumable(live) ? reconnectHeaders(live, 'stream', exchange) : {}),
      ...(live === null ? {} : continueElsewhere(live, 'stream', exchange, cancels)),
    },
  });
  return null;
}

/**
 * The URL at which a client continues after a lost connection, including the query. Only sent if that URL also
 * works after the run has ended.
 */
function reconnectHeaders(run: LiveRun, how: 'join' | 'stream', { query }: Exchange): Headers {
  return { location: reconnectPath(run, how, query) };
}

function reconnectPath(run: LiveRun, how: 'join' | 'stream', query: string): string {
  return `${threadLocation(run)['content-location']}/${how}${query === '' ? '' : `?${query}`}`;
}

/** For the node of a cluster that passed the request on, if this node is lost. It continues what clients cannot. */
function continueElsewhere(run: LiveRun, how: 'join' | 'stream', exchange: Exchange, cancels: boolean): Headers {
  const query = new URLSearchParams(exchange.query);
  if (cancels) query.set('cancel_on_disconnect', 'true');
  return continueHeaders(exchange, reconnectPath(run, how, query.toString()));
}

/** True if the thread outlives the run, so that the result stays available. */
function isKept({ thread }: LiveRun): boolean {
  return thread.record !== null && !thread.record.temporary;
}

/** True if a reader can continue the events with Last-Event-ID. */
function isResumable(run: LiveRun): boolean {
  return run.kwargs.resumable && isKept(run);
}

function cancelOnDisconnect(services: Needs<'scheduler'>, exchange: Exchange, run: LiveRun): void {
  exchange.onAborted(() => {
    cancelRun(services, run, 'interrupt', 'the client disconnected').catch(() => undefined);
  });
}
