import { connect } from 'node:net';
import { once } from 'node:events';
import { Client } from '@langchain/langgraph-sdk';
import { Client as LangSmith } from 'langsmith';
import t from 'tap';
import { createKey, revokeKey } from '../../src/store/access/api-keys.js';
import { readConfig } from '../../src/config/config.js';
import { openServer } from '../../src/server/server.js';
import { Gate } from '../helpers/gate.js';
import { configWith, temporaryFolder, TEST_GRAPHS, testServer, type TestServer } from '../helpers/server.js';

const config = configWith(t, 'gate', 'mirror', 'questions', 'echo');

const BODY = { 'content-type': 'application/json' };

/** Until the server has taken over what changed in the folder. */
async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const statusOf = async (
  server: TestServer,
  headers: Record<string, string>,
  path = '/threads/search',
): Promise<number> => {
  const response = await server.post(path, {}, { headers: { ...BODY, ...headers } });
  await response.text();
  return response.status;
};

t.test('serves everyone on this machine until the first key exists, then only keys', async (t) => {
  const server = await testServer(t, { config });
  t.equal(await statusOf(server, {}), 200);
  t.equal(await statusOf(server, { 'x-api-key': 'whatever a client has set' }), 200);
  const { text } = createKey(server.dataFolder, { name: 'ci' });
  await until(async () => (await statusOf(server, {})) === 401);
  t.equal(await statusOf(server, { 'x-api-key': text }), 200);
  t.equal(await statusOf(server, { authorization: `Bearer ${text}` }), 200);
  t.equal(await statusOf(server, { authorization: `bearer ${text}` }), 200);
  t.equal(await statusOf(server, { 'X-API-Key': text }), 200, 'names of headers have no case');
  for (const wrong of [text.slice(0, -1), `${text}x`, text.toUpperCase(), 'tm_', ''])
    t.equal(await statusOf(server, { 'x-api-key': wrong }), 401, wrong);
  t.equal(await statusOf(server, { authorization: `Basic ${text}` }), 401);
  t.equal(await statusOf(server, { cookie: `x-api-key=${text}` }), 401);
  t.equal(await statusOf(server, {}, `/threads/search?x-api-key=${text}`), 401);
  const refused = await server.post('/threads', {}, { headers: { ...BODY, 'x-api-key': 'no' } });
  t.equal(refused.headers.get('www-authenticate'), 'Bearer');
  t.strictSame(await refused.json(), { detail: 'Not authenticated: the API key is unknown, expired or revoked' });
  for (const open of ['/ok', '/info', '/api/v1/info']) t.equal((await server.get(open)).status, 200, open);
  revokeKey(server.dataFolder, 'ci');
  await until(async () => (await statusOf(server, { 'x-api-key': text })) === 401);
  t.equal(await statusOf(server, {}), 401, 'the last key revoked opens nothing');
});

t.test('accepts a key from the stock clients of both APIs', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text } = createKey(dataFolder, { name: 'ci' });
  const server = await testServer(t, { config, dataFolder });
  const agent = new Client({ apiUrl: server.url, apiKey: text, callerOptions: { maxRetries: 0 } });
  const thread = await agent.threads.create();
  const values = (await agent.runs.wait(thread.thread_id, 'mirror', { input: {} })) as {
    seen: { configurable: Record<string, unknown> };
  };
  const { graph_auth_user: user } = values.seen.configurable;
  t.match(
    user,
    { identity: /^key:/, display_name: 'ci', is_authenticated: true, permissions: ['*'] },
    'a graph reads which key it was',
  );
  const results = new LangSmith({ apiUrl: `${server.url}/api/v1`, apiKey: text });
  t.equal((await results.createDataset('questions')).name, 'questions');
  const nobody = new Client({ apiUrl: server.url, apiKey: null, callerOptions: { maxRetries: 0 } });
  await t.rejects(nobody.threads.create(), { message: /HTTP 401/ });
});

