import { SpanKind, SpanStatusCode, trace, context, type Span } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { SimpleSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { Run } from 'langsmith';
import t, { type Test } from 'tap';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { testServer } from '../helpers/server.js';

const server = await testServer(t);
const { clientOf } = await langsmithOf(server);
process.env['LANGSMITH_TRACING'] = 'false';
const langsmith = clientOf();

/** A tracer that sends each span as it ends, and what waits for that. */
function tracerOf(exporter: SpanExporter, serviceName: string) {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': '1.2' }),
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('the-instrumentation', '3');
  // Spans of the same millisecond have no order.
  let startMs = Date.now() - 60_000;
  const start = (name: string, attributes: Record<string, never> | object, parent?: Span): Span =>
    tracer.startSpan(
      name,
      { kind: SpanKind.INTERNAL, attributes: attributes as Record<string, string>, startTime: (startMs += 1) },
      parent === undefined ? context.active() : trace.setSpan(context.active(), parent),
    );
  return { start, sent: () => provider.forceFlush() };
}

const CONVENTION = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.response.model': 'gpt-4o-2024-08-06',
  'gen_ai.request.temperature': 0.2,
  'gen_ai.usage.input_tokens': 1000,
  'gen_ai.usage.output_tokens': 100,
  'gen_ai.usage.cache_read.input_tokens': 400,
  'gen_ai.conversation.id': 'talk-7',
  'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'Be brief.' }]),
  'gen_ai.input.messages': JSON.stringify([
    { role: 'user', parts: [{ type: 'text', content: 'Is it raining in Paris?' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'drizzle' }] },
  ]),
  'gen_ai.output.messages': JSON.stringify([
    { role: 'assistant', parts: [{ type: 'text', content: 'Yes, a little.' }], finish_reason: 'stop' },
  ]),
};

async function runsOf(projectName: string, count: number): Promise<Run[]> {
  return until(
    () => all(langsmith.listRuns({ projectName })).catch(() => []),
    (runs) => runs.length === count,
  );
}

async function sendsAndReads(t: Test, encoding: string, Exporter: typeof JsonExporter): Promise<void> {
  const project = `service of ${encoding}`;
  const compression = encoding === 'JSON' ? 'gzip' : 'none';
  const { start, sent } = tracerOf(
    new Exporter({ url: `${server.url}/v1/traces`, compression: compression as never }),
    project,
  );
  const root = start('invoke_agent rain', { 'gen_ai.operation.name': 'invoke_agent', 'user.id': 'ada', own: 5 });
  const call = start('chat gpt-4o', CONVENTION, root);
  call.addEvent('gen_ai.first_token');
  call.end();
  const tool = start(
    'execute_tool weather',
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'weather',
      'gen_ai.tool.call.arguments': '{"city":"Paris"}',
    },
    root,
  );
  tool.recordException(new TypeError('no network'));
  tool.setStatus({ code: SpanStatusCode.ERROR, message: 'failed' });
  tool.end();
  root.end();
  await sent();

  const runs = await runsOf(project, 3);
  const found = runs.find(({ parent_run_id: parent }) => parent === null)!;
  const { traceId, spanId } = root.spanContext();
  t.equal(found.trace_id!.replaceAll('-', ''), traceId);
  const read = await langsmith.readRun(found.id, { loadChildRuns: true });
  t.match(read, { name: 'invoke_agent rain', run_type: 'chain', error: null, status: 'success' });
  t.match(read.extra, {
    metadata: {
      user_id: 'ada',
      own: 5,
      otel_trace_id: traceId,
      otel_span_id: spanId,
      otel_scope: 'the-instrumentation',
    },
    runtime: { 'service.name': project, 'service.version': '1.2' },
  });
  t.strictSame(
    read.child_runs!.map(({ name, run_type: type }) => `${name} (${type})`),
    ['chat gpt-4o (llm)', 'execute_tool weather (tool)'],
  );
  const [model, failed] = read.child_runs as [Run, Run];
  t.strictSame(model.inputs, {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Is it raining in Paris?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ name: 'weather', args: { city: 'Paris' }, id: 'c1', type: 'tool_call' }],
      },
      { role: 'tool', content: 'drizzle', tool_call_id: 'c1' },
    ],
  });
  t.strictSame(model.outputs, {
    messages: [{ role: 'assistant', content: 'Yes, a little.', finish_reason: 'stop' }],
  });
  t.match(model, {
    prompt_tokens: 1000,
    completion_tokens: 100,
    total_tokens: 1100,
    extra: {
      metadata: {
        thread_id: 'talk-7',
        ls_provider: 'openai',
        ls_model_name: 'gpt-4o',
        usage_metadata: { input_token_details: { cache_read: 400 } },
      },
      invocation_params: { temperature: 0.2 },
    },
  });
  // 600 new and 400 cached tokens of input, 100 of output.
  t.match(model, { prompt_cost: '0.002', completion_cost: '0.001', total_cost: '0.003' });
  t.ok((model as unknown as { first_token_time: string }).first_token_time);
  t.match(found, { total_tokens: 1100, total_cost: '0.003' }, 'the root has the sums');
  t.match(failed, { inputs: { city: 'Paris' }, status: 'error' });
  t.match(failed.error, /^TypeError: no network\n\s+at /);

  const matching = (filter: string): Promise<Run[]> => all(langsmith.listRuns({ projectName: project, filter }));
  t.match(await matching('and(eq(metadata_key, "ls_model_name"), eq(metadata_value, "gpt-4o"))'), [{ id: model.id }]);
  t.match(await matching('search("drizzle")'), [{ id: model.id }]);
  t.match(
    await all(
      langsmith.listRuns({ projectName: project, isRoot: false, traceFilter: 'eq(name, "invoke_agent rain")' }),
    ),
    [{}, {}],
  );
  await langsmith.createFeedback(found.id, 'useful', { score: 1 });
  t.match(await all(langsmith.listRuns({ projectName: project, filter: 'eq(feedback_key, "useful")' })), [
    { id: found.id },
  ]);
}

t.test('stores what an exporter sends as JSON, and the stock client reads it', (t) =>
  sendsAndReads(t, 'JSON', JsonExporter),
);

t.test('stores what an exporter sends as Protocol Buffers, and the stock client reads it', (t) =>
  sendsAndReads(t, 'Protocol Buffers', ProtobufExporter),
);
