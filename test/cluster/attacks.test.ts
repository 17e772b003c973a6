import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { silentLog } from '../../src/base/log/log.js';
import type { NodeAddress } from '../../src/base/node-address.js';
import { readConfig } from '../../src/config/config.js';
import { Entrance } from '../../src/http/forward/entrance.js';
import { Forwarder } from '../../src/http/forward/forwarder.js';
import { nodeClientTls, RUNS_PROTOCOL } from '../../src/http/forward/node-tls.js';
import { NodeApp } from '../../src/http/transport/node/app.js';
import { startTestCluster, until, type TestNode } from '../helpers/cluster.js';
import { CutProxy } from '../helpers/cut-proxy.js';
import { lowerLimit } from '../helpers/limits.js';
import { TestPostgres } from '../helpers/postgres.js';
import { rawHead } from '../helpers/raw.js';
import { ROOT } from '../helpers/server.js';
import { CLUSTER_KEY } from '../helpers/suite-cluster.js';

/** Attacks on the nodes of a cluster: by clients, and by whoever reaches the port between the nodes. */

const postgres = await TestPostgres.start(t);
const config = join(ROOT, 'test', 'access', 'project', 'langgraph.json');
const OPERATOR_KEY = 'f'.repeat(48);
const url = await postgres.createDatabase();
const [owner, standby] = (await startTestCluster(t, 2, {
  config,
  url,
  env: { THREADMILL_API_KEYS: `ops=${OPERATOR_KEY}` },
})) as [TestNode, TestNode];

/** Shared by the nodes. */
const nodeKey = readConfig({ config, cluster: url }, { THREADMILL_CLUSTER_KEY: CLUSTER_KEY, LOG_LEVEL: 'fatal' })
  .cluster!.nodeKey;

const as = (name: string): Record<string, string> => ({
  'content-type': 'application/json',
  authorization: `Bearer token-of-${name}`,
});

const portOf = ({ url: address }: TestNode): number => Number(new URL(address).port);

async function nodeAddress(): Promise<NodeAddress> {
  const { rows } = await postgres.query('SELECT address FROM threadmill.node WHERE address IS NOT NULL', url);
  const [host, port] = (rows[0] as { address: string }).address.split(':');
  return { host: host!, port: Number(port) };
}

async function createThread(node: TestNode, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${node.url}/threads`, { method: 'POST', headers, body: '{}' });
  return ((await response.json()) as { thread_id: string }).thread_id;
}

async function statusOf(node: TestNode, path: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${node.url}${path}`, { headers });
  await response.body?.cancel();
  return response.status;
}

/** Headers with which a client could pretend to be a node, another caller, or the owner. */
const FORGED: Record<string, string> = {
  'x-threadmill-forwarded': '1',
  'x-threadmill-continue': '/threads/search',
  'x-threadmill-caller': '{"identity":"bob"}',
  'x-threadmill-user': 'bob',
  'x-threadmill-node': 'node-1',
  'x-threadmill-epoch': '999',
  'x-forwarded-for': '127.0.0.1',
  'x-forwarded-user': 'bob',
  forwarded: 'for=127.0.0.1',
};

t.test('forged headers make nobody another caller', async (t) => {
  const ofBob = await createThread(owner, as('bob'));
  const ofAlice = await createThread(standby, { ...as('alice'), ...FORGED });
  for (const node of [owner, standby]) {
    t.equal(await statusOf(node, `/threads/${ofBob}`, { ...as('alice'), ...FORGED }), 404);
    t.equal(await statusOf(node, `/threads/${ofBob}`, FORGED), 401);
    t.equal(await statusOf(node, `/threads/${ofAlice}`, as('alice')), 200, 'the thread is hers');
    t.equal(await statusOf(node, `/threads/${ofAlice}`, as('bob')), 404, 'and not his');
  }
});

t.test('no client learns how a response would be continued', async (t) => {
  const threadId = await createThread(owner, as('alice'));
  for (const node of [owner, standby])
    for (const stream of [false, true]) {
      const response = await fetch(`${node.url}/threads/${threadId}/runs/${stream ? 'stream' : 'wait'}`, {
        method: 'POST',
        headers: { ...as('alice'), ...FORGED },
        body: JSON.stringify({ assistant_id: 'echo', input: { text: 'x' } }),
      });
      t.equal(response.status, 200);
      t.strictSame(
        [...response.headers.keys()].filter((name) => name.startsWith('x-threadmill')),
        [],
      );
      await response.text();
    }
});

