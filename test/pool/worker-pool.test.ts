import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { WorkerPool } from '../../src/pool/worker-pool.js';

const filename = join(import.meta.dirname, 'load-on-thread.js');
const pool = (minThreads: number): WorkerPool<null, string> =>
  new WorkerPool({ filename, minThreads, maxThreads: 1, atomics: 'disabled' });

/** With Piscina alone, some of these abort the process. */
t.test('ends threads at any moment of their start', async (t) => {
  for (const minThreads of [0, 1])
    for (let ms = 0; ms < 120; ms += 8) {
      const one = pool(minThreads);
      const result = one.run(null).catch(() => 'ended');
      await wait(ms);
      await one.destroy();
      t.match(await result, /^(function|ended)$/);
    }
});

t.test('ends threads that are ready, or that never started', async (t) => {
  const used = pool(0);
  t.equal(await used.run(null), 'function');
  await used.destroy();
  await pool(0).destroy();
});

t.test('describes each thread to the load balancer once', async (t) => {
  const described = new Set<object>();
  const pool = new WorkerPool<null, string>({
    filename,
    minThreads: 1,
    maxThreads: 1,
    atomics: 'disabled',
    loadBalancer: (_task, workers) => {
      for (const worker of workers) described.add(worker);
      return workers[0] ?? null;
    },
  });
  t.teardown(() => pool.destroy());
  // A task of the turn in which the pool was created comes before the first thread is announced.
  await pool.run(null);
  described.clear();
  await Promise.all([pool.run(null), pool.run(null)]);
  await pool.run(null);
  t.equal(described.size, 1);
});
