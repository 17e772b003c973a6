import { isObject, type JsonObject } from '../../../src/base/json/json.js';
import {
  elementsOf,
  objectOf,
  parsedText,
  treeAt,
  valueAt,
  type AttributeTree,
  type Attributes,
} from './attributes.js';
import type { OtlpEvent } from './span.js';

/** A message of a model call, in the form that chat models of LangChain take: role, content, tool calls. */
export type Message = JsonObject;

/** Messages in the GenAI conventions: a list of `{role, parts}`, or of messages in another form. */
export function messagesOfParts(value: unknown): Message[] | null {
  const list = Array.isArray(value) ? value : isObject(value) ? [value] : null;
  if (list === null || list.length === 0) return null;
  return list.flatMap((one: unknown) => (isObject(one) ? messagesOfOne(one) : [{ role: 'user', content: one }]));
}

function messagesOfOne(message: JsonObject): Message[] {
  const { parts, role, ...rest } = message;
  if (!Array.isArray(parts)) return [message];
  const blocks: unknown[] = [];
  const calls: unknown[] = [];
  const responses: Message[] = [];
  for (const part of parts) {
    const { type, content, id, name, arguments: args, response, result } = isObject(part) ? part : { type: null };
    if (type === 'text') blocks.push({ type: 'text', text: content });
    else if (type === 'reasoning' || type === 'thinking') blocks.push({ type: 'reasoning', reasoning: content });
    else if (type === 'tool_call') calls.push({ name, args: parsedText(args), id, type: 'tool_call' });
    else if (type === 'tool_call_response')
      responses.push({ role: 'tool', content: response ?? result ?? content ?? null, tool_call_id: id });
    else blocks.push(part);
  }
  if (responses.length > 0 && blocks.length === 0 && calls.length === 0) return responses;
  const own = { role: role ?? 'user', content: contentOf(blocks), ...rest };
  return [calls.length === 0 ? own : { ...own, tool_calls: calls }, ...responses];
}

/** `gen_ai.system_instructions`: a list of parts, or a text. */
export function systemMessage(instructions: unknown): Message | null {
  if (typeof instructions === 'string') return { role: 'system', content: instructions };
  return Array.isArray(instructions) ? messagesOfOne({ role: 'system', parts: instructions })[0]! : null;
}

/** A single text is sent as text. */
function contentOf(blocks: readonly unknown[]): unknown {
  const [first] = blocks;
  if (blocks.length === 1 && isObject(first) && first['type'] === 'text') return first['text'];
  return blocks.length === 0 ? '' : blocks;
}

/** Messages of `llm.input_messages.0.message.role` and so on (OpenInference). */
export function messagesOfOpenInference(tree: AttributeTree | null): Message[] | null {
  const found = tree === null ? [] : elementsOf(tree).map((one) => treeAt(one, 'message') ?? one);
  if (found.length === 0) return null;
  return found.map((message) => {
    const contents = elementsOf(message.get('contents')).map((one) => blockOf(treeAt(one, 'message_content') ?? one));
    const calls = elementsOf(message.get('tool_calls')).map((one) => {
      const call = treeAt(one, 'tool_call') ?? one;
      return callOf(valueAt(call, 'function', 'name'), valueAt(call, 'function', 'arguments'), valueAt(call, 'id'));
    });
    const called = valueAt(message, 'function_call_name');
    if (called !== undefined) calls.push(callOf(called, valueAt(message, 'function_call_arguments_json'), undefined));
    return messageOf(message, contents.length > 0 ? contents : undefined, calls);
  });
}

function blockOf(block: AttributeTree): unknown {
  const image = valueAt(block, 'image', 'image', 'url');
  if (image !== undefined) return { type: 'image_url', image_url: { url: image } };
  return objectOf(block);
}

