import t from 'tap';
import { startChildNode, startTestNode, until } from '../helpers/cluster.js';
import { TestPostgres } from '../helpers/postgres.js';
import { projectOf } from '../helpers/project.js';
import { ROOT } from '../helpers/server.js';

const EXAMPLES = 12;

interface Job {
  status: string;
  done: number;
  failed: number;
}

t.test('an experiment goes on when the owner is lost, without repeating what is stored', async (t) => {
  const postgres = await TestPostgres.start(t);
  const url = await postgres.createDatabase();
  const config = projectOf(t, ['sums'], { evaluators: { correct: `${ROOT}/test/graphs/evaluators.ts:correct` } });
  const owner = await startChildNode(t, { config, url });
  const standby = await startTestNode(t, { config, url });
  const ask = async <T>(path: string, body?: unknown): Promise<T> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${standby.url}${path}`, body === undefined ? {} : init);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  };
  const { id: datasetId } = await ask<{ id: string }>('/datasets', { name: 'slow' });
  await ask(
    '/examples/bulk',
    Array.from({ length: EXAMPLES }, (_, at) => ({
      dataset_id: datasetId,
      inputs: { question: `slow ${at}` },
      outputs: { answer: String(at) },
    })),
  );
  const { experiment_id: id } = await ask<{ experiment_id: string }>('/experiments', {
    dataset: datasetId,
    assistant_id: 'sums',
    evaluators: ['correct'],
    max_concurrency: 2,
  });
  const job = (): Promise<Job> => ask<Job>(`/experiments/${id}`);
  const runIds = async (): Promise<string[]> => {
    const { runs } = await ask<{ runs: { id: string }[] }>('/runs/query', { session: [id], is_root: true });
    return runs.map((run) => run.id);
  };
  await until(async () => (await job()).done >= 3);
  const stored = await runIds();
  await owner.kill('SIGKILL');
  await until(async () => (await job()).status !== 'running');
  t.match(await job(), { status: 'success', done: EXAMPLES, failed: 0 });
  t.ok(standby.isOwner());
  const after = await runIds();
  t.equal(after.length, EXAMPLES);
  for (const one of stored) t.ok(after.includes(one), 'a stored run did not run again');
});
