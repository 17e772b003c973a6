import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import t from 'tap';
import { FakeClock } from '../helpers/fake-clock.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

// Runs under a wall clock that somebody sets: what counts durations and keeps an order goes by another clock.

const config = configWith(t, 'echo', 'ticker');
const NOW = '2026-03-11T08:00:00Z';
const A_DAY_BACK = '2026-03-10T08:00:00Z';
const A_DAY_AHEAD = '2026-03-12T08:00:00Z';

/** A run that executes until `gate` is there, and what it holds up. */
async function hold(server: TestServer, threadId: string, gate: string): Promise<string> {
  const { run_id: runId } = await server.client.runs.create(threadId, 'ticker', { input: { gate } });
  while ((await server.client.runs.get(threadId, runId)).status !== 'running')
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  return runId;
}

const echo = async (server: TestServer, threadId: string, text: string, afterSeconds = 0): Promise<string> =>
  (await server.client.runs.create(threadId, 'echo', { input: { text }, afterSeconds })).run_id;

async function steps(server: TestServer, threadId: string): Promise<string[]> {
  return ((await server.client.threads.getState(threadId)).values as { steps: string[] }).steps.filter((step) =>
    step.startsWith('first'),
  );
}

t.test('runs the runs of a thread in order, and waits for no day that never was', async (t) => {
  for (const restarts of [false, true]) {
    const clock = new FakeClock(NOW);
    const dataFolder = temporaryFolder(t);
    const gate = join(dataFolder, 'gate');
    let server = await testServer(t, { config, clock, dataFolder });
    const { thread_id: threadId } = await server.client.threads.create();
    const holder = await hold(server, threadId, gate);
    await echo(server, threadId, 'one');
    clock.jump(A_DAY_BACK);
    await echo(server, threadId, 'two');
    clock.jump(A_DAY_AHEAD);
    await echo(server, threadId, 'three');
    clock.jump(A_DAY_BACK);
    const last = await echo(server, threadId, 'four');
    if (restarts) {
      await server.close();
      server = await testServer(t, { config, clock, dataFolder });
    }
    writeFileSync(gate, '');
    await server.client.runs.join(threadId, holder);
    await server.client.runs.join(threadId, last);
    t.strictSame(await steps(server, threadId), ['first one', 'first two', 'first three', 'first four']);
    await server.close();
  }
});

t.test('keeps delays as long as requested, whatever the wall clock does', async (t) => {
  const clock = new FakeClock(NOW);
  const dataFolder = temporaryFolder(t);
  let server = await testServer(t, { config, clock, dataFolder });
  const { thread_id: threadId } = await server.client.threads.create();
  const status = async (runId: string): Promise<string> => (await server.client.runs.get(threadId, runId)).status;
  const first = await echo(server, threadId, 'one', 60);
  clock.jump(A_DAY_AHEAD);
  clock.pass(59_000);
  t.equal(await status(first), 'pending', 'a day on the wall is no minute');
  clock.jump(A_DAY_BACK);
  clock.pass(1_000);
  await server.client.runs.join(threadId, first);
  t.equal(await status(first), 'success');

  const second = await echo(server, threadId, 'two', 60);
  await server.close();
  clock.jump('2026-03-01T08:00:00Z');
  server = await testServer(t, { config, clock, dataFolder });
  t.equal(await status(second), 'pending');
  clock.pass(60_000);
  await server.client.runs.join(threadId, second);
  t.equal(await status(second), 'success', 'over a restart it is never longer than was asked for');
});

t.test('ends no run as too long when the wall clock skips a day', async (t) => {
  const clock = new FakeClock(NOW);
  const gate = join(temporaryFolder(t), 'gate');
  const server = await testServer(t, { config, clock, env: { BG_JOB_TIMEOUT_SECS: '3600' } });
  const { thread_id: threadId } = await server.client.threads.create();
  const runId = await hold(server, threadId, gate);
  clock.jump(A_DAY_AHEAD);
  // Timeouts are looked at once a second.
  await new Promise((resolve) => {
    setTimeout(resolve, 1_500);
  });
  t.equal((await server.client.runs.get(threadId, runId)).status, 'running');
  writeFileSync(gate, '');
  await server.client.runs.join(threadId, runId);
  t.equal((await server.client.runs.get(threadId, runId)).status, 'success');
});
