import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import { AskPool, type AskPoolOptions } from '../../src/pool/user-code/call-pool.js';
import type { TestAnswer, TestAsk, TestData } from './ask-thread.js';

type Pool = AskPool<TestAsk, TestAnswer, TestData>;

function open(t: Test, options: Partial<AskPoolOptions<TestAsk, TestData>> = {}): Pool {
  const pool: Pool = new AskPool<TestAsk, TestAnswer, TestData>(
    {
      entry: '../test/pool/ask-thread.js',
      data: { word: 'first', env: {} },
      threads: 1,
      heapMb: 128,
      silentMs: LIMITS.gateSilentMs,
      askMs: () => 60_000,
      waitMs: null,
      asksMax: 10,
      idleMs: 60_000,
      name: 'a test',
      about: (ask) => ask.do,
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

t.test('who ends or holds up the thread fails, and what else it held is asked again', async (t) => {
  const pool = open(t);
  for (const how of ['burn', 'die'] as const) {
    const kept = pool.ask({ do: 'keep' });
    kept.catch(() => undefined);
    const bad = pool.ask({ do: how });
    const said = Promise.all(Array.from({ length: 3 }, () => pool.ask({ do: 'say' })));
    await t.rejects(bad, /^ended: /, how);
    t.strictSame(
      (await said).map(({ word }) => word),
      ['first', 'first', 'first'],
    );
  }
});

t.test('who cannot be told from others is asked again once', async (t) => {
  const pool = open(t);
  await t.rejects(pool.ask({ do: 'burn later' }), /ended twice/);
  t.match(await pool.ask({ do: 'say' }), { word: 'first' });
});

t.test('asks are bounded in number and in time', async (t) => {
  const pool = open(t, { asksMax: 2, askMs: () => 3_000, waitMs: 60_000 });
  const [one, other] = [pool.ask({ do: 'keep' }), pool.ask({ do: 'keep' })];
  await t.rejects(pool.ask({ do: 'say' }), /overloaded/);
  await t.rejects(one, /silent/);
  await t.rejects(other, /silent/);
  t.match(await pool.ask({ do: 'say' }), { word: 'first' }, 'code that never answers costs its own ask');
});

t.test('other data counts for what is asked from then on, and for what is under way', async (t) => {
  const pool = open(t);
  const { threadId } = await pool.ask({ do: 'say' });
  const kept = pool.ask({ do: 'keep' });
  kept.catch(() => undefined);
  await pool.use({ word: 'second', env: {} });
  const next = await pool.ask({ do: 'say' });
  t.equal(next.word, 'second');
  t.not(next.threadId, threadId);
});

t.test('a thread that has nothing to do ends, and another starts', async (t) => {
  const pool = open(t, { idleMs: 200 });
  const started = once(process, 'worker') as Promise<[Worker]>;
  const { threadId } = await pool.ask({ do: 'say' });
  const [thread] = await started;
  await once(thread, 'exit');
  t.not((await pool.ask({ do: 'say' })).threadId, threadId);
});

t.test('a conversation goes on after the answer, and ends with the thread', async (t) => {
  const pool = open(t, { idleMs: 200 });
  const { answer, port } = pool.converse({ do: 'talk' });
  const { threadId } = await answer;
  const heard = once(port, 'message');
  port.postMessage('hello');
  t.strictSame(await heard, ['hello, heard']);
  t.equal((await pool.ask({ do: 'say' })).threadId, threadId);

  const closed = once(port, 'close');
  port.postMessage('die');
  await closed;
  const refused = pool.converse({ do: 'die' });
  await t.rejects(refused.answer, /^ended: /, 'what has a port is not asked again');
});

t.test('closing refuses what waits', async (t) => {
  const pool = open(t);
  const kept = pool.ask({ do: 'keep' });
  const refused = t.rejects(kept, /shutting down/);
  await pool.close();
  await refused;
  await t.rejects(pool.ask({ do: 'say' }), /shutting down/);
});
