import { randomUUID } from 'node:crypto';
import t from 'tap';
import { startChildNode, startTestNode, until } from '../helpers/cluster.js';
import { TestPostgres } from '../helpers/postgres.js';
import { configWith } from '../helpers/server.js';

interface ShownRule {
  id: string;
  acted_count: number;
  last_error: string | null;
}

t.test('a rule goes on at the next owner, on behalf of who made it', async (t) => {
  const postgres = await TestPostgres.start(t);
  const url = await postgres.createDatabase();
  const config = configWith(t, 'echo');
  const owner = await startChildNode(t, { config, url });
  const standby = await startTestNode(t, { config, url });
  const ask = async <T>(path: string, body?: unknown): Promise<T> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${standby.url}/api/v1${path}`, body === undefined ? {} : init);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  };
  const { id: projectId } = await ask<{ id: string }>('/sessions', { name: 'answers' });
  const { id: queueId } = await ask<{ id: string }>('/annotation-queues', { name: 'to review' });
  const rule = { display_name: 'review', session_id: projectId, add_to_annotation_queue_id: queueId };
  const { id } = await ask<ShownRule>('/runs/rules', rule);
  const shown = (): Promise<ShownRule> => ask(`/runs/rules/${id}`);
  const addRun = async (): Promise<string> => {
    const [runId, at] = [randomUUID(), new Date().toISOString()];
    const run = { id: runId, name: 'answer', run_type: 'chain', start_time: at, end_time: at, inputs: {} };
    await ask('/runs', { ...run, session_id: projectId });
    return runId;
  };
  const queued = async (): Promise<string[]> =>
    (await ask<{ id: string }[]>(`/annotation-queues/${queueId}/runs`)).map((run) => run.id);
  const first = await addRun();
  await until(async () => (await shown()).acted_count === 1);
  t.notOk(standby.isOwner(), 'the other node shows the rule of the owner');
  await owner.kill('SIGKILL');
  await until(() => standby.isOwner());
  const second = await addRun();
  await until(async () => (await queued()).length === 2);
  t.strictSame(await queued(), [first, second]);
  t.match(await shown(), { last_error: null });
});
