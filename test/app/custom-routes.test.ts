import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { WebSocket } from 'ws';
import { readProject } from '../../src/config/config.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const APPS = join(ROOT, 'test', 'apps');

t.test('serves a Hono app', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['echo'], { http: { app: `${APPS}/hono.ts:app` } }) });

  await t.test('answers its routes', async (t) => {
    const hello = await server.get('/hello/w%C3%B6rld?x=1', { headers: { 'x-request-id': 'mine' } });
    t.equal(hello.status, 200);
    t.same(await hello.json(), { hello: 'wörld', user: null, id: 'mine' });
    t.equal(hello.headers.get('x-request-id'), 'mine');
    t.equal(hello.headers.get('vary'), 'origin', "CORS is the server's");
    t.equal(await (await server.get('/runs/afakeroute')).text(), 'mine', 'also below a built-in prefix');
    t.equal((await server.get('/empty')).status, 204);
    t.same(await (await server.get('/graphs')).json(), ['echo'], 'its own client needs no address');
    const head = await server.get('/hello/head', { method: 'HEAD' });
    t.equal(head.status, 200);
    t.equal(await head.text(), '');
  });

  await t.test('passes bodies unchanged in both directions', async (t) => {
    const bytes = new Uint8Array(3_000_000).map((_, at) => at % 251);
    const echoed = await fetch(`${server.url}/echo`, {
      method: 'POST',
      body: bytes,
      headers: { 'content-type': 'application/x-odd' },
    });
    t.equal(echoed.headers.get('content-type'), 'application/x-odd');
    t.ok(Buffer.from(await echoed.arrayBuffer()).equals(bytes));
    t.equal(
      (await fetch(`${server.url}/unread`, { method: 'POST', body: bytes })).status,
      202,
      'a body that nobody reads is no harm',
    );
    t.equal((await fetch(`${server.url}/unread`, { method: 'POST' })).status, 202);
    const chunked = await fetch(`${server.url}/echo`, {
      method: 'POST',
      body: new Blob(['a', 'b']).stream(),
      duplex: 'half',
    } as RequestInit);
    t.equal(await chunked.text(), 'ab');
    const long = await fetch(`${server.url}/echo`, { method: 'POST', body: Buffer.alloc(33 * 1024 * 1024) });
    t.equal(long.status, 413);
  });

  await t.test('streams responses', async (t) => {
    const events = await server.get('/events');
    t.equal(events.headers.get('content-type'), 'text/event-stream');
    t.same((await events.text()).match(/data: \d/g), ['data: 0', 'data: 1', 'data: 2']);
    const large = Buffer.from(await (await server.get('/large')).arrayBuffer());
    t.equal(large.byteLength, 8_000_000);
    t.ok(large.every((byte, at) => byte === Math.floor(at / 100_000)));
    await t.rejects(async () => {
      await (await server.get('/breaks')).text();
    }, 'one that breaks off does not look whole');
  });

  await t.test('signals the app when a client disconnects', async (t) => {
    const leaving = request(`${server.url}/until-gone`);
    leaving.on('error', () => undefined);
    leaving.end();
    await letters(server, (all) => all.includes('came'));
    t.equal((await server.get('/collect-garbage')).status, 204, 'which drops what only weak references hold');
    leaving.destroy();
    await letters(server, (all) => all.includes('left'));
    t.pass('its signal was aborted');
  });

  await t.test('answers 500 when the app fails', async (t) => {
    const thrown = await server.get('/throws');
    t.equal(thrown.status, 500, "Hono's own answer");
    t.equal(await thrown.text(), 'Internal Server Error');
    for (const path of ['/number', '/odd-status']) {
      const failed = await server.get(path);
      t.equal(failed.status, 500, path);
      t.match(await failed.json(), { detail: /HTTP app/ });
    }
    t.equal((await server.get('/missing')).status, 404);
    const stray = await server.get('/does/not/exist');
    t.equal(stray.status, 404);
    t.match(await stray.json(), { detail: /no route/ });
    const trace = await new Promise<number>((resolve) => {
      request(`${server.url}/hello/x`, { method: 'TRACE' }, (res) => {
        res.resume();
        resolve(res.statusCode!);
      }).end();
    });
    t.equal(trace, 404, 'no Request can have this method');
  });

  await t.test('[trap 38] runs middleware around built-in routes', async (t) => {
    const info = await server.get('/info');
    t.equal(info.status, 200);
    t.equal(info.headers.get('x-js-middleware'), 'true');
    t.same(info.headers.getSetCookie(), ['one=1', 'two=2']);
    t.match(await info.json(), { flags: { assistants: true } });
    t.equal((await server.get('/info', { method: 'HEAD' })).headers.get('x-js-middleware'), 'true');
    const interrupted = await server.get('/info?interrupt');
    t.equal(interrupted.status, 418);
    t.equal(await interrupted.text(), 'interrupted');
    t.same(await (await server.get('/ok')).json(), { ok: true }, "the probe of the process is not the app's");
  });

  await t.test('[trap 38] lets middleware change the body of a built-in request', async (t) => {
    const create = async (
      headers: Record<string, string>,
      body: unknown = { metadata: { sent: true } },
    ): Promise<Response> =>
      fetch(`${server.url}/threads`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      });
    t.match(await (await create({})).json(), { metadata: { sent: true } });
    t.match(
      await (await create({ 'x-look': '1' })).json(),
      { metadata: { sent: true } },
      'one that was read goes on as it was',
    );
    t.match(await (await create({ 'x-replace': '1' })).json(), { metadata: { replaced: true } });
    t.match(await (await create({ 'x-mutate': '1' })).json(), { metadata: { mutated: true } });
    t.match(
      await (await create({ 'x-in-place': '1' })).json(),
      { metadata: { sent: true, added: true } },
      'also in the object that c.req.json() gave',
    );
    t.equal((await create({ 'x-look': '1' }, { metadata: 7 })).status, 422);
    const vetoed = await create({ 'x-veto': '1' });
    t.equal(vetoed.status, 451);
    t.equal(await vetoed.text(), 'vetoed');
    t.match(
      await (await create({ 'x-read': '1' })).json(),
      { seen: { metadata: { sent: true } } },
      'it may read the body of an answer',
    );
    const broken = await create({ 'x-break': '1' });
    t.equal(broken.status, 500, 'what it would have changed is not known, so the answer does not go out');
    const bad = await fetch(`${server.url}/threads`, {
      method: 'POST',
      body: '{"metadata',
      headers: { 'content-type': 'application/json', 'x-look': '1' },
    });
    t.equal(bad.status, 400);
  });

  await t.test('lets middleware refuse a WebSocket', async (t) => {
    const path = `${server.url.replace('http', 'ws')}/threads/${randomUUID()}/stream/events`;
    const [code, reason] = (await once(new WebSocket(`${path}?locked`), 'close')) as [number, Buffer];
    t.match([code, reason.toString()], [4423, 'the server refused the connection']);
    const socket = new WebSocket(path);
    await once(socket, 'open');
    socket.send('{}');
    const [answer] = (await once(socket, 'message')) as [Buffer];
    t.match(JSON.parse(answer.toString()), { type: 'error' }, 'others reach the built-in route');
    socket.close();
  });

  await t.test('passes streams of built-in routes through middleware', async (t) => {
    const chunks = [];
    for await (const chunk of server.client.runs.stream(null, 'echo', {
      input: { messages: [{ role: 'user', content: 'hi' }] },
      streamMode: 'values',
    }))
      chunks.push(chunk.event);
    t.ok(chunks.includes('values'));
    const streamed = await server.post('/runs/stream', { assistant_id: 'echo', input: { messages: [] } });
    t.equal(streamed.headers.get('x-streamed'), 'text/event-stream');
    await streamed.text();
    const waited = await server.client.runs.wait(null, 'echo', {
      input: { messages: [{ role: 'user', content: 'hi' }] },
    });
    t.ok(waited);
    const read = await fetch(`${server.url}/runs/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-read': '1' },
      body: JSON.stringify({ assistant_id: 'echo', input: { messages: [] } }),
    });
    t.equal(read.status, 500, 'the body of a stream does not pass through the app');
    await read.text();
    const compressed = await server.get('/assistants/search', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    });
    t.equal(compressed.headers.get('content-encoding'), 'gzip');
    t.match(await compressed.json(), [{ graph_id: 'echo' }]);
  });

  await t.test('[trap 39] delivers a webhook with a path alone to a route of the app', async (t) => {
    for (const [webhook, problem] of [
      ['hook', /is neither a URL/],
      ['//example.com/x', /is neither a URL/],
      ['/with space', /is neither a URL/],
      ['/back\\slash', /is neither a URL/],
    ] as const) {
      const refused = await server.post('/runs', { assistant_id: 'echo', input: { messages: [] }, webhook });
      t.equal(refused.status, 422, webhook);
      t.match(await refused.json(), { detail: problem });
    }
    const thread = await server.client.threads.create();
    const run = await server.client.runs.create(thread.thread_id, 'echo', {
      input: { messages: [{ role: 'user', content: 'hi' }] },
      webhook: '/letters',
    });
    await letters(server, (all) =>
      all.some((one) => (one as { body?: { run_id: string } }).body?.run_id === run.run_id),
    );
    const all = (await (await server.get('/letters')).json()) as { body?: { run_id: string; status: string } }[];
    t.match(
      all.find((one) => one.body?.run_id === run.run_id),
      { body: { status: 'success', thread_id: thread.thread_id, values: Object }, signature: false },
    );
    const elsewhere = await server.client.runs.create(thread.thread_id, 'echo', {
      input: { messages: [] },
      webhook: '/info',
    });
    await server.client.runs.join(thread.thread_id, elsewhere.run_id);
    const delivery = `/threads/${thread.thread_id}/runs/${elsewhere.run_id}/webhook`;
    let told: { attempts: unknown[] };
    do told = (await (await server.get(delivery)).json()) as { attempts: unknown[] };
    while (told.attempts.length === 0);
    t.match(told, { url: '/info', attempts: [{ status_code: 404 }] }, 'a built-in route is no receiver');
  });

  await t.test('replaces the thread of an app whose route never returns, and answers everyone else', async (t) => {
    const blocked = server.get('/blocks');
    const waiting = server.get('/hello/again');
    t.equal(
      (await server.post('/store/namespaces', {})).status,
      200,
      'what the app has no middleware for does not notice',
    );
    t.equal((await blocked).status, 503);
    t.ok([200, 503].includes((await waiting).status));
    t.equal((await server.get('/hello/new')).status, 200, 'another thread took its place');
  });
});

t.test('serves a plain fetch function', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['echo'], { http: { app: `${APPS}/plain.mjs` } }) });
  t.same(await (await server.post('/plain', { a: 1 })).json(), {
    method: 'POST',
    greeting: 'plainly',
    body: '{"a":1}',
  });
  t.match(await (await server.get('/info')).json(), { flags: {} }, 'its 404 leaves the request to the built-in route');
  const stray = await server.get('/nowhere');
  t.equal(stray.status, 404);
  t.equal(await stray.text(), 'no such page of mine');
  t.equal((await server.client.threads.create()).status, 'idle');
  const rows = Array.from({ length: 2_000 }, (_, at) => ({
    row_id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    inputs: { text: 'x'.repeat(1_000) },
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-01T00:00:01Z',
  }));
  const uploaded = await server.post('/api/v1/datasets/upload-experiment', {
    experiment_name: 'through',
    experiment_start_time: '2026-01-01T00:00:00Z',
    experiment_end_time: '2026-01-02T00:00:00Z',
    dataset_name: 'through',
    results: rows,
  });
  t.equal(uploaded.status, 200, 'a large body that it does not read waits for its word');
  t.match(await (await server.get('/api/v1/datasets?name=through')).json(), [{ example_count: 2_000 }]);
});

t.test('refuses a webhook without a host when there is no app', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['echo'], {}) });
  const refused = await server.post('/runs', { assistant_id: 'echo', input: {}, webhook: '/letters' });
  t.equal(refused.status, 422);
  t.match(await refused.json(), { detail: /http\.app/ });
  const cron = { assistant_id: 'echo', schedule: '0 0 1 1 *', webhook: '/letters' };
  t.equal((await server.post('/runs/crons', cron)).status, 422, 'nor in a cron');
});

t.test('applies authentication to the routes of the app', async (t) => {
  const env = { THREADMILL_API_KEYS: 'one-key-of-this-server-for-tests' };
  const key = { headers: { 'x-api-key': env.THREADMILL_API_KEYS } };
  const serve = (http: object): Promise<TestServer> =>
    testServer(t, { config: projectOf(t, ['echo'], { http: { app: `${APPS}/hono.ts:app`, ...http } }), env });

  const open = await serve({});
  t.equal((await open.get('/hello/x')).status, 200, 'custom routes are open unless configured');
  t.equal((await open.get('/threads/x')).status, 401);
  t.equal(
    (await open.get(`/threads/00000000-0000-4000-8000-000000000000?as=${env.THREADMILL_API_KEYS}`)).status,
    404,
    'middleware may bring the key',
  );
  t.equal((await open.get('/runs/afakeroute')).status, 200);

  const closed = await serve({ enable_custom_route_auth: true });
  t.equal((await closed.get('/hello/x')).status, 401);
  const hello = await closed.get('/hello/x', key);
  t.match(await hello.json(), { user: { identity: /./ } });
  t.equal((await closed.get('/info')).headers.get('x-js-middleware'), 'true', 'a public route stays public');

  const first = await serve({ middleware_order: 'auth_first' });
  t.equal(
    (await first.get(`/threads/00000000-0000-4000-8000-000000000000?as=${env.THREADMILL_API_KEYS}`)).status,
    401,
    'asked before the app',
  );
  t.equal((await first.get('/threads/00000000-0000-4000-8000-000000000000', key)).status, 404);
  t.equal((await first.get('/hello/x')).status, 200);
});

t.test('removes the mount prefix from the paths of the app', async (t) => {
  const server = await testServer(t, {
    config: projectOf(t, ['echo'], { http: { app: `${APPS}/hono.ts:app`, mount_prefix: '/agents' } }),
  });
  t.match(await (await server.get('/hello/x')).json(), { hello: 'x' });
  t.equal((await server.get('/info')).headers.get('x-js-middleware'), 'true');
  for (const path of ['/hello/x', '/agentshello/x', '/agents.evil.example/hello/x'])
    t.equal((await fetch(`${server.url.replace('/agents', '')}${path}`)).status, 404, path);
});

t.test('reloads the app and components, and needs a restart for middleware', async (t) => {
  const folder = temporaryFolder(t);
  const app = (says: string): void =>
    writeFileSync(
      join(folder, 'app.mjs'),
      `export default { fetch: (request) => new URL(request.url).pathname === '/says' ? new Response(${JSON.stringify(says)}) : new Response(null, { status: 404 }) };`,
    );
  const ui = (says: string): void =>
    writeFileSync(join(folder, 'ui.jsx'), `export default { one: () => ${JSON.stringify(says)} };`);
  app('first');
  ui('first');
  const more = { http: { app: join(folder, 'app.mjs') }, ui: { echo: join(folder, 'ui.jsx') } };
  const config = projectOf(t, ['echo'], more);
  const server = await testServer(t, { config });
  const says = async (path: string): Promise<string> => (await server.get(path)).text();
  t.equal(await says('/says'), 'first');
  t.match(await says('/ui/echo/entrypoint.js'), 'first');

  app('second');
  ui('second');
  const files = await server.reload(readProject(config));
  t.ok(files.includes(join(folder, 'app.mjs')) && files.includes(join(folder, 'ui.jsx')), 'both are watched');
  t.equal(await says('/says'), 'second');
  t.match(await says('/ui/echo/entrypoint.js'), 'second');

  writeFileSync(join(folder, 'app.mjs'), 'export default 5;');
  await t.rejects(server.reload(readProject(config)), { code: 'APP_LOAD_FAILED' });
  t.equal(await says('/says'), 'second', 'the last one that loaded stays');
  for (const http of [{}, { ...more.http, middleware_order: 'auth_first' }]) {
    await t.rejects(server.reload(readProject(projectOf(t, ['echo'], { http }))), {
      code: 'CONFIG_INVALID',
      message: /Restart the server/,
    });
  }
});

t.test('names an app that cannot be served at the start', async (t) => {
  for (const [app, problem] of [
    ['./nowhere.ts', /does not exist/],
    [`${APPS}/plain.mjs:nothing`, /is not an HTTP app/],
    [`${APPS}/hono.ts:nobody`, /is not an HTTP app/],
  ] as const) {
    await t.rejects(testServer(t, { config: projectOf(t, ['echo'], { http: { app } }) }), {
      code: 'APP_LOAD_FAILED',
      message: problem,
    });
  }
  for (const [http, problem] of [
    [{ app: 5 }, /http\.app/],
    [{ app: '' }, /http\.app/],
    [{ middleware_order: 'last' }, /middleware_order/],
    [{ enable_custom_route_auth: 'yes' }, /enable_custom_route_auth/],
  ] as const) {
    await t.rejects(async () => testServer(t, { config: projectOf(t, ['echo'], { http }) }), {
      code: 'CONFIG_INVALID',
      message: problem,
    });
  }
});

/** Waits for what the app has noted. */
async function letters(server: TestServer, until: (all: unknown[]) => boolean): Promise<void> {
  for (;;) {
    const answer = await server.get('/letters');
    const all = (await answer.json()) as unknown;
    if (!Array.isArray(all)) throw new Error(`/letters answered ${answer.status}: ${JSON.stringify(all)}`);
    if (until(all)) return;
  }
}
