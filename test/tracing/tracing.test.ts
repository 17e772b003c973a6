import { readFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { BUNDLED_PROGRAM } from '../../src/base/program-files.js';
import { readConfig } from '../../src/config/config.js';
import { projectOf } from '../helpers/project.js';
import { childServer } from '../helpers/child-server.js';
import { configWith, ROOT, temporaryFolder, TEST_GRAPHS, testServer, type TestServer } from '../helpers/server.js';

const fewGraphs = configWith(t, 'echo', 'trouble', 'mirror');

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, unknown>;
  status: { code?: number; message?: string };
}

interface Collector {
  url: string;
  /** Bodies as they came. */
  bodies: Buffer[];
  requests: { path: string; headers: Record<string, unknown> }[];
  spans(): Span[];
}

/** Takes spans as JSON, as any collector does. */
async function collector(t: Test, answer = 200): Promise<Collector> {
  const bodies: Buffer[] = [];
  const requests: Collector['requests'] = [];
  const server: HttpServer = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks));
      requests.push({ path: request.url!, headers: request.headers });
      response.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  type Wire = Omit<Span, 'attributes'> & { attributes: { key: string; value: Record<string, unknown> }[] };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    requests,
    spans: () =>
      bodies.flatMap((body) =>
        (JSON.parse(body.toString()) as { resourceSpans: { scopeSpans: { spans: Wire[] }[] }[] }).resourceSpans
          .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
          .map((span) => ({
            ...span,
            attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
          })),
      ),
  };
}

const traced = (url: string, more: Record<string, string> = {}): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  ...more,
});
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const SECRET = 'what the user wrote';

