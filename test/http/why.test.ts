import t from 'tap';
import { Gate, untilStarted } from '../helpers/gate.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

const config = configWith(t, 'gate', 'trouble', 'echo');
const folder = temporaryFolder(t);

type Why = Record<string, unknown>;

t.test('shows what a run waits for, from its thread to its worker', async (t) => {
  const server = await testServer(t, {
    config,
    workers: 1,
    env: { N_JOBS_PER_WORKER: '2', THREADMILL_CALLER_RUNNING_RUNS: '3' },
  });
  const { client } = server;
  const why = async (threadId: string, runId: string): Promise<Why> =>
    (await server.get(`/threads/${threadId}/runs/${runId}/why`)).json() as Promise<Why>;
  const gate = new Gate(folder);
  const thread = async (): Promise<string> => (await client.threads.create()).thread_id;
  const start = async (threadId: string, more: object = {}): Promise<string> =>
    (await client.runs.create(threadId, 'gate', { input: { label: 'a', gate: gate.file }, ...more })).run_id;

  const first = await thread();
  const running = await start(first);
  await gate.reached();
  await untilStarted(client, first, running);
  t.match(await why(first, running), {
    run_id: running,
    thread_id: first,
    graph_id: 'gate',
    status: 'running',
    reason: 'running',
    attempt: 1,
    attempts_max: 3,
    started_at: String,
    worker: Number,
  });
  const [second, third] = [await start(first), await start(first)];
  t.match(await why(first, second), {
    status: 'pending',
    reason: 'thread',
    ahead: 1,
    executing: running,
    message: `Run ${running} of the same thread is executing; one run is ahead.`,
  });
  t.match(await why(first, third), { reason: 'thread', ahead: 2 });
  const delayed = await start(await thread(), { afterSeconds: 3_600 });
  t.match(await (await server.get(`/runs/${delayed}/why`)).json(), { reason: 'delayed', starts_at: String });

  const other = new Gate(folder);
  await client.runs.create(await thread(), 'gate', { input: { label: 'b', gate: other.file } });
  await other.reached();
  const waiting = await thread();
  const full = await start(waiting);
  t.match(await why(waiting, full), {
    reason: 'workers',
    ahead: 0,
    message: 'Every worker is at its limit of runs; no runs of this graph are ahead.',
  });
  const over = await thread();
  t.match(await why(over, await start(over)), {
    reason: 'quota',
    message: 'The caller has as many executing runs as THREADMILL_CALLER_RUNNING_RUNS allows.',
  });
  gate.open();
  other.open();
  await client.runs.join(first, third);
  t.match(await why(first, running), {
    status: 'success',
    reason: 'ended',
    message: 'The run has ended.',
    ended_at: String,
  });
});

t.test('shows how a run ended', async (t) => {
  const server = await testServer(t, { config });
  const { thread_id: threadId } = await server.client.threads.create();
  await server.client.runs.wait(threadId, 'trouble', { input: { do: 'throw' }, raiseError: false });
  const [run] = await server.client.runs.list(threadId);
  t.match(await (await server.get(`/threads/${threadId}/runs/${run!.run_id}/why`)).json(), {
    status: 'error',
    reason: 'ended',
    message: /Boo!/,
  });
  t.equal((await server.get(`/threads/${threadId}/runs/${threadId}/why`)).status, 404);
  t.equal((await server.get(`/runs/${threadId}/why`)).status, 404);
});
