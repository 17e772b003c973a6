import { createServer, type AddressInfo } from 'node:net';
import t from 'tap';
import { freePort } from '../helpers/ports.js';
import { outcome, receiver, SOON, told } from '../helpers/receiver.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const config = configWith(t, 'echo');

const server = await testServer(t, { config, env: { ...SOON, THREADMILL_WEBHOOK_TIMEOUT_SECS: '1' } });

const start = async (url: string, on: TestServer = server): Promise<{ thread_id: string; run_id: string }> => {
  const { thread_id } = await on.client.threads.create();
  const { run_id } = await on.client.runs.create(thread_id, 'echo', { input: { text: 'x' }, webhook: url });
  return { thread_id, run_id };
};

t.test('repeats a delivery under the same id until it is accepted', async (t) => {
  const hooks = await receiver(t, (_, __, at) => [500, 302, 429][at] ?? 200);
  const { thread_id, run_id } = await start(hooks.url);
  const one = await outcome(server, thread_id, run_id);
  t.matchStrict(one, { status: 'delivered', next_attempt_at: null });
  t.strictSame(
    one.attempts.map(({ status_code, error }) => [status_code, error]),
    [
      [500, 'the answer was 500'],
      [302, 'the answer was 302'],
      [429, 'the answer was 429'],
      [200, null],
    ],
  );
  t.strictSame(
    hooks.received.map(({ headers }) => headers['webhook-id']),
    [run_id, run_id, run_id, run_id],
  );
});

t.test('does not follow a redirect', async (t) => {
  const other = await receiver(t);
  const hooks = await receiver(t, (_, response) => {
    response.writeHead(307, { location: other.url }).end();
    return null;
  });
  const { thread_id, run_id } = await start(hooks.url);
  t.match(await outcome(server, thread_id, run_id), {
    status: 'failed',
    attempts: [{ status_code: 307 }, { status_code: 307 }, { status_code: 307 }, { status_code: 307 }],
  });
  t.equal(other.received.length, 0);
});

t.test('gives up after the last attempt and keeps the run as it is', async (t) => {
  const hooks = await receiver(t, () => 503);
  const { thread_id, run_id } = await start(hooks.url);
  const { status, attempts } = await outcome(server, thread_id, run_id);
  t.equal(status, 'failed');
  t.equal(attempts.length, 4);
  t.equal((await server.client.runs.get(thread_id, run_id)).status, 'success');
});

t.test('does not repeat a delivery after 410', async (t) => {
  const hooks = await receiver(t, () => 410);
  const { thread_id, run_id } = await start(hooks.url);
  t.match(await outcome(server, thread_id, run_id), { status: 'failed', attempts: { length: 1 } });
});

t.test('waits as long as Retry-After says', async (t) => {
  const hooks = await receiver(t, (_, response) => {
    response.writeHead(503, { 'retry-after': '3000' }).end();
    return null;
  });
  const { thread_id, run_id } = await start(hooks.url);
  await hooks.next();
  for (;;) {
    const one = await told(server, thread_id, run_id);
    if (one.attempts.length === 0) continue;
    t.equal(one.status, 'pending');
    t.ok(Date.parse(one.next_attempt_at!) > Date.parse(one.attempts[0]!.sent_at) + 2_000_000);
    break;
  }
});

t.test('delivers to others while one receiver never answers', async (t) => {
  const silent = await receiver(t, () => null);
  const dead = await Promise.all(Array.from({ length: 12 }, () => start(silent.url)));
  await silent.next();
  const hooks = await receiver(t);
  const alive = await Promise.all(Array.from({ length: 10 }, () => start(hooks.url)));
  for (const { thread_id, run_id } of alive)
    t.match(await outcome(server, thread_id, run_id), { status: 'delivered', attempts: { length: 1 } });
  t.ok(silent.received.length < dead.length, 'it is asked one at a time');
  const firstTried = async (): Promise<unknown> => {
    for (;;)
      for (const { thread_id, run_id } of dead) {
        const { attempts } = await told(server, thread_id, run_id);
        if (attempts.length > 0) return attempts[0];
      }
  };
  t.matchStrict(await firstTried(), { status_code: null, error: 'it did not respond in time' });
});

t.test('ignores the body of a receiver', async (t) => {
  const endless = await receiver(t, (_, response) => {
    response.writeHead(200);
    const more = (): void => {
      if (!response.destroyed) response.write('x'.repeat(64_000), () => setImmediate(more));
    };
    more();
    return null;
  });
  const first = await start(endless.url);
  t.match(await outcome(server, first.thread_id, first.run_id), { status: 'delivered' });
  const dripping = await receiver(t, (_, response) => {
    response.writeHead(200).write('x');
    return null;
  });
  const second = await start(dripping.url);
  t.match(await outcome(server, second.thread_id, second.run_id), { status: 'delivered' });
});

t.test('repeats a delivery when the receiver closes the connection', async (t) => {
  const hooks = await receiver(t, (_, response, at) => {
    if (at > 0) return 200;
    response.destroy();
    return null;
  });
  const { thread_id, run_id } = await start(hooks.url);
  t.matchStrict(await outcome(server, thread_id, run_id), {
    status: 'delivered',
    attempts: [{ status_code: null, error: /./ }, { status_code: 200 }],
  });
});

t.test('delivers later to a receiver that is down', async (t) => {
  const port = await freePort();
  const before = await receiver(t, () => 200, port);
  await before.close();
  const { thread_id, run_id } = await start(before.url);
  for (;;) if ((await told(server, thread_id, run_id)).attempts.length > 0) break;
  const hooks = await receiver(t, () => 200, port);
  t.match((await hooks.next()).json, { run_id, status: 'success' });
  const { attempts } = await outcome(server, thread_id, run_id);
  t.equal(attempts[0]!.error, 'ECONNREFUSED');
});

t.test('sends pending deliveries after a restart', async (t) => {
  const dataFolder = temporaryFolder(t);
  const env = { ...SOON, THREADMILL_WEBHOOK_RETRY_SECS: '5' };
  const first = await testServer(t, { config, dataFolder, env });
  const port = await freePort();
  const down = await receiver(t, () => 500, port);
  const { thread_id, run_id } = await start(down.url, first);
  await down.next();
  for (;;) if ((await told(first, thread_id, run_id)).attempts.length > 0) break;
  await first.close();
  await down.close();
  const hooks = await receiver(t, () => 200, port);
  const second = await testServer(t, { config, dataFolder, env });
  t.match((await hooks.next()).json, { run_id, status: 'success', values: { text: 'x' } });
  t.match(await outcome(second, thread_id, run_id), {
    status: 'delivered',
    attempts: [{ status_code: 500 }, { status_code: 200 }],
  });
  t.equal(hooks.received.length, 1);
});

t.test('fails a delivery to a receiver that does not speak HTTP', async (t) => {
  const odd = createServer((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
  await new Promise<void>((resolve) => {
    odd.listen(0, '127.0.0.1', resolve);
  });
  t.teardown(() => odd.close());
  const { port } = odd.address() as AddressInfo;
  const { thread_id, run_id } = await start(`http://127.0.0.1:${port}`);
  const { status, attempts } = await outcome(server, thread_id, run_id);
  t.equal(status, 'failed');
  t.matchStrict(attempts[0], { status_code: null, error: 'HPE_INVALID_CONSTANT' });
});
