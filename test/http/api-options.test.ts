import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import t from 'tap';
import { FEATURES } from '../../src/domain/features.js';
import { readConfig } from '../../src/config/config.js';
import { routes, buildRouteTable, ALL_ENABLED } from '../../src/http/routes/index.js';
import { createKey } from '../../src/store/access/api-keys.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const upper = (method: string): string => method.toUpperCase();

t.test('disables each group of routes: 404, and nothing in the OpenAPI document', async (t) => {
  for (const feature of FEATURES) {
    const gone = routes.filter(({ group, alternative }) => group === feature && alternative === null);
    const left = buildRouteTable({ ...ALL_ENABLED, disabled: new Set([feature]) }).served;
    for (const { method, path } of gone)
      t.notOk(
        left.some((route) => route.method === method && route.path === path),
        `${feature}: ${method} ${path}`,
      );
    t.equal(left.length, routes.length - gone.length, feature);
  }
});

t.test('answers 404 for a disabled feature, omits it from the document and reports it in /info', async (t) => {
  const config = projectOf(t, ['echo'], {
    http: { disable_assistants: true, disable_threads: true, disable_runs: true },
  });
  const server = await testServer(t, { config });
  const nothing = '01a20000-0000-7000-8000-000000000000';
  for (const { method, path, group, alternative } of routes) {
    if (!['assistants', 'threads', 'runs', 'crons'].includes(group) || alternative !== null) continue;
    const response = await fetch(server.url + path.replace(/:\w+/g, nothing), {
      method: upper(method),
      headers: JSON_TYPE,
      ...(method === 'get' ? {} : { body: '{}' }),
    });
    t.equal(response.status, 404, `${method} ${path}`);
    t.match(await response.json(), { detail: /^There is no route / }, `${method} ${path}`);
  }
  const { paths } = (await (await server.get('/openapi.json')).json()) as { paths: Record<string, unknown> };
  t.strictSame(
    Object.keys(paths).filter((path) => /^\/(assistants|threads|runs)/.test(path)),
    [],
  );
  t.ok('/api/v1/datasets' in paths);
  t.match(await (await server.get('/info')).json(), {
    flags: { assistants: false, crons: false, strict_resume: false },
  });
  // The address is also the other API's, which stays.
  const trace = await server.post('/runs', {
    id: nothing,
    trace_id: nothing,
    dotted_order: `20260101T000000000000Z${nothing}`,
    name: 'a',
    run_type: 'chain',
    start_time: '2026-01-01T00:00:00Z',
    inputs: {},
  });
  t.equal(trace.status, 202, await trace.text());
});

t.test('serves only a minimal /ok of the server information with disable_meta', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['echo'], { http: { disable_meta: true } }) });
  for (const path of ['/', '/info', '/api/v1/info', '/docs', '/docs/page.js', '/openapi.json'])
    t.equal((await server.get(path)).status, 404, path);
  for (const path of ['/ok', '/ok?check_db=1', '/ok?check_db=whatever', '/api/v1/ok']) {
    const response = await server.get(path);
    t.equal(response.status, 200, path);
    t.equal(await response.text(), '{"ok":true}', path);
  }
});

t.test('/ok reads the store on request', async (t) => {
  const server = await testServer(t);
  for (const path of ['/ok', '/ok?check_db=0', '/ok?check_db=1', '/ok?check_db=true']) {
    const response = await server.get(path);
    t.equal(response.status, 200, path);
    t.equal(await response.text(), '{"ok":true}', path);
  }
  t.equal((await server.get('/ok?check_db=perhaps')).status, 422);
});

t.test('/ok returns 500 after a failed commit or when the store cannot be read', (t) => {
  const { handle } = routes.find(({ path }) => path === '/ok')!;
  const asked = (checkDb: boolean, store: { failure: Error | null; checkReadable(): void }): unknown =>
    handle({ query: { check_db: checkDb } } as never, { stores: { store } } as never);
  const full = {
    failure: new Error('the disk is full'),
    checkReadable(): void {
      throw this.failure;
    },
  };
  for (const checkDb of [false, true])
    t.match(asked(checkDb, full), { status: 500, body: '{"ok":false,"detail":"the disk is full"}' });
  const damaged = {
    failure: null,
    checkReadable(): void {
      throw new Error('damaged');
    },
  };
  t.match(asked(true, damaged), { status: 500, body: '{"ok":false,"detail":"damaged"}' });
  t.match(asked(false, damaged), { status: 200, body: '{"ok":true}' });
  t.end();
});

