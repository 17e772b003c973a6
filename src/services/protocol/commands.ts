import { RunCreate } from '../../../schemas/compiled/validators.js';
import type { RunCreate as RunCreateBody } from '../../../schemas/compiled/types.js';
import { fail, ThreadmillError } from '../../base/errors.js';
import { asObject, isObject, parseJson, type JsonObject } from '../../base/json/json.js';
import { problemsOf } from '../../base/request-problems.js';
import type { RunRecord } from '../../store/runs/runs.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import { resolveAssistant } from '../assistants/assistants.js';
import {
  codeForStatus,
  ProtocolError,
  requireThread,
  type CommandRequest,
  type CommandResult,
  type ProtocolCode,
  type CommandContext,
} from './command-context.js';
import { getState, listCheckpoints } from './state.js';
import { getTree } from './tree.js';
import { startRun } from '../runs/start-run.js';
import { headHasInterrupts } from '../state/state.js';

export interface Command {
  id: number;
  method: string;
  params: JsonObject;
}

const COMMANDS: Readonly<Record<string, (call: CommandRequest) => Promise<CommandResult>>> = {
  'run.start': start,
  'input.respond': respond,
  'state.get': getState,
  'state.listCheckpoints': listCheckpoints,
  'state.fork': fork,
  'agent.getTree': getTree,
};
/** Commands of the protocol that exist only on sockets, or that no server offers. */
const NOT_SUPPORTED: ReadonlySet<string> = new Set([
  'input.inject',
  'subscription.subscribe',
  'subscription.unsubscribe',
  'subscription.reconnect',
]);

/**
 * Executes a command and returns the response as JSON, also for an error. Throws THREAD_NOT_FOUND if the caller
 * may not see the thread.
 */
