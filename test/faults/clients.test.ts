import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as tlsConnect } from 'node:tls';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { KiB, LIMITS, MiB } from '../../src/base/limits.js';
import { BufferedBody } from '../../src/http/transport/body.js';
import { childServer, type ChildServer } from '../helpers/child-server.js';
import { Gate } from '../helpers/gate.js';
import { configWith, ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { bodyOf, head, RawClient, whole } from './raw-client.js';

const config = configWith(t, 'echo', 'gate', 'trouble');
t.setTimeout(300_000);
// They wait, most of the time.
t.jobs = 8;

/**
 * Opened one after the other: a server that has bundled its graphs ends esbuild's process, and another's bundling with
 * it.
 */
const [ofSlow, ofLengths, ofQueues, ofVanished] = [
  await testServer(t, { config }),
  await testServer(t, { config }),
  await testServer(t, { config }),
  await testServer(t, { config }),
];

/**
 * uWebSockets.js ends by itself what says nothing, or is slow with its head: after 10 s, which it counts in steps of 4.
 */
const UWS_ENDS_MS = 30_000;
const API = '/api/v1';

async function within<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  return Promise.race([
    promise,
    sleep(ms, undefined, { ref: false }).then(() => {
      throw new Error(`${what}: not within ${ms} ms`);
    }),
  ]);
}

async function figure(server: { url: string }, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? NaN);
}

async function becomes(read: () => Promise<number>, wanted: number, what: string): Promise<void> {
  for (const untilMs = performance.now() + UWS_ENDS_MS; ;) {
    const now = await read();
    if (now === wanted) return;
    if (performance.now() > untilMs) throw new Error(`${what} is ${now}, not ${wanted}`);
    await sleep(50);
  }
}

/** Whatever some do, others are served: asked again and again until the work is done. */
async function servedMeanwhile<T>(t: Test, server: TestServer, work: Promise<T>): Promise<T> {
  const state = { over: false };
  const done = work.finally(() => {
    state.over = true;
  });
  let served = 0;
  while (!state.over) {
    t.equal((await server.post('/runs/wait', { assistant_id: 'echo', input: { text: 'x' } })).status, 200);
    served += 1;
    await Promise.race([done.catch(() => undefined), sleep(500)]);
  }
  t.ok(served > 0, 'others were served');
  return done;
}

const threadsOf = async (server: TestServer): Promise<number> =>
  (await (await server.post('/threads/count', {})).json()) as number;

