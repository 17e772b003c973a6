import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Run } from 'langsmith';
import t from 'tap';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { projectOf } from '../helpers/project.js';
import { testServer } from '../helpers/server.js';

const server = await testServer(t, {
  config: projectOf(t, ['echo'], { traces: { hide: ['**.email', '**.hidden_note'] } }),
  env: { THREADMILL_MAX_UPLOAD_BYTES: '2000000' },
});
const { clientOf } = await langsmithOf(server);
process.env['LANGSMITH_TRACING'] = 'false';
const langsmith = clientOf();

const TRACE = '4bf92f3577b34da6a3ce929d0e0e47';
const START = 1_767_225_600_000_000_000n;

type Value = string | number | boolean | Value[] | { [name: string]: Value };

interface SpanParts {
  trace?: string;
  id: string;
  parent?: string;
  name?: string;
  startMs?: number;
  attributes?: Record<string, Value>;
  events?: { name: string; attributes?: Record<string, Value>; ms?: number }[];
  more?: Record<string, unknown>;
}

function anyValue(value: Value): unknown {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: pairs(value) } };
}

function pairs(values: Record<string, Value>): unknown[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }));
}

const nanos = (ms: number): string => String(START + BigInt(ms) * 1_000_000n);

function span({ trace = `${TRACE}01`, id, parent, name = 'step', startMs = 0, attributes = {}, ...rest }: SpanParts) {
  const { events = [], more = {} } = rest;
  return {
    traceId: trace,
    spanId: id.padStart(16, '0'),
    ...(parent === undefined ? {} : { parentSpanId: parent.padStart(16, '0') }),
    name,
    kind: 1,
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(startMs + 100),
    attributes: pairs(attributes),
    events: events.map((event) => ({
      name: event.name,
      timeUnixNano: nanos(event.ms ?? 0),
      attributes: pairs(event.attributes ?? {}),
    })),
    status: {},
    ...more,
  };
}

const bodyOf = (project: string, spans: unknown[]): unknown => ({
  resourceSpans: [
    { resource: { attributes: pairs({ 'service.name': project }) }, scopeSpans: [{ scope: { name: 'tests' }, spans }] },
  ],
});

interface Answer {
  status: number;
  type: string;
  bytes: Buffer;
  json: unknown;
}

async function post(body: unknown, headers: Record<string, string> = {}, path = '/v1/traces'): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, bytes, json: type.includes('json') ? JSON.parse(bytes.toString()) : null };
}

const send = (project: string, spans: SpanParts[], headers = {}): Promise<Answer> =>
  post(bodyOf(project, spans.map(span)), headers);

const runsOf = async (projectName: string): Promise<Run[]> => {
  const runs = await all(langsmith.listRuns({ projectName }));
  return runs.sort((one, other) => (one.dotted_order! < other.dotted_order! ? -1 : 1));
};

