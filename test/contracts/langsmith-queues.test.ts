import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from 'langsmith';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { sectionOf, withReview, type Reviewed } from '../../src/domain/queue-reviews.js';
import { openStores } from '../../src/store/stores.js';
import { keys } from '../../src/store/keys.js';
import { cli } from '../helpers/cli.js';
import { leftoversGone } from '../helpers/leftovers.js';
import { configWith, ROOT, temporaryFolder, testServer } from '../helpers/server.js';
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

t.test('lists, moves, reviews and removes items', async (t) => {
  const { id, runIds } = await experiment([1, 2, 3]);
  const queue = await client.createAnnotationQueue({ name: `items ${randomUUID()}` });
  const { items } = client.annotationQueues;
  const { items: added } = await items.create(queue.id, {
    items: runIds.map((run_id) => ({ item_type: 'RUN', run_id, project_id: id })),
    extend_trace_retention: false,
  });
  t.match(added, [
    { run_id: runIds[0], item_type: 'RUN', project_id: id, queue_id: queue.id, last_reviewed_time: null },
  ]);
  const [first, second, third] = added!.map((one) => one.id!) as [string, string, string];
  const section = async (status: 'needs_my_review' | 'archived', more: object = {}): Promise<unknown[]> =>
    (await all(items.list(queue.id, { status, page_size: 1, ...more }))).map((one) => one.id);
  t.strictSame(await section('needs_my_review'), [first, second, third], 'three pages');
  t.match((await items.list(queue.id, { status: 'needs_my_review' })).items[0], {
    id: first,
    start_time: '2024-05-01T10:11:00.000000+00:00',
    added_at: String,
    effective_added_at: String,
    completed_by: [],
    reserved_by: [],
  });
  t.strictSame(await section('needs_my_review', { item_type: 'THREAD' }), []);
  t.strictSame(await section('needs_my_review', { min_start_time: '2024-05-01T10:12:00Z' }), [second, third]);

  const placed = await items.retrievePlacement(second, { queue_id: queue.id });
  t.match(placed, { position: 1, section: 'needs_my_review', item_type: 'RUN', cursor: String });
  const { cursor } = placed as { cursor: string };
  t.strictSame(await section('needs_my_review', { cursor }), [second, third]);
  t.strictSame(await section('needs_my_review', { cursor, direction: 'backward' }), [first]);
  t.match(await request('GET', `/platform/annotation-queues/${queue.id}/items?status=archived&direction=backward`), {
    status: 422,
  });

  t.strictSame(await items.createStatus(first, { status: 'completed' }), {
    queue_item_id: first,
    status: 'completed',
    is_archived: true,
    override_added_at: null,
  });
  t.match(await items.createStatus(second, { override_added_at: '2100-01-01T00:00:00Z' }), {
    is_archived: false,
    override_added_at: '2100-01-01T00:00:00.000000+00:00',
  });
  t.strictSame(await section('needs_my_review'), [third, second], 'skipped');
  t.strictSame(await section('archived'), [first]);
  t.match(await items.retrievePlacement(first, { queue_id: queue.id }), { section: 'archived', position: 0 });
  const count = async (status: string, more: object = {}): Promise<number | undefined> =>
    (await items.retrieveCount(queue.id, { status, ...more })).count;
  t.equal(await count('all'), 3);
  t.equal(await count('needs_my_review', { max_start_time: '2024-05-01T10:12:00Z' }), 1);
  t.equal(await count('archived', { start_time: '2024-05-01T00:00:00Z' }), 1);
  t.equal(await count('archived', { end_time: '2024-05-01T00:00:00Z' }), 0);
  t.strictSame((await request('GET', `/annotation-queues/${queue.id}/total_archived`)).body, { size: 1 });
  t.strictSame((await request('GET', `/annotation-queues/${queue.id}/size?status=completed`)).body, { size: 1 });

  t.match(await items.update(third, { queue_id: queue.id, last_reviewed_time: '2026-01-01T00:00:00Z' }), {
    id: third,
    last_reviewed_time: '2026-01-01T00:00:00.000000+00:00',
  });
  // The type of the client lacks null, which shows the item again.
  await request('POST', `/platform/annotation-queues/items/${first}/status`, { status: null });
  t.strictSame(await section('needs_my_review'), [first, third, second]);
  t.match(
    await request('POST', `/platform/annotation-queues/${queue.id}/items/delete`, { item_ids: [first, randomUUID()] }),
    {
      status: 404,
    },
  );
  await items.deleteAll(queue.id, { item_ids: [first, second] });
  t.strictSame(await section('needs_my_review'), [third]);
  t.match(
    await request('POST', `/platform/annotation-queues/${queue.id}/items`, {
      items: [{ run_id: runIds[0] }, { item_type: 'THREAD', thread_id: 'a', project_id: id }, { item_type: 'RUN' }],
    }),
    {
      status: 422,
      body: { errors: [{ loc: ['body', 'items', 1, 'item_type'] }, { loc: ['body', 'items', 2, 'run_id'] }] },
    },
  );
  t.equal(await count('all'), 1, 'all or none');
});

