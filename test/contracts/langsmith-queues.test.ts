import { randomUUID } from 'node:crypto';
import type { Run } from 'langsmith';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { openStores } from '../../src/store/stores.js';
import { keys } from '../../src/store/keys.js';
import { cli } from '../helpers/cli.js';
import { leftoversGone } from '../helpers/leftovers.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';
import { row, sent, upload } from '../helpers/uploads.js';

const dataFolder = temporaryFolder(t);
const server = await testServer(t, { config: configWith(t, 'echo'), dataFolder });
const { clientOf } = await langsmithOf(server);
const client = clientOf({ apiUrl: `${server.url}/api/v1`, callerOptions: { maxRetries: 0 } });
t.capture(console, 'warn');

/** An experiment with runs for these questions. */
async function experiment(questions: readonly number[]): Promise<{ id: string; runIds: string[] }> {
  const { experiment: made } = await sent(
    server,
    upload({
      dataset_name: `queues ${randomUUID()}`,
      results: questions.map((q) =>
        row({ inputs: { q }, start_time: `2024-05-01T10:1${q}:00Z`, end_time: '2024-05-01T10:20:00Z' }),
      ),
    }),
  );
  const runs = await all(client.runs.query({ project_ids: [made.id], ...{ sort_order: 'asc' } }));
  return { id: made.id, runIds: runs.map(({ id }) => id!) };
}

const key = (sessionId: string, runId: string): { runId: string; sessionId: string; startTime: string } => ({
  runId,
  sessionId,
  startTime: '2024-05-01T10:10:00Z',
});
const request = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
  const response = await server.post(`/api/v1${path}`, body, { method });
  return { status: response.status, body: (await response.json()) as unknown };
};

/** The type of the client lacks the id of the entry. */
const firstRun = async (queueId: string): Promise<Run & { queue_run_id: string }> =>
  (await client.getRunFromAnnotationQueue(queueId, 0)) as unknown as Run & { queue_run_id: string };

t.test('creates, reads, lists, changes and deletes queues', async (t) => {
  const name = `queue ${randomUUID()}`;
  await request('POST', '/feedback-configs', {
    feedback_key: 'correct',
    feedback_config: { type: 'continuous', min: 0, max: 1 },
  });
  const queue = await client.createAnnotationQueue({
    name,
    description: 'weekly',
    rubricInstructions: 'Be fair.',
    rubricItems: [{ feedback_key: 'correct', is_required: true }, { feedback_key: 'tone' }],
  });
  t.match(queue, { id: String, name, description: 'weekly', created_at: String, tenant_id: String });
  t.match(await client.readAnnotationQueue(queue.id), {
    name,
    rubric_instructions: 'Be fair.',
    rubric_items: [
      {
        feedback_key: 'correct',
        is_required: true,
        feedback_config: { feedback_config: { type: 'continuous', max: 1 } },
      },
      { feedback_key: 'tone', feedback_config: null },
    ],
  });
  await client.updateAnnotationQueue(queue.id, { name: `${name} 2`, rubricItems: [{ feedback_key: 'tone' }] });
  t.match(await client.readAnnotationQueue(queue.id), {
    name: `${name} 2`,
    description: 'weekly',
    rubric_items: [{ feedback_key: 'tone' }],
  });
  const other = await client.createAnnotationQueue({ name: `other ${randomUUID()}` });
  const names = async (options: Parameters<typeof client.listAnnotationQueues>[0]): Promise<string[]> =>
    (await all(client.listAnnotationQueues(options))).map((one) => one.id);
  t.strictSame(await names({ nameContains: name.toUpperCase() }), [queue.id]);
  t.strictSame(await names({ name: `${name} 2` }), [queue.id]);
  t.strictSame(await names({ queueIds: [other.id] }), [other.id]);
  t.strictSame((await names({})).slice(0, 2), [other.id, queue.id], 'newest first');
  t.match(await request('POST', '/annotation-queues', { name, id: queue.id }), { status: 409 });
  await client.deleteAnnotationQueue(queue.id);
  await t.rejects(client.readAnnotationQueue(queue.id), { message: /Annotation queue not found/ });
});

