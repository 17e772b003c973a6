import { canonicalUuid } from '../../../src/base/ids.js';
import { jsonBytes, setOwn, utf8, type JsonObject } from '../../../src/base/json/json.js';
import { isoMicros } from '../../../src/base/micros.js';
import { dottedOrderOf } from '../../../src/domain/dotted-order.js';
import type { HiddenPaths } from '../../../src/domain/hidden-paths.js';
import { boundedTraceValue, isStoredInTrace } from '../../../src/domain/trace-values.js';
import { NO_USAGE } from '../../../src/domain/usage.js';
import type { RunChange } from '../../../src/wire/evaluation/ingest.js';
import type { ReceivedTraceSettings } from '../../../src/wire/evaluation/evaluation.js';
import { elementsOf, objectOf, parsedObject, parsedText, type Attributes } from './attributes.js';
import { isMessageEvent } from './messages.js';
import { runIdOfName, runIdOfSpan, traceUuidOf } from './run-ids.js';
import { STATUS, type OtlpEvent, type OtlpSpan, type SpanOrigin } from './span.js';
import { pricedUsage, usageMetadataOf } from './usage.js';
import { inputsOf, outputsOf } from './values.js';

/** Longest name of a run, and longest text of an attribute that becomes metadata. */
const NAME_CHARS = 1_000;
const METADATA_CHARS = 4_000;

export interface SpanContext {
  origin: SpanOrigin;
  /** `Langsmith-Project` of the request; null without one. */
  project: string | null;
  settings: ReceivedTraceSettings;
  hidden: HiddenPaths;
}

/** The run that a span is stored as. */
export function runOfSpan(span: OtlpSpan, { origin, project, settings, hidden }: SpanContext): RunChange {
  const { attributes, events, traceId } = span;
  const ids = idsOf(span);
  const model = modelOf(attributes);
  const runType = runTypeOf(attributes, model.request ?? model.response);
  const bounded = (value: unknown): Uint8Array =>
    boundedTraceValue(hidden.applyTo(JSON.stringify(value)), settings.valueBytesMax);
  const inputs = inputsOf(attributes, events, runType);
  const outputs = outputsOf(attributes, events);
  const usage = usageMetadataOf(attributes);
  const tags = tagsOf(attributes);
  const error = errorOf(span);
  const firstTokenUs = firstTokenOf(span);
  const isPriced = runType === 'llm' || runType === 'embedding';
  const explicitProject =
    attributes.takeText('langsmith.trace.session_name', 'langsmith.metadata.ls_project_name') ??
    textIn(origin.resource, 'openinference.project.name') ??
    project;
  const serviceName = textIn(origin.resource, 'service.name');
  const cost =
    usage === null || !isPriced
      ? NO_USAGE
      : pricedUsage({
          provider: model.provider,
          model: model.response ?? model.request,
          usage,
          prices: settings.prices,
        });
  // Listed one by one: spreads would take a quarter of the time of a span.
  const change: RunChange = {
    runId: ids.runId,
    traceId: ids.traceId,
    parentRunId: ids.parentRunId,
    dottedOrder: ids.dottedOrder,
    name: (attributes.takeText('langsmith.trace.name') ?? (span.name === '' ? runType : span.name)).slice(
      0,
      NAME_CHARS,
    ),
    runType,
    startUs: span.startUs,
    endUs: span.endUs,
    exampleId: uuidIn(attributes, 'langsmith.reference_example_id'),
    sessionId: uuidIn(attributes, 'langsmith.trace.session_id'),
    sessionName: explicitProject,
    // Without a name of its own, a process is called so by the libraries of OpenTelemetry.
    defaultProject: serviceName === null || serviceName.startsWith('unknown_service') ? null : serviceName,
    whole: true,
    error: error === null ? null : boundedError(error, settings.valueBytesMax),
    tags: tags.length === 0 ? null : jsonBytes(tags),
    inputs: inputs === null || settings.hideInputs ? null : bounded(inputs),
    outputs: outputs === null || settings.hideOutputs ? null : bounded(outputs),
    serialized: serializedOf(attributes),
    events: eventsOf(events, firstTokenUs, bounded),
    extra: null,
    firstTokenUs,
    attachments: [],
    promptTokens: cost.promptTokens,
    completionTokens: cost.completionTokens,
    totalTokens: cost.totalTokens,
    promptCost: cost.promptCost,
    completionCost: cost.completionCost,
    totalCost: cost.totalCost,
  };
  // The last one: it has the attributes that nothing else has used.
  change.extra = extraOf(span, { origin, model, usage, valueBytesMax: settings.valueBytesMax, traceId });
  return change;
}