/** Requests that no client sends, by which nodes could understand different things. `BODY` has 15 bytes. */
const BODY = '{"metadata":{}}';
const HOSTILE: Record<string, string[]> = {
  'two credentials': ['GET /threads/ID HTTP/1.1', 'Authorization: Bearer token-of-bob'],
  'a credential that the connection would drop': ['GET /threads/ID HTTP/1.1', 'Connection: authorization'],
  'two lengths': ['PATCH /threads/ID HTTP/1.1', 'Content-Length: 15', 'Content-Length: 5'],
  'a length and chunks': ['PATCH /threads/ID HTTP/1.1', 'Content-Length: 15', 'Transfer-Encoding: chunked'],
  'an upgrade to HTTP/2': ['GET /threads/ID HTTP/1.1', 'Connection: upgrade', 'Upgrade: h2c'],
  'a whole URL': ['GET http://localhost/threads/ID HTTP/1.1'],
  'a URL of another host': ['GET http://elsewhere.example/threads/ID HTTP/1.1'],
  'a path that goes up': ['GET /threads/../threads/ID HTTP/1.1'],
  'a path with a line break': ['GET /threads/ID%0d%0aX: HTTP/1.1'],
  'bytes that are no ASCII in the path': ['GET /threads/\u00e2\u0082\u00ac HTTP/1.1'],
  'bytes that are no ASCII in a header': ['GET /threads/ID HTTP/1.1', 'X-Text: \u00e2\u0082\u00ac \u00ff'],
  'a tab in a header': ['GET /threads/ID HTTP/1.1', 'X-Text: a\tb'],
  'an empty header': ['GET /threads/ID HTTP/1.1', 'X-Text:'],
  'a method of its own': ['FLY /threads/ID HTTP/1.1'],
  'a body where none belongs': ['GET /threads/ID HTTP/1.1', 'Content-Length: 15'],
  'a body that is waited for': ['PATCH /threads/ID HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 15'],
  trailers: ['GET /threads/ID HTTP/1.1', 'Te: trailers', 'Trailer: authorization'],
};

t.test('hostile requests get the same answer from every node, or are refused', async (t) => {
  const threadId = await createThread(owner, as('alice'));
  for (const [name, [first, ...rest]] of Object.entries(HOSTILE)) {
    const lines = [
      first!.replace('ID', threadId),
      'Authorization: Bearer token-of-alice',
      'Content-Type: application/json',
      ...rest,
    ];
    const body = lines.some((line) => line.startsWith('Content-Length')) ? BODY : '';
    const statuses = await Promise.all(
      [owner, standby].map(async (node) => {
        const head = await rawHead(portOf(node), lines, { body }).catch(() => 'closed');
        return / (\d{3}) /.exec(head)?.[1] ?? head;
      }),
    );
    // The connection between the nodes is stricter with requests that break the rules of HTTP.
    if (statuses[1] !== '400') t.equal(statuses[1], statuses[0], name);
    t.notOk(statuses.includes('500'), name);
  }
  t.equal(await statusOf(standby, `/threads/${threadId}`, as('alice')), 200, 'the nodes still answer');
});