t.test('queues runs, shows the next one, and removes them', async (t) => {
  const { id, runIds } = await experiment([1, 2, 3]);
  const queue = await client.createAnnotationQueue({ name: `runs ${randomUUID()}` });
  await client.addRunsToAnnotationQueue(queue.id, [key(id, runIds[0]!), key(id, runIds[1]!)]);
  await client.addRunsToAnnotationQueue(queue.id, [runIds[0]!, runIds[2]!]);
  t.strictSame(await client.getSizeFromAnnotationQueue(queue.id), { size: 3 }, 'each run once');
  const next = await firstRun(queue.id);
  t.match(next, { id: runIds[0], inputs: { q: 1 }, queue_run_id: String, added_at: String, last_reviewed_time: null });
  t.match(await client.getRunFromAnnotationQueue(queue.id, 2), { inputs: { q: 3 } });
  await t.rejects(client.getRunFromAnnotationQueue(queue.id, 3), { message: /Run not found/ });
  const listed = async (status?: 'completed' | 'needs_my_review'): Promise<unknown[]> =>
    (await all(client.listRunsFromAnnotationQueue(queue.id, status === undefined ? {} : { status }))).map(
      ({ inputs }) => (inputs as { q: number }).q,
    );
  t.strictSame(await listed(), [1, 2, 3]);

  t.match(await request('POST', `/annotation-queues/status/${next.queue_run_id}`, { status: 'completed' }), {
    status: 200,
  });
  t.strictSame(await listed('completed'), [1]);
  t.strictSame(await listed('needs_my_review'), [2, 3]);
  t.match(await client.getRunFromAnnotationQueue(queue.id, 0), { inputs: { q: 2 } });
  t.strictSame(await client.getSizeFromAnnotationQueue(queue.id), { size: 2 });
  t.strictSame((await request('GET', `/annotation-queues/${queue.id}/total_size`)).body, { size: 3 });
  t.match(await request('GET', `/annotation-queues/${runIds[1]}/queues`), { body: [{ id: queue.id }] });

  const { queue_run_id: second } = await firstRun(queue.id);
  await request('PATCH', `/annotation-queues/${queue.id}/runs/${second}`, { added_at: '2100-01-01T00:00:00Z' });
  t.strictSame(await listed('needs_my_review'), [3, 2], 'moved to the end');
  await client.deleteRunFromAnnotationQueue(queue.id, second);
  await client.deleteRunFromAnnotationQueue(queue.id, runIds[2]!);
  t.strictSame(await listed(), [1]);
  t.match(await request('DELETE', `/annotation-queues/${queue.id}/runs/${second}`), { status: 404 });
  await request('POST', `/annotation-queues/${queue.id}/runs/delete`, { delete_all: true });
  t.strictSame(await listed(), []);
  t.match(await client.runs.retrieve(runIds[0]!, { project_id: id }), { id: runIds[0] }, 'the run stays');
});

t.test('adds all runs or none, and loses those that are deleted', async (t) => {
  const { id, runIds } = await experiment([4, 5]);
  const queue = await client.createAnnotationQueue({ name: `lost ${randomUUID()}` });
  await t.rejects(client.addRunsToAnnotationQueue(queue.id, [key(id, runIds[0]!), key(id, randomUUID())]), {
    message: /Run not found/,
  });
  t.strictSame(await client.getSizeFromAnnotationQueue(queue.id), { size: 0 });
  await client.addRunsToAnnotationQueue(
    queue.id,
    runIds.map((runId) => key(id, runId)),
  );
  await client.deleteProject({ projectId: id });
  t.strictSame(await client.getSizeFromAnnotationQueue(queue.id), { size: 0 });
  const sizes = async (): Promise<unknown> =>
    JSON.stringify((await request('GET', `/annotation-queues/${queue.id}/runs`)).body);
  await until(sizes, (text) => text === '[]');
});

