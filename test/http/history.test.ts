import t from 'tap';
import { FakeClock } from '../helpers/fake-clock.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const config = configWith(t, 'echo', 'trouble');
const START = '2026-01-31T09:00:30Z';

interface Answer {
  step_seconds: number;
  points: Record<string, unknown>[];
  total: Record<string, unknown> | null;
}

async function history(server: TestServer, query = ''): Promise<Answer> {
  return (await (await server.get(`/server/history${query}`)).json()) as Answer;
}

/** The history once it has this many points. */
async function historyWith(server: TestServer, count: number): Promise<Answer> {
  for (;;) {
    const found = await history(server);
    if (found.points.length >= count) return found;
  }
}

t.test('keeps what the server did, minute by minute, also over a restart', async (t) => {
  const clock = new FakeClock(START);
  const dataFolder = temporaryFolder(t);
  const server = await testServer(t, { config, clock, dataFolder });
  t.same(await history(server), {
    start: '2026-01-31T08:00:00.000000+00:00',
    end: '2026-01-31T09:00:30.000000+00:00',
    step_seconds: 60,
    points: [],
    total: null,
  });
  clock.set('2026-01-31T09:01:00Z');
  t.same((await history(server)).points, [], 'nothing is written while nobody uses the server');

  await server.client.runs.wait(null, 'echo', { input: { text: 'x' } });
  await server.client.runs.wait(null, 'trouble', { input: { do: 'throw' } }).catch(() => undefined);
  clock.set('2026-01-31T09:02:00Z');
  const { points, total } = await historyWith(server, 1);
  const figures = {
    runs_started: 2,
    runs_succeeded: 1,
    runs_failed: 1,
    runs_interrupted: 0,
    requests: 2,
    requests_failed: 0,
    runs_queued: 0,
    runs_running: 0,
    workers: 1,
  };
  t.match(points, [{ start: '2026-01-31T09:01:00.000000+00:00', ...figures }]);
  t.match(total, figures);
  const [point] = points;
  for (const name of ['queue_wait_p95_seconds', 'run_duration_p50_seconds', 'run_duration_p95_seconds', 'cpu_seconds'])
    t.ok((point![name] as number) > 0, name);
  for (const name of ['memory_bytes', 'storage_bytes']) t.ok((point![name] as number) > 10_000, name);

  clock.set('2026-01-31T09:03:00Z');
  t.match(
    (await historyWith(server, 2)).points[1],
    { start: '2026-01-31T09:02:00.000000+00:00', runs_started: 0, requests: 0, queue_wait_p95_seconds: null },
    'the first minute without work is written, so that the load goes back to zero',
  );
  clock.set('2026-01-31T09:04:00Z');
  await server.client.threads.create();
  clock.set('2026-01-31T09:05:00Z');
  t.match((await historyWith(server, 3)).points.at(-1), {
    start: '2026-01-31T09:04:00.000000+00:00',
    requests: 1,
  });
  await server.close();

  const again = await testServer(t, { config, clock: new FakeClock('2026-01-31T09:06:10Z'), dataFolder });
  t.match(await history(again), { points: { length: 3 }, total: { runs_started: 2 } });
  t.match(
    await history(again, '?step_seconds=600'),
    { step_seconds: 600, points: [{ start: '2026-01-31T09:00:00.000000+00:00', runs_started: 2, workers: 1 }] },
    'of longer steps',
  );
  t.match(
    await history(again, '?start=2026-01-31T09:02:00Z&end=2026-01-31T09:04:00Z'),
    { points: { length: 1 }, total: { runs_started: 0 } },
    'of a part of the time',
  );
});

t.test('chooses steps that the stored samples have, and refuses too many of them', async (t) => {
  const server = await testServer(t, { config, clock: new FakeClock(START) });
  for (const [query, seconds] of [
    ['?start=2026-01-31T08:00:00Z', 60],
    ['?start=2026-01-30T10:00:00Z', 600],
    ['?start=2026-01-30T10:00:00Z&step_seconds=60', 60],
    ['?start=2026-01-30T10:00:00Z&step_seconds=90', 120],
    ['?start=2026-01-28T10:00:00Z&step_seconds=60', 600],
    ['?start=2026-01-01T10:00:00Z&step_seconds=60', 3_600],
    ['?start=2025-12-01T10:00:00Z', 86_400],
  ] as const)
    t.equal((await history(server, query)).step_seconds, seconds, query);
  for (const [query, says] of [
    ['?start=2026-01-31T09:00:30Z&end=2026-01-31T09:00:30Z', /query\.start: must be before the end/],
    ['?start=2000-01-01T00:00:00Z&step_seconds=60', /query\.step_seconds: this time has \d+ steps of 3600 s/],
    ['?start=yesterday', /start/],
    ['?end=2026-01-31T23:59:60Z', /query\.end: is not a time/],
    ['?step_seconds=1', /step_seconds/],
  ] as const) {
    const refused = await server.get(`/server/history${query}`);
    t.equal(refused.status, 422, query);
    t.match(await refused.text(), says);
  }
});

t.test('needs the scope of the metrics', async (t) => {
  const server = await testServer(t, { config });
  const keyOf = async (name: string, scopes: string[], key?: string): Promise<string> => {
    const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) };
    const response = await server.post('/server/keys', { name, scopes }, { headers });
    return ((await response.json()) as { key: string }).key;
  };
  const all = await keyOf('all', ['*']);
  const [metrics, other] = [await keyOf('m', ['metrics:read'], all), await keyOf('o', ['server:read'], all)];
  const statusWith = async (key: string): Promise<number> =>
    (await server.get('/server/history', { headers: { 'x-api-key': key } })).status;
  t.equal(await statusWith(metrics), 200);
  t.equal(await statusWith(other), 403);
});
