import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readConfig } from '../../src/config/config.js';
import { Empty } from '../helpers/empty.js';
import { manyRows, uploaded } from '../helpers/export-files.js';
import { ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const EXPOSED = [
  'content-location',
  'location',
  'x-pagination-total',
  'x-pagination-next',
  'x-pagination-cursor',
  'etag',
  'x-request-id',
  'retry-after',
];
const APP = 'https://app.example.com';
const OTHER = 'https://other.example.net';

/** A langgraph.json with this `http`. */
function configWith(t: Test, http: unknown): string {
  const file = join(temporaryFolder(t), 'langgraph.json');
  writeFileSync(file, JSON.stringify({ graphs: { echo: `${join(ROOT, 'test', 'graphs', 'echo.ts')}:graph` }, http }));
  return file;
}

/** The headers of an answer that are about CORS. */
function corsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'));
}

async function asked(
  server: TestServer,
  origin: string | null,
  path = '/ok',
  init: RequestInit = {},
): Promise<Record<string, string>> {
  const response = await fetch(server.url + path, {
    ...init,
    headers: [...new Headers(init.headers), ...(origin === null ? [] : [['origin', origin] as [string, string]])],
  });
  await response.arrayBuffer();
  return corsOf(response);
}

async function preflight(
  server: TestServer,
  origin: string,
  headers: string | null = 'content-type,x-api-key',
  path = '/runs/stream',
): Promise<{ status: number; cors: Record<string, string> }> {
  const response = await fetch(server.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      ...(headers === null ? {} : { 'access-control-request-headers': headers }),
    },
  });
  t.equal((await response.text()) === '', response.status === 204);
  return { status: response.status, cors: corsOf(response) };
}

const ALL = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED.join(', ') };

/** Every way in which an answer is written. */
async function everyAnswer(
  server: TestServer,
  origin: string,
): Promise<[name: string, status: number, cors: Record<string, string>][]> {
  const { experiment } = await uploaded(server, manyRows(3, 1));
  const json = { 'content-type': 'application/json' };
  const echo = JSON.stringify({ assistant_id: 'echo', input: { text: 'x' } });
  const { thread_id: threadId } = await server.client.threads.create();
  const asks: [path: string, init: RequestInit][] = [
    ['/ok', {}],
    ['/ok', { method: 'HEAD' }],
    ['/docs/page.js', {}],
    ['/threads', { method: 'POST', body: '{}', headers: json }],
    [
      `/threads/${threadId}`,
      { method: 'PATCH', body: '{"metadata":{"a":1}}', headers: { ...json, prefer: 'return=minimal' } },
    ],
    ['/runs/wait', { method: 'POST', body: echo, headers: json }],
    ['/runs/stream', { method: 'POST', body: echo, headers: json }],
    [`/api/v1/sessions/${experiment.id}/export`, {}],
    [`/api/v1/sessions/${experiment.id}/export`, { method: 'HEAD' }],
    ['/nowhere', {}],
    ['/ok', { method: 'DELETE' }],
    ['/threads/%zz', {}],
    ['/runs/wait', { method: 'POST', body: '{}', headers: json }],
    ['/api/v1/datasets/upload-experiment', { method: 'POST', body: '{}', headers: json }],
    ['/threads/search', { method: 'POST', body: `"${'x'.repeat(5 * 2 ** 20)}"`, headers: json }],
  ];
  const found: [string, number, Record<string, string>][] = [];
  for (const [path, init] of asks) {
    const response = await fetch(server.url + path, {
      ...init,
      headers: [...new Headers(init.headers), ['origin', origin]],
    });
    await response.arrayBuffer();
    found.push([`${init.method ?? 'GET'} ${path} ${response.status}`, response.status, corsOf(response)]);
  }
  return found;
}

t.test('lets every origin read with *', async (t) => {
  const server = await testServer(t, { config: configWith(t, { cors: { allow_origins: ['*'] } }) });
  const answers = await everyAnswer(server, APP);
  for (const [name, , cors] of answers) t.strictSame(cors, ALL, name);
  t.strictSame(
    answers.map(([, status]) => status),
    [200, 200, 200, 200, 204, 200, 200, 200, 200, 404, 405, 422, 422, 422, 413],
    'these are the answers that were meant',
  );
  t.strictSame(
    await asked(server, null),
    { 'access-control-allow-origin': '*' },
    'who is no page reads every header anyway',
  );
  for (const path of ['/runs/stream', '/ok', '/nowhere', '/threads/x/runs/y']) {
    t.strictSame(
      await preflight(server, APP, 'content-type,x-api-key', path),
      {
        status: 204,
        cors: {
          ...ALL,
          'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
          'access-control-allow-headers': 'content-type,x-api-key',
          'access-control-max-age': '600',
        },
      },
      path,
    );
  }
  t.equal((await preflight(server, APP, null)).cors['access-control-allow-headers'], '*');
});