t.test('adds the runs of experiments, and sorts and filters queues', async (t) => {
  const { id } = await experiment([1, 2]);
  const name = `populated ${randomUUID()}`;
  const { annotationQueues: queues } = client;
  const dataset = await client.createDataset(name);
  const [b, a] = [
    await queues.annotationQueues({ name: `${name} b`, default_dataset: dataset.id }),
    await queues.annotationQueues({ name: `${name} a`, reviewer_access_mode: 'any' }),
  ];
  await queues.populate({ queue_id: a.id, session_ids: [id] });
  await queues.populate({ queue_id: a.id, session_ids: [id] });
  t.match(await queues.retrieveTotalSize(a.id), { size: 2 });
  const { id: project } = await client.createProject({ projectName: name });
  t.match(await request('POST', '/annotation-queues/populate', { queue_id: a.id, session_ids: [project] }), {
    status: 422,
  });
  const found = async (query: Parameters<typeof queues.retrieveAnnotationQueues>[0]): Promise<unknown[]> =>
    (await all(queues.retrieveAnnotationQueues({ name_contains: name, ...query }))).map((one) => one.id);
  t.strictSame(await found({ sort_by: 'name', sort_by_desc: false }), [a.id, b.id]);
  t.strictSame(await found({ sort_by_desc: false }), [b.id, a.id]);
  t.strictSame(await found({ dataset_id: dataset.id }), [b.id]);
  t.strictSame(await found({ queue_type: 'pairwise' }), []);
  t.strictSame(await found({ queue_type: 'single' }), [a.id, b.id]);
  t.strictSame(await found({ assigned_to_me: true }), []);
  for (const body of [{ reviewer_access_mode: 'assigned' }, { num_reviewers_per_item: 0 }, { reservation_minutes: 0 }])
    t.match(await request('PATCH', `/annotation-queues/${a.id}`, body), { status: 422 });
});

