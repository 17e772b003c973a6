import { McpMessage, RunCreate } from '../../../schemas/compiled/validators.js';
import type { RunCreate as RunCreateBody } from '../../../schemas/compiled/types.js';
import type { Action } from '../../base/actions.js';
import { fail, ThreadmillError } from '../../base/errors.js';
import { isObject, type JsonObject } from '../../base/json.js';
import { LIMITS } from '../../base/limits.js';
import { VERSION } from '../../base/version.js';
import { cancelRun } from '../../services/cancel-run.js';
import type { Services } from '../../services/context.js';
import { outcomeBody, waitFor } from '../../services/follow-run.js';
import { assistantOfTool, listTools } from '../../services/mcp-tools.js';
import { startStatelessRun } from '../../services/start-run.js';
import { errorText, invalid, methodOf, mustAccept, objectOf, paramsOf, readCall, resultText, RPC, RpcError, type RpcCall } from '../json-rpc.js';
import { defineRoute, json, mountedAt, type Asked, type RequestContext, type Shown } from '../route.js';
import { waitReply } from '../wait-reply.js';
import { originOf, RUN } from './runs.js';

/** Newest first. What came before Streamable HTTP is not spoken here. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];
/** The only one with lists of messages; also meant by a client that does not say its version. */
const WITH_BATCHES = '2025-03-26';

const CALL = 'tools/call';
/** What each method does besides what all of them may: a key or handler that keeps runs from someone keeps the tools from them. */
const NEEDS: Readonly<Record<string, readonly Action[]>> = { 'tools/list': ['assistants:search', 'assistants:read'], [CALL]: ['assistants:read'] };

/** The run of a call, where an access handler changed it; no JSON of a client's has it. */
const CHANGED = Symbol('run');
type Message = JsonObject & { [CHANGED]?: JsonObject };

type Context = RequestContext<unknown, unknown, unknown>;

const listOf = (body: unknown): unknown[] => (Array.isArray(body) ? body : [body]);

/** What a call is to the server: a run without a thread. */
function runOf(message: unknown): JsonObject {
  const { name, arguments: input } = paramsOf(message);
  return { assistant_id: typeof name === 'string' && methodOf(message) === CALL ? assistantOfTool(name) : null, input: isObject(input) ? input : {} };
}

const TOOL_RUN: Shown = {
  value({ params, body, query }) {
    const messages = listOf(body);
    return RUN.value({ params, query, body: runOf(messages.find((one) => methodOf(one) === CALL)) });
  },
  back(body, changed) {
    const message: Message = { ...body };
    message[CHANGED] = RUN.back(runOf(body), changed);
    return message;
  },
};

const post = defineRoute({
  method: 'post', path: '', action: 'threads:create_run', shown: TOOL_RUN, absent: ['delete'],
  needs: ({ body }: Asked): readonly Action[] => [...new Set(listOf(body).flatMap((one) => NEEDS[methodOf(one) ?? ''] ?? []))],
  summary: 'Model Context Protocol: assistants as tools',
  body: McpMessage, largeBody: true, schemas: { body: 'McpMessage' },
  async handle(context: Context, services) {
    const { body, headers, exchange } = context;
    mustAccept(headers['accept'], ['application/json', 'text/event-stream']);
    const version = headers['mcp-protocol-version'] ?? WITH_BATCHES;
    if (!VERSIONS.includes(version)) throw invalid(`The protocol version ${version} is not known. Known are ${VERSIONS.join(', ')}.`);
    const messages = readMessages(body, version);
    const calls = messages.map((message) => ({ message, call: readCall(message) })).filter((one): one is { message: unknown; call: RpcCall } => one.call !== null);
    if (calls.length === 0) return { status: 202, body: '' };
    const answers = Promise.all(calls.map(({ message, call }) => answerTo(context, services, call, message as Message)));
    const text = answers.then((texts) => (Array.isArray(body) ? `[${texts.join(',')}]` : texts[0]!));
    if (!calls.some(({ call }) => call.method === CALL)) return json(await text);
    await waitReply(exchange, {}, text);
    return null;
  },
});

