import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type Run } from '@langchain/langgraph-sdk';
import t from 'tap';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

const folder = temporaryFolder(t);
writeFileSync(
  join(folder, 'auth.ts'),
  `
import { Auth } from '@langchain/langgraph-sdk/auth';
export const auth = new Auth()
  .authenticate((request) => ({ identity: request.headers.get('x-who') ?? 'nobody', permissions: [] }))
  .on('*', ({ value, user }) => { value.metadata = { ...value.metadata, owner: user.identity }; return { owner: user.identity }; })
  .on('assistants', () => true)
  .on('threads:create_run', ({ value, user }) => {
    if (value.assistant_id === 'gate') return false;
    value.metadata = { ...value.metadata, owner: user.identity, asked: value.kwargs.input.text };
    return { owner: user.identity };
  });
`,
);
writeFileSync(
  join(folder, 'langgraph.json'),
  JSON.stringify({
    graphs: Object.fromEntries(['echo', 'gate'].map((name) => [name, `${join(ROOT, `test/graphs/${name}.ts`)}:graph`])),
    auth: { path: './auth.ts:auth' },
  }),
);
const server = await testServer(t, { config: join(folder, 'langgraph.json') });
const clientOf = (who: string): Client =>
  new Client({ apiUrl: server.url, apiKey: null, defaultHeaders: { 'x-who': who }, callerOptions: { maxRetries: 0 } });
const [alice, bob] = [clientOf('alice'), clientOf('bob')];
const later = (text: string, assistantId = 'echo'): { assistantId: string; input: Record<string, unknown> } => ({
  assistantId,
  input: { text },
  ...{ after_seconds: 1_000, on_completion: 'keep' },
});

t.test('authorizes every run of a batch and stores what the handler adds to each', async (t) => {
  const runs = (await alice.runs.createBatch([later('a'), later('b'), later('c')])) as Run[];
  for (const [at, { thread_id: threadId }] of runs.entries()) {
    t.match((await alice.threads.get(threadId)).metadata, { owner: 'alice', asked: 'abc'[at] });
    await t.rejects(bob.threads.get(threadId), /HTTP 404/);
  }
  const before = (await alice.threads.search({ limit: 100 })).length;
  await t.rejects(alice.runs.createBatch([later('d'), later('e', 'gate'), later('f')]), /HTTP 403/);
  t.equal((await alice.threads.search({ limit: 100 })).length, before, 'one that is refused refuses all');
  await alice.runs.cancelMany({ status: 'all' });
});

t.test('refuses a batch that is too large to show before it calls the handler', async (t) => {
  const large = Array.from({ length: 100 }, (_, n) => later(String(n).padEnd(15_000, 'x')));
  await t.rejects(alice.runs.createBatch(large), /HTTP 422: .*body: is too large to be shown to the auth handler/);
});

t.test("cancels only the caller's own runs", async (t) => {
  const [mine] = (await alice.runs.createBatch([later('mine')])) as [Run];
  const [theirs] = (await bob.runs.createBatch([later('theirs')])) as [Run];
  await t.rejects(bob.runs.cancelMany({ threadId: mine.thread_id, runIds: [mine.run_id] }), /HTTP 404/);
  await bob.runs.cancelMany({ status: 'all' });
  t.equal((await bob.runs.get(theirs.thread_id, theirs.run_id)).status, 'interrupted');
  t.equal((await alice.runs.get(mine.thread_id, mine.run_id)).status, 'pending');
  await t.rejects(bob.runs.cancelMany({ status: 'all' }), /HTTP 404/, "another's are none");
  t.equal((await alice.threads.get(mine.thread_id)).metadata!['owner'], 'alice');
});

t.test('serves streams of stateless runs and of all runs of a thread only to the owner', async (t) => {
  const [mine] = (await alice.runs.createBatch([later('mine')])) as [Run];
  for (const path of [`/runs/${mine.run_id}/stream`, `/threads/${mine.thread_id}/stream`]) {
    t.equal((await server.get(path, { headers: { 'x-who': 'bob' } })).status, 404, path);
    const gone = new AbortController();
    t.equal((await server.get(path, { headers: { 'x-who': 'alice' }, signal: gone.signal })).status, 200, path);
    gone.abort();
  }
});
