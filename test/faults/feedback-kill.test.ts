import { randomUUID } from 'node:crypto';
import t from 'tap';
import { childServer, type ChildServer } from '../helpers/child-server.js';
import { collect } from '../helpers/events.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo');
/** More than the run has; a round whose server was not killed is the last. */
const COMMITS_MAX = 30;

t.setTimeout(300_000);

/** Starts the run; the server may be gone before it answers. */
async function begin({ client }: ChildServer, threadId: string): Promise<void> {
  await client.threads.create({ threadId });
  await client.runs.create(threadId, 'echo', { input: { text: 'hi' }, feedbackKeys: ['liked'], streamResumable: true });
}

t.test('killed after any commit of a run: its addresses are there with its end, once, and are good', async (t) => {
  for (let commits = 1; commits <= COMMITS_MAX; commits += 1) {
    const dataFolder = temporaryFolder(t);
    const threadId = randomUUID();
    const killed = await childServer(t, { dataFolder, config, script: 'dist/test/faults/killing-server.js', env: { KILL_AFTER_COMMITS: String(commits) } });
    await begin(killed, threadId).catch(() => undefined);
    const how = await Promise.race([killed.exited, ended(killed, threadId)]);
    if (how !== 'SIGKILL') await killed.kill('SIGTERM');

    const server = await testServer(t, { dataFolder, config });
    const runs = await server.client.runs.list(threadId).catch(() => []);
    for (const { run_id: runId } of runs) {
      const body = await server.client.runs.join(threadId, runId) as Record<string, unknown>;
      const { liked } = body['__feedback__'] as { liked: string };
      const answer = await fetch(`${server.url}/api/v1/feedback/tokens/${liked.slice(-36)}?score=1`);
      t.equal(answer.status, 200, `after ${commits} commits`);
      const events = await collect(server.client.runs.joinStream(threadId, runId, { lastEventId: '-1' }));
      t.equal(events.filter(({ event }) => event === 'feedback').length, 1);
      t.equal(events.at(-1)!.event, 'feedback');
      t.equal((events.at(-1)!.data as { liked: string }).liked.slice(-36), liked.slice(-36));
      const tokens = await (await server.get(`/api/v1/feedback/tokens?run_id=${runId}`)).json() as unknown[];
      t.equal(tokens.length, 1, 'no address is left of an end that was not stored');
    }
    await server.close(0);
    if (how !== 'SIGKILL') {
      t.ok(commits > 3, `killed at ${commits - 1} commits`);
      return;
    }
  }
  t.fail('the server was killed in every round');
});

/** Resolves when every run of the thread is over and the server is still there. */
async function ended({ client }: ChildServer, threadId: string): Promise<string> {
  for (;;) {
    const runs = await client.runs.list(threadId).catch(() => null);
    if (runs === null) return new Promise(() => undefined);
    if (runs.length === 1 && runs[0]!.status === 'success') return 'ended';
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
}
