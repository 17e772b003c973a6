import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { childServer } from '../helpers/child-server.js';
import { outcome, receiver, SOON, type Receiver } from '../helpers/receiver.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

/** More than any of these runs has; a round whose server was not killed is the last. */
const COMMITS_MAX = 30;

interface Ids {
  run_id: string;
  thread_id: string;
}

/** The server is killed after so many commits. False when there were fewer. */
async function round(t: Test, commits: number, begin: (url: string, hooks: Receiver) => Promise<Ids>): Promise<boolean> {
  const folder = temporaryFolder(t);
  const config = join(folder, 'langgraph.json');
  writeFileSync(config, JSON.stringify({ graphs: { echo: join(ROOT, 'test', 'graphs', 'echo.ts:graph') } }));
  const dataFolder = join(folder, 'data');
  // The first attempt fails, so that what comes after it has its commits too.
  const hooks = await receiver(t, (_, __, at) => (at === 0 ? 500 : 200));

  const killed = await childServer(t, { dataFolder, config, script: 'dist/test/faults/killing-server.js', env: { ...SOON, KILL_AFTER_COMMITS: String(commits) } });
  let begun: Ids | null = null;
  const done = (async () => {
    begun = await begin(killed.url, hooks);
    await outcome({ get: (path) => fetch(`${killed.url}${path}`) }, begun.thread_id, begun.run_id);
    return false;
  })().catch(() => killed.exited.then(() => true));
  const died = await done;
  if (!died) {
    t.strictSame(hooks.received.length, 2, 'nobody was killed: it came twice, and was taken once');
    await killed.kill('SIGTERM');
    return false;
  }

  const second = await testServer(t, { dataFolder, config, env: SOON });
  const delivered = hooks.received.length > 1 ? hooks.received.at(-1)! : await hooks.next().then(async (one) => (hooks.received.length > 1 ? one : hooks.next()));
  const { run_id, thread_id } = delivered.json as unknown as Ids;
  const { status, attempts } = await outcome(second, thread_id, run_id);
  t.equal(status, 'delivered', `killed after commit ${commits}`);
  t.equal(attempts.at(-1)!.status_code, 200);
  t.strictSame(new Set(hooks.received.map(({ headers }) => headers['webhook-id'])), new Set([run_id]), 'one delivery, under one id');
  // At most one attempt was under way when the server died, and was made again.
  t.ok(hooks.received.length <= 3, `${hooks.received.length} attempts arrived`);
  for (const { json } of hooks.received) t.match(json, { status: 'success', values: { text: 'x', steps: ['first x', 'second x'] }, kwargs: { input: { text: 'x' } } });
  if (begun !== null) t.equal((begun as Ids).run_id, run_id);
  await second.close();
  return true;
}

const post = async (url: string, body: unknown): Promise<Ids> => {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return (await response.json()) as Ids;
};

const RUN = { assistant_id: 'echo', input: { text: 'x' } };

t.setTimeout(300_000);

t.test('a run on a thread is announced, wherever the server is killed', async (t) => {
  let rounds = 0;
  while (rounds < COMMITS_MAX && await round(t, rounds + 1, async (url, hooks) => {
    const { thread_id } = await post(`${url}/threads`, {});
    return post(`${url}/threads/${thread_id}/runs`, { ...RUN, webhook: hooks.url });
  })) rounds += 1;
  t.ok(rounds > 3, `${rounds} points between commits were tried`);
});

t.test('a run without a thread is announced, wherever the server is killed', async (t) => {
  let rounds = 0;
  while (rounds < COMMITS_MAX && await round(t, rounds + 1, (url, hooks) => post(`${url}/runs`, { ...RUN, webhook: hooks.url }))) rounds += 1;
  t.ok(rounds > 3, `${rounds} points between commits were tried`);
});
