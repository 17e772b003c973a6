import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readProject } from '../../src/config/config.js';
import { createKey } from '../../src/store/access/api-keys.js';
import { createServerFetch } from '../../src/wire/user-code/server-fetch.js';
import { publishPort, createServerAddress, PLACEHOLDER_URL } from '../../src/wire/user-code/server-address.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const GRAPHS = ['caller', 'echo', 'trouble'];
/** For localhost and 127.0.0.1, signed by itself. */
const CERT = join(ROOT, 'test', 'http', 'tls', 'cert.pem');
const KEY = join(ROOT, 'test', 'http', 'tls', 'key.pem');
const TLS = { THREADMILL_TLS_CERT: CERT, THREADMILL_TLS_KEY: KEY };

const seen = async (
  server: TestServer,
  input: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<unknown> => {
  const answer = await server.post(
    '/runs/wait',
    { assistant_id: 'caller', input },
    { headers: { 'content-type': 'application/json', ...headers } },
  );
  const body = (await answer.json()) as { seen?: unknown; __error__?: unknown };
  return answer.ok ? (body.seen ?? body.__error__) : body;
};
const ROUND = {
  waited: { text: 'x', steps: ['first x', 'second x'] },
  streamed: [{ first: { steps: ['first again'] } }, { second: { steps: ['second again'] } }],
  item: { text: 'x' },
};

const server = await testServer(t, { config: projectOf(t, GRAPHS, {}) });

t.test('lets a graph call its own server', async (t) => {
  const round = (await seen(server, { do: 'round', text: 'x' })) as { threadId: string };
  t.match(round, ROUND);
  t.match(
    await server.client.threads.get(round.threadId),
    { metadata: { made: 'by a graph' }, values: { text: 'again' } },
    'it is there for everyone',
  );
  t.match(await server.client.store.getItem(['made'], 'by-a-graph'), { value: { text: 'x' } });
  for (const deed of ['plain', 'early', 'remote'])
    t.strictSame(await seen(server, { do: deed, text: 'x' }), ROUND.waited, deed);
  t.strictSame(await seen(server, { do: 'large', text: String(3 * 2 ** 20) }), {
    waited: 3 * 2 ** 20 + 'second '.length,
    streamed: true,
  });
  t.match(await seen(server, { do: 'plain', target: 'nobody', text: 'x' }), {
    message: /HTTP 404: .*No assistant found for/,
  });
});

t.test('ends a call and its run by a signal', async (t) => {
  t.match(await seen(server, { do: 'abort', text: join(temporaryFolder(t), 'never') }), {
    said: ['metadata', 'AbortError'],
    status: 'interrupted',
  });
});

t.test('runs a run that waits for another on the same worker', async (t) => {
  let levels = 0;
  for (let at = await seen(server, { do: 'nested', text: '5' }); at !== 'the end'; at = (at as { seen: unknown }).seen)
    levels += 1;
  t.equal(levels, 5);
  const file = join(temporaryFolder(t), 'go');
  const waiting = Array.from({ length: 30 }, () => seen(server, { do: 'file', text: file }));
  // All thirty hold their place and their children theirs.
  while (
    ((await (await server.get('/metrics?format=json')).json()) as { queue: { running: number } }).queue.running < 60
  )
    await new Promise(setImmediate);
  writeFileSync(file, '');
  for (const found of await Promise.all(waiting)) t.match(found, { done: ['found', 'after'] });
});

t.test('provides a complete fetch', async (t) => {
  const other = await testServer(t, { config: projectOf(t, ['echo'], {}) });
  t.match(await seen(server, { do: 'fetch', target: `${other.url}/ok` }), {
    missing: [404, 'application/json', { detail: /not found/ }],
    head: [200, 'from-a-graph', ''],
    made: true,
    deleted: 200,
    other: '{"ok":true}',
  });
});

t.test('calls the right one of several servers, after reloads and in new workers', async (t) => {
  const servers = [
    await testServer(t, { config: projectOf(t, GRAPHS, {}) }),
    await testServer(t, { config: projectOf(t, GRAPHS, {}) }),
  ];
  for (const [at, server] of servers.entries()) {
    t.match(await seen(server, { do: 'round', text: 'x' }), ROUND);
    t.equal(await server.client.threads.count(), 1, `server ${at}`);
  }
  const [server] = servers as [TestServer];
  const { thread_id: threadId } = await server.client.threads.create();
  t.match(
    await server.client.runs.wait(threadId, 'caller', { input: { do: 'die', text: 'x' } }),
    { seen: ROUND },
    'the worker that repeats the run',
  );
  t.match(await seen(server, { do: 'round', text: 'x' }), ROUND, 'the worker in the place of the one that died');
  await server.reload(readProject(projectOf(t, GRAPHS, {})));
  t.match(await seen(server, { do: 'round', text: 'x' }), ROUND, 'a worker with other code');
});

t.test('authenticates calls like those of any client', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text: apiKey } = createKey(dataFolder, { name: 'graphs' });
  const server = await testServer(t, {
    dataFolder,
    config: projectOf(t, GRAPHS, { env: { LANGGRAPH_API_KEY: apiKey } }),
  });
  const headers = { 'x-api-key': apiKey };
  t.match(
    await seen(server, { do: 'round', text: 'x' }, headers),
    { message: /HTTP 401/ },
    "a run's own caller is not who its client is",
  );
  t.match(await seen(server, { do: 'round', text: 'x', apiKey }, headers), ROUND);
  t.strictSame(await seen(server, { do: 'plain', text: 'x' }, headers), ROUND.waited, 'the key of the environment');
});

