import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { cli } from '../helpers/cli.js';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { EXAMPLES, ROOT, temporaryFolder, testServer, WITHOUT_TYPES, type TestServer } from '../helpers/server.js';

process.env['LANGSMITH_TRACING'] = 'false';

const EXAMPLE = join(ROOT, 'examples', 'human-in-the-loop');
const EVALUATOR = `
export function paid({ outputs }: { outputs: { outcome?: string } }) {
  return { key: 'paid', score: outputs.outcome?.includes('paid back') ? 1 : 0 };
}
`;

/** The example with an interrupt, in a folder of its own inside `releases`. */
function release(releases: string, name: string, change: (code: string) => string, more: object = {}): string {
  const folder = join(releases, name);
  mkdirSync(folder);
  cpSync(EXAMPLE, folder, { recursive: true });
  writeFileSync(join(folder, 'graph.ts'), change(readFileSync(join(EXAMPLE, 'graph.ts'), 'utf8')));
  writeFileSync(join(folder, 'evaluators.ts'), EVALUATOR);
  writeFileSync(
    join(folder, 'langgraph.json'),
    JSON.stringify({
      graphs: { refund: './graph.ts:graph' },
      evaluators: { paid: './evaluators.ts:paid' },
      traces: { record_calls: true },
      code_versions: { deploy_from: ['..'], ...more },
    }),
  );
  return folder;
}

const same = (code: string): string => code;
const renamed = (code: string): string => code.replaceAll("'decide'", "'review'");
const worse = (code: string): string => code.replaceAll('paid back.`', 'kept.`');

async function open(t: { teardown(callback: () => unknown): void }): Promise<{ server: TestServer; releases: string }> {
  const releases = temporaryFolder(t);
  const config = join(release(releases, 'current', same), 'langgraph.json');
  return { releases, server: await testServer(t, { config, env: WITHOUT_TYPES }) };
}

async function recordRefunds(server: TestServer, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1)
    await server.client.runs.wait(null, 'refund', { input: { order: `A-${at}`, amount: at % 20 } });
  const { clientOf } = await langsmithOf(server);
  await until(
    // The project is created with its first trace.
    () => all(clientOf().listRuns({ projectName: 'refund', isRoot: true })).catch(() => []),
    (runs) => runs.length >= count && runs.every((run) => run.end_time != null),
  );
}

async function park({ client }: TestServer): Promise<string> {
  const { thread_id: threadId } = await client.threads.create();
  await client.runs.wait(threadId, 'refund', { input: { order: 'B-1', amount: 80 } });
  return threadId;
}

t.test('a renamed node: check names the threads, the advice keeps them working, and no request fails', async (t) => {
  const { server, releases } = await open(t);
  const threads = [await park(server), await park(server)];
  await recordRefunds(server, 12);
  const flags = ['--url', server.url];
  const breaking = release(releases, 'breaking', renamed);
  const refused = await cli(['deploy', breaking, ...flags, '--check', '--gate', 'last=12,score=paid']);
  t.equal(refused.code, 1, refused.stderr);
  t.match(refused.stdout, /^0 of 2 resume; 2 fail\.$/m);
  t.match(refused.stdout, /^2 of graph "refund": node "decide" does not exist any more$/m);
  t.match(refused.stdout, /"code_versions": \{"parked_threads": "same"\}/);
  t.match(refused.stdout, /^Not deployed: threads that wait would break\. The old code keeps serving\.$/m);

  const advised = release(releases, 'advised', renamed, { parked_threads: 'same' });
  const loading = new AbortController();
  const failures: unknown[] = [];
  let requests = 0;
  const load = Array.from({ length: 4 }, async () => {
    while (!loading.signal.aborted) {
      requests += 1;
      const outcome = await server.client.runs
        .wait(null, 'refund', { input: { order: 'L', amount: 5 } })
        .catch((error: unknown) => error);
      if ((outcome as { outcome?: string }).outcome !== 'Order L: 5 paid back.') failures.push(outcome);
    }
  });
  const deployed = await cli(['deploy', advised, ...flags, '--check', '--gate', 'last=12,score=paid,latency']);
  loading.abort();
  await Promise.all(load);
  t.equal(deployed.code, 0, deployed.stdout + deployed.stderr);
  t.strictSame(failures, []);
  t.ok(requests > 10, `${requests} requests`);
  t.match(deployed.stdout, /^2 of 2 resume; 0 fail\.$/m);
  t.match(deployed.stdout, /^Deployed\. New runs execute the new code/m);
  t.match(deployed.stdout, /^refund: [0-9a-f]{12} \(before: [0-9a-f]{12}\)$/m);
  for (const threadId of threads) {
    const values = await server.client.runs.wait(threadId, 'refund', { command: { resume: { approved: true } } });
    t.match(values, { outcome: 'Order B-1: 80 paid back.' }, 'a waiting thread finishes on its code');
  }
  const after = await park(server);
  const state = await server.client.threads.getState(after);
  t.strictSame(state.next, ['review'], 'new runs execute the new code');
  const datasets = (await (await server.get('/api/v1/datasets?name=gate%20refund')).json()) as { id: string }[];
  t.equal(datasets.length, 1, 'the console compares the replays');
});

t.test('worse code is not deployed, and says which runs part', async (t) => {
  const { server, releases } = await open(t);
  await recordRefunds(server, 12);
  const flags = ['--url', server.url];
  const next = release(releases, 'worse', worse);
  const markdown = join(next, 'report.md');
  const gate = ['--gate', 'last=12,score=paid', '--markdown', markdown];
  const { code, stdout, stderr } = await cli(['deploy', next, ...flags, ...gate]);
  t.equal(code, 1, stderr);
  t.match(stdout, /^Not deployed: the new code is worse\. The old code keeps serving\.$/m);
  t.match(stdout, /paid +12 +0 \/ 0 +1 +0 +-1 /);
  t.match(stdout, /\/console\/datasets\/\S+\/compare\?experiments=/);
  t.match(readFileSync(markdown, 'utf8'), /paid/);
  t.match(await server.client.runs.wait(null, 'refund', { input: { order: 'C', amount: 1 } }), {
    outcome: 'Order C: 1 paid back.',
  });
  const few = await cli(['deploy', next, ...flags, '--gate', 'last=3,score=paid']);
  t.equal(few.code, 2, 'three runs are no evidence');
  t.match(few.stdout, /^Not deployed: there is not enough evidence\. Replay more runs/m);
  const dry = await cli(['deploy', next, ...flags, '--gate', 'last=3,score=paid', '--deploy-undecided', '--dry-run']);
  t.match(dry, { code: 0, stdout: /^Not deployed, because of --dry-run\.$/m });
});

t.test('says why nothing was deployed', async (t) => {
  const { server, releases } = await open(t);
  const flags = ['--url', server.url];
  const next = release(releases, 'next', worse);
  t.match(await cli(['deploy', next, ...flags, '--gate', 'last=5']), { code: 3, stderr: /there is nothing to judge/ });
  t.match(await cli(['deploy', next, ...flags, '--gate', 'newest=5']), { code: 3, stderr: /"newest=5" is not known/ });
  await recordRefunds(server, 1);
  t.match(await cli(['deploy', next, ...flags, '--gate', 'score=polite']), { code: 3, stderr: /has no "polite"/ });
  const outside = release(temporaryFolder(t), 'outside', same);
  t.match(await cli(['deploy', outside, ...flags]), { code: 3, stderr: /is not one of the folders/ });
  t.match(await cli(['deploy', EXAMPLES, ...flags]), { code: 3, stderr: /is not one of the folders/ });
});
