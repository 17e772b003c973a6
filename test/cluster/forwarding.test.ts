import { join } from 'node:path';
import { connect } from 'node:tls';
import t from 'tap';
import { silentLog } from '../../src/base/log/log.js';
import { Forwarder } from '../../src/http/forward/forwarder.js';
import { NodeApp } from '../../src/http/transport/node/app.js';
import { lowerLimit } from '../helpers/limits.js';
import { startTestCluster, startTestNode } from '../helpers/cluster.js';
import { TestPostgres } from '../helpers/postgres.js';
import { configWith, temporaryFolder } from '../helpers/server.js';
import { TestSocket } from '../helpers/sockets.js';

const postgres = await TestPostgres.start(t);
const config = configWith(t, 'echo', 'ticker');

t.test('every node answers every request', async (t) => {
  const url = await postgres.createDatabase();
  const [owner, standby] = await startTestCluster(t, 2, { config, url });
  t.notOk(standby!.isOwner());
  const { thread_id: threadId } = await standby!.client.threads.create({ metadata: { a: 'b' } });
  t.match(await owner!.client.threads.get(threadId), { metadata: { a: 'b' } });
  const events: string[] = [];
  for await (const { event } of standby!.client.runs.stream(threadId, 'echo', { input: { text: 'x' } }))
    events.push(event);
  t.equal(events[0], 'metadata');
  t.ok(events.includes('values'));
  t.ok(await standby!.client.runs.wait(threadId, 'echo', { input: { text: 'y' } }));
  t.match((await standby!.client.assistants.search()).map(({ graph_id: graph }) => graph).sort(), ['echo', 'ticker']);
  await standby!.client.store.putItem(['a'], 'b', { text: 'ü'.repeat(3_000_000) });
  t.match(await standby!.client.store.getItem(['a'], 'b'), { value: { text: /^ü{10}/ } }, 'large bodies both ways');

  const missing = await fetch(`${standby!.url}/threads/00000000-0000-4000-8000-000000000000`);
  t.equal(missing.status, 404);
  t.match(await missing.json(), { detail: String });
  t.ok(missing.headers.get('x-request-id'));
  const head = await fetch(`${standby!.url}/info`, { method: 'HEAD' });
  t.equal(head.status, 200);
  t.equal(await head.text(), '');
  const [from, to] = await Promise.all([owner!, standby!].map((node) => fetch(`${node.url}/info?x=1`)));
  t.strictSame(await to!.json(), await from!.json());
  t.equal((await fetch(`${standby!.url}/nowhere`)).status, 404);
  const empty = await fetch(`${standby!.url}/store/items`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ namespace: ['a'], key: 'none' }),
  });
  t.match([empty.status, empty.headers.get('content-length')], [204, null]);
  const long = await fetch(`${standby!.url}/threads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.alloc(300 * 1024 * 1024, 32),
  });
  t.equal(long.status, 413, 'an answer before the body is read');
  t.equal((await fetch(`${standby!.url}/threads`, { method: 'PUT' })).status, 405);
  const refused = await fetch(`${standby!.url}/threads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"thread_id": 5}',
  });
  t.equal(refused.status, 422);
  t.strictSame(await (await fetch(`${standby!.url}/ok`)).json(), { ok: true });
  t.equal((await fetch(`${standby!.url}/console/`)).status, 200);
});

t.test('a WebSocket works at every node', async (t) => {
  const url = await postgres.createDatabase();
  const [, standby] = await startTestCluster(t, 2, { config, url });
  const { thread_id: threadId } = await standby!.client.threads.create();
  const socket = await new TestSocket(standby!.url, threadId).open();
  await socket.ask('subscription.subscribe', { channels: ['values', 'lifecycle'] });
  t.match(await socket.ask('run.start', { assistant_id: 'echo', input: { text: 'x' } }), { type: 'success' });
  await socket.until(() => socket.events.find(({ method }) => method === 'values'));
  socket.ws.close();
  t.match(await standby!.client.threads.getState(threadId), { values: { steps: Array } });
});

