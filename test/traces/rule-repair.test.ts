import t from 'tap';
import { addRun, createProject, send } from '../helpers/sent-runs.js';
import { until } from '../helpers/langsmith.js';
import { configWith, testServer } from '../helpers/server.js';

type Answer = { status: number; body: Record<string, unknown> };
type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

const made = async (send: Send, path: string, body: unknown): Promise<string> =>
  (await send('POST', path, body)).body['id'] as string;
const actedOn = (send: Send, path: string, count: number): Promise<Answer> =>
  until(
    () => send('GET', path),
    ({ body }) => body['acted_count'] === count,
  );

t.test('a rule whose dataset and queue were deleted is renamed, disabled and repaired', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const toServer: Send = (method, path, body) => send(server, method, path, body);
  const projectId = await createProject(server);
  const gone = {
    add_to_dataset_id: await made(toServer, '/datasets', { name: 'gone' }),
    add_to_annotation_queue_id: await made(toServer, '/annotation-queues', { name: 'gone' }),
  };
  const rule = { display_name: 'before', session_id: projectId, ...gone };
  const path = `/runs/rules/${await made(toServer, '/runs/rules', rule)}`;
  await toServer('DELETE', `/datasets/${gone.add_to_dataset_id}`);
  await toServer('DELETE', `/annotation-queues/${gone.add_to_annotation_queue_id}`);
  await addRun(server, projectId, { startMs: Date.now() });
  const failed = await until(
    () => toServer('GET', path),
    ({ body }) => body['last_error'] !== null,
  );
  t.match(failed.body, { acted_count: 0, last_error: /Dataset not found; .*queue not found/i });
  t.match(await toServer('PATCH', path, { is_enabled: false, display_name: 'after' }), {
    status: 200,
    body: { is_enabled: false, display_name: 'after', ...gone },
  });
  const other = { ...rule, add_to_dataset_id: null };
  t.match(await toServer('POST', '/runs/rules', other), { status: 404 }, 'a new rule needs what it names');
  const queueId = await made(toServer, '/annotation-queues', { name: 'again' });
  const repair = { is_enabled: true, add_to_dataset_id: null, add_to_annotation_queue_id: queueId };
  t.match(await toServer('PATCH', path, repair), { status: 200, body: { last_error: null } });
  await addRun(server, projectId, { startMs: Date.now() });
  t.match(await actedOn(toServer, path, 1), { body: { last_error: null } });
});
