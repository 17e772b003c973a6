import t from 'tap';
import { userCaller, type Caller } from '../../src/domain/caller.js';
import { createKey } from '../../src/store/access/api-keys.js';
import { Quotas } from '../../src/services/access/quotas.js';
import { Gate } from '../helpers/gate.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

const config = configWith(t, 'gate', 'echo');

const caller = (identity: string): Caller =>
  userCaller({ identity, display_name: identity, is_authenticated: true, permissions: [] });
const LIMITS = { requestsPerSecond: null, runningRuns: null, queuedRuns: null };

t.test('limits the requests per second of each caller', (t) => {
  let now = 0;
  const quotas = new Quotas({ ...LIMITS, requestsPerSecond: 2 }, () => now);
  const [ada, bob] = [caller('ada'), caller('bob')];
  quotas.countRequest(ada);
  quotas.countRequest(ada);
  t.throws(() => quotas.countRequest(ada), { code: 'RATE_LIMITED', params: { retryAfterS: 1 } });
  quotas.countRequest(bob);
  now += 500;
  quotas.countRequest(ada);
  t.throws(() => quotas.countRequest(ada), { code: 'RATE_LIMITED' }, 'half a second is one request');
  now += 60_000;
  quotas.countRequest(ada);
  quotas.countRequest(ada);
  t.throws(() => quotas.countRequest(ada), { code: 'RATE_LIMITED' }, 'an hour is not saved up');
  t.end();
});

t.test('counts runs until they end, however they end', (t) => {
  const quotas = new Quotas({ ...LIMITS, runningRuns: 1, queuedRuns: 1 }, () => 0);
  const ada = caller('ada');
  const [first, second] = [
    { caller: ada, counted: null },
    { caller: ada, counted: null },
  ];
  quotas.checkNewRun(ada);
  quotas.onRunCreated(first);
  t.equal(quotas.canExecute(ada), true);
  quotas.onRunStarted(first);
  quotas.onRunStarted(first);
  t.equal(quotas.canExecute(ada), false);
  quotas.checkNewRun(ada);
  quotas.onRunCreated(second);
  t.throws(() => quotas.checkNewRun(ada), { code: 'RUNS_LIMITED' });
  t.equal(quotas.canExecute(caller('bob')), true);
  quotas.onRunEnded(second);
  quotas.onRunEnded(second);
  quotas.checkNewRun(ada);
  quotas.onRunEnded(first);
  t.equal(quotas.canExecute(ada), true);
  t.end();
});

t.test("queues a caller's further runs behind its own runs only", async (t) => {
  const dataFolder = temporaryFolder(t);
  const keys = ['ada', 'bob'].map((name) => createKey(dataFolder, { name }).text);
  const server = await testServer(t, {
    config,
    dataFolder,
    env: { THREADMILL_CALLER_RUNNING_RUNS: '2', THREADMILL_CALLER_QUEUED_RUNS: '3' },
  });
  const as = (at: number): Record<string, string> => ({ 'content-type': 'application/json', 'x-api-key': keys[at]! });
  const run = async (
    at: number,
  ): Promise<{ status: number; body: { run_id: string; thread_id: string }; retry: string | null }> => {
    const response = await server.post(
      '/runs',
      { assistant_id: 'gate', input: { label: 'a', gate: new Gate(dataFolder).file }, on_completion: 'keep' },
      { headers: as(at) },
    );
    return {
      status: response.status,
      body: (await response.json()) as { run_id: string; thread_id: string },
      retry: response.headers.get('retry-after'),
    };
  };
  const statusOf = async ({ body }: Awaited<ReturnType<typeof run>>): Promise<string> => {
    const response = await server.get(`/threads/${body.thread_id}/runs/${body.run_id}`, { headers: as(0) });
    return ((await response.json()) as { status: string }).status;
  };
  const mine = [];
  for (let at = 0; at < 5; at += 1) mine.push(await run(0));
  t.strictSame(
    mine.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  const sixth = await run(0);
  t.equal(sixth.status, 429);
  t.equal(sixth.retry, '1');
  const other = await run(1);
  t.equal(other.status, 200);
  while ((await statusOf(mine[1]!)) !== 'running' || (await statusOf(other)) !== 'running')
    await new Promise((resolve) => setTimeout(resolve, 20));
  t.strictSame(await Promise.all(mine.map(statusOf)), ['running', 'running', 'pending', 'pending', 'pending']);
  await server.post(`/threads/${mine[0]!.body.thread_id}/runs/${mine[0]!.body.run_id}/cancel?wait=1`, '', {
    headers: as(0),
  });
  await server.post(`/threads/${mine[3]!.body.thread_id}/runs/${mine[3]!.body.run_id}/cancel?wait=1`, '', {
    headers: as(0),
  });
  while ((await statusOf(mine[2]!)) !== 'running') await new Promise((resolve) => setTimeout(resolve, 20));
  t.equal(await statusOf(mine[4]!), 'pending');
  t.equal((await run(0)).status, 200, 'what ended made room');
  for (const one of mine)
    await server.post(`/threads/${one.body.thread_id}/runs/${one.body.run_id}/cancel?wait=1`, '', { headers: as(0) });
});

t.test('returns 429 when a caller sends too many requests', async (t) => {
  const server = await testServer(t, { config, env: { THREADMILL_CALLER_REQUESTS_PER_SECOND: '5' } });
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const response = await server.post('/threads/search', {});
      await response.text();
      if (response.status === 429) t.equal(response.headers.get('retry-after'), '1');
      return response.status;
    }),
  );
  t.ok(statuses.filter((one) => one === 429).length >= 20, 'most of a burst is refused');
  t.ok(statuses.includes(200));
  t.equal((await server.get('/ok')).status, 200, 'who looks after it is not counted');
});
