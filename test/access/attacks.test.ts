import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createKey, revokeKey } from '../../src/store/access/api-keys.js';
import { childServer } from '../helpers/child-server.js';
import { configWith, ROOT, temporaryFolder, testServer } from '../helpers/server.js';

const fewGraphs = configWith(t, 'echo', 'mirror', 'ticker');

const PROJECT = join(ROOT, 'test', 'access', 'project', 'langgraph.json');
const JSON_BODY = { 'content-type': 'application/json' };
const as = (name: string): Record<string, string> => ({ ...JSON_BODY, authorization: `Bearer token-of-${name}` });

/** A configuration with handlers of the test's own. */
function projectWith(t: Test, handlers: string, auth: Record<string, unknown> = {}): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'auth.ts'), `import { Auth } from '@langchain/langgraph-sdk/auth';\n${handlers}`);
  writeFileSync(
    join(folder, 'langgraph.json'),
    JSON.stringify({
      graphs: {
        ticker: `${join(ROOT, 'test/graphs/ticker.ts')}:graph`,
        mirror: `${join(ROOT, 'test/graphs/mirror.ts')}:graph`,
      },
      auth: { path: './auth.ts:auth', ...auth },
    }),
  );
  return join(folder, 'langgraph.json');
}

/** With headers that fetch does not send. */
async function statusAt(url: string, headers: Record<string, string>): Promise<number> {
  const sent = request(`${url}/threads`, { agent: false, headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode!;
}

const WHO = `new Auth().authenticate((request) => ({ identity: request.headers.get('x-who') ?? 'nobody', permissions: [] }))`;
const who = (name: string): Record<string, string> => ({ ...JSON_BODY, 'x-who': name });

const server = await testServer(t, { config: PROJECT });

t.test('survives a long unauthenticated body and an invalid host', async (t) => {
  const server = await childServer(t, { config: PROJECT, dataFolder: temporaryFolder(t) });
  const long = 'x'.repeat(8_000_000);
  for (const path of ['/runs', '/threads', '/api/v1/datasets/upload-experiment', '/api/v1/runs/multipart']) {
    for (const headers of [JSON_BODY, { ...JSON_BODY, authorization: 'Bearer no' }]) {
      const status = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: long }).then(
        async (response) => {
          await response.text();
          return response.status;
        },
        () => 'closed',
      );
      t.ok(status === 401 || status === 413 || status === 'closed', `${path}: ${String(status)}`);
    }
  }
  for (const host of ['a:b:c', '[', 'x y'])
    t.equal(await statusAt(server.url, { host, authorization: 'Bearer loop' }), 500, host);
  t.equal((await fetch(`${server.url}/ok`)).status, 200);
  t.equal(server.process.exitCode, null);
});

