import { asObject, asText, isObject, parseJson, type JsonObject } from '../../base/json/json.js';
import type { ExportedStep } from '../../base/spans.js';
import { dottedOrderOf } from '../../domain/dotted-order.js';
import type { EvaluationRun } from '../../wire/evaluation/evaluation-run.js';
import type { TracedRun } from './trace-writer.js';

/** Where a step is exported to, and how much of it. */
export interface StepContext {
  run: TracedRun;
  /** The span of the attempt. */
  parent: { traceId: string; spanId: string };
  withContent: boolean;
}

type Attributes = ExportedStep['attributes'];

const OPERATIONS: Readonly<Record<string, string>> = {
  llm: 'chat',
  tool: 'execute_tool',
  retriever: 'retrieval',
  embedding: 'embeddings',
};
/** Parameters of model calls by the names of the conventions. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  temperature: ['temperature'],
  top_p: ['top_p', 'topP'],
  max_tokens: ['max_tokens', 'maxTokens', 'max_completion_tokens'],
  seed: ['seed'],
};
/** Metadata that says which step it is, and nothing of a user. */
const OF_THE_GRAPH = ['langgraph_node', 'langgraph_step', 'run_attempt'];

/**
 * A step as a span in the GenAI conventions, with the attributes of LangSmith for what those do not have. A server that
 * receives it stores it under the ids that it has here.
 */
export function exportedStep({ run, parent, withContent }: StepContext, step: EvaluationRun): ExportedStep {
  const { runId: stepId, parentRunId: parentId } = step;
  const extra = objectIn(step.extra);
  const metadata = asObject(extra['metadata']);
  const attributes: Attributes = {
    'langsmith.span.id': stepId,
    'langsmith.trace.id': run.runId,
    'langsmith.span.kind': step.runType,
    'langsmith.span.dotted_order': step.dottedOrder ?? dottedOrderOf(step.startUs, stepId),
    'langsmith.trace.session_name': run.assistant.name,
    'threadmill.run.id': run.runId,
    'threadmill.assistant.id': run.assistant.assistantId,
    'threadmill.graph.id': run.assistant.graphId,
    ...(parentId === null ? {} : { 'langsmith.span.parent_id': parentId }),
    ...kindOf(step, run),
    ...usageOf(step),
  };
  const put = (name: string, value: unknown): void => {
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') attributes[name] = value;
  };
  put('gen_ai.conversation.id', metadata['thread_id']);
  if (step.runType === 'llm') {
    put('gen_ai.provider.name', metadata['ls_provider']);
    put('gen_ai.request.model', metadata['ls_model_name']);
    const parameters = asObject(extra['invocation_params']);
    for (const [name, names] of Object.entries(PARAMETERS))
      put(
        `gen_ai.request.${name}`,
        names.map((one) => parameters[one]).find((one) => one !== undefined),
      );
  }
  for (const name of OF_THE_GRAPH) put(`langsmith.metadata.${name}`, metadata[name]);
  if (withContent) Object.assign(attributes, contentOf(step, metadata));
  return {
    traceId: parent.traceId,
    spanId: otelSpanId(stepId),
    parentSpanId: parentId === null ? parent.spanId : otelSpanId(parentId),
    name: step.name,
    isCall: step.runType === 'llm',
    startUs: step.startUs,
    endUs: step.endUs ?? step.startUs,
    attributes,
    error: errorOf(step, withContent),
  };
}

/** The last 8 bytes of the step's UUID: those of the steps of one run differ there. */
function otelSpanId(stepId: string): string {
  return stepId.replaceAll('-', '').slice(-16);
}

function kindOf({ runType, name, parentRunId }: EvaluationRun, { assistant }: TracedRun): Attributes {
  // The span of the attempt is above it, which is no step.
  if (parentRunId === null)
    return {
      'langsmith.is_root': 'true',
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': assistant.name,
      'openinference.span.kind': 'AGENT',
    };
  const operation = OPERATIONS[runType];
  return {
    'openinference.span.kind': operation === undefined ? 'CHAIN' : runType.toUpperCase(),
    ...(operation === undefined ? {} : { 'gen_ai.operation.name': operation }),
    ...(runType === 'tool' ? { 'gen_ai.tool.name': name } : {}),
  };
}