t.test('calls itself with TLS, whatever names the certificate has', async (t) => {
  const server = await testServer(t, { config: projectOf(t, GRAPHS, {}), env: TLS });
  const wide = await testServer(t, {
    config: projectOf(t, GRAPHS, {}),
    env: TLS,
    flags: { host: '::', insecure: true },
  });
  const previous = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  t.teardown(() => {
    if (previous === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = previous;
  });
  for (const { port } of [server, wide]) {
    const answer = await fetch(`https://localhost:${port}/runs/wait`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ assistant_id: 'caller', input: { do: 'round', text: 'x' } }),
    });
    t.match(await answer.json(), { seen: ROUND });
  }
});

t.test('refuses a different certificate before it sends a byte', async (t) => {
  let asked = 0;
  const stranger = createServer({ cert: readFileSync(CERT), key: readFileSync(KEY) }, (_request, response) => {
    asked += 1;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  t.teardown(() => stranger.close());
  const own = createServerAddress('127.0.0.1', '', '00:11');
  publishPort(own, (stranger.address() as AddressInfo).port);
  await t.rejects(createServerFetch(own)(`${PLACEHOLDER_URL}/ok`), {
    name: 'TypeError',
    message: 'fetch failed',
    cause: { message: /its certificate does not match/ },
  });
  t.equal(asked, 0);
});

for (const [host, mountPrefix] of [
  ['0.0.0.0', ''],
  ['::', '/agents'],
  ['localhost', '/agents/v1'],
  ['::1', ''],
] as const) {
  t.test(`a server that listens on ${host} below "${mountPrefix}"`, async (t) => {
    const server = await testServer(t, {
      config: projectOf(t, GRAPHS, { http: { mount_prefix: mountPrefix } }),
      flags: { host, insecure: true },
    });
    const answer = await fetch(
      `http://${host === '::1' ? '[::1]' : 'localhost'}:${server.port}${mountPrefix}/runs/wait`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ assistant_id: 'caller', input: { do: 'round', text: 'x' } }),
      },
    );
    t.match(await answer.json(), { seen: ROUND });
  });
}

t.test('waits for a server that is about to listen, and not for a closed one', async (t) => {
  const own = createServerAddress('127.0.0.1', '', null);
  const call = createServerFetch(own)(`${PLACEHOLDER_URL}/ok`);
  publishPort(own, server.port);
  t.strictSame(await (await call).json(), { ok: true });
  publishPort(own, null);
  await t.rejects(createServerFetch(own)(`${PLACEHOLDER_URL}/ok`), {
    name: 'TypeError',
    message: 'fetch failed',
    cause: { code: 'ECONNREFUSED' },
  });
  publishPort(own, 1);
  await t.rejects(createServerFetch(own)('/ok'), {
    name: 'TypeError',
    message: 'fetch failed',
    cause: { code: 'ECONNREFUSED' },
  });
});

/** A project with code of its own. */
function projectWith(t: Test, files: Record<string, string>, more: Record<string, unknown>): string {
  const config = projectOf(t, ['echo'], {});
  const { graphs } = JSON.parse(readFileSync(config, 'utf8')) as { graphs: object };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(config, '..', name), text);
  writeFileSync(config, JSON.stringify({ ...more, graphs: { ...graphs, ...(more['graphs'] as object | undefined) } }));
  return config;
}

t.test('lets an auth handler call with a key, without calling itself', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text: apiKey } = createKey(dataFolder, { name: 'handler' });
  const config = projectWith(
    t,
    {
      'auth.ts': `
      import { Client } from '@langchain/langgraph-sdk';
      import { Auth, HTTPException } from '@langchain/langgraph-sdk/auth';
      const client = new Client();
      export const auth = new Auth().authenticate(async (request) => {
        const item = await client.store.getItem(['users'], request.headers.get('x-user') ?? 'nobody');
        if (item === null) throw new HTTPException(401);
        return item.value.name;
      });`,
    },
    { auth: { path: './auth.ts:auth', allow_langsmith_api_keys: true }, env: { LANGGRAPH_API_KEY: apiKey } },
  );
  const server = await testServer(t, { dataFolder, config });
  const withKey = { headers: { 'content-type': 'application/json', 'x-api-key': apiKey } };
  t.equal(
    (await server.get('/threads/00000000-0000-7000-8000-000000000000', { headers: { 'x-user': 'ada' } })).status,
    401,
  );
  await fetch(`${server.url}/store/items`, {
    method: 'PUT',
    body: JSON.stringify({ namespace: ['users'], key: 'ada', value: { name: 'Ada' } }),
    ...withKey,
  });
  t.equal((await server.get(`/threads/${randomUUID()}`, { headers: { 'x-user': 'ada' } })).status, 404);
});

t.test('lets user code outside of runs call the server', async (t) => {
  const config = projectWith(
    t,
    {
      'drawn.ts': `
      import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
      import { Client } from '@langchain/langgraph-sdk';
      export async function graph() {
        const found = await new Client().assistants.search({ graphId: 'echo' });
        return new StateGraph(Annotation.Root({})).addNode('knows-' + found[0].name, () => ({})).addEdge(START, 'knows-' + found[0].name).addEdge('knows-' + found[0].name, END).compile();
      }`,
    },
    { graphs: { drawn: './drawn.ts:graph' } },
  );
  const server = await testServer(t, { config });
  const { nodes } = await server.client.assistants.getGraph('drawn');
  t.ok(
    nodes.some(({ id }) => id === 'knows-echo'),
    JSON.stringify(nodes),
  );
});