t.test('reviews the runs of a queue in the console', async (t) => {
  const { id, runIds } = await experiment([6, 7]);
  await request('POST', '/feedback-configs', {
    feedback_key: 'polite',
    feedback_config: {
      type: 'categorical',
      categories: [
        { value: 0, label: 'rude' },
        { value: 1, label: 'kind' },
      ],
    },
  });
  await request('POST', '/feedback-configs', { feedback_key: 'reason', feedback_config: { type: 'freeform' } });
  const name = `console ${randomUUID()}`;
  const queue = await client.createAnnotationQueue({
    name,
    rubricInstructions: 'Be fair.',
    rubricItems: [
      { feedback_key: 'right', is_required: true },
      { feedback_key: 'polite', description: 'Is it kind?' },
      { feedback_key: 'reason' },
    ],
  });
  await client.addRunsToAnnotationQueue(
    queue.id,
    runIds.map((runId) => key(id, runId)),
  );
  const { page, open, accessible, complaints } = await tab(t, server.url);
  await open('/queues');
  await page.getByRole('searchbox', { name: 'Queue name' }).fill(name);
  await page.getByRole('link', { name }).waitFor();
  await accessible('annotation queues');
  await page.getByRole('link', { name }).click();
  await page.getByText('Run 1 of 2').waitFor();
  await page.getByText('Be fair.').waitFor();
  await accessible('annotation queue');
  const done = page.getByRole('button', { name: 'Done' });
  t.ok(await done.isDisabled(), 'a required item has no answer');
  await page.getByRole('button', { name: 'Skip' }).click();
  await page.getByText('Run 2 of 2').waitFor();
  await page.getByLabel('right (required)').fill('0.5');
  await page.getByLabel('right (required)').blur();
  await page.getByRole('button', { name: /polite/ }).click();
  await page.getByRole('option', { name: 'kind' }).click();
  await page.getByLabel('reason').fill('says thanks');
  await page.getByLabel('Note').fill('well done');
  await done.click();
  await page.getByText('End of the queue').waitFor();
  const feedback = await all(client.listFeedback({ runIds: [runIds[1]!] }));
  t.match(
    feedback.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    [
      { key: 'note', comment: 'well done' },
      { key: 'polite', score: 1, value: 'kind' },
      { key: 'reason', value: 'says thanks' },
      { key: 'right', score: 0.5, feedback_source: { type: 'app' } },
    ],
  );
  t.strictSame(await client.getSizeFromAnnotationQueue(queue.id), { size: 1 });
  await page.getByRole('link', { name: 'Review the 1 skipped run' }).click();
  await page.getByText('Run 1 of 1').waitFor();
  t.same(
    complaints.filter((one) => !one.includes('404')),
    [],
  );
});

t.test('leaves nothing behind of deleted runs and queues', async (t) => {
  const { id, runIds } = await experiment([8, 9]);
  const [kept, deleted] = await Promise.all(
    ['kept', 'deleted'].map((name) => client.createAnnotationQueue({ name: `${name} ${randomUUID()}` })),
  );
  for (const queue of [kept!, deleted!])
    await client.addRunsToAnnotationQueue(
      queue.id,
      runIds.map((runId) => key(id, runId)),
    );
  await client.deleteAnnotationQueue(deleted!.id);
  await client.deleteProject({ projectId: id });
  await server.close();
  const stores = openStores(dataFolder, undefined);
  await leftoversGone(stores);
  const { store, remover } = stores;
  const count = (prefix: (string | number)[]): number => [...store.keys({ prefix })].length;
  t.equal(count(keys.queueEntries(kept!.id)), 0);
  t.equal(count(keys.queueEntries(deleted!.id)), 0);
  for (const runId of runIds) t.equal(count(keys.queuesOfRun(runId)), 0);
  await remover.close();
  await store.close();
  const { code, stdout } = await cli(['doctor', '--store', '--data', dataFolder]);
  t.equal(code, 0, stdout);
});
