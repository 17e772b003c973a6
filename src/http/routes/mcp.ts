import { McpMessage } from '../../../schemas/compiled/validators.js';
import type { Action } from '../../domain/actions.js';
import { errorLine, ThreadmillError } from '../../base/errors.js';
import { isObject, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { VERSION } from '../../base/version.js';
import { cancelRun } from '../../services/runs/cancel-run.js';
import type { Needs } from '../../services/context.js';
import { outcomeBody } from '../../services/runs/follow-run.js';
import { assistantIdOfTool, listTools } from '../../services/agents/mcp-tools.js';
import { startStatelessRun } from '../../services/runs/start-run.js';
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
import { defineRoute, jsonReply, mountRoutes, type ParsedRequest, type HandlerContext } from '../route.js';
import { readRunBody, runAuthView } from '../agents/rpc-run.js';
import { replyWhenReady } from '../streams/wait-reply.js';
import { runRequestContext } from '../run-request-context.js';

/** Newest first. The oldest predates Streamable HTTP but has the same messages. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** The only version with batches of messages. It also applies to clients that send no version. */
const BATCH_VERSION = '2025-03-26';

const TOOL_CALL = 'tools/call';
/**
 * Actions that a method needs in addition to the common ones. Whoever may not use a graph's runs may not use it
 * as a tool either.
 */
const METHOD_ACTIONS: Readonly<Record<string, readonly Action[]>> = {
  'tools/list': ['assistants:search', 'assistants:read'],
  [TOOL_CALL]: ['assistants:read'],
};

type Context = HandlerContext<unknown, unknown, unknown>;

const listOf = (body: unknown): unknown[] => (Array.isArray(body) ? body : [body]);

/** Converts a tool call into a stateless run. */
function toolCallToRun(message: unknown): JsonObject {
  const { arguments: input } = paramsOf(message);
  return { input: isObject(input) ? input : {} };
}

const findToolCall = (body: unknown): unknown => listOf(body).find((one) => methodOf(one) === TOOL_CALL);

const TOOL_RUN_VIEW = runAuthView(
  (body) => toolCallToRun(findToolCall(body)),
  ({ body }) => {
    const { name } = paramsOf(findToolCall(body));
    return { threadId: null, assistantId: typeof name === 'string' ? assistantIdOfTool(name) : null };
  },
);

const sendMcpMessageRoute = defineRoute({
  method: 'post',
  path: '',
  action: 'threads:create_run',
  authView: TOOL_RUN_VIEW,
  notFoundMethods: ['delete'],
  conditionalActions: ({ body }: ParsedRequest): readonly Action[] => [
    ...new Set(listOf(body).flatMap((one) => METHOD_ACTIONS[methodOf(one) ?? ''] ?? [])),
  ],
  summary: 'Use assistants as tools through the Model Context Protocol',
  body: McpMessage,
  largeBody: true,
  schemas: { body: 'McpMessage' },
  async handle(context: Context, services) {
    const { body, headers, exchange } = context;
    requireAccept(headers['accept'], ['application/json', 'text/event-stream']);
    const version = headers['mcp-protocol-version'] ?? BATCH_VERSION;
    if (!VERSIONS.includes(version))
      throw invalidRpc(
        `The protocol version ${version} is not supported. Supported versions are ${VERSIONS.join(', ')}.`,
      );
    const messages = readMessages(body, version);
    const calls = messages
      .map((message) => ({ message, call: readCall(message) }))
      .filter((one): one is { message: unknown; call: RpcCall } => one.call !== null);
    if (calls.length === 0) return { status: 202, body: '' };
    const answers = Promise.all(
      calls.map(({ message, call }) => handleCall(context, services, call, message as object)),
    );
    const text = answers.then((texts) => (Array.isArray(body) ? `[${texts.join(',')}]` : texts[0]!));
    if (!calls.some(({ call }) => call.method === TOOL_CALL)) return jsonReply(await text);
    await replyWhenReady(exchange, {}, text);
    return null;
  },
});

export const mcpRoutes = mountRoutes(['/mcp', '/mcp/'], [sendMcpMessageRoute]);

function readMessages(body: unknown, version: string): unknown[] {
  if (!Array.isArray(body)) return [body];
  if (version !== BATCH_VERSION) throw invalidRpc(`The protocol version ${version} does not allow lists of messages.`);
  if (body.length === 0 || body.length > LIMITS.rpcBatchMax)
    throw invalidRpc(`A list of messages must contain 1 to ${LIMITS.rpcBatchMax} messages.`);
  // An auth handler authorizes only one run per request.
  if (body.filter((one) => methodOf(one) === TOOL_CALL).length > 1)
    throw invalidRpc(`A list of messages may contain only one ${TOOL_CALL}.`);
  return body;
}

/**
 * Returns the response to one call as JSON text. Throws errors about the server or the caller instead of the
 * call, such as 429 or 503.
 */
async function handleCall(
  context: Context,
  services: Needs<
    | 'clock'
    | 'configurableHeaders'
    | 'defaultTtl'
    | 'graphIds'
    | 'graphs'
    | 'ids'
    | 'quotas'
    | 'scheduler'
    | 'stores'
    | 'threads'
    | 'timeSlicer'
    | 'webhooks'
  >,
  call: RpcCall,
  message: object,
): Promise<string> {
  try {
    const params = requireObjectParams(call);
    switch (call.method) {
      case 'initialize':
        return resultText(call, JSON.stringify(initializeResult(params)));
      case 'ping':
        return resultText(call, '{}');
      case 'tools/list':
        return resultText(call, await toolsJson(context, services, params));
      case TOOL_CALL:
        return resultText(call, await toolResult(context, services, params, message));
      default:
        throw new RpcError(RPC_CODES.method, `Method not found: ${call.method}`);
    }
  } catch (error) {
    if (error instanceof RpcError) return errorText(call, error);
    throw error;
  }
}

function initializeResult({ protocolVersion: wanted }: JsonObject): JsonObject {
  if (typeof wanted !== 'string')
    throw new RpcError(RPC_CODES.params, 'Invalid params: protocolVersion must be a string.');
  return {
    protocolVersion: VERSIONS.includes(wanted) ? wanted : VERSIONS[0]!,
    capabilities: { tools: {} },
    serverInfo: { name: 'threadmill', version: VERSION },
  };
}

async function toolsJson(
  { caller }: Context,
  services: Needs<'graphIds' | 'graphs' | 'stores' | 'timeSlicer'>,
  { cursor }: JsonObject,
): Promise<string> {
  const offset = cursor === undefined || cursor === null ? 0 : Number(cursor);
  if (!Number.isSafeInteger(offset) || offset < 0 || (typeof cursor === 'string' && !/^\d{1,9}$/.test(cursor)))
    throw new RpcError(RPC_CODES.params, 'Invalid params: the cursor was not issued by this server.');
  const { tools, next } = await listTools(services, caller, offset);
  return JSON.stringify({ tools, ...(next === null ? {} : { nextCursor: String(next) }) });
}

async function toolResult(
  { caller, exchange }: Context,
  services: Needs<
    | 'clock'
    | 'configurableHeaders'
    | 'defaultTtl'
    | 'graphIds'
    | 'ids'
    | 'quotas'
    | 'scheduler'
    | 'stores'
    | 'threads'
    | 'webhooks'
  >,
  { name, arguments: input }: JsonObject,
  message: object,
): Promise<string> {
  if (typeof name !== 'string' || name === '')
    throw new RpcError(RPC_CODES.params, 'Invalid params: name must be the name of a tool.');
  if (input !== undefined && input !== null && !isObject(input))
    throw new RpcError(RPC_CODES.params, 'Invalid params: arguments must be an object.');
  const body = readRunBody(message, toolCallToRun, assistantIdOfTool(name));
  const run = startToolRun(
    () =>
      startStatelessRun(services, { caller, body, purpose: 'wait', context: runRequestContext(exchange, services) }),
    name,
  );
  const ended = services.scheduler.wait(run);
  await run.created;
  exchange.onAborted(() => {
    cancelRun(services, run, 'interrupt', 'the client disconnected').catch(() => undefined);
  });
  const outcome = await ended;
  const { error } = outcome;
  if (error !== null) return JSON.stringify({ content: [{ type: 'text', text: errorLine(error) }], isError: true });
  const values = outcomeBody(services, run, outcome);
  return `{"content":[{"type":"text","text":${JSON.stringify(values)}}],"structuredContent":${values.startsWith('{') ? values : `{"value":${values}}`},"isError":false}`;
}

function startToolRun<T>(start: () => T, name: string): T {
  try {
    return start();
  } catch (error) {
    if (error instanceof ThreadmillError && error.code === 'RUN_ASSISTANT_NOT_FOUND')
      throw new RpcError(RPC_CODES.params, `Unknown tool: ${name}`);
    throw error;
  }
}