/** Ids that LangSmith's own exporters send are kept, so that a run has the same ids whichever way it came. */
function idsOf({
  traceId,
  spanId,
  parentSpanId,
  attributes,
  startUs,
}: OtlpSpan): Pick<RunChange, 'runId' | 'traceId' | 'parentRunId' | 'dottedOrder'> {
  const [namedRun, traceName] = [attributes.take('langsmith.span.id'), attributes.take('langsmith.trace.id')];
  const namedTrace = typeof traceName === 'string' ? canonicalUuid(traceName) : null;
  const trace = namedTrace ?? traceUuidOf(traceId);
  // Without its trace, such a run would be taken out of the trace in which it may be stored.
  const runId = (namedTrace === null ? null : runIdOfName(namedRun, traceId)) ?? runIdOfSpan(traceId, spanId);
  const order = attributes.takeText('langsmith.span.dotted_order');
  const namedParent = runIdOfName(attributes.take('langsmith.span.parent_id'), traceId);
  const isRoot = String(attributes.take('langsmith.is_root')) === 'true';
  attributes.take('langsmith.traceable', 'langsmith.traceable_parent_otel_span_id');
  const parent = isRoot ? null : (namedParent ?? (parentSpanId === null ? null : runIdOfSpan(traceId, parentSpanId)));
  return {
    runId,
    traceId: trace,
    parentRunId: parent === runId ? null : parent,
    dottedOrder:
      order !== null && order.endsWith(runId) ? order : parent === null ? dottedOrderOf(startUs, runId) : null,
  };
}

const RUN_TYPES = new Set(['llm', 'chain', 'tool', 'retriever', 'embedding', 'prompt', 'parser']);
const TYPE_OF_OPENINFERENCE: Readonly<Record<string, string>> = {
  llm: 'llm',
  tool: 'tool',
  retriever: 'retriever',
  reranker: 'retriever',
  embedding: 'embedding',
  prompt: 'prompt',
};
const TYPE_OF_OPERATION: Readonly<Record<string, string>> = {
  chat: 'llm',
  completion: 'llm',
  text_completion: 'llm',
  generate_content: 'llm',
  embeddings: 'embedding',
  execute_tool: 'tool',
  retrieval: 'retriever',
};
/** The operations of the AI SDK that call a model. */
const AI_SDK_CALL = /^ai\.(?:generate|stream)(?:Text|Object)\.do(?:Generate|Stream)$/;

function runTypeOf(attributes: Attributes, model: string | null): string {
  const named = attributes.takeText('langsmith.span.kind')?.toLowerCase();
  const kind = attributes.takeText('openinference.span.kind')?.toLowerCase();
  const operation = attributes.takeText('gen_ai.operation.name')?.toLowerCase();
  const traced = attributes.takeText('traceloop.span.kind')?.toLowerCase();
  const request = attributes.takeText('llm.request.type');
  const aiSdk = attributes.takeText('ai.operationId') ?? '';
  if (named !== undefined) return RUN_TYPES.has(named) ? named : 'chain';
  if (kind !== undefined) return TYPE_OF_OPENINFERENCE[kind] ?? 'chain';
  if (operation !== undefined) return TYPE_OF_OPERATION[operation] ?? 'chain';
  if (traced !== undefined) return traced === 'tool' ? 'tool' : 'chain';
  if (AI_SDK_CALL.test(aiSdk)) return 'llm';
  if (aiSdk === 'ai.toolCall') return 'tool';
  if (aiSdk !== '') return 'chain';
  return request !== null || model !== null ? 'llm' : 'chain';
}

interface ModelNames {
  provider: string | null;
  request: string | null;
  response: string | null;
}

function modelOf(attributes: Attributes): ModelNames {
  return {
    provider: attributes.takeText(
      'gen_ai.provider.name',
      'gen_ai.system',
      'llm.provider',
      'llm.system',
      'ai.model.provider',
    ),
    request: attributes.takeText(
      ...['gen_ai.request.model', 'llm.model_name', 'llm.request.model', 'embedding.model_name', 'reranker.model_name'],
      'ai.model.id',
    ),
    response: attributes.takeText('gen_ai.response.model', 'llm.response.model', 'ai.response.model'),
  };
}