/** As docs/traces.md says. */
function idOf(trace: string, spanId: string): string {
  const digest = createHash('sha256')
    .update(Buffer.from(trace + spanId.padStart(16, '0'), 'hex'))
    .digest('hex');
  const variant = ((Number.parseInt(digest[16]!, 16) & 3) | 8).toString(16);
  const digits = `${digest.slice(0, 12)}4${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const PROTOBUF = { 'content-type': 'application/x-protobuf' };

/** Fields of a message: numbers and bytes, or texts. */
function fieldsOf(bytes: Uint8Array): Record<number, unknown> {
  const reader = new BinaryReader(bytes);
  const found: Record<number, unknown> = {};
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    found[field] = type === WireType.Varint ? Number(reader.int64()) : reader.bytes();
  }
  return found;
}

t.test('answers a body that cannot be read with 400, and the place', async (t) => {
  for (const [body, message] of [
    ['', /not valid JSON/],
    ['{"resourceSpans": [', /not valid JSON.*not closed/],
    ['{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": tru}]}]}]}', /not valid JSON/],
    [Buffer.from([0x7b, 0xff, 0x7d]), /not valid UTF-8/],
    ['[]', /is not an ExportTraceServiceRequest: it must be an object/],
    ['{"resourceSpans": {}}', /resourceSpans must be a list/],
    ['{"resourceSpans": [{"scopeSpans": [5]}]}', /resourceSpans\.0\.scopeSpans\.0 must be an object/],
    ['{"resourceSpans": [{"resource": {"attributes": 5}}]}', /resourceSpans\.0\.resource\.attributes: must be a list/],
  ] as const) {
    const { status, json } = await post(body);
    t.equal(status, 400, String(body));
    t.match(json, { code: 3, message }, String(body));
  }
  const truncated = new BinaryWriter().tag(1, WireType.LengthDelimited).uint32(100).finish();
  for (const bytes of [truncated, Buffer.from('{}'), Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff])]) {
    const answer = await post(bytes, PROTOBUF);
    t.match(answer, { status: 400, type: 'application/x-protobuf' });
    const { 1: code, 2: message } = fieldsOf(answer.bytes) as { 1: number; 2: Uint8Array };
    t.equal(code, 3);
    t.match(Buffer.from(message).toString(), /is not an ExportTraceServiceRequest in Protocol Buffers/);
  }
  t.match(await post('not gzip', { 'content-encoding': 'gzip' }), {
    status: 400,
    json: { message: /cannot be decompressed/ },
  });
  t.match(await post('{}', { 'content-encoding': 'lzma' }), { status: 415, json: { message: /lzma/ } });
  t.match(await post('{}', { 'content-type': 'text/plain' }), { status: 415, json: { message: /x-protobuf/ } });
  const bomb = gzipSync(Buffer.alloc(3_000_000, 0x20));
  t.match(await post(bomb, { 'content-encoding': 'gzip' }), { status: 413, json: { code: 8 } });
});

t.test('answers a request without spans', async (t) => {
  for (const body of ['{}', '{"resourceSpans": null}', '{"resourceSpans": [{"scopeSpans": [{"spans": []}]}]}'])
    t.match(await post(body), { status: 200, json: {} }, body);
  const answer = await post(Buffer.alloc(0), PROTOBUF);
  t.match(answer, { status: 200, type: 'application/x-protobuf', bytes: { length: 0 } });
});

t.test('refuses spans that cannot be stored, names their places, and stores the others', async (t) => {
  let deep: Value = 'end';
  for (let depth = 0; depth < 300; depth += 1) deep = [deep];
  const refused: [Record<string, unknown> | number, RegExp][] = [
    [{ traceId: 'S/kvNXezTaajzpKdDg5HNg==' }, /spans\.0: traceId: must be 16 bytes, as 32 hexadecimal digits/],
    [{ traceId: '0'.repeat(32) }, /traceId/],
    [{ spanId: 'abc' }, /spanId: must be 8 bytes/],
    [{ parentSpanId: 'abc' }, /parentSpanId: must be 8 bytes/],
    [{ parentSpanId: '00000000000000a1' }, /parentSpanId: must not be the span itself/],
    [{ startTimeUnixNano: '0' }, /startTimeUnixNano: must be a time from 1970/],
    [{ startTimeUnixNano: '18446744073709551615' }, /startTimeUnixNano/],
    [{ endTimeUnixNano: 'soon' }, /endTimeUnixNano: must be a number of nanoseconds/],
    [{ name: 5 }, /name: must be a text/],
    [{ attributes: {} }, /attributes: must be a list of \{key, value\}/],
    [{ attributes: [{ key: 'a', value: { stringValue: {} } }] }, /a plain value must not be/],
    [{ attributes: [{ key: 'a', value: anyValue(deep) }] }, /attributes: nested deeper than 200 levels/],
    [{ events: 'none' }, /events: must be a list of objects/],
    [{ status: 2 }, /status: must be an object/],
    [{ status: { code: 'FINE' } }, /status\.code: must be 0, 1 or 2/],
    [5, /spans\.0: must be an object/],
  ];
  for (const [change, message] of refused) {
    const bad = typeof change === 'number' ? change : { ...span({ id: 'a1' }), ...change };
    const { status, json } = await post(bodyOf('refusals', [bad, span({ id: 'b1', name: 'good' })]));
    t.equal(status, 200);
    t.match(json, { partialSuccess: { rejectedSpans: '1', errorMessage: message } });
  }
  t.match(await runsOf('refusals'), [{ name: 'good' }], 'the good one is stored once');
  const many = await post(
    bodyOf(
      'refusals',
      Array.from({ length: 9 }, () => 5),
    ),
  );
  t.match(many.json, {
    partialSuccess: { rejectedSpans: '9', errorMessage: /spans\.4: must be an object; and 4 more$/ },
  });

  const bad = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(Buffer.alloc(3)).finish();
  const message = new BinaryWriter();
  for (const field of [1, 2, 2]) message.tag(field, WireType.LengthDelimited).fork();
  message.raw(bad);
  for (let at = 0; at < 3; at += 1) message.join();
  const answer = await post(message.finish(), PROTOBUF);
  t.equal(answer.status, 200);
  const partial = fieldsOf(fieldsOf(answer.bytes)[1] as Uint8Array) as { 1: number; 2: Uint8Array };
  t.equal(partial[1], 1);
  t.match(Buffer.from(partial[2]).toString(), /resourceSpans\.0\.scopeSpans\.0\.spans\.0: traceId/);
});

t.test('stores a span once, whatever the order in which it arrives with others', async (t) => {
  const parts: SpanParts[] = [
    {
      id: 'c3',
      parent: 'b2',
      name: 'grandchild',
      startMs: 20,
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 7 },
    },
    { id: 'b2', parent: 'a1', name: 'child', startMs: 10 },
    { id: 'a1', name: 'root' },
  ];
  const trace = `${TRACE}02`;
  for (const one of [...parts, ...parts.toReversed()]) t.equal((await send('orders', [{ trace, ...one }])).status, 200);
  const runs = await runsOf('orders');
  t.strictSame(
    runs.map(({ name }) => name),
    ['root', 'child', 'grandchild'],
  );
  const root = await langsmith.readRun(runs[0]!.id, { loadChildRuns: true });
  t.match(root, {
    trace_id: '4bf92f35-77b3-4da6-a3ce-929d0e0e4702',
    id: idOf(trace, 'a1'),
    total_tokens: 7,
    child_runs: [{ name: 'child', child_runs: [{ name: 'grandchild' }] }],
  });
  await send('orders', [{ trace, id: 'd4', parent: 'b2', name: 'late', startMs: 30 }]);
  const later = await langsmith.readRun(runs[0]!.id, { loadChildRuns: true });
  t.match(later.child_runs, [{ child_runs: [{ name: 'grandchild' }, { name: 'late' }] }]);
});

t.test('keeps two roots of one trace apart, and spans whose parents never arrive', async (t) => {
  const trace = `${TRACE}03`;
  const usage = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.output_tokens': 5 };
  await send('roots', [
    { trace, id: 'a1', name: 'first' },
    { trace, id: 'a2', name: 'second', startMs: 50 },
    { trace, id: 'b1', parent: 'a1', name: 'below first', startMs: 1, attributes: usage },
    { trace, id: 'b2', parent: 'a2', name: 'below second', startMs: 51, attributes: usage },
    { trace, id: 'b3', parent: 'ff', name: 'lost', startMs: 60, attributes: usage },
    { trace, id: 'c1', parent: 'c2', name: 'one of a circle' },
    { trace, id: 'c2', parent: 'c1', name: 'the other' },
  ]);
  const roots = await all(langsmith.listRuns({ projectName: 'roots', isRoot: true }));
  t.match(
    roots.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    [
      { name: 'first', total_tokens: 10 },
      { name: 'second', total_tokens: 5 },
    ],
    'what has no known root counts for the first',
  );
  t.equal((await all(langsmith.listRuns({ traceId: roots[0]!.trace_id! }))).length, 7);
  const second = await langsmith.readRun(roots.find(({ name }) => name === 'second')!.id, { loadChildRuns: true });
  t.match(second.child_runs, [{ name: 'below second' }]);
});

t.test('keeps a span that has no end, and ends it later', async (t) => {
  const open = span({ trace: `${TRACE}04`, id: 'a1', more: { endTimeUnixNano: '0' } });
  await post(bodyOf('endless', [open]));
  t.match(await runsOf('endless'), [{ status: 'pending', end_time: null }]);
  await send('endless', [{ trace: `${TRACE}04`, id: 'a1' }]);
  t.match(await runsOf('endless'), [{ status: 'success', end_time: String }]);
});

t.test('bounds large values, and keeps no secret', async (t) => {
  const long = 'x'.repeat(200_000);
  await send('large', [
    {
      trace: `${TRACE}05`,
      id: 'a1',
      name: 'n'.repeat(5_000),
      attributes: { 'input.value': long, 'output.value': 'short', note: long, api_key: 'planted', 'session.id': 's1' },
    },
  ]);
  const [run] = (await runsOf('large')) as [Run];
  t.match(run.inputs, { truncated: true, bytes: Number, beginning: /^\{"input":"xxx/ });
  t.strictSame(run.outputs, { output: 'short' });
  t.equal(run.name.length, 1_000);
  t.match(run.extra, { metadata: { note: { truncated: true, bytes: 200_000 }, thread_id: 's1' } });
  t.notMatch(JSON.stringify(run), 'planted');
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`note${at}`, 'x'.repeat(3_000)]));
  await send('wide', [{ trace: `${TRACE}06`, id: 'a1', attributes: { ...many, 'session.id': 's2' } }]);
  const [wide] = (await runsOf('wide')) as [Run];
  t.match(wide.extra, { metadata: { thread_id: 's2', note0: undefined } }, 'of too many, what is known is kept');
});

t.test('hides values at the paths of the configuration', async (t) => {
  const input = JSON.stringify({ user: { email: 'ada@example.com', name: 'Ada' } });
  const events = [{ name: 'note', attributes: { hidden_note: 'ada@example.com' } }];
  await send('hidden', [
    { trace: `${TRACE}0a`, id: 'a1', attributes: { 'input.value': input, 'output.value': input }, events },
  ]);
  const [run] = (await runsOf('hidden')) as [Run];
  t.match(run.outputs, { user: { email: '[hidden]', name: 'Ada' } });
  t.notMatch(JSON.stringify(run), 'ada@example.com');
});

t.test('selects the project by attribute, header and service', async (t) => {
  const names = async (): Promise<string[]> => (await all(langsmith.listProjects())).map(({ name }) => name!);
  const own = { 'langsmith.trace.session_name': 'by attribute' };
  await send('by service', [{ trace: `${TRACE}10`, id: 'a1', attributes: own }], { 'langsmith-project': 'by header' });
  await send('by service', [{ trace: `${TRACE}11`, id: 'a1' }], { 'langsmith-project': 'by header' });
  await send('by service', [{ trace: `${TRACE}12`, id: 'a1' }]);
  await send('another service', [{ trace: `${TRACE}12`, id: 'b1', parent: 'a1' }]);
  await send('unknown_service:node', [{ trace: `${TRACE}13`, id: 'a1' }]);
  for (const [name, count] of [
    ['by attribute', 1],
    ['by header', 1],
    ['by service', 2],
    ['default', 1],
  ] as const)
    t.equal((await runsOf(name)).length, count, name);
  t.notOk((await names()).includes('another service'), 'a trace stays in one project');
});

t.test("answers at the addresses of LangSmith's exporters too", async (t) => {
  for (const [at, path] of ['/otel/v1/traces', '/api/v1/otel/v1/traces'].entries())
    t.match(await post(bodyOf('addresses', [span({ trace: `${TRACE}2${at}`, id: 'a1' })]), {}, path), {
      status: 200,
      json: {},
    });
  t.equal((await runsOf('addresses')).length, 2);
});

/** The run of one span with these attributes and events. */
let traces = 0x30;
async function mapped(parts: Omit<SpanParts, 'id'>): Promise<Run> {
  const project = `mapped ${(traces += 1)}`;
  t.match(await send(project, [{ trace: `${TRACE}${traces.toString(16)}`, id: 'a1', ...parts }]), { json: {} });
  const [run] = await until(
    () => runsOf(project),
    ({ length }) => length === 1,
  );
  return run!;
}

t.test('maps OpenInference', async (t) => {
  const model = await mapped({
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'claude-3-5-sonnet-20241022',
      'llm.provider': 'anthropic',
      'llm.invocation_parameters': '{"temperature":0.5,"api_key":"planted"}',
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.contents.0.message_content.type': 'text',
      'llm.input_messages.1.message.contents.0.message_content.text': 'What is this?',
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.0.message.content': 'Be kind.',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'look',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"at":"it"}',
      'llm.token_count.prompt': 30,
      'llm.token_count.completion': 12,
      'llm.token_count.prompt_details.cache_read': 10,
      'llm.token_count.completion_details.reasoning': 4,
      'input.value': '{"raw":true}',
      'input.mime_type': 'application/json',
      'session.id': 'talk',
      'user.id': 'bea',
      metadata: '{"team":"blue"}',
      'tag.tags': ['one', 'two'],
    },
  });
  t.match(model, {
    run_type: 'llm',
    prompt_tokens: 30,
    completion_tokens: 12,
    total_tokens: 42,
    tags: ['one', 'two'],
    extra: {
      metadata: {
        team: 'blue',
        thread_id: 'talk',
        user_id: 'bea',
        ls_model_name: 'claude-3-5-sonnet-20241022',
        usage_metadata: { input_token_details: { cache_read: 10 }, output_token_details: { reasoning: 4 } },
      },
      invocation_params: { temperature: 0.5 },
    },
  });
  t.notMatch(JSON.stringify(model), /planted|"raw"/);
  t.ok(Number((model as unknown as { total_cost: string }).total_cost) > 0);
  t.strictSame(model.inputs, {
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }] },
    ],
  });
  t.strictSame(model.outputs, {
    messages: [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ name: 'look', args: { at: 'it' }, id: 'c1', type: 'tool_call' }],
      },
    ],
  });
  const retriever = await mapped({
    attributes: {
      'openinference.span.kind': 'RETRIEVER',
      'input.value': 'rain',
      'retrieval.documents.0.document.content': 'It rains.',
      'retrieval.documents.0.document.id': 'd1',
      'retrieval.documents.0.document.score': 0.5,
      'retrieval.documents.0.document.metadata': '{"page":3}',
    },
  });
  t.match(retriever, { run_type: 'retriever' });
  t.strictSame(retriever.inputs, { query: 'rain' });
  t.strictSame(retriever.outputs, {
    documents: [{ page_content: 'It rains.', metadata: { page: 3, score: 0.5 }, id: 'd1' }],
  });
  const tool = await mapped({
    attributes: { 'openinference.span.kind': 'TOOL', 'tool.name': 'add', 'input.value': '[1,2]', 'output.value': '3' },
  });
  t.match(tool, {
    run_type: 'tool',
    inputs: { input: [1, 2] },
    outputs: { output: '3' },
    extra: { metadata: { 'tool.name': 'add' } },
  });
  for (const [kind, type] of Object.entries({
    AGENT: 'chain',
    CHAIN: 'chain',
    EMBEDDING: 'embedding',
    RERANKER: 'retriever',
    '?': 'chain',
  }))
    t.equal((await mapped({ attributes: { 'openinference.span.kind': kind } })).run_type, type, kind);
});

t.test('maps the earlier GenAI conventions: indexed attributes and events', async (t) => {
  const indexed = await mapped({
    attributes: {
      'llm.request.type': 'chat',
      'gen_ai.system': 'OpenAI',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.prompt_tokens': 3,
      'gen_ai.usage.completion_tokens': '2',
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content': 'Hi',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.content': 'Hello',
      'gen_ai.completion.0.finish_reason': 'stop',
      'traceloop.association.properties.session_id': 'talk',
    },
  });
  t.match(indexed, {
    run_type: 'llm',
    inputs: { messages: [{ role: 'user', content: 'Hi' }] },
    outputs: { messages: [{ role: 'assistant', content: 'Hello', finish_reason: 'stop' }] },
    prompt_tokens: 3,
    completion_tokens: 2,
    extra: { metadata: { session_id: 'talk' } },
  });
  const events = await mapped({
    attributes: { 'gen_ai.operation.name': 'chat' },
    events: [
      { name: 'gen_ai.system.message', attributes: { content: 'Be brief.' } },
      { name: 'gen_ai.user.message', attributes: { content: 'Rain?' } },
      { name: 'gen_ai.tool.message', attributes: { content: 'drizzle', id: 'c1' } },
      {
        name: 'gen_ai.choice',
        attributes: { index: 0, finish_reason: 'stop', message: '{"role":"assistant","content":"Yes."}' },
      },
      { name: 'First Token Stream Event', ms: 40 },
      { name: 'retry', ms: 10, attributes: { count: 1 } },
    ],
  });
  t.strictSame(events.inputs, {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Rain?' },
      { role: 'tool', content: 'drizzle', tool_call_id: 'c1' },
    ],
  });
  t.strictSame(events.outputs, { messages: [{ role: 'assistant', content: 'Yes.', finish_reason: 'stop' }] });
  t.match(events, {
    first_token_time: '2026-01-01T00:00:00.040000+00:00',
    events: [{ name: 'new_token' }, { name: 'retry', kwargs: { count: 1 } }],
  } as object);
  const content = await mapped({
    attributes: { 'gen_ai.operation.name': 'text_completion' },
    events: [
      { name: 'gen_ai.content.prompt', attributes: { 'gen_ai.prompt': 'Once' } },
      { name: 'gen_ai.content.completion', attributes: { 'gen_ai.completion': 'upon' } },
    ],
  });
  t.match(content, { run_type: 'llm', inputs: { input: 'Once' }, outputs: { output: 'upon' } });
});

t.test("maps what LangSmith's exporters send to the run that it was", async (t) => {
  const id = 'b8f7f6a0-0000-4000-8000-000000000001';
  const trace = 'b8f7f6a0-0000-4000-8000-000000000009';
  const run = await mapped({
    name: 'span',
    attributes: {
      'langsmith.span.id': id,
      'langsmith.trace.id': trace,
      'langsmith.span.parent_id': '00000000-0000-0000-0000-0000000000b7',
      'langsmith.span.kind': 'tool',
      'langsmith.trace.name': 'the tool',
      'langsmith.metadata.count': '3',
      'langsmith.metadata.who': '{"name":"ada"}',
      'langsmith.span.tags': 'one, two',
      'gen_ai.prompt': '{"a":1}',
      'gen_ai.completion': '{"b":[2]}',
      'langsmith.usage_metadata': '{"input_tokens":1,"output_tokens":2,"total_tokens":3}',
      'gen_ai.serialized.name': 'Tool',
    },
  });
  t.match(run, {
    id,
    trace_id: trace,
    parent_run_id: idOf(`${TRACE}${traces.toString(16)}`, 'b7'),
    name: 'the tool',
    run_type: 'tool',
    inputs: { a: 1 },
    outputs: { b: [2] },
    tags: ['one', 'two'],
    extra: { metadata: { count: '3', who: { name: 'ada' } } },
  });
  t.match(await langsmith.readRun(id), { serialized: { name: 'Tool' } });
  const root = await mapped({ parent: 'b1', attributes: { 'langsmith.is_root': true } });
  t.match(root, { parent_run_id: null });
});

t.test('makes errors of the status and of exceptions', async (t) => {
  const exception = { 'exception.type': 'KeyError', 'exception.message': 'no such key' };
  const events = [{ name: 'exception', attributes: exception }];
  for (const [status, given, error] of [
    [{ code: 2, message: 'broken' }, [], 'broken'],
    [{ code: 2 }, [], 'The span has the status ERROR.'],
    [{ code: 'STATUS_CODE_ERROR', message: 'broken' }, events, 'KeyError: no such key'],
    [{}, events, 'KeyError: no such key'],
    [{ code: 1 }, events, null],
    [{}, [], null],
  ] as const)
    t.match(await mapped({ events: [...given], more: { status } }), {
      error,
      status: error === null ? 'success' : 'error',
    });
  const stack = { ...exception, 'exception.stacktrace': 'Traceback:\nKeyError: no such key' };
  t.match(await mapped({ events: [{ name: 'exception', attributes: stack }] }), {
    error: stack['exception.stacktrace'],
  });
});