t.test('limits a key to its scopes', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text: reader } = createKey(dataFolder, { name: 'reader', scopes: ['read'] });
  const { text: uploads } = createKey(dataFolder, { name: 'uploads', scopes: ['experiments', 'datasets'] });
  const server = await testServer(t, { config, dataFolder });
  const ask = async (key: string, method: string, path: string): Promise<number> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...BODY, 'x-api-key': key },
      ...(method === 'GET' ? {} : { body: '{}' }),
    });
    await response.text();
    return response.status;
  };
  t.equal(await ask(reader, 'POST', '/threads/search'), 200);
  t.equal(await ask(reader, 'GET', '/api/v1/datasets'), 200);
  t.equal(await ask(reader, 'POST', '/threads'), 403);
  t.equal(await ask(reader, 'POST', '/runs/wait'), 403);
  t.equal(await ask(reader, 'POST', '/api/v1/datasets'), 403);
  t.equal(await ask(reader, 'POST', '/api/v1/datasets/upload-experiment'), 403);
  t.equal(await ask(uploads, 'POST', '/api/v1/datasets'), 422, 'allowed, and then looked at');
  t.equal(await ask(uploads, 'GET', '/api/v1/datasets'), 200);
  t.equal(await ask(uploads, 'POST', '/api/v1/feedback'), 422);
  t.equal(await ask(uploads, 'POST', '/threads/search'), 403);
  const join = '/threads/01a20000-0000-7000-8000-000000000001/runs/01a20000-0000-7000-8000-000000000002';
  for (const way of ['join', 'stream']) {
    t.equal(await ask(reader, 'GET', `${join}/${way}`), 404, 'a reader may join');
    t.equal(
      await ask(reader, 'GET', `${join}/${way}?cancel_on_disconnect=true`),
      403,
      'and not end a run by going away',
    );
  }
  const refused = await server.post('/threads', {}, { headers: { ...BODY, 'x-api-key': reader } });
  t.match(await refused.text(), /no scope for threads:create/);
});

t.test('closes the open streams and waits of a key that ends', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text } = createKey(dataFolder, { name: 'first' });
  const { text: other } = createKey(dataFolder, { name: 'other' });
  const server = await testServer(t, { config, dataFolder });
  const open = async (key: string, path: string, gate = new Gate(dataFolder)): Promise<Response> =>
    server.post(
      path,
      { assistant_id: 'gate', input: { label: 'a', gate: gate.file } },
      { headers: { ...BODY, 'x-api-key': key } },
    );
  const [mine, theirs] = await Promise.all([open(text, '/runs/stream'), open(other, '/runs/stream')]);
  const gate = new Gate(dataFolder);
  const waiting = open(text, '/runs/wait', gate)
    // A node that passes the request on answers in the owner's place: it asks again and learns that the key is gone, or
    // nobody knows the outcome.
    .then(async (response) =>
      (await response.text()) !== '' && [401, 502].includes(response.status) ? 'cut' : response.status,
    )
    .catch(() => 'cut');
  const reader = mine.body!.getReader();
  await reader.read();
  await gate.reached();
  revokeKey(dataFolder, 'first');
  const cut = (async () => {
    for (;;) if ((await reader.read()).done) return 'ended';
  })().catch(() => 'cut');
  t.equal(await cut, 'cut');
  t.equal(await waiting, 'cut');
  const others = theirs.body!.getReader();
  t.equal((await others.read()).done, false, "another key's stream goes on");
  await others.cancel();
});

t.test('refuses a key header that is sent twice', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text } = createKey(dataFolder, { name: 'ci' });
  const server = await testServer(t, { config, dataFolder });
  const raw = async (headers: string[]): Promise<string> => {
    const socket = connect(server.port, '127.0.0.1');
    socket.end(['GET /threads HTTP/1.1', 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'close');
    return Buffer.concat(chunks).toString();
  };
  t.match(await raw([`x-api-key: ${text}`]), /^HTTP\/1\.1 200/);
  for (const first of [text, 'no']) {
    const answer = await raw([`x-api-key: ${first}`, `X-Api-Key: ${first === text ? 'no' : text}`]);
    t.match(answer, /^HTTP\/1\.1 422/);
    t.match(answer, /header\.x-api-key: must not occur more than once/);
  }
  t.match(await raw([`authorization: Bearer ${text}`, 'authorization: Bearer no']), /^HTTP\/1\.1 422/);
  t.match(await raw([`x-api-key: ${'k'.repeat(20_000)}`]), /^HTTP\/1\.1 401/);
});

t.test('accepts keys from the environment', async (t) => {
  const server = await testServer(t, {
    config,
    env: { THREADMILL_API_KEYS: 'ci=a-key-of-at-least-twenty-characters' },
  });
  t.equal(await statusOf(server, {}), 401);
  t.equal(await statusOf(server, { 'x-api-key': 'a-key-of-at-least-twenty-characters' }), 200);
});

t.test('refuses to listen on a public address without authentication', async (t) => {
  const start = async (
    env: Record<string, string>,
    flags: { insecure?: boolean } = {},
    dataFolder = temporaryFolder(t),
  ): Promise<string> => {
    const server = await openServer(
      readConfig(
        { config: TEST_GRAPHS, host: '0.0.0.0', port: '0', data: dataFolder, workers: '1', ...flags },
        { LOG_LEVEL: 'fatal', ...env },
      ),
    );
    await server.close(0);
    return 'served';
  };
  await t.rejects(start({}), { message: /no key is required.*threadmill keys create/ });
  t.equal(await start({ THREADMILL_API_KEYS: 'a-key-of-at-least-twenty-characters' }), 'served');
  t.equal(await start({}, { insecure: true }), 'served');
  const dataFolder = temporaryFolder(t);
  createKey(dataFolder, { name: 'ci' });
  t.equal(await start({}, {}, dataFolder), 'served');
});
