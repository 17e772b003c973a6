import t, { type Test } from 'tap';
import { addRun, createProject } from '../helpers/sent-runs.js';
import { alertWhen, createAlert, historyOf, lastDelivered, listAlerts } from '../alerts/helpers.js';
import { receiver, SOON } from '../helpers/receiver.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';
import { FAULTS_MS, KillPoints, killingServer, seeded, type Killed } from './kill-points.js';

const config = configWith(t, 'echo');

/** The server is killed after so many commits, if there are as many. */
async function round(t: Test, commit: number): Promise<Killed> {
  const dataFolder = temporaryFolder(t);
  // The first attempt fails, so that what comes after it has its commits too.
  const hooks = await receiver(t, (_, __, at) => (at === 0 ? 500 : 200));
  const killed = await killingServer(t, { config, from: 'AL', env: SOON }, dataFolder, commit);
  let createdId: string | null = null;
  await (async () => {
    const projectId = await createProject(killed);
    await addRun(killed, projectId, { startMs: Date.now() - 1_000, error: 'it broke' });
    createdId = (await createAlert(killed, { project_id: projectId, webhook: { url: hooks.url } })).id;
    await lastDelivered(killed, createdId);
  })().catch(() => killed.exited);
  const { died, commits } = await killed.stop();
  if (!died) {
    t.strictSame(hooks.received.length, 2, 'nobody was killed: it came twice, and was taken once');
    return { died, commits };
  }

  const second = await testServer(t, { dataFolder, config, env: SOON });
  const [alert] = await listAlerts(second);
  t.ok(alert, 'the alert was on disk before anything else of it');
  const { id } = alert!;
  if (createdId !== null) t.equal(id, createdId, 'what was acknowledged is there');
  await alertWhen(second, id, ({ state }) => state === 'firing');
  await lastDelivered(second, id);
  t.match(await historyOf(second, id), { length: 1 }, `killed after commit ${commit}: it began to fire once`);
  const ids = new Set(hooks.received.map(({ headers }) => headers['webhook-id']));
  t.equal(ids.size, 1, 'one webhook, under one id');
  // At most one attempt was under way when the server died, and was made again.
  t.ok(hooks.received.length <= 3, `${hooks.received.length} attempts arrived`);
  for (const { json } of hooks.received) t.match(json, { state_before: 'no_data', state: 'firing', value: 1 });
  await second.close();
  return { died, commits };
}

t.setTimeout(FAULTS_MS);

const points = new KillPoints();

t.test(`an alert fires and reports it once, wherever the server is killed (${seeded})`, async (t) => {
  const kills = await points.kill((commit) => round(t, commit));
  t.ok(kills > 2, `killed ${kills} times`);
});

t.test(`a server was killed at every kind of commit (${seeded})`, (t) => {
  t.strictSame(points.missed, []);
  t.end();
});