t.test('authenticates a cached user again when the time is over, however often it comes', async (t) => {
  const server = await testServer(t, {
    config: projectWith(
      t,
      `
let asked = 0;
export const auth = new Auth()
  .authenticate((request) => ({ identity: request.headers.get('x-who'), permissions: [], asked: (asked += 1) }))
  .on('threads:create', ({ value, user }) => { value.metadata = { asked: user.asked }; user.asked = 99; });
`,
      { cache: { cache_keys: ['x-who'], ttl_seconds: 0.3 } },
    ),
  });
  let most = 0;
  for (const until = Date.now() + 1_500; Date.now() < until;) {
    const made = (await (await server.post('/threads', {}, { headers: who('ada') })).json()) as {
      metadata: { asked: number };
    };
    most = Math.max(most, made.metadata.asked);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  t.ok(most >= 2 && most < 99, `the handler was asked ${most} times; what it changed in its user was not remembered`);
});

t.test('does not let a client choose the owner of a new record', async (t) => {
  for (const [at, metadata] of [{ owner: 'bob' }, [], 'x', null, { owner: ['bob'] }].entries()) {
    const made = await server.post(
      '/api/v1/sessions',
      { name: `planted ${at}`, metadata, extra: { metadata: { owner: 'alice', mine: 1 } } },
      { headers: as('bob') },
    );
    t.equal(made.status, 200, JSON.stringify(metadata));
    t.match(await made.json(), { extra: { metadata: { owner: 'bob', mine: 1 } } });
  }
  t.strictSame(await (await server.get('/api/v1/sessions', { headers: as('alice') })).json(), []);
  for (const path of [
    '/api/v1/runs/query',
    '/api/v1/runs/stats',
    '/api/v1/feedback',
    '/api/v1/datasets/comparative',
    '/threads/01a20000-0000-7000-8000-000000000001/state/checkpoint',
  ]) {
    const odd = await server.post(path, { metadata: 'x' }, { headers: as('bob') });
    await odd.text();
    t.ok(odd.status < 500, `${path}: ${odd.status}`);
  }
});

t.test('narrows a search by what the handler adds, whatever the body says', async (t) => {
  const server = await testServer(t, {
    config: projectWith(
      t,
      `
export const auth = ${WHO}
  .on('*:create', ({ value, user }) => { value.metadata = { ...value.metadata, owner: user.identity }; })
  .on('*:search', ({ value, user }) => { value.metadata.owner = user.identity; })
  .on('assistants:search', ({ value }) => { value.metadata.teams = { a: 1 }; });
`,
    ),
  });
  const { id } = (await (
    await server.post('/api/v1/sessions', { name: 'hers' }, { headers: who('alice') })
  ).json()) as { id: string };
  await (
    await server.post(
      '/api/v1/runs',
      {
        id: '01a20000-0000-7000-8000-000000000001',
        name: 'a',
        run_type: 'chain',
        inputs: { secret: 1 },
        start_time: '2026-01-01T00:00:00Z',
        session_id: id,
      },
      { headers: who('alice') },
    )
  ).text();
  await (await server.post('/threads', {}, { headers: who('alice') })).text();
  for (const metadata of [undefined, { owner: 'bob' }, { owner: 'alice' }]) {
    t.strictSame(
      (
        (await (
          await server.post('/api/v1/runs/query', { session: [id], metadata }, { headers: who('bob') })
        ).json()) as { runs: unknown[] }
      ).runs,
      [],
    );
    t.strictSame(await (await server.post('/threads/search', { metadata }, { headers: who('bob') })).json(), []);
  }
  t.equal(
    ((await (await server.post('/threads/search', {}, { headers: who('alice') })).json()) as unknown[]).length,
    1,
  );
  t.equal(
    (await server.post('/assistants/search', {}, { headers: who('alice') })).status,
    500,
    "a stamp that cannot narrow is the handler's mistake, not dropped",
  );
});

t.test('shows a handler the record that the path names', async (t) => {
  const server = await testServer(t, {
    config: projectWith(
      t,
      `
export const auth = ${WHO}.on('threads:update', ({ value }) => !value.thread_id.startsWith('aaaaaaaa'));
`,
    ),
  });
  const threadId = 'aaaaaaaa-0000-4000-8000-000000000001';
  await (await server.post('/threads', { thread_id: threadId }, { headers: who('alice') })).text();
  for (const body of [
    { metadata: { x: 1 } },
    { thread_id: 'bbbbbbbb-0000-4000-8000-000000000001', metadata: { x: 1 } },
  ]) {
    const patched = await fetch(`${server.url}/threads/${threadId}`, {
      method: 'PATCH',
      headers: who('bob'),
      body: JSON.stringify(body),
    });
    await patched.text();
    t.equal(patched.status, 403);
  }
});

t.test('passes the requested path to authenticate, whatever the host header says', async (t) => {
  const server = await testServer(t, {
    config: projectWith(
      t,
      `
export const auth = new Auth().authenticate((request) => {
  if (new URL(request.url).pathname !== '/') throw new Error('not for guests');
  return { identity: 'guest', permissions: [] };
});
`,
    ),
  });
  for (const host of ['[', 'a:b:c', 'x/y', 'localhost']) t.equal(await statusAt(server.url, { host }), 500, host);
});

t.test('starts nothing when the key ends while its request is read', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text } = createKey(dataFolder, { name: 'slow' });
  const server = await testServer(t, { config: fewGraphs, dataFolder });
  const body = JSON.stringify({ assistant_id: 'echo', input: {} });
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `POST /runs/wait HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nx-api-key: ${text}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.slice(0, 5)}`,
  );
  revokeKey(dataFolder, 'slow');
  while ((await server.post('/threads/search', {}, { headers: { ...JSON_BODY, 'x-api-key': text } })).status !== 401)
    await new Promise((resolve) => setTimeout(resolve, 20));
  socket.write(body.slice(5));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  t.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 401/);
});