t.test(
  'ends slow clients, with 408 where a request can be answered, and serves others',
  { buffered: true },
  async (t) => {
    const server = ofSlow;
    const client = (): RawClient => new RawClient(server.port);
    const made = { 'content-type': 'application/json', 'content-length': '5000' };
    const slowly = { bytes: 1, everyMs: 300 };
    const ended = (one: RawClient, what: string): Promise<string> => within(one.closed, UWS_ENDS_MS, what);

    const mute = client();
    const slowHead = client();
    void slowHead.send('POST /threads HTTP/1.1\r\n').dribble('x: y\r\n'.repeat(1_000), slowly);
    const bodies = [
      client().send(head('POST', '/threads', made)),
      client().send(head('POST', '/threads/search', { 'transfer-encoding': 'chunked' })),
      client().send(head('POST', `${API}/datasets/upload-experiment`, made)),
      client().send(head('POST', `${API}/runs/batch`, made)),
    ];
    void bodies[0]!.dribble(' '.repeat(5_000), slowly);
    void bodies[1]!.dribble('1\r\n \r\n'.repeat(1_000), slowly);
    // The others say nothing any more.
    const steady = client().send(
      head('POST', '/threads', { 'content-type': 'application/json', 'content-length': String(60 * KiB) }),
    );
    void steady.dribble(`{}${' '.repeat(60 * KiB - 2)}`, { bytes: 2 * KiB, everyMs: 450 });

    await servedMeanwhile(
      t,
      server,
      Promise.all([
        ended(mute, 'a connection that asks nothing').then((text) =>
          t.equal(text, '', 'a connection that asks nothing is closed'),
        ),
        ended(slowHead, 'a slow head').then((text) =>
          t.equal(text, '', 'a head that does not come to its end is closed'),
        ),
        ...bodies.map(async (one, at) => {
          const text = await ended(one, `slow body ${at}`);
          t.match(text, /^HTTP\/1\.1 408 Request Timeout\r\n/, `slow body ${at}`);
          const said = JSON.parse(bodyOf(text)) as { detail?: string; error?: string };
          t.equal(said.detail ?? said.error, 'The request body arrives too slowly: less than 16384 bytes in 10 s.');
        }),
        steady
          .until(/\r\n\r\n\{/)
          .then((text) => t.match(text, /^HTTP\/1\.1 200 /, 'a body that takes longer, but keeps its pace, is taken')),
      ]),
    );
    steady.vanish();
    t.equal(await threadsOf(server), 1, 'the steady one made its thread, the others made nothing');
    t.strictSame(await (await server.get(`${API}/datasets`)).json(), []);
    await becomes(() => figure(server, 'threadmill_evaluation_body_bytes'), 0, 'bytes under way');
  },
);

t.test('refuses a body of the wrong length and invalid chunks', { buffered: true }, async (t) => {
  const server = ofLengths;
  const body = JSON.stringify({ metadata: { made: 'whole' } });
  const create = (headers: Record<string, string>, text: string): RawClient =>
    new RawClient(server.port).send(
      `${head('POST', '/threads', { 'content-type': 'application/json', ...headers })}${text}`,
    );
  const closed = (one: RawClient): Promise<string> => within(one.closed, UWS_ENDS_MS, 'the connection');
  const chunked = { 'transfer-encoding': 'chunked' };

  const short = create({ 'content-length': String(body.length + 10) }, body);
  short.socket.end();
  t.equal(await closed(short), '', 'short, and our end closed: nobody is told');
  const cut = create(chunked, '5\r\n{"met');
  cut.socket.end();
  t.equal(await closed(cut), '', 'the same in chunks');
  for (const [name, text] of [
    ['no number', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['too large', 'ffffffffffffffff\r\n{}\r\n'],
  ] as const) {
    t.match(await closed(create(chunked, text)), /^HTTP\/1\.1 400 Bad Request\r\n/, `a chunk whose size is ${name}`);
  }
  t.match(
    await closed(create({ ...chunked, 'content-length': '2' }, '2\r\n{}\r\n0\r\n\r\n')),
    /^HTTP\/1\.1 400 Bad Request\r\n/,
    'both lengths',
  );
  for (const length of ['-1', '+2', '0x2', '18446744073709551616'])
    t.match(
      await closed(create({ 'content-length': length }, '{}')),
      /^HTTP\/1\.1 (400|413) /,
      `content-length: ${length}`,
    );
  t.equal(await threadsOf(server), 0, 'none of them made anything');

  const [extended, endless, long] = [
    create(chunked, '2;a=b\r\n{}\r\n0\r\n\r\n'),
    create(chunked, '2\r\n{}\r\n'),
    create({ 'content-length': String(body.length) }, `${body}{"metadata":{"made":"rest"}}`),
  ];
  for (const one of [extended, endless])
    t.match(await closed(one), /^HTTP\/1\.1 408 Request Timeout\r\n/, 'chunks that do not come to an end');
  await closed(long);
  t.ok((await threadsOf(server)) <= 1, 'what is behind the length is never a thread');
  t.equal((await server.get('/ok')).status, 200);
});

t.test('answers pipelined requests in order', { buffered: true }, async (t) => {
  const server = ofQueues;
  const quick = new RawClient(server.port).send(head('GET', '/ok').repeat(5));
  await quick.until(/(HTTP\/1\.1 200 OK[^]*?\{"ok":true\}){5}/);
  quick.vanish();
  const gate = new Gate(temporaryFolder(t));
  const behind = new RawClient(server.port).send(
    whole('POST', '/runs/wait', {
      assistant_id: 'gate',
      input: { label: 'a', gate: gate.file },
      on_disconnect: 'cancel',
    }),
  );
  await gate.reached();
  // uWebSockets.js has no place for a second request while the first is under way.
  behind.send(head('GET', '/ok'));
  await within(behind.closed, UWS_ENDS_MS, 'the connection');
  t.notMatch(behind.text, /"ok"/, 'the second is not answered in the place of the first');
  await becomes(
    () => figure(server, 'threadmill_runs_running{graph="gate"}').then((found) => (Number.isNaN(found) ? 0 : found)),
    0,
    'runs',
  );
  t.equal((await server.get('/ok')).status, 200);
});

t.test('handles clients that disconnect', { buffered: true }, async (t) => {
  const server = ofVanished;
  const folder = temporaryFolder(t);
  const statusOf = async (threadId: string): Promise<string | undefined> =>
    (await server.client.runs.list(threadId))[0]?.status;
  const ends = async (threadId: string, status: string): Promise<void> =>
    becomes(
      async () => ((await statusOf(threadId)) === status ? 1 : 0),
      1,
      `run is ${String(await statusOf(threadId))}; ${status}`,
    );

  for (const verb of ['stream', 'wait']) {
    for (const onDisconnect of ['cancel', 'continue']) {
      await t.test(`in the midst of a ${verb}, on_disconnect ${onDisconnect}`, async (t) => {
        const { thread_id: threadId } = await server.client.threads.create();
        const gate = new Gate(folder);
        const client = new RawClient(server.port).send(
          whole('POST', `/threads/${threadId}/runs/${verb}`, {
            assistant_id: 'gate',
            input: { label: 'a', gate: gate.file },
            on_disconnect: onDisconnect,
          }),
        );
        await gate.reached();
        client.vanish();
        if (onDisconnect === 'continue') gate.open();
        await ends(threadId, onDisconnect === 'continue' ? 'success' : 'interrupted');
        t.notMatch(await (await server.get(`/threads/${threadId}`)).text(), /"status":"busy"/);
      });
    }
  }
  await t.test('handles clients that disconnect during a body', async (t) => {
    const before = await threadsOf(server);
    const part = { 'content-type': 'application/json', 'content-length': '1000000' };
    const clients = ['/threads', `${API}/datasets/upload-experiment`, `${API}/runs/batch`].flatMap((path) =>
      Array.from({ length: 20 }, () =>
        new RawClient(server.port).send(`${head('POST', path, part)}{"metadata":${'"'.padEnd(70_000, 'x')}`),
      ),
    );
    await becomes(
      async () => ((await figure(server, 'threadmill_evaluation_body_bytes')) > 0 ? 1 : 0),
      1,
      'bodies under way',
    );
    for (const one of clients) one.vanish();
    await becomes(() => figure(server, 'threadmill_evaluation_body_bytes'), 0, 'bytes under way');
    await becomes(
      () => figure(server, 'threadmill_sockets_open').then((open) => (open <= 2 ? 0 : open)),
      0,
      'connections',
    );
    t.equal(await threadsOf(server), before);
    t.strictSame(await (await server.get(`${API}/datasets`)).json(), []);
  });
});

t.test(
  'answers 503 to connections beyond the limit, and accepts new ones afterwards',
  { buffered: true },
  async (t) => {
    const MAX = 50;
    const server = await childServer(t, {
      dataFolder: temporaryFolder(t),
      config,
      env: { THREADMILL_MAX_CONNECTIONS: String(MAX) },
    });
    const port = Number(new URL(server.url).port);
    const idle = Array.from({ length: MAX }, () => new RawClient(port));
    await Promise.all(
      idle.map(
        ({ socket }) =>
          new Promise((resolve) => {
            socket.once('connect', resolve);
          }),
      ),
    );
    const more = Array.from({ length: 500 }, () => new RawClient(port));
    for (const one of more) {
      const text = await within(one.closed, UWS_ENDS_MS, 'one too many');
      if (!text.startsWith('HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n')) t.fail(JSON.stringify(text));
      else
        t.strictSame(JSON.parse(bodyOf(text)), {
          detail: 'The server is at its limit: the maximum number of connections is reached. Try again later.',
        });
    }
    t.ok(
      idle.every(({ open }) => open),
      'those that were there before stay',
    );
    await idle[0]!.send(head('GET', '/ok')).until(/\{"ok":true\}/);
    for (const one of idle.slice(10)) one.vanish();
    await becomes(
      async () => {
        const client = new RawClient(port).send(head('GET', '/ok'));
        const served = await client.until(/\{"ok":true\}/).then(
          () => 1,
          () => 0,
        );
        client.vanish();
        return served;
      },
      1,
      'served',
    );
    t.equal((await figure(server, 'threadmill_sockets_refused_total')) >= 500, true);
    // Mute ones are closed by themselves.
    await Promise.all(idle.map(({ closed }) => within(closed, UWS_ENDS_MS, 'a mute connection')));
    t.equal(server.stderr(), '');
  },
);

t.test('closes connections beyond the limit with TLS before the handshake', { buffered: true }, async (t) => {
  const file = (name: string): string => join(ROOT, 'test', 'http', 'tls', name);
  const server = await childServer(t, {
    dataFolder: temporaryFolder(t),
    config,
    env: {
      THREADMILL_MAX_CONNECTIONS: '3',
      THREADMILL_TLS_CERT: file('cert.pem'),
      THREADMILL_TLS_KEY: file('key.pem'),
    },
  });
  const port = Number(new URL(server.url).port);
  const idle = Array.from({ length: 3 }, () => new RawClient(port));
  await Promise.all(
    idle.map(
      ({ socket }) =>
        new Promise((resolve) => {
          socket.once('connect', resolve);
        }),
    ),
  );
  const secure = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = tlsConnect(
        { port, host: '127.0.0.1', ca: readFileSync(file('cert.pem')), servername: 'localhost' },
        () => {
          resolve('served');
          socket.destroy();
        },
      );
      socket.on('error', () => resolve('closed'));
    });
  t.equal(await secure(), 'closed');
  for (const one of idle) one.vanish();
  await becomes(async () => ((await secure()) === 'served' ? 1 : 0), 1, 'served');
  t.equal(server.stderr(), '');
});

