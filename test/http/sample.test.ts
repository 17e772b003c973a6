import t from 'tap';
import { configWith, EXAMPLES, testServer, type TestServer } from '../helpers/server.js';

const sample = async (server: TestServer, init?: RequestInit): Promise<unknown> =>
  (await server.get('/server/sample', init)).json();
const load = (server: TestServer): Promise<Response> => server.post('/server/sample', undefined);

t.test('loads threads, a dataset and two experiments once', async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  t.same(await sample(server), { threads: 3, experiments: 2 });
  const [first, second] = await Promise.all([load(server), load(server)]);
  t.same(await first.json(), { threads: 3, experiments: 2 });
  t.same(await second.json(), { threads: 0, experiments: 0 }, 'a second request at the same time creates nothing');
  t.same(await sample(server), { threads: 0, experiments: 0 });

  const threads = await server.client.threads.search();
  t.same(
    threads.map(({ status, metadata }) => [status, metadata?.['title'], metadata?.['graph_id']]),
    [
      ['interrupted', 'Sample: a mail that waits for approval', 'agent'],
      ['idle', 'Sample: weather in two cities', 'agent'],
      ['idle', 'Sample: a graph with a subgraph', 'research'],
    ],
  );
  const [waiting] = threads;
  const answered = await server.client.runs.wait(waiting!.thread_id, 'agent', {
    command: { resume: { approved: true } },
  });
  t.match((answered as { messages: { content: string }[] }).messages.at(-1), { content: /was sent/ });

  const [dataset] = (await (await server.get('/api/v1/datasets?name=sample-city-questions')).json()) as {
    id: string;
    example_count: number;
  }[];
  t.equal(dataset!.example_count, 12);
  const correct = async (name: string): Promise<number> => {
    for (;;) {
      const [experiment] = (await (await server.get(`/api/v1/sessions?name=${name}&include_stats=true`)).json()) as {
        run_count: number;
        feedback_stats: Record<string, { avg: number }> | null;
      }[];
      if (experiment?.run_count === 12 && experiment.feedback_stats !== null)
        return experiment.feedback_stats['correct']!.avg;
    }
  };
  const [before, after] = [await correct('sample-prompt-1'), await correct('sample-prompt-2')];
  t.ok(after > before, `${before} and ${after} differ`);

  await server.client.threads.delete(waiting!.thread_id);
  t.same(await sample(server), { threads: 1, experiments: 0 }, 'only what is missing is created again');
});

t.test('never runs graphs of the project, and creates only the experiments', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  t.same(await sample(server), { threads: 0, experiments: 2 });
  t.same(await (await load(server)).json(), { threads: 0, experiments: 2 });
  t.same(await server.client.threads.search(), []);
});

t.test('requires the scopes server:read and server:import once there are keys', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const made = (await (await server.post('/server/keys', { name: 'all' })).json()) as { key: string };
  const as = (key: string): RequestInit => ({ headers: { 'x-api-key': key } });
  t.equal((await server.get('/server/sample')).status, 401);
  t.equal((await load(server)).status, 401);
  const reader = (await (
    await server.post('/server/keys', { name: 'reader', scopes: ['read'] }, as(made.key))
  ).json()) as { key: string };
  t.equal((await server.get('/server/sample', as(reader.key))).status, 200);
  t.equal((await server.post('/server/sample', undefined, as(reader.key))).status, 403);
  t.equal((await server.post('/server/sample', undefined, as(made.key))).status, 200);
});