t.test('limits the studio to the scopes of its key and ends its streams with the key', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text: reader } = createKey(dataFolder, { name: 'reader', scopes: ['read'] });
  const { text } = createKey(dataFolder, { name: 'studio' });
  const server = await testServer(t, {
    dataFolder,
    config: projectWith(t, `export const auth = ${WHO};`, { disable_studio_auth: false }),
  });
  const studio = (key: string): Record<string, string> => ({
    ...JSON_BODY,
    'x-auth-scheme': 'langsmith',
    'x-api-key': key,
  });
  t.equal((await server.post('/threads/search', {}, { headers: studio(reader) })).status, 200);
  t.equal((await server.post('/threads', {}, { headers: studio(reader) })).status, 403);
  const stream = await server.post(
    '/runs/stream',
    { assistant_id: 'ticker', input: { gate: join(dataFolder, 'never') }, stream_mode: 'custom' },
    { headers: studio(text) },
  );
  const streamReader = stream.body!.getReader();
  await streamReader.read();
  revokeKey(dataFolder, 'studio');
  const how = await (async () => {
    for (;;) if ((await streamReader.read()).done) return 'ended';
  })().catch(() => 'cut');
  t.equal(how, 'cut');
});

t.test("keeps a caller's trace or score out of another caller's experiment", async (t) => {
  const send = async (path: string, body: unknown, name: string): Promise<number> => {
    const response = await server.post(`/api/v1${path}`, body, { headers: as(name) });
    await response.text();
    return response.status;
  };
  const [hers, his] = await Promise.all(
    ['alice', 'bob'].map(
      async (name) =>
        ((await (await server.post('/api/v1/sessions', { name }, { headers: as(name) })).json()) as { id: string }).id,
    ),
  );
  const run = (id: number, more: object): object => ({
    id: `01a20000-0000-7000-8000-00000000000${id}`,
    name: 'a',
    run_type: 'chain',
    inputs: {},
    start_time: '2026-01-01T00:00:00Z',
    trace_id: '01a20000-0000-7000-8000-000000000001',
    ...more,
  });
  t.equal(await send('/runs', run(1, { session_id: hers }), 'alice'), 202);
  t.equal(await send('/runs', run(2, { session_id: his }), 'bob'), 404, 'a root in her trace');
  t.equal(
    await send('/runs', run(3, { parent_run_id: '01a20000-0000-7000-8000-000000000001' }), 'alice'),
    202,
    'her trace still leads to her',
  );
  const early = '01a20000-0000-7000-8000-000000000009';
  t.equal(await send('/feedback', { run_id: early, key: 'correct', score: 0, comment: 'from bob' }, 'bob'), 404);
  t.equal(await send('/runs', { ...run(9, { session_id: hers }), trace_id: early }, 'alice'), 202);
  t.strictSame(
    await (await server.get(`/api/v1/feedback?run=${early}`, { headers: as('alice') })).json(),
    [],
    'nothing of his waited for her run',
  );
});

t.test('answers other requests while a handler works on a large one', async (t) => {
  // As many elements as an input may nearly have, and 4 MB.
  const input = { messages: Array.from({ length: 450_000 }, () => 12_345_678) };
  const [large, ...small] = await Promise.all([
    server.post('/runs/wait', { assistant_id: 'mirror', input }, { headers: as('alice') }),
    ...Array.from({ length: 20 }, () => server.get('/threads', { headers: as('bob') })),
  ]);
  await large.text();
  t.equal(large.status, 200);
  for (const one of small) t.equal(one.status, 200);
});
