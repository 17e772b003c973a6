import { isObject, type JsonObject } from '../../../src/base/json/json.js';
import {
  elementsOf,
  objectOf,
  parsedText,
  treeAt,
  valueAt,
  type Attributes,
  type AttributeTree,
} from './attributes.js';
import {
  answerOfEvents,
  detailsOf,
  messagesOfIndexed,
  messagesOfOpenInference,
  messagesOfParts,
  promptOfEvents,
  systemMessage,
  type Message,
} from './messages.js';
import type { OtlpEvent } from './span.js';

/** Inputs or outputs of a run; null if the span says nothing of them. */
export type RunValue = JsonObject | null;

/**
 * What a step was given. Messages come first, because they are the same in all conventions; what the sender gave
 * beside them is the same in its own form.
 */
export function inputsOf(attributes: Attributes, events: readonly OtlpEvent[], runType: string): RunValue {
  const fromEvents = promptOfEvents(events);
  const details = detailsOf(events);
  const system = systemMessage(
    attributes.takeJson('gen_ai.system_instructions') ?? details?.takeJson('gen_ai.system_instructions'),
  );
  const candidates = [
    messagesOfParts(attributes.takeJson('gen_ai.input.messages')),
    messagesOfParts(details?.takeJson('gen_ai.input.messages')),
    messagesOfOpenInference(attributes.takeTree('llm.input_messages.')),
    messagesOfIndexed(attributes.takeTree('gen_ai.prompt.')),
    fromEvents.messages,
    runType === 'llm' ? messagesOfParts(attributes.takeJson('ai.prompt.messages')) : null,
  ];
  const prompts = elementsOf(attributes.takeTree('llm.prompts.') ?? undefined).map(
    (one) => valueAt(one, 'prompt', 'text') ?? objectOf(one),
  );
  const texts = elementsOf(treeAt(attributes.takeTree('embedding.') ?? new Map(), 'embeddings')).flatMap((one) => {
    const text = valueAt(one, 'embedding', 'text');
    return text === undefined ? [] : [text];
  });
  const value =
    typedValue(attributes, 'input') ??
    attributes.takeJson(
      ...['gen_ai.prompt', 'gen_ai.tool.call.arguments', 'gen_ai.retrieval.query.text', 'traceloop.entity.input'],
      ...['ai.toolCall.input', 'ai.toolCall.args', 'ai.prompt', 'tool.parameters', 'ai.value', 'ai.values'],
    ) ??
    fromEvents.value;
  const messages = candidates.find((one) => one !== null) ?? null;
  if (messages !== null) return { messages: system === null ? messages : [system, ...messages] };
  if (prompts.length > 0) return { prompts };
  if (value !== undefined) return asValue(value, runType === 'retriever' ? 'query' : 'input');
  if (system !== null) return { messages: [system] };
  return texts.length > 0 ? { texts } : null;
}

/** What a step answered. */
export function outputsOf(attributes: Attributes, events: readonly OtlpEvent[]): RunValue {
  const fromEvents = answerOfEvents(events);
  const candidates = [
    messagesOfParts(attributes.takeJson('gen_ai.output.messages')),
    messagesOfParts(detailsOf(events)?.takeJson('gen_ai.output.messages')),
    messagesOfOpenInference(attributes.takeTree('llm.output_messages.')),
    messagesOfIndexed(attributes.takeTree('gen_ai.completion.')),
    fromEvents.messages,
    answerOfAiSdk(attributes),
  ];
  const documents = documentsOf(attributes);
  const value =
    typedValue(attributes, 'output') ??
    attributes.takeJson(
      ...['gen_ai.completion', 'gen_ai.tool.call.result', 'traceloop.entity.output'],
      ...['ai.toolCall.output', 'ai.toolCall.result', 'ai.response.object'],
    ) ??
    fromEvents.value;
  const messages = candidates.find((one) => one !== null) ?? null;
  if (messages !== null) return { messages };
  if (documents !== null) return { documents };
  return value === undefined ? null : asValue(value, 'output');
}

/** `input.value` and `output.value` (OpenInference), with the type that is named beside them. */
function typedValue(attributes: Attributes, side: 'input' | 'output'): unknown {
  const type = attributes.takeText(`${side}.mime_type`);
  const value = attributes.take(`${side}.value`);
  return type === 'text/plain' ? value : parsedText(value);
}

function asValue(value: unknown, name: string): JsonObject {
  return isObject(value) ? value : { [name]: value };
}

function answerOfAiSdk(attributes: Attributes): Message[] | null {
  const text = attributes.take('ai.response.text');
  const calls = attributes.takeJson('ai.response.toolCalls');
  const finish = attributes.take('ai.response.finishReason');
  if (text === undefined && !Array.isArray(calls)) return null;
  return [
    {
      role: 'assistant',
      content: text ?? '',
      ...(finish === undefined ? {} : { finish_reason: finish }),
      ...(Array.isArray(calls)
        ? {
            tool_calls: calls.filter(isObject).map(({ toolCallId: id, toolName: name, input, args }) => ({
              name,
              args: parsedText(input ?? args),
              id,
              type: 'tool_call',
            })),
          }
        : {}),
    },
  ];
}

/** Documents of a retriever or a reranker, in the form of LangChain. */
function documentsOf(attributes: Attributes): JsonObject[] | null {
  const trees = [
    treeAt(attributes.takeTree('retrieval.') ?? new Map(), 'documents'),
    treeAt(attributes.takeTree('reranker.') ?? new Map(), 'output_documents'),
  ];
  for (const tree of trees) {
    const found = elementsOf(tree).map((one) => documentOf(treeAt(one, 'document') ?? one));
    if (found.length > 0) return found;
  }
  const documents = attributes.takeJson('gen_ai.retrieval.documents');
  return Array.isArray(documents) ? documents.map((one) => (isObject(one) ? one : { page_content: one })) : null;
}

function documentOf(document: AttributeTree): JsonObject {
  const metadata = parsedText(valueAt(document, 'metadata'));
  const [id, score] = [valueAt(document, 'id'), valueAt(document, 'score')];
  return {
    page_content: valueAt(document, 'content') ?? '',
    metadata: { ...(isObject(metadata) ? metadata : {}), ...(score === undefined ? {} : { score }) },
    ...(id === undefined ? {} : { id }),
  };
}
