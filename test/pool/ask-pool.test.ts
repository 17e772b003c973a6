import { once } from 'node:events';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import { CallPool, type CallPoolOptions } from '../../src/pool/user-code/call-pool.js';
import { ROOT } from '../helpers/server.js';
import type { TestAnswer, TestAsk, TestData } from './ask-thread.js';

type Pool = CallPool<TestAsk, TestAnswer, TestData>;

function open(t: Test, options: Partial<CallPoolOptions<TestAsk, TestData>> = {}): Pool {
  const pool: Pool = new CallPool<TestAsk, TestAnswer, TestData>(
    {
      file: join(ROOT, 'dist', 'test', 'pool', 'ask-thread.js'),
      data: { word: 'first', env: {} },
      threads: 1,
      heapMb: 128,
      silentMs: LIMITS.authSilentMs,
      callTimeoutMs: () => 60_000,
      queueTimeoutMs: null,
      callsMax: 10,
      idleTimeoutMs: 60_000,
      name: 'a test',
      describe: (ask) => ask.do,
      errors: {
        overloaded: () => new Error('overloaded'),
        silent: () => new Error('silent'),
        ended: (reason) => new Error(`ended: ${reason}`),
        endedTwice: () => new Error('ended twice'),
      },
      ...options,
    },
    pino({ level: 'silent' }),
  );
  t.teardown(() => pool.close());
  return pool;
}

t.test('fails the call that ends or blocks the thread, and repeats the others', async (t) => {
  const pool = open(t);
  for (const how of ['burn', 'die'] as const) {
    const kept = pool.call({ do: 'keep' });
    kept.catch(() => undefined);
    const bad = pool.call({ do: how });
    const said = Promise.all(Array.from({ length: 3 }, () => pool.call({ do: 'say' })));
    await t.rejects(bad, /^ended: /, how);
    t.strictSame(
      (await said).map(({ word }) => word),
      ['first', 'first', 'first'],
    );
  }
});

t.test('repeats calls once when the cause is unknown', async (t) => {
  const pool = open(t);
  await t.rejects(pool.call({ do: 'burn later' }), /ended twice/);
  t.match(await pool.call({ do: 'say' }), { word: 'first' });
});

t.test('limits calls in number and in time', async (t) => {
  const pool = open(t, { callsMax: 2, callTimeoutMs: () => 3_000, queueTimeoutMs: 60_000 });
  const [one, other] = [pool.call({ do: 'keep' }), pool.call({ do: 'keep' })];
  await t.rejects(pool.call({ do: 'say' }), /overloaded/);
  await t.rejects(one, /silent/);
  await t.rejects(other, /silent/);
  t.match(await pool.call({ do: 'say' }), { word: 'first' }, 'code that never answers costs its own ask');
});

t.test('applies new data to later calls, and to waiting ones', async (t) => {
  const pool = open(t);
  const { threadId } = await pool.call({ do: 'say' });
  const kept = pool.call({ do: 'keep' });
  kept.catch(() => undefined);
  await pool.restartWith({ word: 'second', env: {} });
  const next = await pool.call({ do: 'say' });
  t.equal(next.word, 'second');
  t.not(next.threadId, threadId);
});

t.test('ends an idle thread and starts another', async (t) => {
  const pool = open(t, { idleTimeoutMs: 200 });
  const started = once(process, 'worker') as Promise<[Worker]>;
  const { threadId } = await pool.call({ do: 'say' });
  const [thread] = await started;
  await once(thread, 'exit');
  t.not((await pool.call({ do: 'say' })).threadId, threadId);
});

t.test('continues a duplex channel after the response until the thread ends', async (t) => {
  const pool = open(t, { idleTimeoutMs: 200 });
  const { reply, port } = pool.callWithPort({ do: 'talk' });
  const { threadId } = await reply;
  const heard = once(port, 'message');
  port.postMessage('hello');
  t.strictSame(await heard, ['hello, heard']);
  t.equal((await pool.call({ do: 'say' })).threadId, threadId);

  const closed = once(port, 'close');
  port.postMessage('die');
  await closed;
  const refused = pool.callWithPort({ do: 'die' });
  await t.rejects(refused.reply, /^ended: /, 'what has a port is not asked again');
});

t.test('refuses waiting calls when it closes', async (t) => {
  const pool = open(t);
  const kept = pool.call({ do: 'keep' });
  const refused = t.rejects(kept, /shutting down/);
  await pool.close();
  await refused;
  await t.rejects(pool.call({ do: 'say' }), /shutting down/);
});
