import t, { type Test } from 'tap';
import { readProject } from '../../src/config/config.js';
import { all, langsmithOf, until, type LangSmith } from '../helpers/langsmith.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, testServer, WITHOUT_TYPES, type TestServer } from '../helpers/server.js';

type Client = ReturnType<LangSmith['clientOf']>;

const path = (name: string): string => `${ROOT}/test/graphs/evaluators.ts:${name}`;
const evaluators = {
  ...Object.fromEntries(['correct', 'length', 'failing'].map((name) => [name, path(name)])),
  allCorrect: { path: path('allCorrect'), summary: true },
};

/** A server that scores the runs that it records. */
async function scoring(t: Test, evaluate: unknown): Promise<{ server: TestServer; client: Client }> {
  const config = projectOf(t, ['sums', 'echo'], { evaluators, traces: { evaluate } });
  const server = await testServer(t, { config, env: WITHOUT_TYPES });
  const { clientOf } = await langsmithOf(server);
  process.env['LANGSMITH_TRACING'] = 'false';
  return { server, client: clientOf() };
}

/** Runs the graph on a thread, and returns the id of the run. */
async function run({ client }: TestServer, graph: string, input: Record<string, unknown>): Promise<string> {
  const { thread_id: threadId } = await client.threads.create();
  const { run_id: runId } = await client.runs.create(threadId, graph, { input });
  await client.runs.join(threadId, runId);
  return runId;
}

const scoresOf = async (client: Client, runIds: readonly string[]): Promise<string[]> =>
  (await all(client.listFeedback({ runIds: [...runIds] }))).map(({ key, run_id: id }) => `${key} ${id}`).toSorted();

t.test('scores recorded runs by rules', async (t) => {
  const { server, client } = await scoring(t, [
    { evaluators: ['length', 'failing'], assistants: ['sums'], filter: 'eq(status, "success")' },
    { evaluators: ['correct'], sample_rate: 0 },
  ]);
  const failed = await run(server, 'sums', { question: 'no sum' });
  const other = await run(server, 'echo', { text: 'x' });
  const scored = await run(server, 'sums', { question: '1 + 20' });
  const wanted = ['answer_length', 'failing', 'question_length'].map((key) => `${key} ${scored}`);
  t.strictSame(
    await until(
      () => scoresOf(client, [scored]),
      ({ length }) => length >= 3,
    ),
    wanted,
  );
  const feedback = await all(client.listFeedback({ runIds: [scored] }));
  t.match(
    feedback.find(({ key }) => key === 'answer_length'),
    { score: 2, feedback_source: { type: 'model' } },
  );
  t.match(
    feedback.find(({ key }) => key === 'failing'),
    { score: null, comment: 'Evaluator failed: no judge today' },
  );
  t.strictSame(await scoresOf(client, [failed, other]), [], 'of another graph, and one that failed');
});

t.test('a rule scores so many runs an hour', async (t) => {
  const { server, client } = await scoring(t, [{ evaluators: ['correct'], runs_per_hour: 2 }]);
  const runIds: string[] = [];
  for (let at = 0; at < 4; at += 1) runIds.push(await run(server, 'sums', { question: `${at} + 1` }));
  await until(
    () => scoresOf(client, runIds),
    ({ length }) => length >= 2,
  );
  // The last one has been recorded by now, too.
  await until(
    () => all(client.listRuns({ id: runIds })),
    ({ length }) => length === 4,
  );
  t.strictSame(
    await scoresOf(client, runIds),
    runIds
      .slice(0, 2)
      .map((id) => `correct ${id}`)
      .toSorted(),
  );
});

t.test('refuses rules that cannot work, with the place', async (t) => {
  const refused = (evaluate: unknown): (() => unknown) => {
    const file = projectOf(t, ['sums'], { evaluators, traces: { evaluate } });
    return () => readProject(file);
  };
  t.throws(refused({}), /traces\.evaluate: must be a list/);
  t.throws(refused([{}]), /traces\.evaluate\.0\.evaluators: must be a list of names/);
  t.throws(refused([{ evaluators: ['none'] }]), /traces\.evaluate\.0\.evaluators: .* has no "none"/);
  t.throws(refused([{ evaluators: ['allCorrect'] }]), /"allCorrect" scores an experiment as a whole/);
  t.throws(refused([{ evaluators: ['correct'], rate: 1 }]), /traces\.evaluate\.0\.rate: is not one of/);
  t.throws(refused([{ evaluators: ['correct'], sample_rate: 2 }]), /sample_rate: must be a number from 0 to 1/);
  t.throws(refused([{ evaluators: ['correct'], runs_per_hour: 0 }]), /runs_per_hour: must be a whole number/);
  await t.rejects(scoring(t, [{ evaluators: ['correct'], filter: 'gt(latency' }]), /traces\.evaluate\.0\.filter: /);
});