function tagsOf(attributes: Attributes): string[] {
  const named = attributes.take('langsmith.span.tags');
  const listed = parsedText(attributes.take('tag.tags'));
  const found = [
    ...(typeof named === 'string' ? named.split(',') : Array.isArray(named) ? named : []),
    ...(Array.isArray(listed) ? listed : typeof listed === 'string' ? listed.split(',') : []),
  ];
  return [...new Set(found.filter((tag) => typeof tag === 'string').map((tag) => tag.trim()))].filter(
    (tag) => tag !== '',
  );
}

/** A span fails by its status. Without one, an exception is a failure: many libraries record only that. */
function errorOf({ status, events }: OtlpSpan): string | null {
  const exception = events.findLast(({ name }) => name === 'exception')?.attributes;
  if (status.code === STATUS.ok || (status.code !== STATUS.error && exception === undefined)) return null;
  const [type, message, stack] = ['type', 'message', 'stacktrace'].map((name) => {
    const value = exception?.get(`exception.${name}`);
    return typeof value === 'string' && value !== '' ? value : null;
  });
  const said = message ?? (status.message === '' ? null : status.message);
  // LangSmith's exporter wraps the text of an error, and its stack is that of the exporter.
  if (type === 'Error' && said !== null && stack?.includes('LangSmithToOTELTranslator') === true) return said;
  const text = type == null ? said : said === null ? type : `${type}: ${said}`;
  if (stack == null) return text ?? 'The span has the status ERROR.';
  return text === null || (said !== null && stack.includes(said)) ? stack : `${text}\n\n${stack}`;
}

function boundedError(text: string, bytesMax: number): Uint8Array {
  const json = utf8(JSON.stringify(text.toWellFormed()));
  if (json.byteLength <= bytesMax) return json;
  return utf8(JSON.stringify(`${text.slice(0, METADATA_CHARS).toWellFormed()}…`));
}

const FIRST_TOKEN_EVENTS = new Set([
  ...['new_token', 'first_token', 'gen_ai.first_token', 'First Token Stream Event', 'ai.stream.firstChunk'],
  'llm.content.completion.chunk',
]);

/** From the events of streaming, or from the time that an attribute says. */
function firstTokenOf({ attributes, events, startUs }: OtlpSpan): number | null {
  const seconds = attributes.takeNumber('gen_ai.response.time_to_first_chunk', 'gen_ai.server.time_to_first_token');
  const milliseconds = attributes.takeNumber('ai.response.msToFirstChunk');
  const times = events.flatMap(({ name, timeUs }) => (FIRST_TOKEN_EVENTS.has(name) && timeUs !== null ? [timeUs] : []));
  if (times.length > 0) return times.reduce((first, one) => Math.min(first, one));
  const us = seconds !== null ? seconds * 1e6 : milliseconds !== null ? milliseconds * 1e3 : null;
  return us === null || !(us >= 0 && us < MAX_DELAY_US) ? null : startUs + Math.round(us);
}

const MAX_DELAY_US = 86_400e6;

/** Events that are no messages, with the time of the first token as clients of LangSmith send it. */
function eventsOf(
  events: readonly OtlpEvent[],
  firstTokenUs: number | null,
  bounded: (value: unknown) => Uint8Array,
): Uint8Array | null {
  const kept = events
    .filter((event) => !isMessageEvent(event) && !FIRST_TOKEN_EVENTS.has(event.name))
    .map(({ name, timeUs, attributes }) => ({
      name,
      ...(timeUs === null ? {} : { time: isoMicros(timeUs) }),
      ...(attributes.isEmpty ? {} : { kwargs: storable(attributes.toObject()) }),
    }));
  if (firstTokenUs !== null) kept.unshift({ name: 'new_token', time: isoMicros(firstTokenUs) });
  if (kept.length === 0) return null;
  const json = bounded(kept);
  // Of too many events, the value that says so is no list.
  return json[0] === '['.charCodeAt(0) ? json : jsonBytes([{ name: 'truncated', kwargs: { events: kept.length } }]);
}

function storable(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => isStoredInTrace(name)));
}

