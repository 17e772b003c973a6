import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

t.setTimeout(300_000);

const config = configWith(t, 'trouble');
/** A worker that answers no probe is ended after five times as long. */
const env = { THREADMILL_WATCHDOG_SECS: '0.4' };

async function outcome(server: TestServer, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  return (await server.client.runs.wait(null, 'trouble', { input, raiseError: false })) as Record<string, unknown>;
}

/** A run under way on the same worker, which waits for a file. */
async function startNeighbour(t: Test, server: TestServer): Promise<() => Promise<unknown>> {
  const file = join(temporaryFolder(t), 'go');
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, 'trouble', {
    input: { do: 'wait-for-file', file },
  });
  while ((await server.client.runs.get(threadId, runId)).status !== 'running') await new Promise(setImmediate);
  return async () => {
    writeFileSync(file, '');
    return server.client.runs.join(threadId, runId);
  };
}

for (const name of ['Promise.prototype.then', 'setTimeout']) {
  t.test(
    `a run that replaces ${name} and never ends is retried alone and uses up its attempts; its neighbour goes on elsewhere`,
    async (t) => {
      const server = await testServer(t, { config, env });
      const finish = await startNeighbour(t, server);
      t.match(await outcome(server, { do: 'replace', file: name }), { __error__: { error: 'ATTEMPTS_EXCEEDED' } });
      t.match(await outcome(server, { do: 'sleep', n: 1 }), { done: ['slept 1', 'after'] });
      t.match(await finish(), { done: ['found', 'after'] });
    },
  );
}

for (const name of ['Array.prototype.push', 'JSON.stringify', 'setImmediate', 'MessagePort.prototype.postMessage']) {
  t.test(`a run that replaces ${name} ends, and sound workers take the runs after it`, async (t) => {
    const server = await testServer(t, { config, env });
    const body = await outcome(server, { do: 'replace', file: name });
    t.ok('done' in body || '__error__' in body, JSON.stringify(body));
    // Until the next probe, runs may still fail on the worker that it has broken.
    for (;;) {
      const next = await outcome(server, { do: 'sleep', n: 1 });
      if ('done' in next) break;
      t.ok('__error__' in next, 'it ends as well');
    }
  });
}

t.test('keeps a waiting run in its first attempt, longer than a broken worker gets', async (t) => {
  const server = await testServer(t, { config, env });
  const attempts: unknown[] = [];
  for await (const { event, data } of server.client.runs.stream(null, 'trouble', {
    input: { do: 'sleep', n: 5_000 },
    streamMode: 'values',
  })) {
    if (event === 'metadata') attempts.push((data as unknown as { attempt: number }).attempt);
  }
  t.strictSame(attempts, [1]);
});

t.test('keeps the worker when globals are replaced and restored', async (t) => {
  const server = await testServer(t, { config, env });
  const attempts: unknown[] = [];
  for await (const { event, data } of server.client.runs.stream(null, 'trouble', {
    input: { do: 'replace-for', n: 600 },
    streamMode: 'updates',
  })) {
    if (event === 'metadata') attempts.push((data as unknown as { attempt: number }).attempt);
  }
  t.match(await outcome(server, { do: 'sleep', n: 3_000 }), { done: ['slept 3000', 'after'] });
  t.strictSame(attempts, [1]);
});

t.test('ends a run that closes its own port after its attempts', async (t) => {
  const server = await testServer(t, { config, env });
  t.match(await outcome(server, { do: 'close-ports' }), { __error__: { error: 'ATTEMPTS_EXCEEDED' } });
  t.match(await outcome(server, { do: 'sleep', n: 1 }), { done: ['slept 1', 'after'] });
});