t.test('/info returns what clients read and the LangGraph version of graphs', async (t) => {
  const server = await testServer(t);
  const info = (await (await server.get('/info')).json()) as Record<string, unknown>;
  const own = (await import(join(ROOT, 'node_modules/@langchain/langgraph/package.json'), {
    with: { type: 'json' },
  })) as { default: { version: string } };
  t.match(info, {
    version: String,
    langgraph_js_version: own.default.version,
    context: 'js',
    metadata: { server: 'threadmill', version: String },
    flags: {
      assistants: true,
      langsmith: false,
      langsmith_tracing_replicas: false,
      strict_resume: true,
      stream_namespaces: true,
    },
  });
  const groups = new Set<string>(routes.map(({ group }) => group));
  for (const name of ['assistants', 'crons', 'store', 'mcp', 'a2a'])
    t.equal((info['flags'] as Record<string, unknown>)[name], groups.has(name), name);
});

t.test('[trap 17] serves everything below the prefix, and only /ok without it', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['echo'], { http: { mount_prefix: '/agents/v2/' } }) });
  t.match(server.url, /:\d+\/agents\/v2$/);
  const port = `http://127.0.0.1:${server.port}`;
  for (const path of [
    '/info',
    '/docs',
    '/openapi.json',
    '/threads/search',
    '/',
    '/agents',
    '/agents/v2x/ok',
    '/api/v1/ok',
  ])
    t.equal((await fetch(port + path)).status, 404, path);
  for (const path of ['/ok', '/ok?check_db=1', '/agents/v2', '/agents/v2/', '/agents/v2/ok', '/agents/v2/api/v1/info'])
    t.equal((await fetch(port + path)).status, 200, path);

  // The page's own addresses lead somewhere.
  const page = await (await server.get('/docs')).text();
  const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
  t.ok(addresses.length >= 3);
  for (const address of addresses) t.equal((await fetch(new URL(address, `${server.url}/docs`))).status, 200, address);
  t.match(await (await server.get('/docs/page.js')).text(), /url: 'openapi.json'/);
  t.match(await (await server.get('/openapi.json')).json(), { servers: [{ url: '/agents/v2' }] });

  // Locations have no prefix: clients put the address of the server before them.
  const thread = await server.client.threads.create();
  const response = await server.post(`/threads/${thread.thread_id}/runs/stream`, {
    assistant_id: 'echo',
    input: { text: 'a' },
    stream_resumable: true,
  });
  t.match(response.headers.get('content-location'), /^\/threads\/[^/]+\/runs\/[^/]+$/);
  t.match(response.headers.get('location'), /^\/threads\/[^/]+\/runs\/[^/]+\/stream$/);
  await response.text();
  t.equal((await fetch(server.url + response.headers.get('location')!)).status, 200);
  let created: unknown;
  const values = await server.client.runs.wait(thread.thread_id, 'echo', {
    input: { text: 'b' },
    onRunCreated: (run) => {
      created = run;
    },
  });
  t.match(values, { text: /b/ });
  t.match(created, { run_id: String, thread_id: thread.thread_id });
  t.equal((await fetch(`${server.url}/threads`, { method: 'PUT' })).status, 405);
});

t.test('MOUNT_PREFIX overrides the file, and may be empty', async (t) => {
  const config = projectOf(t, ['echo'], { http: { mount_prefix: '/file' } });
  const prefix = (env: Record<string, string>): string => readConfig({ config }, env).api.mountPrefix;
  t.equal(prefix({}), '/file');
  t.equal(prefix({ MOUNT_PREFIX: '/env/' }), '/env');
  t.equal(prefix({ MOUNT_PREFIX: '' }), '');
  t.equal(prefix({ MOUNT_PREFIX: '/' }), '');
  for (const bad of ['agents', '/a b', '/a//b', '/:a', '/*', '/a?b', '/..', '/a/./b', 'https://x/y']) {
    t.throws(() => prefix({ MOUNT_PREFIX: bad }), { code: 'CONFIG_INVALID', message: /^MOUNT_PREFIX: / }, bad);
    t.throws(
      () => readConfig({ config: projectOf(t, ['echo'], { http: { mount_prefix: bad } }) }, {}),
      { code: 'CONFIG_INVALID', message: /http\.mount_prefix: / },
      bad,
    );
  }
});