function serializedOf(attributes: Attributes): Uint8Array | null {
  const serialized = attributes.takeUnder('gen_ai.serialized.');
  return serialized.length === 0 ? null : jsonBytes(Object.fromEntries(serialized));
}

interface ExtraParts {
  origin: SpanOrigin;
  model: ModelNames;
  usage: JsonObject | null;
  valueBytesMax: number;
  traceId: string;
}

/** Metadata, parameters of a model call, and what sent the span. */
function extraOf({ attributes, spanId, links }: OtlpSpan, parts: ExtraParts): Uint8Array {
  const { origin, model, usage, valueBytesMax, traceId } = parts;
  const metadata: JsonObject = {};
  const put = (name: string, value: unknown): void => {
    if (value !== undefined && value !== null && isStoredInTrace(name)) setOwn(metadata, name, value);
  };
  for (const [name, value] of Object.entries(parsedObject(attributes.take('metadata')) ?? {})) put(name, value);
  for (const [name, value] of Object.entries(parsedObject(attributes.take('langsmith.metadata')) ?? {}))
    put(name, value);
  for (const prefix of ['langsmith.metadata.', 'ai.telemetry.metadata.', 'traceloop.association.properties.'])
    for (const [name, value] of attributes.takeUnder(prefix)) put(name, parsedText(value));
  const parameters = parametersOf(attributes);
  const session = attributes.takeText('session.id', 'gen_ai.conversation.id', 'langsmith.trace.thread_id');
  if (session !== null && metadata['session_id'] === undefined) metadata['thread_id'] ??= session;
  const user = attributes.takeText('user.id', 'enduser.id');
  if (user !== null) metadata['user_id'] ??= user;
  if (model.provider !== null) metadata['ls_provider'] ??= model.provider;
  const name = model.request ?? model.response;
  if (name !== null) metadata['ls_model_name'] ??= name;
  if (model.response !== null && model.response !== name) put('response_model', model.response);
  if (usage !== null) metadata['usage_metadata'] = usage;
  metadata['otel_trace_id'] = traceId;
  metadata['otel_span_id'] = spanId;
  if (origin.scope !== null) metadata['otel_scope'] = origin.scope;
  if (links.length > 0) metadata['otel_links'] = links;
  const known = { ...metadata };
  for (const [other, value] of attributes.unused()) put(other, shortened(value));
  const runtime = storable({
    ...origin.resource.toObject(),
    ...parsedObject(attributes.get('langsmith.span.runtime')),
  });
  const extra = (of: JsonObject, more: JsonObject): string => JSON.stringify({ metadata: of, ...more });
  const invocation = Object.keys(parameters).length === 0 ? {} : { invocation_params: parameters };
  // What is known by name is kept rather than the rest.
  for (const text of [extra(metadata, { ...invocation, runtime }), extra(known, invocation)])
    if (Buffer.byteLength(text) <= valueBytesMax) return utf8(text);
  return boundedTraceValue(extra(known, invocation), valueBytesMax);
}

/** Parameters of a model call by the names that models give them. */
function parametersOf(attributes: Attributes): JsonObject {
  const functions = elementsOf(attributes.takeTree('llm.request.functions.') ?? undefined).map(objectOf);
  const described = elementsOf(attributes.takeTree('llm.tools.') ?? undefined).map(objectOf);
  const definitions = attributes.takeJson('gen_ai.tool.definitions', 'ai.prompt.tools');
  const tools = Array.isArray(definitions) ? definitions : [...functions, ...described];
  const found: JsonObject = storable({
    ...parsedObject(attributes.take('llm.invocation_parameters')),
    ...Object.fromEntries(attributes.takeUnder('gen_ai.request.')),
  });
  delete found['model'];
  return tools.length === 0 ? found : { ...found, tools };
}

function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= METADATA_CHARS) return value;
  return { truncated: true, bytes: Buffer.byteLength(text), beginning: text.slice(0, METADATA_CHARS).toWellFormed() };
}

function uuidIn(attributes: Attributes, name: string): string | null {
  const value = attributes.take(name);
  return typeof value === 'string' ? canonicalUuid(value) : null;
}

function textIn(attributes: Attributes, name: string): string | null {
  const value = attributes.get(name);
  return typeof value === 'string' && value !== '' ? value.toWellFormed() : null;
}
