import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { collect } from '../helpers/events.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';
import { FAULTS_MS, KillPoints, killingServer, seeded, type Killed } from './kill-points.js';

const config = configWith(t, 'echo');

t.setTimeout(FAULTS_MS);

const points = new KillPoints();

/** The server is killed after so many commits, if there are as many. */
async function round(t: Test, commit: number): Promise<Killed> {
  const dataFolder = temporaryFolder(t);
  const threadId = randomUUID();
  const killed = await killingServer(t, { config, from: 'tr' }, dataFolder, commit);
  await (async () => {
    const { client } = killed;
    await client.threads.create({ threadId });
    const { run_id: runId } = await client.runs.create(threadId, 'echo', {
      input: { text: 'hi' },
      feedbackKeys: ['liked'],
      streamResumable: true,
    });
    await client.runs.join(threadId, runId);
  })().catch(() => killed.exited);
  const { died, commits } = await killed.stop();

  const server = await testServer(t, { dataFolder, config });
  const runs = await server.client.runs.list(threadId).catch(() => []);
  for (const { run_id: runId } of runs) {
    const body = (await server.client.runs.join(threadId, runId)) as Record<string, unknown>;
    const { liked } = body['__feedback__'] as { liked: string };
    const answer = await fetch(`${server.url}/api/v1/feedback/tokens/${liked.slice(-36)}?score=1`);
    t.equal(answer.status, 200, `killed after commit ${commit}`);
    const events = await collect(server.client.runs.joinStream(threadId, runId, { lastEventId: '-1' }));
    t.equal(events.filter(({ event }) => event === 'feedback').length, 1);
    t.equal(events.at(-1)!.event, 'feedback');
    t.equal((events.at(-1)!.data as { liked: string }).liked.slice(-36), liked.slice(-36));
    const tokens = (await (await server.get(`/api/v1/feedback/tokens?run_id=${runId}`)).json()) as unknown[];
    t.equal(tokens.length, 1, 'no address is left of an end that was not stored');
  }
  if (!died) t.equal(runs.length, 1, 'nobody was killed');
  await server.close();
  return { died, commits };
}

t.test(
  `the addresses of a run are there with its end, once, and are good, wherever the server is killed (${seeded})`,
  async (t) => {
    const kills = await points.kill((commit) => round(t, commit));
    t.ok(kills > 3, `killed ${kills} times`);
  },
);

t.test(`a server was killed at every kind of commit (${seeded})`, (t) => {
  t.strictSame(points.missed, []);
  t.end();
});
