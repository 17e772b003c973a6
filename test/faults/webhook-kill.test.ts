import t, { type Test } from 'tap';
import { outcome, receiver, SOON, type Receiver } from '../helpers/receiver.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';
import { FAULTS_MS, KillPoints, killingServer, seeded, type Killed } from './kill-points.js';

const config = configWith(t, 'echo');

interface Ids {
  run_id: string;
  thread_id: string;
}

/** The server is killed after so many commits, if there are as many. */
async function round(t: Test, commit: number, begin: (url: string, hooks: Receiver) => Promise<Ids>): Promise<Killed> {
  const dataFolder = temporaryFolder(t);
  // The first attempt fails, so that what comes after it has its commits too.
  const hooks = await receiver(t, (_, __, at) => (at === 0 ? 500 : 200));

  const killed = await killingServer(t, { config, from: 'rk', env: SOON }, dataFolder, commit);
  let begun: Ids | null = null;
  await (async () => {
    begun = await begin(killed.url, hooks);
    await outcome({ get: (path) => fetch(`${killed.url}${path}`) }, begun.thread_id, begun.run_id);
  })().catch(() => killed.exited);
  const { died, commits } = await killed.stop();
  if (!died) {
    t.strictSame(hooks.received.length, 2, 'nobody was killed: it came twice, and was taken once');
    return { died, commits };
  }

  const second = await testServer(t, { dataFolder, config, env: SOON });
  const delivered =
    hooks.received.length > 1
      ? hooks.received.at(-1)!
      : await hooks.next().then(async (one) => (hooks.received.length > 1 ? one : hooks.next()));
  const { run_id, thread_id } = delivered.json as unknown as Ids;
  const { status, attempts } = await outcome(second, thread_id, run_id);
  t.equal(status, 'delivered', `killed after commit ${commit}`);
  t.equal(attempts.at(-1)!.status_code, 200);
  t.strictSame(
    new Set(hooks.received.map(({ headers }) => headers['webhook-id'])),
    new Set([run_id]),
    'one delivery, under one id',
  );
  // At most one attempt was under way when the server died, and was made again.
  t.ok(hooks.received.length <= 3, `${hooks.received.length} attempts arrived`);
  for (const { json } of hooks.received)
    t.match(json, {
      status: 'success',
      values: { text: 'x', steps: ['first x', 'second x'] },
      kwargs: { input: { text: 'x' } },
    });
  if (begun !== null) t.equal((begun as Ids).run_id, run_id);
  await second.close();
  return { died, commits };
}

const post = async (url: string, body: unknown): Promise<Ids> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Ids;
};

const RUN = { assistant_id: 'echo', input: { text: 'x' } };

t.setTimeout(FAULTS_MS);

const points = new KillPoints();

t.test(`a run on a thread is announced, wherever the server is killed (${seeded})`, async (t) => {
  const kills = await points.kill((commit) =>
    round(t, commit, async (url, hooks) => {
      const { thread_id } = await post(`${url}/threads`, {});
      return post(`${url}/threads/${thread_id}/runs`, { ...RUN, webhook: hooks.url });
    }),
  );
  t.ok(kills > 3, `killed ${kills} times`);
});

t.test(`a run without a thread is announced, wherever the server is killed (${seeded})`, async (t) => {
  const kills = await points.kill((commit) =>
    round(t, commit, (url, hooks) => post(`${url}/runs`, { ...RUN, webhook: hooks.url })),
  );
  t.ok(kills > 0, `killed ${kills} times`);
});

t.test(`a server was killed at every kind of commit (${seeded})`, (t) => {
  t.strictSame(points.missed, []);
  t.end();
});
