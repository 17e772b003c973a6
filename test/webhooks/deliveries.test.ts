import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import t, { type Test } from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import { Empty } from '../helpers/empty.js';
import { leftoversGone } from '../helpers/leftovers.js';
import { outcome, receiver, SOON, told } from '../helpers/receiver.js';
import { configWith, ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const fewGraphs = configWith(t, 'echo', 'trouble', 'approval', 'chat', 'ticker');

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;

/** The run's body, which names its ids. */
interface RunBody {
  run_id: string;
  thread_id: string;
}

async function begin(server: TestServer, path: string, body: Record<string, unknown>): Promise<RunBody> {
  const response = await server.post(path, body);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as RunBody;
}

/** Resolves when the file is there: the graph has got that far. */
async function reached(file: string): Promise<void> {
  while (!existsSync(file))
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
}

const shared = await testServer(t, { config: fewGraphs, env: SOON });
const place = async (t: Test, env?: Record<string, string>) => ({
  server: env === undefined ? shared : await testServer(t, { config: fewGraphs, env }),
  hooks: await receiver(t),
});

t.test('delivers the values of a run on a thread', async (t) => {
  const { server, hooks } = await place(t);
  const { thread_id } = await server.client.threads.create();
  const run = await server.client.runs.create(thread_id, 'echo', {
    input: { text: 'hi' },
    metadata: { order: 17 },
    config: { configurable: { tone: 'dry' } },
    webhook: `${hooks.url}/hook?of=me`,
  });
  const { json, headers, method, path } = await hooks.next();

  t.equal(method, 'POST');
  t.equal(path, '/hook?of=me');
  t.equal(headers['content-type'], 'application/json');
  t.match(headers['user-agent'], /^threadmill\//);
  t.match(json, {
    run_id: run.run_id,
    thread_id,
    assistant_id: run.assistant_id,
    status: 'success',
    multitask_strategy: 'enqueue',
    created_at: TIME,
    updated_at: TIME,
    run_started_at: TIME,
    run_ended_at: TIME,
    webhook_sent_at: TIME,
    metadata: { order: 17 },
    kwargs: {
      input: { text: 'hi' },
      webhook: `${hooks.url}/hook?of=me`,
      config: { configurable: { tone: 'dry', thread_id } },
    },
  });
  t.strictSame(json['values'], { text: 'hi', steps: ['first hi', 'second hi'] });
  t.notOk('error' in json);
  t.notOk('omitted' in json);
  const { kwargs, ...stored } = (await (await server.get(`/threads/${thread_id}/runs/${run.run_id}`)).json()) as Record<
    string,
    unknown
  >;
  t.strictSame(json['kwargs'], kwargs);
  t.match(json, stored);

  t.matchStrict(await outcome(server, thread_id, run.run_id), {
    run_id: run.run_id,
    thread_id,
    url: `${hooks.url}/hook?of=me`,
    status: 'delivered',
    next_attempt_at: null,
    attempts: [{ sent_at: TIME, status_code: 200, error: null }],
  });
  t.equal(hooks.received.length, 1);
});

t.test('[trap 27] delivers flat messages', async (t) => {
  const { server, hooks } = await place(t);
  await server.client.runs.wait(null, 'chat', {
    input: { messages: [{ role: 'user', content: 'hello' }] },
    webhook: hooks.url,
  });
  const { json } = await hooks.next();
  const { messages } = json['values'] as { messages: Record<string, unknown>[] };
  t.match(messages[0], { type: 'human', content: 'hello' });
  t.match(messages[1], { type: 'ai' });
  t.notOk('kwargs' in messages[0]!);
});

t.test('delivers the end of a run, however it was started', async (t) => {
  const { server, hooks } = await place(t);
  const { client } = server;
  const { thread_id } = await client.threads.create();
  const body = { input: { text: 'x' }, webhook: hooks.url };
  const values = { text: 'x', steps: ['first x', 'second x'] };

  await client.runs.wait(null, 'echo', body);
  t.match(
    (await hooks.next()).json,
    { status: 'success', values, kwargs: { temporary: true } },
    'stateless, waited for',
  );
  for await (const _ of client.runs.stream(null, 'echo', body)) continue;
  t.match((await hooks.next()).json, { status: 'success', values }, 'stateless, streamed');
  await begin(server, '/runs', { assistant_id: 'echo', ...body });
  t.match((await hooks.next()).json, { status: 'success', values }, 'stateless, in the background');
  await begin(server, '/runs', { assistant_id: 'echo', ...body, on_completion: 'keep' });
  t.match((await hooks.next()).json, { status: 'success', values }, 'kept');
  await client.runs.wait(thread_id, 'echo', body);
  t.match((await hooks.next()).json, { status: 'success', thread_id }, 'on a thread, waited for');
  for await (const _ of client.runs.stream(thread_id, 'echo', body)) continue;
  t.match((await hooks.next()).json, { status: 'success', thread_id }, 'on a thread, streamed');
});

t.test('deletes the data of a stateless run after its delivery', async (t) => {
  let open = false;
  const server = await testServer(t, { config: fewGraphs, env: SOON });
  const hooks = await receiver(t, () => (open ? 204 : 500));
  const { run_id, thread_id } = await begin(server, '/runs', {
    assistant_id: 'echo',
    input: { text: 'x' },
    webhook: hooks.url,
  });
  await hooks.next();
  t.equal((await server.get(`/threads/${thread_id}`)).status, 404, 'its thread is gone with its end');
  // The receiver knows of its answer before we do.
  let shown = await told(server, thread_id, run_id);
  while ((shown as { attempts: unknown[] }).attempts.length === 0) shown = await told(server, thread_id, run_id);
  t.match(shown, { status: 'pending', attempts: [{ status_code: 500, error: 'the answer was 500' }] });
  open = true;
  t.match((await hooks.next()).json, { run_id, thread_id, kwargs: { input: { text: 'x' } } });
  t.match(await outcome(server, thread_id, run_id), { status: 'delivered' });
  await server.close();

  const { openStores } = await import('../../src/store/stores.js');
  const stores = openStores(server.dataFolder, undefined);
  await leftoversGone(stores);
  await stores.remover.close();
  const kinds = new Set([...stores.store.keys({ prefix: [] })].map(([kind]) => kind));
  await stores.store.close();
  // Kinds in capitals are evaluation results.
  t.strictSame(
    [...kinds].filter((kind) => !/^(!|a|ai|av|cb|cv|wl|wx|[A-Z]+)$/.test(String(kind))),
    [],
    'only what became of it is left',
  );
});

t.test('shows the deliveries to everyone who sees the run', async (t) => {
  const server = await testServer(t, { config: join(ROOT, 'test', 'access', 'project', 'langgraph.json'), env: SOON });
  const hooks = await receiver(t);
  const as = (user: string) => ({
    headers: { authorization: `Bearer token-of-${user}`, 'content-type': 'application/json' },
  });
  const run = (await (
    await server.post('/runs', { assistant_id: 'echo', input: { text: 'x' }, webhook: hooks.url }, as('alice'))
  ).json()) as RunBody;
  const { text } = await hooks.next();
  t.notMatch(text, /planted/, 'nothing of the user but what is in the run itself');
  const path = `/threads/${run.thread_id}/runs/${run.run_id}/webhook`;
  t.match(await outcome({ get: (one) => server.get(one, as('alice')) }, run.thread_id, run.run_id), {
    status: 'delivered',
  });
  t.equal((await server.get(path, as('bob'))).status, 404);
  t.equal((await server.get(path)).status, 401);
  t.equal(
    (await server.get(path.replace(run.thread_id, '00000000-0000-7000-8000-000000000000'), as('alice'))).status,
    404,
  );
  t.equal((await server.get(path, as('carol'))).status, 200, 'who sees all threads sees this');
});

t.test('delivers the error of a failed run', async (t) => {
  const { server, hooks } = await place(t);
  const { thread_id } = await server.client.threads.create();
  await server.client.runs.create(thread_id, 'trouble', { input: { do: 'throw' }, webhook: hooks.url });
  t.match((await hooks.next()).json, {
    status: 'error',
    error: { error: 'CustomError', message: 'Boo!' },
    values: { do: 'throw' },
  });
  await begin(server, '/runs', { assistant_id: 'trouble', input: { do: 'throw' }, webhook: hooks.url });
  t.match((await hooks.next()).json, { status: 'error', error: { error: 'CustomError', message: 'Boo!' } });
});

t.test('delivers an interrupted run as success', async (t) => {
  const { server, hooks } = await place(t);
  const { thread_id } = await server.client.threads.create();
  await server.client.runs.create(thread_id, 'approval', { input: {}, webhook: hooks.url });
  t.match((await hooks.next()).json, { status: 'success', values: { answers: ['before'] } });
});

t.test('delivers a canceled run, and not one that was rolled back', async (t) => {
  const { server, hooks } = await place(t);
  const folder = temporaryFolder(t);
  const { thread_id } = await server.client.threads.create();
  const start = (name: string) =>
    server.client.runs.create(thread_id, 'ticker', {
      input: { gate: join(folder, name) },
      webhook: `${hooks.url}/${name}`,
    });
  const cancelled = await start('cancelled');
  await reached(join(folder, 'cancelled.reached'));
  await server.client.runs.cancel(thread_id, cancelled.run_id, true);
  const { json } = await hooks.next();
  t.match(json, { run_id: cancelled.run_id, status: 'interrupted', run_started_at: TIME });
  t.notOk('error' in json);

  const rolledBack = await start('rolled-back');
  await reached(join(folder, 'rolled-back.reached'));
  await server.client.runs.cancel(thread_id, rolledBack.run_id, true, 'rollback');
  const deleted = await start('deleted');
  await reached(join(folder, 'deleted.reached'));
  await server.client.runs.delete(thread_id, deleted.run_id);
  const later = await server.client.runs.create(thread_id, 'echo', {
    input: { text: 'x' },
    webhook: `${hooks.url}/later`,
    afterSeconds: 86_400,
  });
  await server.client.runs.cancel(thread_id, later.run_id, true);
  const last = await hooks.next();
  t.equal(last.path, '/later', 'nothing came of those that were taken back');
  t.matchStrict(last.json, { status: 'interrupted', run_started_at: null });

  const { thread_id: gone } = await server.client.threads.create();
  await server.client.runs.create(gone, 'ticker', {
    input: { gate: join(folder, 'thread') },
    webhook: `${hooks.url}/thread`,
  });
  await reached(join(folder, 'thread.reached'));
  await server.client.threads.delete(gone);
  const ofDeleted = await hooks.next();
  t.match(ofDeleted.json, { status: 'interrupted', thread_id: gone });
});

t.test('delivers a run that times out', async (t) => {
  const { server, hooks } = await place(t, { ...SOON, BG_JOB_TIMEOUT_SECS: '0.2' });
  await begin(server, '/runs', { assistant_id: 'trouble', input: { do: 'sleep', n: 60_000 }, webhook: hooks.url });
  t.match((await hooks.next()).json, { status: 'timeout', error: { error: 'RUN_TIMEOUT' } });
});

t.test('delivers a run that exceeds its attempts', async (t) => {
  const { server, hooks } = await place(t);
  await begin(server, '/runs', { assistant_id: 'trouble', input: { do: 'exit' }, webhook: hooks.url });
  t.match((await hooks.next()).json, { status: 'error', error: { error: 'ATTEMPTS_EXCEEDED' } });
});

t.test('delivers the values at the end of the run, whatever changes later', async (t) => {
  let open = false;
  const server = shared;
  const hooks = await receiver(t, ({ path }) => (open || path === '/second' ? 200 : 503));
  const { thread_id } = await server.client.threads.create();
  await server.client.runs.wait(thread_id, 'echo', { input: { text: 'one' }, webhook: `${hooks.url}/first` });
  await hooks.next();
  await server.client.runs.wait(thread_id, 'echo', { input: { text: 'two' }, webhook: `${hooks.url}/second` });
  open = true;
  for (;;) {
    const { path, json } = await hooks.next();
    if (path === '/second') t.match(json['values'], { text: 'two', steps: { length: 4 } });
    else t.strictSame(json['values'], { text: 'one', steps: ['first one', 'second one'] });
    if (
      hooks.received.filter((one) => one.path === '/first').length > 1 &&
      hooks.received.some((one) => one.path === '/second')
    )
      break;
  }
});

t.test('does not deliver what was deleted before it was sent', async (t) => {
  let open = false;
  const server = shared;
  const hooks = await receiver(t, () => (open ? 200 : 503));
  const { thread_id } = await server.client.threads.create();
  const run = await server.client.runs.create(thread_id, 'echo', {
    input: { text: 'secret' },
    metadata: { also: 'secret' },
    webhook: hooks.url,
  });
  await hooks.next();
  await server.client.threads.delete(thread_id);
  open = true;
  for (;;) {
    const { json, text } = await hooks.next();
    if (!('omitted' in json)) continue;
    t.match(json, {
      run_id: run.run_id,
      status: 'success',
      metadata: Empty,
      kwargs: Empty,
      omitted: { values: /deleted/, kwargs: /deleted/, metadata: /deleted/ },
    });
    t.notMatch(text, /secret/);
    break;
  }
  t.equal((await server.get(`/threads/${thread_id}/runs/${run.run_id}/webhook`)).status, 404);
});

t.test('omits and names what does not fit', async (t) => {
  // The graph copies megabytes, on a machine that may have other things to do.
  const { server, hooks } = await place(t, { ...SOON, THREADMILL_WATCHDOG_SECS: '60' });
  const text = 'x'.repeat(LIMITS.webhookBodyBytesMax / 2);
  const { thread_id } = await server.client.threads.create();
  await server.client.runs.create(thread_id, 'echo', { input: { text }, webhook: hooks.url });
  const large = await hooks.next();
  t.match(
    large.json,
    { status: 'success', omitted: { values: /would exceed 4194304 bytes/ }, kwargs: { input: { text } } },
    'the values hold it three times, the input once',
  );
  t.notOk('values' in large.json);
  t.ok(large.text.length <= LIMITS.webhookBodyBytesMax + 10_000);
  await server.client.runs.create(thread_id, 'echo', { input: { text: `${text}${text}` }, webhook: hooks.url });
  t.match((await hooks.next()).json, {
    status: 'success',
    kwargs: Empty,
    omitted: { values: String, kwargs: /would exceed/ },
  });
});

t.test('signs deliveries as Standard Webhooks specifies', async (t) => {
  const [first, second] = ['a', 'b'].map((word) => `whsec_${Buffer.from(word.repeat(32)).toString('base64')}`) as [
    string,
    string,
  ];
  const { server, hooks } = await place(t, { ...SOON, THREADMILL_WEBHOOK_SECRET: `${first} ${second}` });
  await server.client.runs.wait(null, 'echo', { input: { text: 'ünïcode' }, webhook: hooks.url });
  const { text, headers, json } = await hooks.next();
  const signed = headers as Record<string, string>;
  for (const secret of [first, second])
    t.strictSame(new Webhook(secret).verify(text, signed), json, 'either secret verifies it');
  t.equal(headers['webhook-id'], json['run_id']);
  t.throws(() => new Webhook(first).verify(text.replace('success', 'failure'), signed), 'another body does not');
  t.throws(
    () => new Webhook(`whsec_${Buffer.from('c'.repeat(32)).toString('base64')}`).verify(text, signed),
    'nor another secret',
  );
  const expected = createHmac('sha256', Buffer.from('a'.repeat(32)))
    .update(`${signed['webhook-id']}.${signed['webhook-timestamp']}.${text}`)
    .digest('base64');
  t.equal(signed['webhook-signature']!.split(' ')[0], `v1,${expected}`);
});

t.test('signs nothing without a secret', async (t) => {
  const { server, hooks } = await place(t);
  await server.client.runs.wait(null, 'echo', { input: { text: 'x' }, webhook: hooks.url });
  const { headers } = await hooks.next();
  t.notOk('webhook-signature' in headers);
  t.match(headers['webhook-timestamp'], /^\d{10}$/);
});
