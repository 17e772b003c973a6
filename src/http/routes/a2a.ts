import { A2aMessage, AssistantParams, CardQuery } from '../../../schemas/compiled/validators.js';
import type { Action } from '../../domain/actions.js';
import { ThreadmillError } from '../../base/errors.js';
import { isUuid } from '../../base/ids.js';
import { asObject, isObject, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { findTask, listTaskRuns, readTask, type Task, type TaskQuery } from '../../services/agents/a2a-tasks.js';
import { resolveAssistant } from '../../services/assistants/assistants.js';
import { BY_REQUEST, cancelOne } from '../../services/runs/cancel-runs.js';
import type { Services } from '../../services/context.js';
import type { LiveRun } from '../../services/runs/live.js';
import { toolInputSchema } from '../../services/agents/mcp-tools.js';
import { listRuns } from '../../services/runs/list-runs.js';
import { startRun } from '../../services/runs/start-run.js';
import type { AssistantRecord } from '../../store/assistants.js';
import type { RunRecord } from '../../store/runs/runs.js';
import { V1_0, V0_3, type Dialect } from '../agents/a2a-dialect.js';
import {
  readReturnImmediately,
  readHistory,
  readMessage,
  readTaskId,
  messageToRun,
  tryReadThreadId,
} from '../agents/a2a-message.js';
import { agentCardJson } from '../agents/agent-card.js';
import {
  errorText,
  invalidRpc,
  methodOf,
  requireAccept,
  requireObjectParams,
  paramsOf,
  readCall,
  resultText,
  RPC_CODES,
  RpcError,
  type RpcCall,
} from '../agents/json-rpc.js';
import { defineRoute, jsonReply, type ParsedRequest, type HandlerContext } from '../route.js';
import { readRunBody, runAuthView } from '../agents/rpc-run.js';
import { HEARTBEAT, SSE_HEADERS } from '../streams/event-stream.js';
import { replyWhenReady } from '../streams/wait-reply.js';
import { runRequestContext } from '../run-request-context.js';

/** Error codes of the A2A protocol. */
const TASK_NOT_FOUND = -32001;
const NOT_CANCELABLE = -32002;
const UNSUPPORTED = -32004;

type Name = 'send' | 'stream' | 'get' | 'cancel' | 'list' | 'card';
/** The spelling of a method decides which version of the protocol the response uses. */
const METHODS: Readonly<Record<string, readonly [Name, Dialect]>> = {
  SendMessage: ['send', V1_0],
  SendStreamingMessage: ['stream', V1_0],
  GetTask: ['get', V1_0],
  CancelTask: ['cancel', V1_0],
  ListTasks: ['list', V1_0],
  GetExtendedAgentCard: ['card', V1_0],
  'message/send': ['send', V0_3],
  'message/stream': ['stream', V0_3],
  'tasks/get': ['get', V0_3],
  'tasks/cancel': ['cancel', V0_3],
  'agent/getAuthenticatedExtendedCard': ['card', V0_3],
};
const findMethod = (method: string | null): readonly [Name, Dialect] | undefined =>
  method !== null && Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;

const READ: readonly Action[] = ['threads:read'];
const METHOD_ACTIONS: Readonly<Record<Name, readonly Action[]>> = {
  send: READ,
  stream: READ,
  get: READ,
  cancel: ['threads:update'],
  list: ['threads:search'],
  card: [],
};

interface Params {
  assistant_id: string;
}
type Context = HandlerContext<Params, unknown, unknown>;
/** A parsed request and its assistant. */
interface A2aRequest {
  context: Context;
  services: Services;
  assistant: AssistantRecord;
  call: RpcCall;
  params: JsonObject;
  dialect: Dialect;
}

const NO_HISTORY: TaskQuery = { historyLength: 0, currentTurnOnly: false };

const sendA2aMessageRoute = defineRoute<Params, undefined, unknown>({
  method: 'post',
  path: '/a2a/:assistant_id',
  action: 'threads:create_run',
  additionalActions: ['assistants:read'],
  authView: runAuthView(messageToRun, ({ params, body }) => ({
    threadId: tryReadThreadId(paramsOf(body)),
    assistantId: params['assistant_id'] ?? null,
  })),
  conditionalActions: ({ body }: ParsedRequest): readonly Action[] =>
    METHOD_ACTIONS[findMethod(methodOf(body))?.[0] ?? 'card'],
  summary: 'Send Agent2Agent messages to an assistant, and read its tasks',
  params: AssistantParams,
  body: A2aMessage,
  largeBody: true,
  schemas: { params: 'AssistantParams', body: 'A2aMessage' },
  async handle(context, services) {
    const {
      params: { assistant_id: name },
      body,
      headers,
      caller,
      exchange,
    } = context;
    const call = readCall(body);
    if (call === null) throw invalidRpc('The JSON-RPC message is not a request: it needs a method and an id.');
    const assistant = resolveAssistant(services, caller, name);
    const [method, dialect] = findMethod(call.method) ?? [null, V1_0];
    requireAccept(headers['accept'], [method === 'stream' ? 'text/event-stream' : 'application/json']);
    try {
      const request: A2aRequest = {
        context: { ...context, query: undefined },
        services,
        assistant,
        call,
        params: requireObjectParams(call),
        dialect,
      };
      switch (method) {
        case 'send':
          return await sendMessage(request);
        case 'stream':
          return await streamMessage(request);
        case 'get':
          return jsonReply(
            resultText(
              call,
              await taskJson(
                request,
                findRequestedTask(request).record,
                readHistory(request.params, scopeHeader(context)),
              ),
            ),
          );
        case 'cancel':
          return jsonReply(resultText(call, await cancelTask(request)));
        case 'list':
          return jsonReply(resultText(call, await listTasks(request)));
        case 'card':
          return jsonReply(resultText(call, agentCardJson(assistant, exchange)));
        case null:
          throw new RpcError(RPC_CODES.method, `Method not found: ${call.method}`);
      }
    } catch (error) {
      if (error instanceof RpcError) return jsonReply(errorText(call, error));
      throw error;
    }
  },
});

const getAgentCardRoute = defineRoute({
  method: 'get',
  path: '/.well-known/agent-card.json',
  action: 'assistants:read',
  summary: 'Get the agent card of an assistant',
  query: CardQuery,
  schemas: { query: 'CardQuery' },
  handle: ({ query, caller, exchange }, services) =>
    jsonReply(agentCardJson(resolveAssistant(services, caller, query.assistant_id), exchange)),
});

const getOwnAgentCardRoute = defineRoute({
  method: 'get',
  path: '/a2a/:assistant_id/.well-known/agent-card.json',
  action: 'assistants:read',
  summary: "Get the agent card below the assistant's own address",
  params: AssistantParams,
  schemas: { params: 'AssistantParams' },
  handle: ({ params, caller, exchange }, services) =>
    jsonReply(agentCardJson(resolveAssistant(services, caller, params.assistant_id), exchange)),
});

export const a2aRoutes = [sendA2aMessageRoute, getAgentCardRoute, getOwnAgentCardRoute];

const scopeHeader = ({ headers }: Context): string | undefined => headers['langgraph-a2a-history-scope'];

function loadTask({ context, services }: A2aRequest, record: RunRecord, query: TaskQuery = NO_HISTORY): Promise<Task> {
  return services.timeSlicer.run(readTask(services, context.caller, record, query), () => context.exchange.aborted);
}

async function taskJson(request: A2aRequest, record: RunRecord, query: TaskQuery): Promise<string> {
  return request.dialect.taskResult(await loadTask(request, record, query));
}

/** The task that a method is about. Throws RpcError. */
function findRequestedTask(
  request: A2aRequest,
  taskId = readTaskId(request.params),
): NonNullable<ReturnType<typeof findTask>> {
  const task = isUuid(taskId) ? findTask(request.services, request.context.caller, request.assistant, taskId) : null;
  if (task === null) throw new RpcError(TASK_NOT_FOUND, 'Task not found');
  return task;
}

/** Starts the run of a message. Resolves when the run is on disk. Throws RpcError. */
async function startTask(request: A2aRequest): Promise<LiveRun> {
  const {
    context: { caller, body, exchange },
    services,
    assistant,
    params,
  } = request;
  const message = readMessage(params);
  let threadId = message.contextId ?? services.ids.next();
  if (message.taskId !== null) {
    const { record } = findRequestedTask(request, message.taskId);
    if (message.contextId !== null && message.contextId !== record.threadId)
      throw new RpcError(RPC_CODES.params, 'Invalid params: the task belongs to another context.');
    const { state } = await loadTask(request, record);
    if (state !== 'input-required') throw new RpcError(UNSUPPORTED, `Task is ${state} and accepts no messages`);
    threadId = record.threadId;
  } else if (message.hasMessage) {
    const { properties } = await toolInputSchema(services, assistant);
    if (isObject(properties) && !Object.hasOwn(properties, 'messages'))
      throw new RpcError(
        RPC_CODES.params,
        'Invalid params: the input of this assistant has no messages, so it accepts no text and no files. Send a data part.',
      );
  }
  await services.stateBudgets?.prepare(threadId);
  try {
    const run = startRun(services, threadId, {
      caller,
      body: readRunBody(body as object, messageToRun, assistant.assistantId),
      purpose: 'background',
      context: runRequestContext(exchange, services),
    });
    await run.created;
    return run;
  } catch (error) {
    if (error instanceof ThreadmillError && error.code === 'THREAD_NOT_FOUND')
      throw new RpcError(TASK_NOT_FOUND, 'Context not found');
    throw error;
  }
}

async function sendMessage(request: A2aRequest): Promise<null> {
  const {
    context: { exchange },
    services,
    call,
    params,
    dialect,
  } = request;
  const history = readHistory(params, scopeHeader(request.context));
  const atOnce = readReturnImmediately(params);
  const run = await startTask(request);
  const ended = atOnce ? Promise.resolve() : services.scheduler.whenEnded(run);
  await replyWhenReady(
    exchange,
    {},
    ended.then(async () => {
      try {
        return resultText(call, dialect.messageResult(await loadTask(request, run.record, history)));
      } catch (error) {
        // The response headers may already have been sent.
        return errorText(
          call,
          new RpcError(
            RPC_CODES.internal,
            error instanceof ThreadmillError ? error.message : 'The task could not be read',
          ),
        );
      }
    }),
  );
  return null;
}

/**
 * Streams the task's status when it is submitted, while it works and when it ends. The run continues when the
 * client disconnects.
 */
async function streamMessage(request: A2aRequest): Promise<null> {
  const {
    context: { exchange },
    services,
    call,
    params,
    dialect,
  } = request;
  readReturnImmediately(params);
  const history = readHistory(params, scopeHeader(request.context));
  const run = await startTask(request);
  const ended = services.scheduler.whenEnded(run);
  const event = (result: string): string => `data: ${resultText(call, result)}\n\n`;
  const first: Task = {
    id: run.record.runId,
    contextId: run.record.threadId,
    state: 'submitted',
    updatedAtMs: run.record.updatedAtMs,
    statusParts: [],
    artifactParts: [],
    history: [],
  };
  const out = exchange.open(200, SSE_HEADERS);
  out.write(event(dialect.taskEvent(first)) + event(dialect.statusEvent({ ...first, state: 'working' }, false)));
  const beat = setInterval(() => {
    if (out.writable) out.write(HEARTBEAT);
  }, LIMITS.heartbeatMs);
  exchange.onFinished(() => clearInterval(beat));
  try {
    await ended;
    const task = await loadTask(request, run.record, history);
    out.end(
      (task.artifactParts.length > 0 ? event(dialect.artifactEvent(task)) : '') +
        event(dialect.statusEvent(task, true)),
    );
  } catch (error) {
    out.end(
      `data: ${errorText(call, new RpcError(RPC_CODES.internal, error instanceof ThreadmillError ? error.message : 'The task could not be read'))}\n\n`,
    );
  }
  return null;
}

async function cancelTask(request: A2aRequest): Promise<string> {
  const {
    context: { caller },
    services,
    dialect,
  } = request;
  const { record, live } = findRequestedTask(request);
  if (live === undefined || live.settled) throw new RpcError(NOT_CANCELABLE, 'Task cannot be canceled: it has ended');
  try {
    await cancelOne(services, caller, record, { action: 'interrupt', reason: BY_REQUEST.cancelled });
  } catch (error) {
    if (error instanceof ThreadmillError && error.status === 404)
      throw new RpcError(NOT_CANCELABLE, 'Task cannot be canceled: it has ended');
    throw error;
  }
  return dialect.taskResult(await loadTask(request, live.record));
}

/** Lists tasks of one context or of all, newest first. */
async function listTasks(request: A2aRequest): Promise<string> {
  const {
    context: { caller },
    services,
    assistant,
    params,
  } = request;
  const { contextId, pageSize, pageToken } = params;
  const everywhere = contextId === undefined || contextId === null || contextId === '';
  if (!everywhere && (typeof contextId !== 'string' || !isUuid(contextId)))
    throw new RpcError(RPC_CODES.params, 'Invalid params: contextId must be the id of a context.');
  const limit = pageSize === undefined || pageSize === null ? PAGE_SIZE_DEFAULT : Number(pageSize);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMITS.tasksPageMax)
    throw new RpcError(RPC_CODES.params, `Invalid params: pageSize must be 1 to ${LIMITS.tasksPageMax}.`);
  const offset = pageToken === undefined || pageToken === null || pageToken === '' ? 0 : Number(pageToken);
  if (!Number.isSafeInteger(offset) || offset < 0 || offset > LIMITS.scanRowsMax)
    throw new RpcError(RPC_CODES.params, 'Invalid params: the pageToken was not issued by this server.');
  const history = readHistory(asObject(params), scopeHeader(request.context));
  const threadId = String(contextId).toLowerCase();
  if (!everywhere && services.threads.find(caller, threadId) === undefined)
    return '{"tasks":[],"nextPageToken":"","pageSize":0,"totalSize":0}';
  const { records, more } = everywhere
    ? await services.timeSlicer.run(
        listTaskRuns(services, caller, assistant, { limit, offset }),
        () => request.context.exchange.aborted,
      )
    : listRuns(services, caller, threadId, { limit, offset });
  const tasks: string[] = [];
  for (const record of records)
    if (record.assistantId === assistant.assistantId) tasks.push(await taskJson(request, record, history));
  return `{"tasks":[${tasks.join(',')}],"nextPageToken":"${more ? offset + limit : ''}","pageSize":${tasks.length},"totalSize":${offset + records.length + (more ? 1 : 0)}}`;
}

const PAGE_SIZE_DEFAULT = 50;
