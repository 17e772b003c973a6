import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readConfig } from '../../src/config/config.js';
import { routes } from '../../src/http/routes/index.js';
import { ask, type Answer } from '../helpers/ask.js';
import { projectOf } from '../helpers/project.js';
import { configWith, ROOT, testServer, type ServerOptions, type TestServer } from '../helpers/server.js';
import { TestSocket } from '../helpers/sockets.js';

const EVIL = 'https://evil.example';
const APP = 'https://app.example.com';
const STUDIO = 'https://smith.langchain.com';
const LOCAL = 'http://localhost:3000';
const JSON_TYPE = { 'content-type': 'application/json' };
const LINK = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

const echo = configWith(t, 'echo');
const open = await testServer(t, { config: echo });

const started = (t: Test, options: ServerOptions): Promise<TestServer> => testServer(t, { config: echo, ...options });
let listed: Promise<TestServer> | null = null;
/** A server with a list of one origin, shared by tests that make nothing. */
const openListed = (): Promise<TestServer> =>
  (listed ??= testServer(t, { config: echo, env: { CORS_ALLOW_ORIGINS: APP } }));
const threads = async ({ client }: TestServer): Promise<number> =>
  (await client.threads.search({ limit: 1_000 })).length;
const keysOf = async (server: TestServer): Promise<unknown[]> =>
  (await (await server.get('/server/keys')).json()) as unknown[];
/** Every route of the table, with ids of nothing in its path. */
const everyRoute = routes.map((route) => ({
  route,
  name: `${route.method} ${route.path}`,
  path: route.path.replace(/:\w+/g, randomUUID()).replace('*', ''),
}));

async function everyAnswer(
  server: TestServer,
  headers: Record<string, string>,
): Promise<{ name: string; route: (typeof routes)[number]; answer: Answer }[]> {
  const answers = [];
  for (const { route, name, path } of everyRoute) {
    const bodied = route.method !== 'get';
    answers.push({
      name,
      route,
      answer: await ask(
        server.url + path,
        route.method.toUpperCase(),
        { ...(bodied ? JSON_TYPE : {}), ...headers },
        bodied ? '{}' : undefined,
      ),
    });
  }
  return answers;
}

t.test('without a key: refuses pages of other origins on every route, whatever the content type', async (t) => {
  for (const [what, headers] of [
    ['as browsers do', { origin: EVIL, 'sec-fetch-site': 'cross-site' }],
    ['a simple request', { origin: EVIL, 'content-type': 'text/plain' }],
    ['a frame without an origin', { origin: 'null' }],
    ['a name that begins like this machine', { origin: 'http://localhost.evil.example' }],
    ['a name that ends like this machine', { origin: 'https://evil-localhost' }],
    ['an address of the network', { origin: 'http://192.168.1.7:8123' }],
  ] as const) {
    for (const { name, route, answer } of await everyAnswer(open, headers)) {
      if (route.crossSite === 'always')
        t.not(answer.status, 403, `${what}: ${name} has its secret in the address, or none at all`);
      else
        t.match(
          answer,
          { status: 403, text: /are not allowed|not allowed for pages of other origins/ },
          `${what}: ${name}`,
        );
      t.equal(answer.headers['access-control-allow-origin'], undefined, `${what}: ${name}`);
    }
  }
  t.equal(await threads(open), 0, 'nothing was made');
  t.strictSame(await keysOf(open), [], 'and no key');
});

t.test('without a key: refuses unknown host names on every route', async (t) => {
  for (const host of [
    'evil.example',
    'evil.example:8123',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil-localhost',
    '192.168.1.7',
    '[2001:db8::1]:8123',
    'a b',
    'user@localhost',
    '',
  ]) {
    const [first, ...rest] = host === 'evil.example' ? await everyAnswer(open, { host }) : [];
    for (const { name, answer } of first === undefined ? [] : [first, ...rest])
      t.equal(answer.status, name === 'get /ok' ? 200 : 403, `${name}: ${answer.text}`);
    if (host === 'evil.example' || host === '') continue;
    t.match(
      await ask(`${open.url}/info`, 'GET', { host }),
      { status: 403, text: /The host name .* is not allowed/ },
      host,
    );
  }
  for (const host of [
    'localhost',
    'LOCALHOST:1',
    'localhost.',
    'app.localhost:8123',
    '127.0.0.1',
    '127.9.9.9:8123',
    '[::1]',
    '[::1]:8123',
  ])
    t.equal((await ask(`${open.url}/info`, 'GET', { host })).status, 200, host);
});