export const mcpRoutes = mountedAt(['/mcp', '/mcp/'], [post]);

function readMessages(body: unknown, version: string): unknown[] {
  if (!Array.isArray(body)) return [body];
  if (version !== WITH_BATCHES) throw invalid(`The protocol version ${version} has no lists of messages.`);
  if (body.length === 0 || body.length > LIMITS.rpcBatchMax) throw invalid(`A list of messages has 1 to ${LIMITS.rpcBatchMax} of them.`);
  // An access handler is shown one run.
  if (body.filter((one) => methodOf(one) === CALL).length > 1) throw invalid(`Of a list of messages one may be ${CALL}.`);
  return body;
}

/** JSON text of the answer. Throws what is not about the call but about the server or the caller: 429, 503. */
async function answerTo(context: Context, services: Services, call: RpcCall, message: Message): Promise<string> {
  try {
    const params = objectOf(call);
    switch (call.method) {
      case 'initialize': return resultText(call, JSON.stringify(greeting(params)));
      case 'ping': return resultText(call, '{}');
      case 'tools/list': return resultText(call, await toolsJson(context, services, params));
      case CALL: return resultText(call, await toolResult(context, services, params, message));
      default: throw new RpcError(RPC.method, `Method not found: ${call.method}`);
    }
  } catch (error) {
    if (error instanceof RpcError) return errorText(call, error);
    throw error;
  }
}

function greeting({ protocolVersion: wanted }: JsonObject): JsonObject {
  if (typeof wanted !== 'string') throw new RpcError(RPC.params, 'Invalid params: protocolVersion must be text.');
  return { protocolVersion: VERSIONS.includes(wanted) ? wanted : VERSIONS[0]!, capabilities: { tools: {} }, serverInfo: { name: 'threadmill', version: VERSION } };
}

async function toolsJson({ caller }: Context, services: Services, { cursor }: JsonObject): Promise<string> {
  const offset = cursor === undefined || cursor === null ? 0 : Number(cursor);
  if (!Number.isSafeInteger(offset) || offset < 0 || (typeof cursor === 'string' && !/^\d{1,9}$/.test(cursor))) throw new RpcError(RPC.params, 'Invalid params: the cursor is none of this server.');
  const { tools, next } = await listTools(services, caller, offset);
  return JSON.stringify({ tools, ...(next === null ? {} : { nextCursor: String(next) }) });
}

async function toolResult({ caller, exchange }: Context, services: Services, { name, arguments: input }: JsonObject, message: Message): Promise<string> {
  if (typeof name !== 'string' || name === '') throw new RpcError(RPC.params, 'Invalid params: name must be the name of a tool.');
  if (input !== undefined && input !== null && !isObject(input)) throw new RpcError(RPC.params, 'Invalid params: arguments must be an object.');
  const body = message[CHANGED] ?? runOf(message);
  if (!RunCreate(body)) throw fail('INVALID_REQUEST', { problems: 'body: the auth handler made a run of it that is not valid' });
  const run = begun(() => startStatelessRun(services, caller, body as RunCreateBody, 'wait', originOf(exchange, services)), name);
  const ended = waitFor(run);
  await run.created;
  exchange.onGone(() => { void cancelRun(services, run, 'interrupt', 'the client disconnected'); });
  const outcome = await ended;
  const { error } = outcome;
  if (error !== null) return JSON.stringify({ content: [{ type: 'text', text: `${error.name}: ${error.message}` }], isError: true });
  const values = outcomeBody(services, run, outcome);
  return `{"content":[{"type":"text","text":${JSON.stringify(values)}}],"structuredContent":${values.startsWith('{') ? values : `{"value":${values}}`},"isError":false}`;
}

function begun<T>(start: () => T, name: string): T {
  try {
    return start();
  } catch (error) {
    if (error instanceof ThreadmillError && error.code === 'RUN_ASSISTANT_NOT_FOUND') throw new RpcError(RPC.params, `Unknown tool: ${name}`);
    throw error;
  }
}
