import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import t from 'tap';
import { METRIC_SPECS } from '../../src/http/monitoring/metrics.js';
import { routes } from '../../src/http/routes/index.js';
import { createKey, revokeKey } from '../../src/store/access/api-keys.js';
import { join } from 'node:path';
import { configWith, ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { TestSocket } from '../helpers/sockets.js';

const fewGraphs = configWith(t, 'echo', 'trouble');

/** What a Prometheus server reads: rows by name and labels. Throws on a line that it would not take. */
function parse(text: string): { rows: Map<string, number>; types: Map<string, string> } {
  const rows = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue;
    const type = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line);
    if (type !== null) {
      types.set(type[1]!, type[2]!);
      continue;
    }
    const row = /^(\w+(?:\{(?:\w+="[^"\\]*",?)*\})?) (-?[\d.e+-]+|NaN|\+Inf)$/.exec(line);
    if (row === null) throw new Error(`no line of Prometheus: ${line}`);
    if (rows.has(row[1]!)) throw new Error(`twice: ${line}`);
    rows.set(row[1]!, Number(row[2]));
  }
  return { rows, types };
}

async function figures(server: TestServer, init?: RequestInit): Promise<Map<string, number>> {
  const response = await server.get('/metrics', init);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return parse(await response.text()).rows;
}

/** Asks until it is so: figures of other threads come when they come. */
async function until(server: TestServer, holds: (rows: Map<string, number>) => boolean): Promise<Map<string, number>> {
  for (;;) {
    const rows = await figures(server);
    if (holds(rows)) return rows;
  }
}

const server = await testServer(t, { config: fewGraphs });

t.test('counts runs by graph in every state', async (t) => {
  t.notOk(
    [...(await figures(server)).keys()].some((row) => row.includes('graph="echo"')),
    'no row before the first',
  );
  for (let at = 0; at < 3; at += 1)
    await (await server.post('/runs/wait', { assistant_id: 'echo', input: { text: 'a' } })).text();
  await (await server.post('/runs/wait', { assistant_id: 'trouble', input: { do: 'throw' } })).text();
  const thread = await server.client.threads.create();
  const later = await server.client.runs.create(thread.thread_id, 'echo', {
    input: { text: 'b' },
    afterSeconds: 3_600,
  });
  const rows = await figures(server);
  const at = (name: string, labels: string): number | undefined => rows.get(`${name}{${labels}}`);
  t.equal(at('threadmill_runs_started_total', 'graph="echo"'), 3);
  t.equal(at('threadmill_runs_ended_total', 'graph="echo",status="success"'), 3);
  t.equal(at('threadmill_run_duration_seconds_count', 'graph="echo"'), 3);
  t.equal(at('threadmill_run_duration_seconds_bucket', 'graph="echo",le="+Inf"'), 3);
  t.equal(at('threadmill_run_queue_wait_seconds_count', 'graph="echo"'), 3);
  t.equal(at('threadmill_runs_running', 'graph="echo"'), 0);
  t.equal(at('threadmill_runs_queued', 'graph="echo"'), 0);
  t.equal(at('threadmill_runs_waiting', 'graph="echo"'), 1, 'the delayed one');
  t.equal(at('threadmill_run_retries_total', 'graph="echo"'), 0);
  await server.client.runs.cancel(thread.thread_id, later.run_id, true);
  const after = await figures(server);
  t.equal(after.get('threadmill_runs_waiting{graph="echo"}'), 0);
  t.equal(after.get('threadmill_runs_ended_total{graph="echo",status="interrupted"}'), 1);
});

t.test('exports every metric in the Prometheus format, as in the table', async (t) => {
  await (await server.post('/runs/wait', { assistant_id: 'echo', input: { text: 'a' } })).text();
  const response = await server.get('/metrics');
  t.match(response.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  const { rows, types } = parse(await response.text());
  t.strictSame(
    [...types],
    METRIC_SPECS.map(({ name, type }) => [name, type]),
  );
  for (const { name, labels } of METRIC_SPECS) {
    for (const row of [...rows.keys()].filter(
      (one) => one.replace(/\{.*/, '').replace(/_(bucket|sum|count)$/, '') === name,
    )) {
      const named = [...row.matchAll(/(\w+)="/g)].map(([, label]) => label!).filter((label) => label !== 'le');
      t.strictSame(named.toSorted(), labels.toSorted(), row);
    }
  }
  t.ok(rows.get('threadmill_memory_resident_bytes')! > 1e7);
  t.ok(rows.get('threadmill_store_file_bytes')! > 0);
});

t.test('counts a retry and a lost worker when a run loses its worker', async (t) => {
  const server = await testServer(t, { config: fewGraphs });
  await (await server.post('/runs/wait', { assistant_id: 'trouble', input: { do: 'exit' } })).text();
  const rows = await figures(server);
  t.equal(rows.get('threadmill_run_retries_total{graph="trouble"}'), 2);
  t.ok(rows.get('threadmill_workers_lost_total')! >= 1);
  t.equal(rows.get('threadmill_runs_ended_total{graph="trouble",status="error"}'), 1);
  t.equal(rows.get('threadmill_runs_running{graph="trouble"}'), 0);
});

t.test('reports every thread, and a blocked event loop', async (t) => {
  const server = await testServer(t, { config: fewGraphs, workers: 2 });
  await server.get('/api/v1/datasets');
  const threads = ['front', 'graph-0', 'graph-1', 'evaluation-reading'];
  const rows = await until(server, (found) =>
    threads.every(
      (thread) =>
        found.get(`threadmill_event_loop_delay_seconds_count{thread="${thread}"}`)! > 0 &&
        found.get(`threadmill_heap_bytes{thread="${thread}"}`)! > 0,
    ),
  );
  t.equal(rows.get('threadmill_workers{kind="graph"}'), 2);
  t.equal(rows.get('threadmill_workers{kind="solo"}'), 0);
  t.equal(rows.get('threadmill_workers_silent'), 0);
  t.equal(rows.get('threadmill_worker_runs{thread="graph-0"}'), 0);
  const late = (found: Map<string, number>): number =>
    ['graph-0', 'graph-1'].reduce(
      (sum, thread) =>
        sum +
        found.get(`threadmill_event_loop_delay_seconds_count{thread="${thread}"}`)! -
        found.get(`threadmill_event_loop_delay_seconds_bucket{thread="${thread}",le="0.1"}`)!,
      0,
    );
  const before = late(rows);
  await (await server.post('/runs/wait', { assistant_id: 'trouble', input: { do: 'block', n: 250 } })).text();
  await until(server, (found) => late(found) > before);
});

t.test('counts requests by route pattern, and open sockets and readers', async (t) => {
  const server = await testServer(t, { config: fewGraphs });
  const nothing = '01a20000-0000-7000-8000-000000000000';
  for (let at = 0; at < 2; at += 1) await (await server.get(`/threads/${nothing}`)).text();
  await (await server.get('/nowhere/at/all')).text();
  const thread = await server.client.threads.create();
  const run = await server.client.runs.create(thread.thread_id, 'echo', { input: { text: 'b' }, afterSeconds: 3_600 });
  const reader = request(`${server.url}/threads/${thread.thread_id}/runs/${run.run_id}/stream`);
  const opened = new Promise((resolve) => reader.on('response', (response) => response.once('data', resolve)));
  reader.on('error', () => undefined);
  reader.end();
  await opened;
  const rows = await figures(server);
  t.equal(rows.get('threadmill_http_requests_total{method="GET",route="/threads/:thread_id",status="404"}'), 2);
  t.equal(rows.get('threadmill_http_requests_total{method="ANY",route="(none)",status="404"}'), 1);
  t.equal(rows.get('threadmill_http_requests_total{method="POST",route="/threads",status="200"}'), 1);
  t.equal(rows.get('threadmill_http_request_duration_seconds_count{method="GET",route="/threads/:thread_id"}'), 2);
  t.notOk([...rows.keys()].some((row) => row.includes(nothing) || row.includes('nowhere')));
  t.ok(rows.get('threadmill_stream_readers')! >= 1);
  t.ok(rows.get('threadmill_sockets_open')! >= 2);
  t.ok(rows.get('threadmill_store_commit_seconds_count')! > 0);
  reader.destroy();
  await until(server, (found) => found.get('threadmill_stream_readers') === 0);
});

t.test('counts a WebSocket while it is open', async (t) => {
  const open = (rows: Map<string, number>): number => rows.get('threadmill_sockets_open')!;
  const before = open(await figures(server));
  const sockets = await Promise.all(Array.from({ length: 20 }, () => new TestSocket(server.url, randomUUID()).open()));
  const during = await figures(server);
  t.equal(during.get('threadmill_websockets_open'), 20);
  t.ok(open(during) >= 20, `${open(during)} connections`);
  for (const { ws } of sockets.slice(10)) ws.close();
  for (const { ws } of sockets.slice(0, 10)) ws.terminate();
  const after = await until(server, (rows) => rows.get('threadmill_websockets_open') === 0);
  // Our own client may have opened another connection to ask.
  t.ok(open(after) >= 1 && open(after) <= before + 2, `${before} connections before, ${open(after)} after`);
});

t.test('returns the official fields and the same metrics with ?format=json', async (t) => {
  const json = (await (await server.get('/metrics?format=json')).json()) as { metrics: { name: string }[] };
  t.match(json, {
    queue: { n_pending: 0, n_running: 0 },
    workers: { max: 1, active: 0, available: 1 },
    http: { sockets: Number, stream_readers: 0 },
  });
  t.strictSame(
    json.metrics.map(({ name }) => name),
    METRIC_SPECS.map(({ name }) => name),
  );
  t.equal((await server.get('/metrics?format=prometheus')).status, 200);
  t.equal((await server.get('/metrics?format=xml')).status, 422);
});

t.test('shows metrics only to operators: keys with the scope, and no users of a handler', async (t) => {
  const plain = temporaryFolder(t);
  const all = createKey(plain, { name: 'all' }).text;
  const instrument = createKey(plain, { name: 'prometheus', scopes: ['metrics:read'] }).text;
  const reader = createKey(plain, { name: 'reader', scopes: ['read'] }).text;
  const writer = createKey(plain, { name: 'writer', scopes: ['threads'] }).text;
  const server = await testServer(t, { config: fewGraphs, dataFolder: plain });
  const status = async (one: TestServer, headers: Record<string, string>, path = '/metrics'): Promise<number> =>
    (await one.get(path, { headers })).status;
  t.equal(await status(server, {}), 401);
  t.equal(await status(server, { 'x-api-key': writer }), 403);
  for (const key of [all, instrument, reader]) t.equal(await status(server, { authorization: `Bearer ${key}` }), 200);
  t.equal(await status(server, { 'x-api-key': instrument }, '/threads'), 403, 'it sees figures and nothing else');
  revokeKey(plain, 'prometheus');
  while ((await status(server, { 'x-api-key': instrument })) === 200);
  t.equal(await status(server, { 'x-api-key': instrument }), 401);

  const handled = temporaryFolder(t);
  const own = createKey(handled, { name: 'own' }).text;
  const guarded = await testServer(t, {
    dataFolder: handled,
    config: join(ROOT, 'test/access/project/langgraph.json'),
  });
  t.equal(
    await status(guarded, { authorization: 'Bearer token-of-alice' }, '/threads'),
    200,
    'the handler knows the user',
  );
  t.equal(await status(guarded, { authorization: 'Bearer token-of-alice' }), 401, 'and the figures are none of hers');
  t.equal(await status(guarded, {}), 401);
  t.equal(await status(guarded, { 'x-api-key': own }), 200);
  t.same(
    routes.filter(({ action }) => action === 'metrics:read').map(({ path }) => path),
    ['/metrics', '/server/history'],
  );
});