t.test('lets only listed origins read, and varies by origin', async (t) => {
  const server = await testServer(t, {
    config: configWith(t, { cors: { allow_origins: [APP, 'http://LOCALHOST:3000/'] } }),
  });
  const granted = (origin: string): Record<string, string> => ({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED.join(', '),
    vary: 'origin',
  });
  for (const [name, , cors] of await everyAnswer(server, APP)) t.strictSame(cors, granted(APP), name);
  t.strictSame(await asked(server, 'http://localhost:3000'), granted('http://localhost:3000'));
  for (const origin of [
    OTHER,
    'null',
    `${APP}.evil.example`,
    `${APP}:8443`,
    'http://app.example.com',
    'https://evil.example/https://app.example.com',
    `${APP}/`,
    '*',
    '',
    `${APP}, ${APP}`,
    null,
  ]) {
    t.strictSame(await asked(server, origin), { vary: 'origin' }, String(origin));
  }
  t.strictSame(await preflight(server, OTHER), { status: 403, cors: { vary: 'origin' } });
  t.match(await preflight(server, APP), {
    status: 204,
    cors: { ...granted(APP), 'access-control-allow-headers': 'content-type,x-api-key' },
  });
});

t.test('matches the whole origin by a regular expression', async (t) => {
  const server = await testServer(t, {
    config: configWith(t, { cors: { allow_origin_regex: 'https://[a-z]+\\.example\\.com|http://localhost:\\d+' } }),
  });
  for (const origin of [APP, 'http://localhost:5173'])
    t.match(await asked(server, origin), { 'access-control-allow-origin': origin, vary: 'origin' }, origin);
  for (const origin of [
    OTHER,
    `${APP}.evil.example`,
    `x${APP}`,
    'http://localhost:1x',
    `https://${'a'.repeat(600)}.example.com`,
    'evil http://localhost:1',
    null,
  ]) {
    t.strictSame(await asked(server, origin), { vary: 'origin' }, String(origin));
  }
});

t.test('adds a regular expression to a list', async (t) => {
  const server = await testServer(t, {
    config: configWith(t, { cors: { allow_origins: [OTHER], allow_origin_regex: 'https://.*\\.example\\.com' } }),
  });
  for (const origin of [APP, OTHER])
    t.match(await asked(server, origin), { 'access-control-allow-origin': origin }, origin);
  t.strictSame(await asked(server, 'https://third.example.org'), { vary: 'origin' });
});

t.test('names the origin, never *, with credentials', async (t) => {
  const server = await testServer(t, {
    config: configWith(t, { cors: { allow_origins: [APP], allow_credentials: true } }),
  });
  const granted = {
    'access-control-allow-origin': APP,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED.join(', '),
    vary: 'origin',
  };
  for (const [name, , cors] of await everyAnswer(server, APP)) t.strictSame(cors, granted, name);
  t.strictSame(await asked(server, OTHER), { vary: 'origin' });
  t.strictSame((await preflight(server, APP)).cors, {
    ...granted,
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': 'content-type,x-api-key',
    'access-control-max-age': '600',
  });
  t.equal(
    (await preflight(server, APP, null)).cors['access-control-allow-headers'],
    undefined,
    'with credentials * would be a name',
  );
});

t.test('sends configured methods, headers, exposed headers and age', async (t) => {
  const server = await testServer(t, {
    config: configWith(t, {
      cors: {
        allow_origins: ['*'],
        allow_methods: ['get', 'POST'],
        allow_headers: ['X-Api-Key', 'Content-Type'],
        expose_headers: ['X-Own', 'Location'],
        max_age: 0,
      },
    }),
    env: { CORS_ALLOW_ORIGINS: OTHER },
  });
  const { cors } = await preflight(server, APP, 'x-anything');
  t.strictSame(
    cors,
    {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': [...EXPOSED, 'x-own'].join(', '),
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'accept, accept-language, content-language, content-type, x-api-key',
      'access-control-max-age': '0',
    },
    'and the file goes before the environment',
  );

  const stars = await testServer(t, {
    config: configWith(t, { cors: { allow_origins: ['*'], allow_methods: ['*'], allow_headers: ['*'] } }),
  });
  t.match((await preflight(stars, APP, 'x-anything')).cors, {
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': 'x-anything',
  });
});

