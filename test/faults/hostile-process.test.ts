import { join } from 'node:path';
import t, { type Test } from 'tap';
import { childServer, type ChildServer } from '../helpers/child-server.js';
import { configWith, temporaryFolder } from '../helpers/server.js';

t.setTimeout(300_000);

const config = configWith(t, 'trouble');

async function outcome(server: ChildServer, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  return (await server.client.runs.wait(null, 'trouble', { input, raiseError: false })) as Record<string, unknown>;
}

/** Threads that the server has acknowledged, one of them with the state of a run. */
async function acknowledge(server: ChildServer): Promise<string[]> {
  const threads = await Promise.all(
    Array.from({ length: 5 }, (_, n) => server.client.threads.create({ metadata: { n } })),
  );
  await server.client.runs.wait(threads[0]!.thread_id, 'trouble', { input: { do: 'sleep', n: 1 } });
  return threads.map(({ thread_id: threadId }) => threadId);
}

/** Starts the server again on the folder and looks for what was acknowledged. */
async function checkAfterRestart(t: Test, dataFolder: string, threadIds: readonly string[]): Promise<void> {
  const again = await childServer(t, { dataFolder, config });
  for (const threadId of threadIds) t.equal((await again.client.threads.get(threadId)).thread_id, threadId);
  t.match((await again.client.threads.getState(threadIds[0]!)).values, { done: ['slept 1', 'after'] });
  t.match(await outcome(again, { do: 'sleep', n: 1 }), { done: ['slept 1', 'after'] });
}

t.test('survives process.kill, process.abort and process.reallyExit in a graph', async (t) => {
  const dataFolder = temporaryFolder(t);
  const server = await childServer(t, { dataFolder, config });
  const threadIds = await acknowledge(server);
  t.match(await outcome(server, { do: 'kill-self' }), {
    __error__: { message: /process\.kill\(\) of the server's own process is not supported/ },
  });
  t.match(await outcome(server, { do: 'abort' }), {
    __error__: { message: /process\.abort\(\) is not supported in workers/ },
  });
  t.match(await outcome(server, { do: 'really-exit' }), { __error__: { error: 'ATTEMPTS_EXCEEDED' } });
  t.equal(server.process.exitCode, null);
  await server.kill();
  await checkAfterRestart(t, dataFolder, threadIds);
});

for (const [deed, how] of [
  ['kill-by-shell', 'SIGKILL'],
  ['close-descriptors', 'SIGABRT'],
] as const) {
  t.test(`what was acknowledged is there after ${deed} in a graph has ended the process`, async (t) => {
    const dataFolder = temporaryFolder(t);
    const server = await childServer(t, { dataFolder, config });
    const threadIds = await acknowledge(server);
    await t.rejects(outcome(server, { do: deed, n: 200 }));
    t.equal(await server.exited, how);
    await checkAfterRestart(t, dataFolder, threadIds);
  });
}

t.test('acknowledges nothing, stops intake and logs the reason when a graph closes the data file', async (t) => {
  const dataFolder = temporaryFolder(t);
  const server = await childServer(t, { dataFolder, config });
  const threadIds = await acknowledge(server);
  t.match(await outcome(server, { do: 'close-data-file', n: 4, file: join(temporaryFolder(t), 'other') }), {
    done: ['closed', 'after'],
  });
  for (let n = 0; n < 3; n += 1)
    await t.rejects(server.client.threads.create({ metadata: { late: n } }), {
      message: /HTTP 503: .*code in this process has closed the data file/,
    });
  await t.rejects(server.client.runs.wait(threadIds[0]!, 'trouble', { input: { do: 'sleep', n: 1 } }), {
    message: /HTTP 503/,
  });
  t.equal((await fetch(`${server.url}/ok?check_db=1`)).ok, false, 'health says so, too');
  t.match(server.stderr(), /The store has failed/);
  t.equal(await server.kill('SIGTERM'), 'SIGKILL', 'it ends, in the only way that does not wait for the lost file');
  await checkAfterRestart(t, dataFolder, threadIds);
});
