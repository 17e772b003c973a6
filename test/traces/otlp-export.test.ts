import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Run } from 'langsmith';
import t, { type Test } from 'tap';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { lowerLimit } from '../helpers/limits.js';
import { projectOf } from '../helpers/project.js';
import { testServer, type TestServer } from '../helpers/server.js';

const receiver = await testServer(t);
const { clientOf } = await langsmithOf(receiver);
process.env['LANGSMITH_TRACING'] = 'false';

const GRAPHS = ['librarian', 'trouble', 'approval'];
const SECRET = 'What the user wrote';

async function exporting(t: Test, traces: unknown, url = receiver.url, more = {}): Promise<TestServer> {
  return testServer(t, {
    config: projectOf(t, GRAPHS, { traces }),
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SERVICE_NAME: 'of requests', ...more },
  });
}

async function run(server: TestServer, graphId: string, input: object): Promise<string> {
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, graphId, { input: input as never });
  await server.client.runs.join(threadId, runId).catch(() => undefined);
  await until(
    () =>
      clientOf({ apiUrl: server.url })
        .readRun(runId)
        .catch(() => null),
    (found) => found?.end_time != null,
  );
  return runId;
}

const received = clientOf();
const stepsOf = async (client: typeof received, traceId: string): Promise<Run[]> => {
  const steps = await all(client.listRuns({ traceId }));
  return steps.sort((one, other) => (one.dotted_order! < other.dotted_order! ? -1 : 1));
};

const counted = async (server: TestServer): Promise<Record<string, number>> => {
  const text = await (await server.get('/metrics')).text();
  return Object.fromEntries(
    [...text.matchAll(/^threadmill_trace_steps_exported_total\{result="(\w+)"\} (\d+)$/gm)].map(([, name, count]) => [
      name!,
      Number(count),
    ]),
  );
};

t.test('sends the steps of runs with their content to another server, which stores the same runs', async (t) => {
  const server = await exporting(t, { export: 'content' });
  const input = { messages: [{ role: 'user', content: SECRET }], streams: true };
  const runId = await run(server, 'librarian', input);
  const failedId = await run(server, 'trouble', { do: 'throw' });
  const own = clientOf({ apiUrl: server.url });
  const [sent, failed] = [await stepsOf(own, runId), await stepsOf(own, failedId)];
  const count = sent.length + failed.length;
  await until(
    () => counted(server),
    ({ sent: now }) => now === count,
  );
  const seen = (steps: readonly Run[]): unknown[] =>
    steps.map(({ id, trace_id, parent_run_id, name, run_type, start_time, end_time, dotted_order, error, ...rest }) => [
      ...[id, trace_id, parent_run_id, name, run_type, start_time, end_time, dotted_order, error],
      ...[rest.total_tokens, rest.prompt_tokens, (rest as { first_token_time?: unknown }).first_token_time],
    ]);
  const stored = await stepsOf(received, runId);
  t.strictSame(seen(stored), seen(sent));
  t.strictSame(seen(await stepsOf(received, failedId)), seen(failed), 'and those of a run that failed');
  const byType = (steps: readonly Run[], type: string): Run[] => steps.filter(({ run_type: one }) => one === type);
  for (const type of ['chain', 'tool', 'retriever'])
    t.strictSame(
      byType(stored, type).map(({ inputs, outputs }) => [inputs, outputs]),
      byType(sent, type).map(({ inputs, outputs }) => [inputs, outputs]),
      type,
    );
  t.match(byType(stored, 'llm'), [
    {
      inputs: { messages: [{ role: 'user', content: SECRET }] },
      outputs: { messages: [{ role: 'assistant', content: 'I know 1 books' }] },
      extra: {
        metadata: { ls_model_name: 'books-1', ls_provider: 'library' },
        invocation_params: { temperature: 0.5 },
      },
    },
  ]);
  const [project] = await all(received.listProjects({ name: 'librarian' }));
  t.match(project, { name: 'librarian' });
  const infrastructure = await until(
    () => all(received.listRuns({ projectName: 'of requests' })).catch(() => []),
    (runs) => runs.some(({ name }) => name === 'attempt librarian'),
  );
  t.ok(infrastructure.length > 0, 'the spans of requests are in a project of their own');
});

t.test('sends no content unless it is told to, and nothing if it is told so', async (t) => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  t.teardown(() => collector.close());
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const json = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
  for (const [traces, names] of [
    [true, ['BookModel', 'attempt librarian', 'think']],
    [{ export: 'none' }, ['attempt librarian']],
    [{ sample_rate: 0 }, ['attempt librarian']],
  ] as const) {
    bodies.splice(0);
    const server = await exporting(t, traces, url, json);
    const input = { messages: [{ role: 'user', content: SECRET }], streams: false };
    await server.client.runs.wait(null, 'librarian', { input, metadata: { note: SECRET } });
    await server.client.runs.wait(null, 'trouble', { input: { do: 'throw', file: SECRET } }).catch(() => undefined);
    await server.close();
    const text = bodies.join('');
    for (const name of ['BookModel', 'attempt librarian', 'think'] as const)
      t.equal(text.includes(`"name":"${name}"`), (names as readonly string[]).includes(name), name);
    t.notMatch(text, SECRET);
    t.notMatch(text, /I know 1 books|input\.value|gen_ai\.input|stacktrace/);
    if (traces !== true) continue;
    t.match(text, /"gen_ai\.usage\.input_tokens"/);
    t.match(text, /"key":"error\.type","value":\{"stringValue":"CustomError"\}/);
  }
});

t.test('follows the sampling of the request', async (t) => {
  const server = await exporting(t, true, receiver.url, { OTEL_TRACES_SAMPLER: 'always_off' });
  await run(server, 'approval', {});
  t.strictSame(await counted(server), { sent: 0, failed: 0, dropped: 0 });
});

t.test('counts steps that a collector does not take, and drops those for which there is no room', async (t) => {
  const refusing = createServer((_, response) => {
    response.writeHead(400).end();
  });
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
  t.teardown(() => refusing.close());
  const url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
  lowerLimit(t, 'stepsQueuedMax', 3);
  const server = await exporting(t, true, url);
  const runId = await run(server, 'librarian', { messages: [{ role: 'user', content: 'x' }], streams: false });
  const total = (await stepsOf(clientOf({ apiUrl: server.url }), runId)).length;
  const counts = await until(
    () => counted(server),
    ({ failed }) => failed === 3,
  );
  t.strictSame(counts, { sent: 0, failed: 3, dropped: total - 3 });
});