t.test('a stream ends at the owner when its client leaves', async (t) => {
  const url = await postgres.createDatabase();
  const [owner, standby] = await startTestCluster(t, 2, { config, url });
  const { thread_id: threadId } = await standby!.client.threads.create();
  const leaving = new AbortController();
  const response = await fetch(`${standby!.url}/threads/${threadId}/runs/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      assistant_id: 'ticker',
      input: { gate: join(temporaryFolder(t), 'gate') },
      stream_mode: 'custom',
      on_disconnect: 'cancel',
    }),
    signal: leaving.signal,
  });
  await response.body!.getReader().read();
  leaving.abort();
  for (;;) {
    const [run] = await owner!.client.runs.list(threadId);
    if (run!.status !== 'running' && run!.status !== 'pending') break;
  }
  t.pass();
});

t.test('when the owner leaves, requests wait for the next one', async (t) => {
  const url = await postgres.createDatabase();
  const [owner, second, third] = await startTestCluster(t, 3, { config, url });
  const { thread_id: threadId } = await third!.client.threads.create();
  const leaving = owner!.close();
  // To every node: the old owner answers until its end, and later nodes keep the request.
  const failed: string[] = [];
  let done = 0;
  const ended = leaving.then(() => 'ended');
  const ask = async (node: { url: string }): Promise<void> => {
    const response = await fetch(`${node.url}/threads/${threadId}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { done } }),
    });
    if (response.status === 200) done += 1;
    else failed.push(`${response.status} ${await response.text()}`);
  };
  while ((await Promise.race([ended, ask(second!), ask(third!)])) !== 'ended');
  for (let count = 0; count < 20; count += 1) await Promise.all([ask(second!), ask(third!)]);
  t.strictSame(failed, []);
  t.ok(second!.isOwner() !== third!.isOwner());
  t.ok(done >= 40);
});

t.test('a node takes no request from whoever lacks the key', async (t) => {
  const url = await postgres.createDatabase();
  await startTestCluster(t, 1, { config, url });
  const { rows } = await postgres.query('SELECT address FROM threadmill.node', url);
  const [host, port] = String(rows[0]!['address']).split(':');
  const attempt = (options: object): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect({ host: host!, port: Number(port), rejectUnauthorized: false, ...options });
      socket.on('secureConnect', () => resolve('connected'));
      socket.on('error', ({ message }) => resolve(message));
    });
  const psk = (key: string) => ({
    minVersion: 'TLSv1.3',
    ciphers: 'TLS_AES_128_GCM_SHA256:PSK',
    pskCallback: () => ({ psk: Buffer.from(key), identity: 'threadmill' }),
    checkServerIdentity: () => undefined,
  });
  t.match(await attempt({}), /alert|failure|disconnected/);
  t.match(await attempt(psk('0'.repeat(32))), /alert|failure|disconnected|decrypt/);
});

t.test('a node sends nothing to whoever lacks the key', async (t) => {
  lowerLimit(t, 'forwardHoldMs', 200);
  const options = { tls: null, sockets: { open: 0, refused: 0 }, connectionsMax: 10 };
  const stranger = new NodeApp({
    ...options,
    node: { key: Buffer.alloc(32, 1), isServing: () => true, onLink: (socket) => socket.destroy() },
  });
  let received = 0;
  stranger.route('any', '/*', (res) => {
    received += 1;
    res.end(Buffer.from('stolen'));
  });
  const { port } = (await stranger.listen('127.0.0.1', 0))!;
  const forwarder = new Forwarder({
    key: Buffer.alloc(32, 2),
    findOwner: () => ({ host: '127.0.0.1', port }),
    mountPrefix: '',
    messageBytesMax: 1_000,
    log: silentLog(),
  });
  const app = new NodeApp(options);
  app.route('any', '/*', (res, req) => forwarder.request(res, req));
  const listener = (await app.listen('127.0.0.1', 0))!;
  t.teardown(() => {
    for (const one of [stranger, app, forwarder]) one.close();
  });
  const response = await fetch(`http://127.0.0.1:${listener.port}/x`, { headers: { 'x-api-key': 'secret' } });
  t.equal(response.status, 503);
  t.ok(response.headers.get('retry-after'));
  t.equal(received, 0);
});

t.test('a node with another key does not join', async (t) => {
  const url = await postgres.createDatabase();
  await startTestCluster(t, 1, { config, url });
  await t.rejects(startTestNode(t, { config, url, env: { THREADMILL_CLUSTER_KEY: 'ff'.repeat(32) } }), {
    code: 'CLUSTER_KEY_WRONG',
  });
});