t.test('needs as many reviewers as the queue says, and reserves runs for them', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'auth.ts'),
    `
import { Auth } from '@langchain/langgraph-sdk/auth';
export const auth = new Auth()
  .authenticate((request) => ({ identity: request.headers.get('x-api-key'), permissions: [] }));
`,
  );
  const config = join(folder, 'langgraph.json');
  writeFileSync(
    config,
    JSON.stringify({
      graphs: { echo: `${join(ROOT, 'test/graphs/echo.ts')}:graph` },
      auth: { path: './auth.ts:auth' },
    }),
  );
  const shared = await testServer(t, { config });
  const [ada, bob, eve] = ['ada', 'bob', 'eve'].map((apiKey) =>
    clientOf({ apiUrl: `${shared.url}/api/v1`, apiKey, callerOptions: { maxRetries: 0 } }),
  ) as [typeof client, typeof client, typeof client];
  const projectName = `reviewers ${randomUUID()}`;
  const runId = randomUUID();
  await ada.createRun({ id: runId, name: 'a', run_type: 'chain', inputs: {}, project_name: projectName });
  await ada.awaitPendingTraceBatches();
  await until(
    async () => ada.readRun(runId).catch(() => null),
    (run) => run !== null,
  );
  const queue = await ada.annotationQueues.annotationQueues({
    name: projectName,
    num_reviewers_per_item: 2,
    enable_reservations: true,
    reservation_minutes: 5,
  });
  const { items } = await ada.annotationQueues.items.create(queue.id, { items: [{ run_id: runId }] });
  const item = items![0]!.id!;
  const section = async (who: typeof client): Promise<unknown> =>
    (await who.annotationQueues.items.retrievePlacement(item, { queue_id: queue.id })).section;
  const sections = async (): Promise<unknown[]> => Promise.all([ada, bob, eve].map(section));
  t.match(await ada.annotationQueues.items.createStatus(item, { status: 'viewed' }), { is_archived: false });
  t.strictSame(await sections(), ['needs_my_review', 'needs_my_review', 'needs_my_review'], 'one place is free');
  await bob.annotationQueues.items.createStatus(item, { status: 'viewed' });
  t.strictSame(await sections(), ['needs_my_review', 'needs_my_review', 'needs_others_review']);
  t.match((await eve.annotationQueues.items.list(queue.id, { status: 'needs_others_review' })).items, [
    { completed_by: [], reserved_by: ['ada', 'bob'] },
  ]);
  await t.rejects(eve.getRunFromAnnotationQueue(queue.id, 0), { message: /Run not found/ });
  t.match(await ada.annotationQueues.items.createStatus(item, { status: 'completed' }), { is_archived: false });
  await ada.annotationQueues.items.createStatus(item, { status: 'viewed' });
  t.strictSame(await sections(), ['needs_others_review', 'needs_my_review', 'needs_others_review']);
  t.match(await bob.getRunFromAnnotationQueue(queue.id, 0), { id: runId, completed_by: ['ada'], reserved_by: ['bob'] });
  t.match(await bob.getSizeFromAnnotationQueue(queue.id), { size: 1 });
  t.match(await bob.annotationQueues.items.createStatus(item, { status: 'completed' }), { is_archived: true });
  t.strictSame(await sections(), ['archived', 'archived', 'archived']);
  await shared.post(
    `/api/v1/platform/annotation-queues/items/${item}/status`,
    { status: null },
    { headers: { 'x-api-key': 'bob' } },
  );
  t.strictSame(await sections(), ['needs_others_review', 'needs_my_review', 'needs_my_review'], 'bob withdraws');
  await ada.updateAnnotationQueue(queue.id, { name: projectName });
  await ada.annotationQueues.update(queue.id, { num_reviewers_per_item: 1 });
  t.strictSame(await sections(), ['archived', 'archived', 'archived'], 'one reviewer is enough now');
});

t.test('a reservation ends after its time', (t) => {
  const rules = { reviewers: 1, reservationUs: 5 * 60_000_000 };
  const open: Reviewed = { status: 'needs_review', reviews: [] };
  const viewed = withReview(open, rules, { reviewer: 'ada', atUs: 1, change: 'viewed' });
  const sectionAt = (nowUs: number): string => sectionOf(viewed, rules, { reviewer: 'bob', nowUs });
  t.equal(sectionAt(rules.reservationUs), 'needs_others_review');
  t.equal(sectionAt(rules.reservationUs + 1), 'needs_my_review');
  t.equal(sectionOf(viewed, { ...rules, reservationUs: null }, { reviewer: 'bob', nowUs: 2 }), 'needs_my_review');
  t.end();
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