t.test('without a key: refuses tags, forms and frames of other sites, and allows links to pages', async (t) => {
  const site = { 'sec-fetch-site': 'cross-site' };
  for (const path of [
    '/backup',
    '/info',
    '/server/keys',
    '/server/queue',
    '/metrics',
    '/openapi.json',
    `/threads/${randomUUID()}`,
    '/store/items?key=a&namespace=b',
  ]) {
    t.equal(
      (await ask(open.url + path, 'GET', { ...site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' })).status,
      403,
      path,
    );
    t.equal((await ask(open.url + path, 'GET', LINK)).status, 403, `a link to ${path}`);
  }
  t.equal((await ask(`${open.url}/runs/cancel`, 'POST', site)).status, 403);
  for (const path of ['/', '/console/', '/console/threads', '/docs']) {
    t.equal((await ask(open.url + path, 'GET', LINK)).status, 200, `a link to ${path}`);
    t.equal(
      (await ask(open.url + path, 'GET', { ...LINK, 'sec-fetch-dest': 'iframe' })).status,
      403,
      `a frame of ${path}`,
    );
    t.equal((await ask(open.url + path, 'POST', LINK)).status, 403, `a form to ${path}`);
  }
  for (const from of ['none', 'same-origin'])
    t.equal((await ask(`${open.url}/server/keys`, 'GET', { 'sec-fetch-site': from })).status, 200, from);
});

t.test('without a key: serves pages on this machine, except information about the server', async (t) => {
  for (const origin of [
    LOCAL,
    'https://localhost',
    'http://127.0.0.1:5173',
    'http://[::1]:80',
    'http://app.localhost:3000',
  ]) {
    const asked = await ask(`${open.url}/threads`, 'OPTIONS', {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    });
    t.match(
      asked,
      {
        status: 204,
        headers: {
          'access-control-allow-origin': origin,
          'access-control-allow-headers': 'content-type',
          vary: 'origin',
        },
      },
      origin,
    );
    const made = await ask(
      `${open.url}/threads/search`,
      'POST',
      { origin, 'sec-fetch-site': 'same-site', ...JSON_TYPE },
      '{}',
    );
    t.match(made, { status: 200, headers: { 'access-control-allow-origin': origin } }, origin);
  }
  for (const { name, route, answer } of await everyAnswer(open, { origin: LOCAL, 'sec-fetch-site': 'same-site' })) {
    const never =
      /^(get|post|delete) (\/server\/|\/backup|\/metrics|\/threads\/import|(\/api\/v1)?\/datasets\/:dataset_id\/import)/.test(
        `${route.method} ${route.path}`,
      );
    if (never) t.match(answer, { status: 403, text: /not allowed for pages of other origins/ }, name);
    else t.not(answer.status, 403, name);
  }
  t.equal(
    (await ask(`${open.url}/backup`, 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' })).status,
    403,
    'nor by a tag',
  );
});

t.test('serves its own pages under every name and behind a proxy', async (t) => {
  const { port } = open;
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'localhost']) {
    for (const scheme of ['http', 'https'])
      t.equal(
        (
          await ask(`${open.url}/server/keys`, 'GET', {
            host,
            origin: `${scheme}://${host}`,
            'sec-fetch-site': 'same-origin',
          })
        ).status,
        200,
        `${scheme}://${host}`,
      );
  }
  const own = 'https://agents.example.com';
  const base = 'https://public.example.com';
  const server = await started(t, {
    flags: { allowedHosts: 'other.example, Agents.Example.com, *.wide.example' },
    env: { THREADMILL_ALLOWED_HOSTS: 'elsewhere.example', LANGGRAPH_API_URL: `${base}/base` },
  });
  const path = '/server/keys';
  for (const [what, origin] of [
    ['a name that is allowed', own],
    ['the public address', base],
  ] as const) {
    const { hostname } = new URL(origin);
    const headers = { origin, 'sec-fetch-site': 'same-origin' };
    t.equal(
      (await ask(server.url + path, 'GET', { ...headers, host: hostname })).status,
      200,
      `${what}: a proxy that keeps the name`,
    );
    t.equal(
      (await ask(server.url + path, 'GET', headers)).status,
      200,
      `${what}: a proxy that puts its own in its place`,
    );
    const shouted = hostname.replace(/^\w+/, (name) => name.toUpperCase());
    t.equal(
      (
        await ask(server.url + path, 'GET', {
          ...headers,
          host: `${shouted}:8443`,
          origin: `https://${shouted}:8443`,
        })
      ).status,
      200,
      `${what}: another port`,
    );
    t.equal(
      (await ask(`${server.url}/info`, 'GET', { origin: EVIL, host: hostname })).status,
      403,
      `${what}: no other page`,
    );
    t.equal(
      (await ask(`${server.url}/info`, 'GET', { origin: `${origin}:9443` })).status,
      403,
      `${what}: no other server on that machine`,
    );
  }
  for (const [host, status] of [
    ['elsewhere.example', 403],
    ['a.wide.example', 200],
    ['a.b.wide.example:80', 200],
    ['wide.example', 403],
    ['evilwide.example', 403],
  ] as const)
    t.equal((await ask(`${server.url}/info`, 'GET', { host })).status, status, host);
  for (const [what, config, env] of [
    ['a variable', echo, { THREADMILL_ALLOWED_HOSTS: 'agents.example.com' }],
    ['the file', projectOf(t, ['echo'], { http: { allowed_hosts: ['agents.example.com'] } }), {}],
  ] as const)
    t.strictSame(readConfig({ config }, env).allowedHosts, ['agents.example.com'], what);
  const all = await started(t, { env: { THREADMILL_ALLOWED_HOSTS: '*' } });
  t.equal((await ask(`${all.url}/info`, 'GET', { host: 'whatever.example' })).status, 200);
});

t.test('serves a public server at its addresses', async (t) => {
  const wide = await started(t, { flags: { host: '0.0.0.0', insecure: true } });
  const url = wide.url.replace('0.0.0.0', '127.0.0.1');
  for (const host of ['192.168.1.7:8123', '[fd00::1]:8123', '0.0.0.0', 'localhost'])
    t.equal((await ask(`${url}/info`, 'GET', { host })).status, 200, host);
  t.equal((await ask(`${url}/info`, 'GET', { host: 'evil.example' })).status, 403);
  t.equal((await ask(`${url}/info`, 'GET', { host: '192.168.1.7', origin: EVIL })).status, 403);
});

t.test('executes requests only for origins that http.cors allows', async (t) => {
  const server = await started(t, { env: { CORS_ALLOW_ORIGINS: `${STUDIO},loopback` } });
  const asked = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
    'access-control-request-private-network': 'true',
  };
  t.match(await ask(`${server.url}/threads`, 'OPTIONS', { origin: STUDIO, ...asked }), {
    status: 204,
    headers: { 'access-control-allow-origin': STUDIO, 'access-control-allow-private-network': 'true' },
  });
  t.equal(
    (await ask(`${server.url}/threads`, 'POST', { origin: STUDIO, 'sec-fetch-site': 'cross-site', ...JSON_TYPE }, '{}'))
      .status,
    200,
    'the Studio',
  );
  t.equal(
    (await ask(`${server.url}/threads`, 'POST', { origin: LOCAL, ...JSON_TYPE }, '{}')).status,
    200,
    'and this machine',
  );
  t.equal(await threads(server), 2);
  for (const origin of [EVIL, `${STUDIO}.evil.example`, 'null']) {
    t.equal((await ask(`${server.url}/threads`, 'POST', { origin, ...JSON_TYPE }, '{}')).status, 403, origin);
    const preflight = await ask(`${server.url}/threads`, 'OPTIONS', { origin, ...asked });
    t.equal(preflight.status, 403, origin);
    t.strictSame(
      Object.keys(preflight.headers).filter((name) => name.startsWith('access-control-')),
      [],
      origin,
    );
  }
  t.equal(await threads(server), 2);
  t.equal(
    (await ask(`${server.url}/backup`, 'GET', { origin: STUDIO })).status,
    403,
    "what is about the server is nobody else's",
  );

  const without = await openListed();
  t.equal((await ask(`${without.url}/info`, 'GET', { origin: LOCAL })).status, 403, 'a list is the whole list');
  t.equal(
    (await ask(`${without.url}/info`, 'GET', { origin: without.url })).status,
    200,
    'the own pages are none of it',
  );
  const everyone = await started(t, { env: { CORS_ALLOW_ORIGINS: '*' } });
  t.match(
    await ask(`${everyone.url}/threads`, 'POST', { origin: EVIL, ...JSON_TYPE }, '{}'),
    { status: 200, headers: { 'access-control-allow-origin': '*' } },
    'who says everyone means it',
  );
  for (const path of ['/backup', '/server/keys'])
    t.equal((await ask(everyone.url + path, 'GET', { origin: EVIL })).status, 403, path);
});

t.test('with keys: serves any page, or the listed origins', async (t) => {
  const key = 'a-key-of-twenty-characters-or-more';
  const keyed = await started(t, { env: { THREADMILL_API_KEYS: key } });
  const headers = { origin: APP, 'x-api-key': key, ...JSON_TYPE };
  t.match(await ask(`${keyed.url}/threads`, 'POST', headers, '{}'), {
    status: 200,
    headers: { 'access-control-allow-origin': '*' },
  });
  t.equal(
    (await ask(`${keyed.url}/threads`, 'POST', { ...headers, host: 'any.example' }, '{}')).status,
    200,
    'and the name says nothing: whoever sends a key means this server',
  );
  t.equal((await ask(`${keyed.url}/server/keys`, 'GET', headers)).status, 200);
  t.equal((await ask(`${keyed.url}/threads`, 'POST', { origin: APP, ...JSON_TYPE }, '{}')).status, 401);
  t.equal(
    (await ask(`${keyed.url}/threads`, 'POST', { ...headers, cookie: 'session=1' }, '{}')).status,
    403,
    'what a browser sends by itself does not count from another page',
  );
  t.equal(
    (await ask(`${keyed.url}/threads`, 'POST', { ...headers, origin: keyed.url, cookie: 'session=1' }, '{}')).status,
    200,
    'from the own page it does',
  );

  const narrow = await started(t, { env: { THREADMILL_API_KEYS: key, CORS_ALLOW_ORIGINS: APP } });
  t.equal((await ask(`${narrow.url}/threads`, 'POST', headers, '{}')).status, 200);
  t.equal((await ask(`${narrow.url}/threads`, 'POST', { ...headers, origin: EVIL }, '{}')).status, 403);
  t.equal(
    (
      (await (
        await narrow.get('/threads/search', { method: 'POST', body: '{}', headers: { 'x-api-key': key, ...JSON_TYPE } })
      ).json()) as unknown[]
    ).length,
    1,
  );
});

t.test('opens the server to pages with a key when the first key is created', async (t) => {
  const server = await started(t, {});
  const send = async (headers: Record<string, string>): Promise<number> =>
    (await ask(`${server.url}/threads/search`, 'POST', { origin: APP, ...JSON_TYPE, ...headers }, '{}')).status;
  t.equal(await send({}), 403);
  const made = await ask(`${server.url}/server/keys`, 'POST', JSON_TYPE, '{"name":"first"}');
  t.equal(made.status, 200);
  t.equal(await send({}), 401);
  t.equal(await send({ 'x-api-key': (JSON.parse(made.text) as { key: string }).key }), 200);
  t.equal(
    (await ask(`${server.url}/threads`, 'POST', { 'content-type': 'text/plain' }, '{}')).status,
    401,
    'nothing is said of the body before',
  );
});

t.test('closes WebSockets of other origins and hosts before anything is read', async (t) => {
  const threadId = randomUUID();
  const closed = (headers: Record<string, string>, server = open): Promise<[number, string]> =>
    new TestSocket(server.url, threadId, headers).closed();
  t.match(await closed({ origin: EVIL }), [4403, /evil\.example/]);
  t.match(await closed({ origin: 'null' }), [4403, /are not allowed/]);
  t.match(await closed({ host: 'evil.example', origin: 'http://evil.example' }), [4403, /evil\.example/]);
  for (const origin of [LOCAL, open.url]) {
    const socket = await new TestSocket(open.url, threadId, { origin }).open();
    t.match(await socket.ask('run.start', { assistant_id: 'echo', input: { text: 'x' } }), { type: 'success' }, origin);
    socket.ws.close();
  }
  const server = await openListed();
  t.match(await closed({ origin: LOCAL }, server), [4403, /localhost:3000/]);
  (await new TestSocket(server.url, threadId, { origin: APP }).open()).ws.close();
});

t.test('refuses in MCP and A2A like in every route', async (t) => {
  const call = (path: string, headers: Record<string, string>): Promise<Answer> =>
    ask(
      open.url + path,
      'POST',
      { accept: 'application/json, text/event-stream', ...JSON_TYPE, ...headers },
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    );
  t.equal((await call('/mcp', {})).status, 200);
  t.equal((await call('/mcp', { origin: 'http://localhost:6274' })).status, 200, 'the MCP Inspector');
  for (const path of ['/mcp', '/mcp/', `/a2a/${randomUUID()}`]) {
    t.equal((await call(path, { origin: EVIL })).status, 403, path);
    t.equal((await call(path, { host: 'evil.example' })).status, 403, path);
  }
});

t.test('applies the same check to routes of the project', async (t) => {
  const server = await testServer(t, {
    config: projectOf(t, ['echo'], { http: { app: `${join(ROOT, 'test', 'apps')}/hono.ts:app` } }),
  });
  const echoed = (headers: Record<string, string>): Promise<Answer> =>
    ask(`${server.url}/echo`, 'POST', { 'content-type': 'text/plain', ...headers }, 'hello');
  t.match(await echoed({}), { status: 200, text: 'hello' }, 'whatever its content type is');
  t.match(await echoed({ origin: LOCAL }), { status: 200, headers: { 'access-control-allow-origin': LOCAL } });
  t.equal((await echoed({ origin: EVIL })).status, 403);
  t.equal((await echoed({ host: 'evil.example' })).status, 403);
  t.equal((await echoed({ 'sec-fetch-site': 'cross-site' })).status, 403);
  t.equal(
    (await ask(`${server.url}/hello/you`, 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }))
      .status,
    403,
    'a tag',
  );
  t.equal((await ask(`${server.url}/hello/you`, 'GET', LINK)).status, 200, 'back from a page to log in, say');
  t.equal((await ask(`${server.url}/info?interrupt`, 'GET', { origin: EVIL })).status, 403, 'and so is its middleware');
});

t.test('refuses other pages on unknown paths in the same way', async (t) => {
  for (const [method, path] of [
    ['GET', '/nowhere'],
    ['DELETE', '/ok'],
    ['OPTIONS', '/nowhere'],
  ] as const)
    t.equal((await ask(open.url + path, method, { origin: EVIL })).status, 403, `${method} ${path}`);
});

t.test('requires the content type that the route accepts', async (t) => {
  const post = (
    path: string,
    type: string | null,
    headers: Record<string, string> = {},
    body = '{}',
  ): Promise<Answer> =>
    ask(open.url + path, 'POST', { ...(type === null ? {} : { 'content-type': type }), ...headers }, body);
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/vnd.api+json',
  ])
    t.equal((await post('/threads/search', type)).status, 200, type);
  for (const type of [
    'text/plain',
    'text/plain;charset=UTF-8',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'application/octet-stream',
    'application/x-ndjson',
    'application/jsonp',
    'text/plain, application/json',
    ';',
  ]) {
    t.match(
      await post('/threads/search', type),
      { status: 415, text: /Send it with content-type: application\/json/ },
      type,
    );
  }
  t.match(JSON.parse((await post('/threads/search', 'text/plain')).text), {
    detail:
      'The request body has the content type "text/plain", which is not supported here. Send it with content-type: application/json.',
  });
  t.equal(
    (await post('/threads/search', null)).status,
    200,
    'programs may leave it out, as older Python clients of langsmith do',
  );
  for (const headers of [{ origin: LOCAL }, { origin: open.url }, { 'sec-fetch-site': 'same-origin' }] as Record<
    string,
    string
  >[]) {
    t.match(
      await post('/threads/search', null, headers),
      { status: 415, text: /no content type/ },
      `browsers may not: ${JSON.stringify(headers)}`,
    );
  }
  t.equal((await post('/threads/search', 'text/plain', {}, '')).status, 200, 'no body has no type');
  for (const [path, type] of [
    ['/api/v1/datasets/upload', 'application/json'],
    ['/runs/multipart', 'application/json'],
    ['/runs/multipart', 'text/plain'],
    [`/v1/platform/datasets/${randomUUID()}/examples`, 'application/json'],
    ['/datasets/upload-experiment', 'text/plain'],
    ['/threads/import', 'text/plain'],
    [`/datasets/${randomUUID()}/import`, 'text/plain'],
    ['/examples', 'text/plain'],
    ['/examples/bulk', 'multipart/form-data; boundary=b'],
  ] as const)
    t.equal((await post(path, type)).status, 415, `${type} to ${path}`);
  for (const [path, type] of [
    ['/datasets/upload-experiment', 'application/x-ndjson'],
    ['/threads/import', 'application/x-ndjson'],
    ['/threads/import', 'application/octet-stream'],
    [`/datasets/${randomUUID()}/import`, 'application/jsonl'],
    ['/runs/multipart', 'multipart/form-data; boundary=b'],
  ] as const)
    t.not((await post(path, type)).status, 415, `${type} to ${path}`);
});