t.test(
  'serves runs and others, with little memory, beside a thousand readers that never read',
  { buffered: true },
  async (t) => {
    const READERS = 1_000;
    const EVENTS = 20_000;
    const server = await childServer(t, { dataFolder: temporaryFolder(t), config });
    const port = Number(new URL(server.url).port);
    const { thread_id: threadId } = await server.client.threads.create();
    const { run_id: runId } = await server.client.runs.create(threadId, 'trouble', {
      input: { do: 'custom-slow', n: EVENTS },
      streamMode: ['custom'],
      streamResumable: true,
      afterSeconds: 3,
    });
    const path = `/threads/${threadId}/runs/${runId}/stream?stream_mode=custom`;
    const readers = Array.from({ length: READERS }, () =>
      new RawClient(port, { reads: false }).send(head('GET', path)),
    );
    t.teardown(() => {
      for (const one of readers) one.vanish();
    });
    await becomes(() => figure(server, 'threadmill_stream_readers'), READERS, 'readers');
    const before = memoryOf(server);
    let most = before;
    const watching = setInterval(() => {
      most = Math.max(most, memoryOf(server));
    }, 100);
    const good = await fetch(`${server.url}${path}`);
    const text = await good.text();
    t.equal(text.match(/^event: custom$/gm)?.length, EVENTS, 'one that reads gets every event');
    t.equal((await server.client.runs.get(threadId, runId)).status, 'success');
    await becomes(() => figure(server, 'threadmill_stream_readers'), 0, 'readers that do not read are let go: they');
    clearInterval(watching);
    t.ok(
      most - before < (READERS * LIMITS.writeBytesMax) / MiB + 200,
      `${most - before} MiB for ${READERS} readers of ${Math.round(text.length / MiB)} MiB`,
    );
    t.equal(server.stderr(), '');
  },
);

t.test('limits the memory of buffered bodies over all requests', (t) => {
  const problems: string[] = [];
  const gather = (): BufferedBody =>
    new BufferedBody(
      () => undefined,
      ({ message }) => {
        problems.push(message);
      },
    );
  const [first, second] = [gather(), gather()];
  first.write(new Uint8Array(LIMITS.bodiesBytesMax));
  t.throws(() => second.write(new Uint8Array(1)), { code: 'OVERLOADED', status: 503 });
  first.discard();
  second.write(new Uint8Array(1));
  second.end();
  first.write(new Uint8Array(LIMITS.bodiesBytesMax));
  t.throws(() => gather().write(new Uint8Array(1)), { code: 'OVERLOADED' });
  first.refuse(new Error('gone'));
  t.strictSame(problems, ['gone']);
  gather().write(new Uint8Array(1));
  t.end();
});

/** Of its own, in MiB: without pages of the store's file. */
function memoryOf({ process: { pid } }: ChildServer): number {
  return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid!}/status`, 'utf8'))?.[1]) / 1_024;
}
