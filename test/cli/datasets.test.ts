import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { cli } from '../helpers/cli.js';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { projectOf } from '../helpers/project.js';
import { temporaryFolder, testServer, WITHOUT_TYPES } from '../helpers/server.js';

const server = await testServer(t, { config: projectOf(t, ['sums'], { traces: true }), env: WITHOUT_TYPES });
const { clientOf } = await langsmithOf(server);
process.env['LANGSMITH_TRACING'] = 'false';
const client = clientOf();
const folder = temporaryFolder(t);

const datasets = (...args: string[]): ReturnType<typeof cli> => cli(['datasets', ...args, '--url', server.url]);

/** Runs the graph on a thread, and waits for the trace. */
async function recorded(question: string): Promise<{ threadId: string; runId: string }> {
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, 'sums', { input: { question } });
  await server.client.runs.join(threadId, runId).catch(() => undefined);
  await until(
    () => all(client.listRuns({ id: [runId] })),
    ([run]) => run?.end_time != null,
  );
  return { threadId, runId };
}

t.test('adds runs once, by id, by thread and by a filter', async (t) => {
  const first = await recorded('1 + 2');
  const second = await recorded('2 + 2');
  const failed = await recorded('no sum');
  t.match(await datasets('add', '--dataset', 'questions', '--run', first.runId), {
    code: 1,
    stderr: /there is no dataset "questions"\. --create makes one\./,
  });
  const add = ['add', '--dataset', 'questions', '--create', '--outputs-path', 'answer'];
  t.match(await datasets(...add, '--run', first.runId, '--split', 'test'), { code: 0, stdout: '1 run added.\n' });
  t.match(await datasets(...add, '--thread', first.threadId, '--thread', second.threadId), {
    code: 0,
    stdout: '1 run added.\n1 skipped: in the dataset already.\n',
  });
  t.match(await datasets(...add, '--project', 'sums', '--filter', 'eq(status, "error")'), {
    code: 0,
    stdout: '0 runs added.\n1 skipped: without outputs at the path.\n',
  });
  t.match(await datasets('add', '--dataset', 'questions', '--run', failed.runId), {
    code: 0,
    stdout: '1 run added.\n',
  });
  const examples = await all(client.listExamples({ datasetName: 'questions' }));
  t.equal(examples.length, 3);
  t.match(
    examples.find(({ source_run_id: id }) => id === first.runId),
    { inputs: { question: '1 + 2' }, outputs: { answer: '3' }, metadata: { dataset_split: ['test'] } },
  );
});

t.test('refuses flags that contradict each other, or name nothing', async (t) => {
  const add = ['add', '--dataset', 'questions'];
  t.match(await datasets(...add), { code: 1, stderr: /one of --run, --thread and --filter/ });
  t.match(await datasets(...add, '--run', 'a', '--filter', 'b'), { code: 1, stderr: /one of --run/ });
  t.match(await datasets(...add, '--filter', 'eq(', '--limit', '5'), { code: 1, stderr: /filter/ });
  t.match(await datasets(...add, '--filter', 'a', '--limit', 'x'), { code: 1, stderr: /--limit: must be a whole/ });
  t.match(await datasets(...add, '--filter', 'a', '--project', 'none'), { code: 1, stderr: /no project "none"/ });
});

t.test('writes examples to a file, and reads them and other tables', async (t) => {
  const file = join(folder, 'questions.jsonl');
  t.match(await datasets('export', file, '--dataset', 'questions'), {
    code: 0,
    stderr: /examples of questions, \d+ bytes/,
  });
  t.equal(readFileSync(file, 'utf8').trim().split('\n').length, 3);
  t.match(await datasets('export', file, '--dataset', 'questions'), { code: 1, stderr: /--force/ });
  t.match(await datasets('import', file, '--dataset', 'copy', '--create'), {
    code: 0,
    stdout: '3 examples imported.\n',
  });

  const csv = await datasets('export', '--csv', '--dataset', 'copy');
  t.match(csv.stdout, /inputs\.question/);
  const table = join(folder, 'table.csv');
  writeFileSync(table, 'q,a\n3 + 3,6\n');
  t.match(await datasets('import', table, '--dataset', 'copy'), { code: 1, stderr: /input_keys/ });
  t.match(await datasets('import', table, '--dataset', 'copy', '--inputs', 'q', '--outputs', 'a'), {
    code: 0,
    stdout: '1 example imported.\n',
  });
  t.match(await datasets('import', join(folder, 'none.csv'), '--dataset', 'copy'), {
    code: 1,
    stderr: /does not exist/,
  });
  const examples = await all(client.listExamples({ datasetName: 'copy' }));
  t.equal(examples.length, 4);
  t.match(
    examples.find(({ inputs }) => inputs['q'] === '3 + 3'),
    { outputs: { a: '6' } },
  );
});