function usageOf(step: EvaluationRun): Attributes {
  const found = {
    'gen_ai.usage.input_tokens': step.promptTokens,
    'gen_ai.usage.output_tokens': step.completionTokens,
    'gen_ai.usage.total_tokens': step.totalTokens,
    'llm.cost.prompt': step.promptCost,
    'llm.cost.completion': step.completionCost,
    'llm.cost.total': step.totalCost,
    'gen_ai.response.time_to_first_chunk': step.firstTokenUs === null ? null : (step.firstTokenUs - step.startUs) / 1e6,
  };
  return Object.fromEntries(Object.entries(found).filter((one): one is [string, number] => one[1] !== null));
}

function errorOf({ error }: EvaluationRun, withContent: boolean): ExportedStep['error'] {
  if (error === null) return null;
  const text = String(parseJson(error));
  const [, type = 'Error'] = /^([\w.$]+)(?::|\n|$)/.exec(text) ?? [];
  return { type, text: withContent ? text : '' };
}

/** Inputs, outputs, tags and metadata. */
function contentOf({ runType, inputs, outputs, tags }: EvaluationRun, metadata: JsonObject): Attributes {
  const found: Attributes = {};
  const isModel = runType === 'llm';
  const given = isModel ? messagesOf(objectIn(inputs)['messages']) : null;
  const answers = isModel ? messagesOf(answersIn(objectIn(outputs)['generations'])) : null;
  if (given !== null) found['gen_ai.input.messages'] = JSON.stringify(given);
  else if (inputs !== null) Object.assign(found, jsonValue('input', inputs));
  if (answers !== null) found['gen_ai.output.messages'] = JSON.stringify(answers);
  else if (outputs !== null) Object.assign(found, jsonValue('output', outputs));
  const listed = tags === null ? null : parseJson(tags);
  if (Array.isArray(listed) && listed.length > 0) found['langsmith.span.tags'] = listed.join(', ');
  for (const [name, value] of Object.entries(metadata))
    if (value !== null && value !== undefined)
      found[`langsmith.metadata.${name}`] =
        typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
  return found;
}

function jsonValue(side: 'input' | 'output', json: Uint8Array): Attributes {
  return { [`${side}.value`]: asText(json), [`${side}.mime_type`]: 'application/json' };
}

function answersIn(generations: unknown): unknown {
  return Array.isArray(generations) ? generations.flat().map((one) => asObject(one)['message']) : null;
}

const ROLES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', AIMessageChunk: 'assistant' };

/** Messages of LangChain in the GenAI conventions. Null if some are of another form. */
function messagesOf(value: unknown): JsonObject[] | null {
  const list: unknown[] = Array.isArray(value) ? value.flat() : [];
  if (list.length === 0 || !list.every(isObject)) return null;
  const messages: JsonObject[] = [];
  for (const message of list) {
    const { type, role, content, tool_calls: calls, tool_call_id: callId, response_metadata: response } = message;
    const name = type ?? role;
    if (typeof name !== 'string' || content === undefined) return null;
    const parts: unknown[] =
      name === 'tool' ? [{ type: 'tool_call_response', id: callId, response: content }] : partsOf(content);
    for (const call of Array.isArray(calls) ? calls.filter(isObject) : [])
      parts.push({ type: 'tool_call', id: call['id'], name: call['name'], arguments: call['args'] });
    const { finish_reason: finish } = asObject(response);
    messages.push({
      role: ROLES[name] ?? name,
      parts,
      ...(typeof finish === 'string' ? { finish_reason: finish } : {}),
    });
  }
  return messages;
}

function partsOf(content: unknown): unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', content }];
  if (!Array.isArray(content)) return [content];
  return content.map((block: unknown) => {
    const { type, text, reasoning } = asObject(block);
    if (type === 'text') return { type: 'text', content: text };
    return type === 'reasoning' ? { type: 'reasoning', content: reasoning } : block;
  });
}

function objectIn(json: Uint8Array | null): JsonObject {
  return json === null ? {} : asObject(parseJson(json));
}
