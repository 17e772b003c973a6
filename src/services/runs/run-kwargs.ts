import type { RunCreate } from '../../../schemas/compiled/types.js';
import { asObject, isObject, parseJson, type JsonObject } from '../../base/json/json.js';
import { buildConfig, checkpointNames } from '../../domain/run-config.js';
import type { AssistantRecord } from '../../store/assistants.js';
import { completeConfig, type RunKwargs } from '../../store/runs/kwargs.js';
import type { RunRecord } from '../../store/runs/runs.js';
import type { StreamMode } from '../../wire/runs/messages.js';
import type { NewRunRequest } from './run-request.js';

/**
 * What the graph is called with: defaults, then the assistant, then the body, then the server (agent-server.md, 9.2).
 */
export function buildKwargs(
  record: RunRecord,
  assistant: AssistantRecord,
  request: NewRunRequest,
  temporary: boolean,
): RunKwargs {
  const { body, modes = streamModes(body.stream_mode) } = request;
  return {
    input: body.input ?? null,
    command: (body.command ?? null) as JsonObject | null,
    config: completeConfig(requestedConfig(assistant, request), record),
    context: effectiveContext(assistant, body.context),
    stream_mode: modes,
    subgraphs: body.stream_subgraphs ?? false,
    interrupt_before: nodeNames(body.interrupt_before),
    interrupt_after: nodeNames(body.interrupt_after),
    durability: body.durability ?? (body.checkpoint_during === false ? 'exit' : 'async'),
    resumable: body.stream_resumable ?? false,
    temporary,
    webhook: body.webhook ?? null,
    feedback_keys: body.feedback_keys && body.feedback_keys.length > 0 ? [...new Set(body.feedback_keys)] : null,
    strict_resume: body.strict_resume ?? false,
  };
}

function requestedConfig(assistant: AssistantRecord, { body, caller, context }: NewRunRequest): JsonObject {
  const config = buildConfig([parseJson(assistant.config) as JsonObject, (body.config ?? {}) as JsonObject], {
    configurable: {
      ...context.headers,
      ...checkpointNames(asObject(body.checkpoint)),
      ...(typeof body.checkpoint_id === 'string' ? { checkpoint_id: body.checkpoint_id } : {}),
      ...(context.requestId === null ? {} : { langgraph_request_id: context.requestId }),
    },
    metadata: {},
  });
  // A client may act for a user of its own (agent-server.md, 17.4). `langgraph_auth_user_id` is always the
  // authenticated one.
  if (caller.authenticated) (config['configurable'] as JsonObject)['user_id'] ??= caller.identity;
  return config;
}

/**
 * The body's context over the assistant's; null when both are empty. A context that is no object replaces the
 * assistant's.
 */
function effectiveContext(assistant: AssistantRecord, given: RunCreate['context']): unknown {
  const defaults = parseJson(assistant.context);
  if (given === undefined || given === null) return Object.keys(asObject(defaults)).length > 0 ? defaults : null;
  return isObject(given) ? { ...asObject(defaults), ...given } : given;
}

function streamModes(mode: RunCreate['stream_mode']): StreamMode[] {
  const modes = (mode === undefined || mode === null ? [] : Array.isArray(mode) ? mode : [mode]) as StreamMode[];
  return modes.length === 0 ? ['values'] : [...new Set(modes)];
}

/** `*` means every node. */
function nodeNames(value: RunCreate['interrupt_before']): string[] | '*' | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value === '*' ? '*' : [value];
  return value.length === 1 && value[0] === '*' ? '*' : value;
}
