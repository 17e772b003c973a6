import t from 'tap';
import { outcome, receiver, SOON, told } from '../helpers/receiver.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { projectWithUsers, userOf, type Send } from '../helpers/users.js';

const config = configWith(t, 'echo', 'trouble');

interface Listed {
  deliveries: {
    run_id: string;
    thread_id: string;
    status: string;
    url: string;
    run_status: string;
    can_send_again: boolean;
    attempts: unknown[];
  }[];
  has_more: boolean;
}

const dataFolder = temporaryFolder(t);
const server = await testServer(t, { config, env: SOON, dataFolder });

async function list(on: TestServer, query = ''): Promise<Listed> {
  return (await (await on.get(`/webhooks/deliveries${query}`)).json()) as Listed;
}

const path = (threadId: string, runId: string): string => `/threads/${threadId}/runs/${runId}/webhook`;

t.test('sends a failed delivery again, also after a restart', async (t) => {
  let isOpen = false;
  const hooks = await receiver(t, () => (isOpen ? 200 : 500));
  const { thread_id } = await server.client.threads.create();
  const { run_id } = await server.client.runs.create(thread_id, 'echo', { input: { text: 'x' }, webhook: hooks.url });
  t.match(await outcome(server, thread_id, run_id), { status: 'failed', attempts: { length: 4 } });
  await server.close();

  const again = await testServer(t, { config, env: SOON, dataFolder });
  t.match(await list(again), {
    deliveries: [{ run_id, thread_id, url: hooks.url, status: 'failed', run_status: 'success', can_send_again: true }],
    has_more: false,
  });
  // Once, without the schedule of a new delivery.
  t.match(await (await again.post(path(thread_id, run_id), undefined)).json(), { status: 'pending' });
  t.match(await outcome(again, thread_id, run_id), { status: 'failed', attempts: { length: 5 } });
  isOpen = true;
  const [first, second] = await Promise.all([
    again.post(path(thread_id, run_id), undefined),
    again.post(path(thread_id, run_id), undefined),
  ]);
  t.same([first.status, second.status], [200, 200], 'two requests at the same time send it once');
  t.match(await outcome(again, thread_id, run_id), { status: 'delivered', attempts: { length: 6 } });
  t.match(hooks.received.at(-1)!.json, { run_id, status: 'success', values: { text: 'x' } });
  t.equal(hooks.received.length, 6);
  t.match(
    await (await again.post(path(thread_id, run_id), undefined)).json(),
    { status: 'delivered' },
    'one that was delivered is left as it is',
  );
  t.match(await list(again), { deliveries: [{ status: 'delivered', can_send_again: false }] });

  // A run without a thread: its content is gone.
  isOpen = false;
  const stateless = await again.client.runs.create(null, 'echo', { input: { text: 'x' }, webhook: hooks.url });
  t.match(await outcome(again, stateless.thread_id, stateless.run_id), { status: 'failed' });
  isOpen = true;
  await again.post(path(stateless.thread_id, stateless.run_id), undefined);
  t.match(await outcome(again, stateless.thread_id, stateless.run_id), { status: 'delivered' });
  t.match(hooks.received.at(-1)!.json, { run_id: stateless.run_id, omitted: { values: /deleted/ } });

  t.equal((await again.post(path(thread_id, stateless.run_id), undefined)).status, 404);
  await again.close();
});

t.test('lists deliveries by status, the newest first', async (t) => {
  const server = await testServer(t, { config, env: { ...SOON, THREADMILL_WEBHOOK_RETRY_SECS: '3600' } });
  const good = await receiver(t);
  const bad = await receiver(t, (_, __, at) => (at === 0 ? 410 : 500));
  const runIds: string[] = [];
  for (const url of [good.url, bad.url, bad.url]) {
    const { thread_id } = await server.client.threads.create();
    const { run_id } = await server.client.runs.create(thread_id, 'trouble', { input: { do: 'throw' }, webhook: url });
    runIds.push(run_id);
    for (;;) if ((await told(server, thread_id, run_id)).attempts.length > 0) break;
  }
  const shown = async (query: string): Promise<[string, string][]> =>
    (await list(server, query)).deliveries.map(({ run_id, status }) => [run_id, status]);
  const [delivered, failed, pending] = [
    [runIds[0]!, 'delivered'],
    [runIds[1]!, 'failed'],
    [runIds[2]!, 'pending'],
  ];
  t.same(await shown(''), [pending, failed, delivered]);
  t.same(await shown('?status=failed'), [failed]);
  t.same(await shown('?status=pending'), [pending]);
  t.match(await list(server, '?limit=2'), { deliveries: [{}, {}], has_more: true });
  t.equal((await list(server)).deliveries[0]!.run_status, 'error');
  for (const query of ['?status=lost', '?limit=0', '?limit=201'])
    t.equal((await server.get(`/webhooks/deliveries${query}`)).status, 422, query);
  // The log is deleted with the thread.
  const { thread_id } = (await list(server, '?status=failed')).deliveries[0]!;
  await server.client.threads.delete(thread_id);
  t.same(await shown('?status=failed'), []);
});

t.test('shows and sends only what the user may see', async (t) => {
  const server = await testServer(t, { config: projectWithUsers(t, {}), env: SOON });
  const hooks = await receiver(t, () => 500);
  const [alice, bob] = ['alice', 'bob'].map((name) => userOf(server.url, name)) as [Send, Send];
  const ends: { thread_id: string; run_id: string }[] = [];
  for (const threadId of [((await alice('POST', '/threads', {})).body as { thread_id?: string }).thread_id, null]) {
    const { body } = await alice('POST', threadId === null ? '/runs' : `/threads/${threadId}/runs`, {
      assistant_id: 'echo',
      input: { text: 'x' },
      webhook: hooks.url,
    });
    ends.push(body as unknown as { thread_id: string; run_id: string });
  }
  const listed = async (send: Send): Promise<Listed> =>
    (await send('GET', '/webhooks/deliveries')).body as unknown as Listed;
  for (;;) {
    const { deliveries } = await listed(alice);
    if (deliveries.filter(({ status }) => status === 'failed').length === 2) break;
  }
  t.same(await listed(bob), { deliveries: [], has_more: false });
  for (const { thread_id, run_id } of ends) t.equal((await bob('POST', path(thread_id, run_id))).status, 404);
  t.equal((await alice('POST', path(ends[0]!.thread_id, ends[0]!.run_id))).status, 200);
});
