import { asObject, isObject, type JsonObject } from '../../src/base/json/json.js';
import { jsonLine } from './export-lines.js';

const ROLES: Record<string, string> = {
  human: 'user',
  HumanMessage: 'user',
  HumanMessageChunk: 'user',
  ai: 'assistant',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  system: 'system',
  SystemMessage: 'system',
  developer: 'developer',
  tool: 'tool',
  ToolMessage: 'tool',
  function: 'function',
  FunctionMessage: 'function',
};
const OPENAI_ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

/**
 * Returns `{"messages": […]}` for an example whose inputs are messages and whose outputs are the response, in
 * the format of OpenAI or LangChain. Returns '' for any other example.
 */
export function fineTuningLine(inputs: JsonObject, outputs: JsonObject): string {
  const inputMessages = messagesOf(inputs['messages'] ?? inputs['input']);
  const outputMessages = messagesOf(
    outputs['messages'] ?? outputs['message'] ?? outputs['output'] ?? firstChoice(outputs['choices']),
  );
  if (inputMessages === null || outputMessages === null) return '';
  // The output of a graph contains the whole conversation.
  const whole =
    outputMessages.length > inputMessages.length &&
    inputMessages.every((message, at) => JSON.stringify(message) === JSON.stringify(outputMessages[at]));
  const messages = whole ? outputMessages : [...inputMessages, ...outputMessages];
  return messages.at(-1)!['role'] === 'assistant' ? jsonLine({ messages }) : '';
}

function firstChoice(choices: unknown): unknown {
  return Array.isArray(choices) ? asObject(choices[0])['message'] : undefined;
}

/** Null unless all values are messages. */
function messagesOf(value: unknown): JsonObject[] | null {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const messages = list.map(messageOf);
  return messages.length > 0 && messages.every((message) => message !== null) ? messages : null;
}

function messageOf(value: unknown): JsonObject | null {
  if (!isObject(value)) return null;
  if (typeof value['role'] === 'string') return OPENAI_ROLES.has(value['role']) ? value : null;
  // Formats of LangChain: plain, stored ({type, data}) or serialized ({lc, id: [.., class], kwargs}).
  const serialised = Array.isArray(value['id']) && isObject(value['kwargs']);
  const type: unknown = serialised ? (value['id'] as unknown[]).at(-1) : value['type'];
  const role = typeof type === 'string' && Object.hasOwn(ROLES, type) ? ROLES[type]! : null;
  if (role === null) return null;
  const {
    content,
    name,
    tool_call_id: toolCallId,
    tool_calls: calls,
    additional_kwargs: more,
  } = asObject(serialised ? value['kwargs'] : (value['data'] ?? value));
  const toolCalls = Array.isArray(calls) && calls.length > 0 ? calls.map(toolCallOf) : asObject(more)['tool_calls'];
  return {
    role,
    content: content ?? null,
    ...(typeof name === 'string' ? { name } : {}),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
    ...(typeof toolCallId === 'string' ? { tool_call_id: toolCallId } : {}),
  };
}

function toolCallOf(call: unknown): unknown {
  const { id, name, args } = asObject(call);
  return name === undefined
    ? call
    : { id, type: 'function', function: { name, arguments: JSON.stringify(args ?? {}) } };
}