/** What comes back when bytes are sent to the port between the nodes. */
async function sendToNodePort(bytes: Buffer | string): Promise<string> {
  const { host, port } = await nodeAddress();
  return new Promise((resolve) => {
    const socket = connectPlain(port, host, () => socket.write(bytes));
    let answer = '';
    socket.on('data', (piece) => {
      answer += piece.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

t.test('the port between the nodes answers no plain HTTP', async (t) => {
  t.notMatch(await sendToNodePort('GET /info HTTP/1.1\r\nHost: x\r\n\r\n'), /200|threadmill/);
});

t.test('without the key nobody connects, neither for requests nor for runs', async (t) => {
  const { host, port } = await nodeAddress();
  const keys = { 'no key': null, 'a wrong key': Buffer.alloc(32, 7), 'an empty key': Buffer.alloc(0) };
  for (const [name, key] of Object.entries(keys))
    for (const protocol of [RUNS_PROTOCOL, 'http/1.1']) {
      const tls = key === null ? { rejectUnauthorized: false } : nodeClientTls(key);
      const outcome = await new Promise((resolve) => {
        const socket = connectTls({ host, port, ALPNProtocols: [protocol], ...tls });
        socket.once('secureConnect', () => resolve('connected'));
        socket.once('error', () => resolve('refused'));
      });
      t.equal(outcome, 'refused', `${name}, ${protocol}`);
    }
  t.match(
    await (await fetch(`${owner.url}/metrics`, { headers: { 'x-api-key': OPERATOR_KEY } })).text(),
    /threadmill_cluster_node_workers\{[^}]*\} 1\n/,
    'the workers of the other node, and no more',
  );
});

t.test('the key does not replace the credential of a caller', async (t) => {
  const forwarder = openForwarder(t, await nodeAddress());
  const threadId = await createThread(owner, as('bob'));
  const path = `/threads/${threadId}`;
  const direct = await openEntrance(t, forwarder);
  t.equal((await fetch(`${direct}${path}`, { headers: FORGED })).status, 401);
  t.equal((await fetch(`${direct}${path}`, { headers: { ...as('alice'), ...FORGED } })).status, 404);
  t.equal((await fetch(`${direct}${path}`, { headers: as('bob') })).status, 200);
});

function openForwarder(t: Test, target: NodeAddress): Forwarder {
  const forwarder = new Forwarder({
    key: nodeKey,
    findOwner: () => target,
    mountPrefix: '',
    messageBytesMax: 1_000,
    log: silentLog(),
  });
  t.teardown(() => forwarder.close());
  return forwarder;
}

/** The address of a port whose requests the forwarder passes on. */
async function openEntrance(t: Test, forwarder: Forwarder, isServing = () => false): Promise<string> {
  const app = new NodeApp({ tls: null, sockets: { open: 0, refused: 0 }, connectionsMax: 10 });
  const entrance = new Entrance(app, { target: forwarder, socketPatterns: [], isServing, findOwn: () => null });
  const { port } = (await entrance.listen('127.0.0.1', 0))!;
  t.teardown(() => entrance.close());
  return `http://127.0.0.1:${port}`;
}

t.test('a recorded request has no effect when it is sent again', async (t) => {
  const { host, port } = await nodeAddress();
  const proxy = await CutProxy.to(t, port);
  const recorded: Buffer[] = [];
  proxy.onRequest = (bytes) => {
    recorded.push(bytes);
    return 'pass';
  };
  const entrance = await openEntrance(t, openForwarder(t, { host, port: proxy.port }));
  const count = async (): Promise<number> => {
    const response = await fetch(`${owner.url}/threads/count`, { method: 'POST', headers: as('carol'), body: '{}' });
    return (await response.json()) as number;
  };
  const before = await count();
  const created = await fetch(`${entrance}/threads`, { method: 'POST', headers: as('alice'), body: '{}' });
  t.equal(created.status, 200);
  t.equal(await count(), before + 1);
  t.ok(recorded.length > 1);
  t.notOk(Buffer.concat(recorded).includes('token-of-alice'), 'nothing can be read on the way');
  await sendToNodePort(Buffer.concat(recorded));
  t.equal(await count(), before + 1);
});

t.test('a request never comes back to a node that has passed it on', async (t) => {
  lowerLimit(t, 'forwardHoldMs', 1_000);
  // A node that believes that it is the owner, and is not certain of it: its requests go to its own port for nodes.
  const nodeApp = new NodeApp({
    tls: null,
    sockets: { open: 0, refused: 0 },
    connectionsMax: 10,
    node: { key: nodeKey, isServing: () => false, onLink: (socket) => socket.destroy() },
  });
  let handled = 0;
  nodeApp.route('any', '/*', (res) => {
    handled += 1;
    res.end();
  });
  const { port } = (await nodeApp.listen('127.0.0.1', 0))!;
  t.teardown(() => nodeApp.close());
  const forwarder = openForwarder(t, { host: '127.0.0.1', port });
  const entrance = await openEntrance(t, forwarder);
  const response = await fetch(`${entrance}/threads`, { method: 'POST', body: '{}' });
  t.equal(response.status, 503);
  t.ok(response.headers.get('retry-after'));
  t.equal(handled, 0);
  await until(() => forwarder.open === 0);

  // A forged row of the database that names the public port of a node.
  const publicPort = openForwarder(t, { host: '127.0.0.1', port: portOf(standby) });
  const second = await openEntrance(t, publicPort);
  t.equal((await fetch(`${second}/threads`, { method: 'POST', body: '{}' })).status, 503);
});

t.test('connections without a handshake do not keep nodes from connecting', async (t) => {
  const { host, port } = await nodeAddress();
  const silent = Array.from({ length: 200 }, () => connectPlain(port, host));
  t.teardown(() => silent.forEach((socket) => socket.destroy()));
  for (const socket of silent) socket.on('error', () => undefined);
  await sleep(100);
  t.equal(await statusOf(standby, '/threads/00000000-0000-4000-8000-000000000000', as('alice')), 404);
});