async function wait(
  server: TestServer,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const response = await fetch(`${server.url}/runs/wait`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return response.json();
}

t.test('exports one trace for a request, its run, the wait and the attempt, without content', async (t) => {
  const { url, spans, requests, bodies } = await collector(t);
  const config = projectOf(t, ['echo', 'mirror', 'trouble'], {});
  const server = await testServer(t, {
    config,
    env: traced(url, {
      OTEL_SERVICE_NAME: 'agents',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test%20bench,service.name=other',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b',
    }),
  });
  const { seen } = (await wait(
    server,
    { assistant_id: 'mirror', input: { text: SECRET }, metadata: { note: SECRET } },
    { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'order-1' },
  )) as { seen: { configurable: Record<string, string> } };
  await wait(server, { assistant_id: 'trouble', input: { do: 'throw', file: SECRET } });
  await (await server.get('/ok')).text();
  await (await server.get('/metrics')).text();
  await server.close();

  t.match(requests[0], { path: '/v1/traces', headers: { 'x-token': 'a b', 'content-type': 'application/json' } });
  const all = spans();
  const mine = all.filter(({ traceId }) => traceId === TRACE);
  t.strictSame(mine.map(({ name }) => name).toSorted(), ['POST /runs/wait', 'attempt mirror', 'queue', 'run mirror']);
  const [request, run, queue, attempt] = ['POST /runs/wait', 'run mirror', 'queue', 'attempt mirror'].map((name) =>
    mine.find((span) => span.name === name)!,
  ) as [Span, Span, Span, Span];
  t.equal(request.parentSpanId, PARENT);
  t.equal(run.parentSpanId, request.spanId);
  t.equal(queue.parentSpanId, run.spanId);
  t.equal(attempt.parentSpanId, run.spanId);
  t.equal(request.kind, 2, "a server's");
  t.match(request.attributes, {
    'http.request.method': 'POST',
    'http.route': '/runs/wait',
    'http.response.status_code': 200,
    'threadmill.request.id': 'order-1',
  });
  t.match(run.attributes, {
    'threadmill.graph.id': 'mirror',
    'threadmill.run.status': 'success',
    'threadmill.run.id': String,
    'threadmill.thread.id': String,
    'threadmill.assistant.id': String,
  });
  t.match(attempt.attributes, { 'threadmill.run.attempt': 1, 'threadmill.run.status': 'success' });
  t.equal(seen.configurable['traceparent'], `00-${TRACE}-${attempt.spanId}-01`, 'the graph can go on with it');
  t.ok(BigInt(queue.endTimeUnixNano) <= BigInt(attempt.endTimeUnixNano));

  const failed = all.find(({ name }) => name === 'run trouble')!;
  t.not(failed.traceId, TRACE);
  t.equal(failed.status.code, 2);
  t.notOk(failed.status.message);
  t.match(failed.attributes, { 'error.type': 'CustomError', 'threadmill.run.status': 'error' });
  t.strictSame(
    all.filter(({ name }) => /ok|metrics/.test(name)),
    [],
    'probes are no trace',
  );
  const text = Buffer.concat(bodies).toString();
  t.notMatch(text, new RegExp(`${SECRET}|Boo!`));
  t.match(text, /"agents"/);
  t.match(text, /"test bench"/);
  t.notMatch(text, /"other"/);
});

t.test('exports a second wait and attempt for a retry', async (t) => {
  const { url, spans } = await collector(t);
  const server = await testServer(t, { config: fewGraphs, env: traced(url) });
  await wait(server, { assistant_id: 'trouble', input: { do: 'exit-once', file: `${temporaryFolder(t)}/once` } });
  await server.close();
  const attempts = spans().filter(({ name }) => name === 'attempt trouble');
  t.strictSame(
    attempts.map(({ attributes }) => attributes['threadmill.run.status']),
    ['lost', 'success'],
  );
  t.equal(attempts[0]!.attributes['error.type'], 'worker_lost');
  t.equal(spans().filter(({ name }) => name === 'queue').length, 2);
  t.equal(spans().filter(({ name }) => name === 'run trouble').length, 1);
});

t.test("samples by the request's traceparent or the configured ratio", async (t) => {
  const askedWith = async (env: Record<string, string>, traceparents: string[]): Promise<Span[]> => {
    const { url, spans } = await collector(t);
    const server = await testServer(t, { config: fewGraphs, env: traced(url, env) });
    for (const traceparent of traceparents)
      await wait(server, { assistant_id: 'echo', input: { text: 'a' } }, { traceparent });
    await server.close();
    return spans();
  };
  const unsampled = `00-${TRACE}-${PARENT}-00`;
  const none = [
    '',
    'garbage',
    `00-${TRACE}-${PARENT}`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
  ];
  const spans = await askedWith({}, [unsampled, ...none]);
  t.equal(spans.length, 4 * none.length, 'what the caller does not record is not');
  t.notOk(
    spans.some(({ traceId }) => traceId === TRACE),
    'what is no traceparent begins a trace',
  );
  t.equal((await askedWith({ OTEL_TRACES_SAMPLER: 'always_on' }, [unsampled])).length, 4);
  t.strictSame(
    await askedWith({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, ['none']),
    [],
  );
});

t.test('sends protobuf by default', async (t) => {
  const { url, bodies, requests } = await collector(t);
  const server = await testServer(t, {
    config: fewGraphs,
    env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/own/path` },
  });
  await wait(server, { assistant_id: 'echo', input: { text: 'a' } });
  await server.close();
  t.match(requests[0], { path: '/own/path', headers: { 'content-type': 'application/x-protobuf' } });
  t.ok(bodies[0]!.includes('run echo') && bodies[0]!.includes('threadmill.graph.id'));
});

t.test('loses only spans when the collector is unreachable or refuses', async (t) => {
  const { url } = await collector(t, 500);
  for (const endpoint of ['http://127.0.0.1:9', url]) {
    const server = await testServer(t, { config: fewGraphs, env: traced(endpoint) });
    for (let at = 0; at < 20; at += 1)
      t.match(await wait(server, { assistant_id: 'echo', input: { text: 'a' } }), { text: String });
    await server.close();
  }
});

t.test('loads OpenTelemetry only with an endpoint', async (t) => {
  const script = (name: string): string => join(ROOT, BUNDLED_PROGRAM, 'src', name);
  const hasSdk = (name: string): boolean =>
    /\bBatchSpanProcessor\b/.test(readFileSync(script(`${name}.script`), 'utf8'));
  t.notOk(hasSdk('cli/program'));
  t.ok(hasSdk('server/tracing'));
  // The process says itself which modules it has opened.
  const loads = async (env: Record<string, string>): Promise<boolean> => {
    const server = await childServer(t, {
      config: fewGraphs,
      dataFolder: temporaryFolder(t),
      env: { ...env, NODE_DEBUG: 'module' },
    });
    await (await fetch(`${server.url}/ok`)).text();
    await server.kill('SIGTERM');
    return server.stderr().includes(script('server/tracing.cjs'));
  };
  t.notOk(await loads({}));
  t.ok(await loads(traced('http://127.0.0.1:9')));
});

t.test('names variables without effect', (t) => {
  const read = (env: Record<string, string>): unknown => readConfig({ config: TEST_GRAPHS }, env).tracing;
  const URL = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };
  t.equal(read({}), null);
  t.equal(read({ OTEL_SERVICE_NAME: 'a', OTEL_TRACES_SAMPLER: 'nonsense' }), null, 'nobody traces');
  t.equal(read({ ...URL, OTEL_SDK_DISABLED: 'true' }), null);
  t.equal(read({ ...URL, OTEL_TRACES_EXPORTER: 'none' }), null);
  t.match(read(URL), {
    url: 'http://127.0.0.1:4318/v1/traces',
    protocol: 'http/protobuf',
    resource: { 'service.name': 'threadmill' },
    sampler: { ratio: 1, parentBased: true },
  });
  const bad: [Record<string, string>, RegExp][] = [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, /^OTEL_EXPORTER_OTLP_ENDPOINT: /],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'nonsense' }, /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: /],
    [{ ...URL, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL: /],
    [{ ...URL, OTEL_TRACES_SAMPLER: 'sometimes' }, /^OTEL_TRACES_SAMPLER: /],
    [{ ...URL, OTEL_TRACES_SAMPLER_ARG: '2' }, /^OTEL_TRACES_SAMPLER_ARG: /],
  ];
  for (const [env, message] of bad) t.throws(() => read(env), { code: 'CONFIG_INVALID', message }, JSON.stringify(env));
  t.end();
});