t.test('reports nothing about a body before authentication', async (t) => {
  const guarded = await testServer(t, { config: join(ROOT, 'test', 'access', 'project', 'langgraph.json') });
  for (const body of ['{}', JSON.stringify({ filler: 'x'.repeat(200_000) })]) {
    t.equal((await ask(`${guarded.url}/threads`, 'POST', { 'content-type': 'text/plain' }, body)).status, 401);
    t.equal(
      (
        await ask(
          `${guarded.url}/threads`,
          'POST',
          { 'content-type': 'text/plain', authorization: 'Bearer token-of-alice' },
          body,
        )
      ).status,
      415,
    );
  }
});

t.test('refuses to start with invalid host names', (t) => {
  const read = (http: unknown, env: Record<string, string> = {}, allowedHosts?: string): readonly string[] =>
    readConfig(
      { config: projectOf(t, ['echo'], { http }), ...(allowedHosts === undefined ? {} : { allowedHosts }) },
      env,
    ).allowedHosts;
  t.strictSame(read({}), []);
  t.strictSame(read({ allowed_hosts: ['A.example.', '[::1]', '10.0.0.1', '*.b.example', '*', 'under_score'] }), [
    'a.example',
    '[::1]',
    '10.0.0.1',
    '*.b.example',
    '*',
    'under_score',
  ]);
  t.strictSame(read({ allowed_hosts: ['a.example'] }, { THREADMILL_ALLOWED_HOSTS: ' ' }), ['a.example']);
  for (const name of [
    'https://a.example',
    'a.example:80',
    'a.example/x',
    'a b',
    '',
    '*a.example',
    'a.*.example',
    '-a',
    '.a',
  ]) {
    t.throws(
      () => read({ allowed_hosts: [name] }),
      { code: 'CONFIG_INVALID', message: /http\.allowed_hosts: ".*" is not a host name/ },
      name,
    );
    if (name !== '')
      t.throws(
        () => read({}, { THREADMILL_ALLOWED_HOSTS: name }),
        { code: 'CONFIG_INVALID', message: /^THREADMILL_ALLOWED_HOSTS: / },
        name,
      );
  }
  t.throws(() => read({}, {}, 'a:1'), { code: 'CONFIG_INVALID', message: /^--allowed-hosts: / });
  t.throws(() => read({ allowed_hosts: 'a.example' }), {
    code: 'CONFIG_INVALID',
    message: /http\.allowed_hosts: must be a list of strings/,
  });
  t.end();
});