t.test('names invalid and unknown keys of http, and those without effect', async (t) => {
  const warnings = (http: unknown): readonly string[] =>
    readConfig({ config: projectOf(t, ['echo'], { http }) }, {}).project.warnings;
  t.strictSame(
    warnings({
      cors: {},
      disable_mcp: true,
      disable_threads: false,
      disable_crons: null,
      configurable_headers: { include: ['x-*'] },
      logging_headers: { includes: ['x-*'] },
    }),
    [],
  );
  t.match(warnings({ middleware_order: 'auth_first', enable_custom_route_auth: true }), [
    /middleware_order changes nothing without http\.app/,
    /enable_custom_route_auth changes nothing/,
  ]);
  t.match(warnings({ configurable_headers: { includes: ['Authorization', 'x-a'] } }), [
    /Authorization is a secret.*langgraph_auth_user/,
  ]);
  t.match(warnings({ logging_headers: { includes: ['cookie'] } }), [
    /^http\.logging_headers: cookie is a secret or .* never copied\.$/,
  ]);
  const bad: [unknown, RegExp][] = [
    [[], /http: must be an object/],
    [{ disable_everything: true }, /http\.disable_everything: is unknown\. Known keys are app, /],
    [
      { configurable_headers: { includes: ['x-a'], only: [] } },
      /http\.configurable_headers\.only: is unknown\. Known keys are includes, /,
    ],
    [{ disable_runs: 'yes' }, /http\.disable_runs: must be true or false/],
    [{ mount_prefix: 7 }, /http\.mount_prefix: must be text/],
    [{ configurable_headers: ['x-a'] }, /http\.configurable_headers: must be an object/],
    [{ configurable_headers: { includes: 'x-a' } }, /http\.configurable_headers\.includes: must be a list/],
    [{ logging_headers: { includes: [''] } }, /http\.logging_headers\.includes: must be a list/],
    [{ configurable_headers: { exclude: [1] } }, /http\.configurable_headers\.exclude: must be a list/],
  ];
  for (const [http, message] of bad)
    t.throws(() => warnings(http), { code: 'CONFIG_INVALID', message }, JSON.stringify(http));
  t.ok(
    readConfig({ config: projectOf(t, ['echo'], { http: { disable_runs: true } }) }, {}).api.disabled.has('crons'),
    'a cron makes runs',
  );
});

/** What a run on the server reads in `configurable`. */
async function configurableOf(
  url: string,
  headers: Record<string, string>,
  configurable: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/runs/wait`, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ assistant_id: 'mirror', input: {}, config: { configurable } }),
  });
  return ((await response.json()) as { seen: { configurable: Record<string, unknown> } }).seen.configurable;
}

t.test('[trap 33] passes configured request headers to configurable in lower case, and never secrets', async (t) => {
  const config = projectOf(t, ['mirror'], {
    http: {
      configurable_headers: {
        includes: ['x-*', 'User-Agent', 'authorization', 'cookie', '*-key', 'thread_id', 'langgraph_*', '__*'],
        excludes: ['X-Internal-*'],
      },
    },
  });
  const server = await testServer(t, { config });
  const sent = {
    'X-Tenant': 'acme',
    'x-configurable-header': 'b',
    'User-Agent': 'me',
    'x-internal-ip': 'no',
    accept: 'no',
    authorization: 'Bearer secret',
    cookie: 'secret=1',
    'x-api-key': 'secret',
    'x-tenant-id': 'secret',
    'x-service-key': 'secret',
    'proxy-authorization': 'secret',
    thread_id: 'evil',
    langgraph_auth_user: 'evil',
    langgraph_auth_user_id: 'evil',
    __proto__x: 'evil',
    __pregel_x: 'evil',
  };
  const seen = await configurableOf(server.url, sent, {
    'x-tenant': 'what the client says',
    'x-other': 'kept',
    langgraph_auth_user_id: 'evil',
  });
  t.match(seen, { 'x-tenant': 'acme', 'x-configurable-header': 'b', 'user-agent': 'me', 'x-other': 'kept' });
  t.notMatch(JSON.stringify(seen), /secret|evil|"no"/);
});

t.test('passes no header but the request id to a run without configurable_headers', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['mirror'], {}) });
  const seen = await configurableOf(
    server.url,
    { 'x-tenant': 'acme', 'x-request-id': 'order-17' },
    { langgraph_request_id: 'evil' },
  );
  t.notOk('x-tenant' in seen);
  t.equal(seen['langgraph_request_id'], 'order-17');
  t.notOk('user_id' in seen, 'nobody was asked who they are');
});

t.test('does not store the request id with a state, and sets user_id unless the client does', async (t) => {
  const dataFolder = temporaryFolder(t);
  const key = createKey(dataFolder, { name: 'one' });
  const server = await testServer(t, { config: projectOf(t, ['mirror'], {}), dataFolder });
  const client = new Client({ apiUrl: server.url, apiKey: key.text, defaultHeaders: { 'x-request-id': 'order-18' } });
  const thread = await client.threads.create();
  const { seen } = (await client.runs.wait(thread.thread_id, 'mirror', { input: {} })) as unknown as {
    seen: { configurable: Record<string, unknown>; metadata: Record<string, unknown> };
  };
  t.match(seen.configurable, { langgraph_request_id: 'order-18', user_id: `key:${key.key.keyId}` });
  const { metadata } = await client.threads.getState(thread.thread_id);
  t.notMatch(JSON.stringify(metadata), /order-18/);
  t.match(await configurableOf(server.url, { 'x-api-key': key.text }, { user_id: 'mine' }), {
    user_id: 'mine',
    langgraph_auth_user_id: `key:${key.key.keyId}`,
  });
});