export async function runCommand(sender: CommandContext, { id, method, params }: Command): Promise<string> {
  const { services, caller, threadId } = sender;
  // A thread that does not exist yet is created with its first run.
  if (services.threads.isTaken(threadId) && services.threads.current(caller, threadId) === undefined)
    throw fail('THREAD_NOT_FOUND', { threadId });
  try {
    const execute = Object.hasOwn(COMMANDS, method) ? COMMANDS[method] : undefined;
    if (execute === undefined)
      throw NOT_SUPPORTED.has(method)
        ? new ProtocolError('not_supported', `${method} is not supported`)
        : new ProtocolError('unknown_command', `there is no command ${method}`);
    const { result, meta } = await execute({ ...sender, params });
    return `{"type":"success","id":${id},"result":${result}${meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`}}`;
  } catch (error) {
    return commandErrorJson(id, toProtocolError(error));
  }
}

/** The error response. `id` is null if the id of the command is unknown. */
export function commandErrorJson(
  id: number | null,
  { code, message }: Pick<ProtocolError, 'code' | 'message'>,
): string {
  return JSON.stringify({ type: 'error', id, error: code, message });
}

/** Rethrows unexpected errors, and temporary ones of the server, which clients retry. */
function toProtocolError(error: unknown): { code: ProtocolCode; message: string } {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof ThreadmillError) || error.status >= 500 || error.status === 429) throw error;
  return {
    code: error.code === 'CHECKPOINT_NOT_FOUND' ? 'no_such_checkpoint' : codeForStatus(error.status),
    message: error.message,
  };
}

const STRATEGIES: ReadonlySet<unknown> = new Set(['reject', 'rollback', 'interrupt', 'enqueue']);

/** Starts a run, and creates the thread with the first one. While interrupts are open, the input answers them. */
function start(call: CommandRequest): Promise<CommandResult> {
  const { services, caller, threadId, params } = call;
  const { assistant_id: assistantId, input = null, config, metadata } = params;
  if (typeof assistantId !== 'string')
    throw new ProtocolError(
      'invalid_argument',
      'run.start: assistant_id: must be the id of an assistant or the name of a graph',
    );
  const strategy = params['multitask_strategy'] ?? params['multitaskStrategy'] ?? 'enqueue';
  if (!STRATEGIES.has(strategy))
    throw new ProtocolError(
      'invalid_argument',
      'run.start: multitask_strategy: must be reject, rollback, interrupt or enqueue',
    );
  const thread = services.threads.find(caller, threadId);
  const bound = thread === undefined ? undefined : boundAssistantId(thread);
  const assistant = resolveAssistant(services, caller, assistantId);
  if (bound !== undefined && bound !== assistant.assistantId)
    throw new ProtocolError(
      'invalid_argument',
      `run.start: assistant_id: this thread belongs to the assistant ${bound}`,
    );
  const answers = input !== null && thread !== undefined && headHasInterrupts(services, caller, thread);
  return startRunWith(
    call,
    {
      assistant_id: assistantId,
      multitask_strategy: strategy,
      if_not_exists: 'create',
      ...(answers ? { command: { resume: input } } : { input }),
      ...(config === undefined || config === null ? {} : { config }),
      ...(metadata === undefined || metadata === null ? {} : { metadata }),
    },
    ({ runId }) => ({ run_id: runId }),
  );
}

/** Answers one or more interrupts with one run. */
function respond(call: CommandRequest): Promise<CommandResult> {
  const { services, caller, params } = call;
  const answers = params['responses'] === undefined ? [params] : params['responses'];
  if (
    !Array.isArray(answers) ||
    answers.length === 0 ||
    !answers.every((one): one is JsonObject => isObject(one) && typeof one['interrupt_id'] === 'string')
  ) {
    throw new ProtocolError(
      'invalid_argument',
      'input.respond: give interrupt_id and response, or a list of them as responses',
    );
  }
  const thread = requireThread(call, 'input.respond');
  const assistantId = boundAssistantId(thread);
  if (assistantId === undefined)
    throw new ProtocolError('no_such_run', 'input.respond: nothing has run on this thread');
  if (!headHasInterrupts(services, caller, thread))
    throw new ProtocolError('invalid_argument', 'input.respond: no interrupt is open');
  const { update, goto, config, metadata, strict_resume: strict } = params;
  return startRunWith(
    call,
    {
      assistant_id: assistantId,
      command: {
        resume: Object.fromEntries(answers.map((one) => [one['interrupt_id'], one['response'] ?? null])),
        ...(update === undefined || update === null ? {} : { update }),
        ...(goto === undefined || goto === null ? {} : { goto }),
      },
      ...(config === undefined || config === null ? {} : { config }),
      ...(metadata === undefined || metadata === null ? {} : { metadata }),
      ...(strict === true ? { strict_resume: true } : {}),
    },
    () => ({}),
  );
}

/** Starts a run from an older state. Without an input, the run continues from there. */
function fork(call: CommandRequest): Promise<CommandResult> {
  const { checkpoint_id: checkpointId, input = null, config } = call.params;
  if (typeof checkpointId !== 'string')
    throw new ProtocolError('invalid_argument', 'state.fork: checkpoint_id: must be the id of a checkpoint');
  const assistantId = boundAssistantId(requireThread(call, 'state.fork'));
  if (assistantId === undefined) throw new ProtocolError('no_such_run', 'state.fork: nothing has run on this thread');
  const { configurable, ...rest } = asObject(config);
  return startRunWith(
    call,
    {
      assistant_id: assistantId,
      input,
      config: { ...rest, configurable: { ...asObject(configurable), checkpoint_id: checkpointId } },
    },
    ({ runId, threadId }) => ({ run_id: runId, thread_id: threadId }),
  );
}

async function startRunWith(
  { services, caller, threadId, origin }: CommandContext,
  body: JsonObject,
  resultOf: (run: RunRecord) => JsonObject,
): Promise<CommandResult> {
  const checkpointId = asObject(asObject(body['config'])['configurable'])['checkpoint_id'];
  const runBody = {
    ...body,
    ...(typeof checkpointId === 'string' ? { checkpoint_id: checkpointId } : {}),
    stream_subgraphs: true,
    stream_resumable: true,
  };
  if (!RunCreate(runBody))
    throw new ProtocolError(
      'invalid_argument',
      problemsOf(RunCreate.errors ?? [])
        .map(({ loc, msg }) => `${['params', ...loc].join('.')}: ${msg}`)
        .join('; '),
    );
  await services.stateBudgets?.prepare(threadId);
  const before = services.threads.live(threadId)?.seq ?? services.threads.current(caller, threadId)?.nextSeq ?? 0;
  const run = startRun(services, threadId, {
    caller,
    body: runBody as RunCreateBody,
    purpose: 'background',
    context: origin,
    modes: ['protocol'],
  });
  await run.created;
  // Events of the run have higher ids. Clients use this to recognize replays.
  return {
    result: JSON.stringify(resultOf(run.record)),
    meta: { thread_id: threadId, applied_through_seq: Math.max(0, before - 1) },
  };
}

/** The assistant that the thread is bound to. Undefined before its first run. */
function boundAssistantId(thread: ThreadRecord): string | undefined {
  const { assistant_id: assistantId } = asObject(parseJson(thread.metadata));
  return typeof assistantId === 'string' ? assistantId : undefined;
}
