import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const config = configWith(t, 'trouble');

/** The watchdog ends a silent worker sooner than by default, so that the suite does not wait. */
const env = { THREADMILL_WATCHDOG_SECS: '0.6' };

t.setTimeout(120_000);

// A lost worker takes seconds to be noticed and replaced, and this machine may be busy with other tests.
t.setTimeout(300_000);

const open = (t: Test): Promise<TestServer> => testServer(t, { config, workers: 1, env });

async function outcome(
  server: TestServer,
  threadId: string,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  return (await server.client.runs.wait(threadId, 'trouble', { input, raiseError: false })) as Record<string, unknown>;
}

/** A run that was under way on the same worker when it was lost. */
async function startNeighbour(
  t: Test,
  server: TestServer,
): Promise<{ finish: () => Promise<unknown>; threadId: string; runId: string }> {
  const file = join(temporaryFolder(t), 'go');
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, 'trouble', {
    input: { do: 'wait-for-file', file },
  });
  while ((await server.client.runs.get(threadId, runId)).status !== 'running') await new Promise(setImmediate);
  const { writeFileSync } = await import('node:fs');
  return {
    threadId,
    runId,
    finish: async () => {
      writeFileSync(file, '');
      return server.client.runs.join(threadId, runId);
    },
  };
}

for (const deed of ['exit', 'throw-outside', 'loop', 'atomics-wait']) {
  t.test(`a run whose worker is lost by ${deed} fails after its attempts; its neighbour does not notice`, async (t) => {
    const server = await open(t);
    const neighbour = await startNeighbour(t, server);
    const { thread_id: threadId } = await server.client.threads.create();
    const body = await outcome(server, threadId, { do: deed });
    t.match(body, { __error__: { error: 'ATTEMPTS_EXCEEDED', message: /exceeded max attempts/ } });
    t.equal((await server.client.threads.get(threadId)).status, 'error');
    const [run] = await server.client.runs.list(threadId);
    t.equal(run!.status, 'error');
    t.strictSame(((await neighbour.finish()) as { done: string[] }).done, ['found', 'after']);
    t.match(
      await outcome(server, threadId, { do: 'sleep', n: 1 }),
      { done: ['slept 1', 'after'] },
      'the thread is usable',
    );
  });
}

t.test('loses only the run that is out of memory', async (t) => {
  const server = await testServer(t, {
    config,
    workers: 1,
    env: { ...env, THREADMILL_WATCHDOG_SECS: '5', THREADMILL_WORKER_HEAP_MB: '96' },
  });
  const neighbour = await startNeighbour(t, server);
  const { thread_id: threadId } = await server.client.threads.create();
  t.match(await outcome(server, threadId, { do: 'oom' }), { __error__: { error: 'ATTEMPTS_EXCEEDED' } });
  t.strictSame(((await neighbour.finish()) as { done: string[] }).done, ['found', 'after']);
});

t.test('succeeds after one lost worker, and counts an attempt only for a loss while alone', async (t) => {
  const server = await open(t);
  const file = join(temporaryFolder(t), 'once');
  const { thread_id: threadId } = await server.client.threads.create();
  const attempts: number[] = [];
  const done: unknown[] = [];
  for await (const { event, data } of server.client.runs.stream(threadId, 'trouble', {
    input: { do: 'exit-once', file },
    streamMode: 'updates',
  })) {
    if (event === 'metadata') attempts.push((data as unknown as { attempt: number }).attempt);
    if (event === 'updates') done.push(data);
  }
  t.strictSame(attempts, [1, 2], 'the second metadata event tells the attempt');
  t.strictSame(done, [{ misbehave: { done: ['survived'] } }, { after: { done: ['after'] } }]);
  t.ok(existsSync(file));
});

t.test('continues a stateless stream with a second attempt when its worker is lost', async (t) => {
  const server = await open(t);
  const file = join(temporaryFolder(t), 'once');
  const attempts: unknown[] = [];
  const ids: number[] = [];
  for await (const { event, data, id } of server.client.runs.stream(null, 'trouble', {
    input: { do: 'exit-once', file },
    streamMode: 'values',
  })) {
    if (event === 'metadata') attempts.push((data as unknown as { attempt: number }).attempt);
    ids.push(Number(id));
  }
  t.strictSame(attempts, [1, 2]);
  t.strictSame(
    ids,
    [...ids].sort((a, b) => a - b),
    'ids rise across attempts',
  );
});

t.test('ignores garbage on the port of another thread', async (t) => {
  const server = await open(t);
  const neighbour = await startNeighbour(t, server);
  const { thread_id: threadId } = await server.client.threads.create();
  const body = await outcome(server, threadId, { do: 'garbage' });
  t.ok('done' in body || '__error__' in body, JSON.stringify(body));
  t.not((await server.client.threads.get(threadId)).status, 'busy');
  t.strictSame(((await neighbour.finish()) as { done: string[] }).done, ['found', 'after']);
  t.match(
    await outcome(server, threadId, { do: 'sleep', n: 1 }),
    { done: ['slept 1', 'after'] },
    'the thread is usable',
  );
  t.equal((await server.get('/ok')).status, 200);
});

t.test('cancels a run that burns CPU', async (t) => {
  const server = await open(t);
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, 'trouble', { input: { do: 'loop' } });
  while ((await server.client.runs.get(threadId, runId)).status !== 'running') await new Promise(setImmediate);
  await server.client.runs.cancel(threadId, runId, true);
  t.equal((await server.client.runs.get(threadId, runId)).status, 'interrupted');
  t.match(await outcome(server, threadId, { do: 'sleep', n: 1 }), { done: ['slept 1', 'after'] });
});

t.test('does not wait for a node that ignores its cancel signal, and ignores its later writes', async (t) => {
  const server = await open(t);
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, 'trouble', {
    input: { do: 'stubborn', n: 300 },
  });
  while ((await server.client.runs.get(threadId, runId)).status !== 'running') await new Promise(setImmediate);
  await server.client.runs.cancel(threadId, runId, true);
  const before = await server.client.threads.getHistory(threadId);
  t.match(await outcome(server, threadId, { do: 'sleep', n: 400 }), { done: ['slept 400', 'after'] });
  const history = await server.client.threads.getHistory(threadId);
  t.notOk(
    history.some((state) => (state.values as { done?: string[] }).done?.includes('stubborn')),
    'the stale attempt wrote nothing',
  );
  t.ok(history.length > before.length);
});

t.test('answers other requests while a graph burns CPU', async (t) => {
  const server = await open(t);
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, 'trouble', { input: { do: 'loop' } });
  while ((await server.client.runs.get(threadId, runId)).status !== 'running') await new Promise(setImmediate);
  t.equal((await server.get('/ok')).status, 200);
  t.equal((await server.client.threads.get(threadId)).status, 'busy');
  await server.client.runs.cancel(threadId, runId, true);
});