t.test('applies CORS_ALLOW_ORIGINS when the file has no setting', async (t) => {
  const server = await testServer(t, { env: { CORS_ALLOW_ORIGINS: ` ${APP} ,${OTHER},` } });
  for (const origin of [APP, OTHER])
    t.match(await asked(server, origin), { 'access-control-allow-origin': origin, vary: 'origin' });
  t.strictSame(await asked(server, 'https://third.example.org'), { vary: 'origin' });
});

t.test('refuses to start with an invalid setting, and names its place', (t) => {
  const read = (http: unknown, env: Record<string, string> = {}): unknown =>
    readConfig({ config: configWith(t, http) }, env).cors;
  const byDefault = { allowOrigins: null, allowCredentials: false, maxAgeSeconds: 600 };
  for (const http of [undefined, null, {}, { cors: null }, { cors: {} }, { cors: { allow_origins: null } }])
    t.match(read(http), byDefault, JSON.stringify(http));
  for (const list of ['', ' ']) t.match(read(undefined, { CORS_ALLOW_ORIGINS: list }), byDefault);
  for (const list of ['*', 'loopback', 'null', `${APP}, *`])
    t.match(read(undefined, { CORS_ALLOW_ORIGINS: list }), { allowOrigins: list.split(', ') });
  t.match(read({ cors: { allow_origins: [] } }), { allowOrigins: Empty }, 'nobody');

  const wrong: [http: unknown, message: RegExp][] = [
    [7, /http: must be an object/],
    [{ cors: [] }, /http\.cors: must be an object/],
    [
      { cors: { allow_origin: ['*'] } },
      /http\.cors\.allow_origin: is unknown\. Did you mean "allow_origins"\? Known keys are allow_origins, /,
    ],
    [{ cors: { allow_origins: '*' } }, /http\.cors\.allow_origins: must be a list of strings/],
    [{ cors: { allow_origins: [7] } }, /http\.cors\.allow_origins: must be a list of strings/],
    ...['app.example.com', 'https://app.example.com/path', 'https://*.example.com', 'https://a b', ''].map(
      (origin): [unknown, RegExp] => [
        { cors: { allow_origins: [origin] } },
        /http\.cors\.allow_origins: ".*" is not an origin/,
      ],
    ),
    [{ cors: { allow_origin_regex: '(' } }, /http\.cors\.allow_origin_regex: is not a valid regular expression: /],
    [{ cors: { allow_origin_regex: 'a)|(b' } }, /http\.cors\.allow_origin_regex: is not a valid regular expression: /],
    [{ cors: { allow_origin_regex: '' } }, /http\.cors\.allow_origin_regex: must be a regular expression/],
    [
      { cors: { allow_credentials: true } },
      /http\.cors\.allow_credentials: must not be true while every origin is allowed, .*List the origins/,
    ],
    [{ cors: { allow_credentials: true, allow_origins: ['*'] } }, /http\.cors\.allow_credentials: must not be true/],
    [
      { cors: { allow_credentials: true, allow_origins: [APP, '*'] } },
      /http\.cors\.allow_credentials: must not be true/,
    ],
    [
      { cors: { allow_credentials: true, allow_origins: ['*'], allow_origin_regex: 'https://a' } },
      /http\.cors\.allow_credentials: must not be true/,
    ],
    [{ cors: { allow_credentials: 'yes' } }, /http\.cors\.allow_credentials: must be true or false/],
    [{ cors: { allow_methods: ['GE T'] } }, /http\.cors\.allow_methods: "GE T" is not a valid name/],
    [{ cors: { allow_headers: ['a\r\nb'] } }, /http\.cors\.allow_headers: "a\\r\\nb" is not a valid name/],
    [{ cors: { expose_headers: ['a,b'] } }, /http\.cors\.expose_headers: "a,b" is not a valid name/],
    ...[-1, 1.5, '600'].map((age): [unknown, RegExp] => [
      { cors: { max_age: age } },
      /http\.cors\.max_age: must be a whole number of seconds/,
    ]),
  ];
  for (const [http, message] of wrong)
    t.throws(() => read(http), { code: 'CONFIG_INVALID', message }, JSON.stringify(http));
  t.throws(() => read(undefined, { CORS_ALLOW_ORIGINS: 'app.example.com' }), {
    code: 'CONFIG_INVALID',
    message: /^CORS_ALLOW_ORIGINS: "app\.example\.com" is not an origin/,
  });
  t.end();
});