/** Messages of `gen_ai.prompt.0.role` and so on (OpenLLMetry, and earlier versions of the conventions). */
export function messagesOfIndexed(tree: AttributeTree | null): Message[] | null {
  const found = tree === null ? [] : elementsOf(tree);
  if (found.length === 0) return null;
  return found.map((message) => {
    const calls = elementsOf(message.get('tool_calls')).map((call) =>
      callOf(
        valueAt(call, 'name') ?? valueAt(call, 'function', 'name'),
        valueAt(call, 'arguments') ?? valueAt(call, 'function', 'arguments'),
        valueAt(call, 'id'),
      ),
    );
    return messageOf(message, undefined, calls);
  });
}

function messageOf(message: AttributeTree, contents: unknown[] | undefined, calls: unknown[]): Message {
  const content = contents ?? parsedText(valueAt(message, 'content')) ?? '';
  const more = ['name', 'tool_call_id', 'finish_reason', 'id'].flatMap((name) => {
    const value = valueAt(message, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    role: valueAt(message, 'role') ?? 'user',
    content,
    ...Object.fromEntries(more),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function callOf(name: unknown, args: unknown, id: unknown): unknown {
  return { name, args: parsedText(args) ?? {}, ...(id === undefined ? {} : { id }), type: 'tool_call' };
}

const ROLE_OF_EVENT: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
};
const CHOICE = 'gen_ai.choice';

/** True if the event says what a model call was given or answered. It is not kept as an event. */
export function isMessageEvent({ name }: OtlpEvent): boolean {
  return (
    Object.hasOwn(ROLE_OF_EVENT, name) ||
    [CHOICE, 'gen_ai.content.prompt', 'gen_ai.content.completion', DETAILS].includes(name)
  );
}

const DETAILS = 'gen_ai.client.inference.operation.details';

/** The event that has what the attributes of a span may have too; null without one. */
export function detailsOf(events: readonly OtlpEvent[]): Attributes | null {
  return events.find(({ name }) => name === DETAILS)?.attributes ?? null;
}

/** What a model call was given, as events say it: messages, or any value. */
export function promptOfEvents(events: readonly OtlpEvent[]): { messages: Message[] | null; value: unknown } {
  const messages = events
    .filter(({ name }) => Object.hasOwn(ROLE_OF_EVENT, name))
    .map(({ name, attributes }) => messageOfEvent(attributes, ROLE_OF_EVENT[name]!));
  const prompt = events.find(({ name }) => name === 'gen_ai.content.prompt');
  return { messages: messages.length === 0 ? null : messages, value: prompt?.attributes.takeJson('gen_ai.prompt') };
}

/** What a model call answered, as events say it. */
export function answerOfEvents(events: readonly OtlpEvent[]): { messages: Message[] | null; value: unknown } {
  const choices = events
    .filter(({ name }) => name === CHOICE)
    .map(({ attributes }) => {
      const message = attributes.takeJson('message', 'gen_ai.event.content');
      const finish = attributes.take('finish_reason');
      return {
        ...messageOfEvent(attributes, 'assistant'),
        ...(isObject(message) ? message : message === undefined ? {} : { content: message }),
        ...(finish === undefined ? {} : { finish_reason: finish }),
      };
    });
  const completion = events.find(({ name }) => name === 'gen_ai.content.completion');
  return {
    messages: choices.length === 0 ? null : choices,
    value: completion?.attributes.takeJson('gen_ai.completion'),
  };
}

function messageOfEvent(attributes: Attributes, role: string): Message {
  const calls = attributes.takeJson('tool_calls');
  const id = attributes.take('id');
  const event = attributes.takeJson('gen_ai.event.content');
  const content = attributes.takeJson('content', 'gen_ai.prompt');
  return {
    role: attributes.takeText('role') ?? role,
    content: content ?? '',
    ...(isObject(event) ? event : {}),
    ...(calls === undefined ? {} : { tool_calls: calls }),
    ...(id === undefined ? {} : role === 'tool' ? { tool_call_id: id } : { id }),
  };
}
