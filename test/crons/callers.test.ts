import { join } from 'node:path';
import t from 'tap';
import { createKey, revokeKey } from '../../src/store/access/api-keys.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { configWith, ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { type ShownCron, until } from './helpers.js';

const fewGraphs = configWith(t, 'mirror', 'echo');

const START = '2026-03-10T08:00:30Z';
const HOURLY = { assistant_id: 'mirror', schedule: '0 * * * *', on_run_completed: 'keep', input: {} };
const HANDLERS = join(ROOT, 'test', 'access', 'project', 'langgraph.json');

/** Requests of one user. */
function as(server: TestServer, headers: Record<string, string>) {
  const send = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  return {
    send,
    cron: async (id: string): Promise<ShownCron> => (await send('GET', `/runs/crons/${id}`)).body as ShownCron,
  };
}
const bearer = (name: string): Record<string, string> => ({ authorization: `Bearer token-of-${name}` });

// A server is started for nearly every test.
t.setTimeout(300_000);

t.test('fires as the user who created the cron', async (t) => {
  const clock = new FakeClock(START);
  const graphs = join(ROOT, 'test', 'access', 'studio', 'langgraph.json');
  const server = await testServer(t, { clock, config: graphs });
  const [alice, bob] = [as(server, bearer('alice')), as(server, bearer('bob'))];
  const assistants = (await alice.send('POST', '/assistants/search', {})).body as { graph_id: string }[];
  const made = await alice.send('POST', '/runs/crons', {
    ...HOURLY,
    assistant_id: assistants[0]!.graph_id,
    metadata: { owner: 'bob', team: 'blue' },
  });
  t.equal(made.status, 200);
  const cron = made.body as ShownCron;
  t.match(cron, { user_id: 'alice', metadata: { owner: 'alice', team: 'blue' } }, 'the handler has stamped it');
  t.strictSame(await bob.send('GET', `/runs/crons/${cron.cron_id}`), {
    status: 404,
    body: { detail: 'Cron not found or not authorized' },
  });
  t.equal((await bob.send('PATCH', `/runs/crons/${cron.cron_id}`, { enabled: false })).status, 404);
  t.equal((await bob.send('DELETE', `/runs/crons/${cron.cron_id}`)).status, 404);
  t.strictSame((await bob.send('POST', '/runs/crons/search', {})).body, []);
  t.strictSame((await bob.send('POST', '/runs/crons/count', {})).body, 0);
  t.strictSame((await alice.send('POST', '/runs/crons/count', {})).body, 1);
  clock.set('2026-03-10T09:00:00Z');
  const threads = await until(
    async () =>
      (await alice.send('POST', '/threads/search', { metadata: { cron_id: cron.cron_id } })).body as {
        metadata: object;
        status: string;
      }[],
    ([thread]) => thread !== undefined && thread.status !== 'busy',
  );
  t.match(threads, [{ metadata: { owner: 'alice', team: 'blue' } }]);
  t.strictSame((await bob.send('POST', '/threads/search', { metadata: { cron_id: cron.cron_id } })).body, []);
});

t.test('refuses a cron on a thread that its caller does not see', async (t) => {
  const server = await testServer(t, { config: HANDLERS });
  const [alice, bob] = [as(server, bearer('alice')), as(server, bearer('bob'))];
  const { thread_id: threadId } = (await alice.send('POST', '/threads', {})).body as { thread_id: string };
  const [{ graph_id: graph }] = (await alice.send('POST', '/assistants/search', {})).body as [{ graph_id: string }];
  const body = { ...HOURLY, assistant_id: graph, schedule: '0 0 29 2 *' };
  t.strictSame(await bob.send('POST', `/threads/${threadId}/runs/crons`, body), {
    status: 404,
    body: { detail: 'Thread not found or not authorized' },
  });
  t.equal((await alice.send('POST', `/threads/${threadId}/runs/crons`, body)).status, 200);
  t.strictSame((await bob.send('POST', '/runs/crons/search', { thread_id: threadId })).body, []);
  t.equal((await bob.send('DELETE', `/threads/${threadId}`)).status, 404);
  t.strictSame((await alice.send('POST', '/runs/crons/count', { thread_id: threadId })).body, 1);
});

t.test('reports CRON_CALLER_GONE and does not fire when the API key is revoked', async (t) => {
  const clock = new FakeClock(START);
  const dataFolder = temporaryFolder(t);
  const { text } = createKey(dataFolder, { name: 'maker' });
  const { text: other } = createKey(dataFolder, { name: 'other' });
  const server = await testServer(t, { config: fewGraphs, clock, dataFolder });
  const [maker, reader] = [as(server, { 'x-api-key': text }), as(server, { 'x-api-key': other })];
  const cron = (await maker.send('POST', '/runs/crons', HOURLY)).body as ShownCron;
  t.match(cron.user_id, /^key:/);
  clock.set('2026-03-10T09:00:00Z');
  const fired = await reader.cron(cron.cron_id);
  t.matchStrict(fired, { last_error: null, last_run_date: /T09:00/ });
  revokeKey(dataFolder, 'maker');
  // What is under way with the key when it ends is cut.
  await until(
    () => maker.send('POST', '/threads/search', {}).catch(() => ({ status: 0 })),
    ({ status }) => status === 401,
  );
  clock.set('2026-03-10T10:00:00Z');
  t.match(await reader.cron(cron.cron_id), {
    enabled: true,
    last_run_id: fired.last_run_id,
    next_run_date: /T11:00/,
    last_error: { error: 'CRON_CALLER_GONE', message: /API key/, at: /T10:00/ },
  });
});

t.test('does not fire when its caller cannot be read, and fires again with the old key', async (t) => {
  const clock = new FakeClock(START);
  const dataFolder = temporaryFolder(t);
  const start = (secret: string): Promise<TestServer> =>
    testServer(t, { config: fewGraphs, clock, dataFolder, env: { THREADMILL_SEAL_KEY: secret } });
  const first = await start('one');
  const { cron_id: id } = (await as(first, {}).send('POST', '/runs/crons', HOURLY)).body as ShownCron;
  await first.close();
  const second = await start('two');
  clock.set('2026-03-10T09:00:00Z');
  t.matchStrict(await as(second, {}).cron(id), {
    last_run_id: null,
    next_run_date: /T10:00/,
    last_error: { error: 'CRON_CALLER_GONE', message: /cannot be decrypted/ },
  });
  t.strictSame(await second.client.threads.search(), []);
  await second.close();
  const third = await start('one');
  clock.set('2026-03-10T10:00:00Z');
  t.matchStrict(await as(third, {}).cron(id), { last_run_date: /T10:00/, last_error: null });
});

t.test('needs the scope to start runs to create a cron', async (t) => {
  const dataFolder = temporaryFolder(t);
  const keyOf = (name: string, scopes: string[]): string => createKey(dataFolder, { name, scopes }).text;
  const keys = {
    crons: keyOf('crons', ['crons']),
    runs: keyOf('runs', ['crons', 'threads:create_run', 'assistants:read']),
  };
  const server = await testServer(t, { config: fewGraphs, dataFolder });
  const [crons, runs] = [as(server, { 'x-api-key': keys.crons }), as(server, { 'x-api-key': keys.runs })];
  const body = { ...HOURLY, schedule: '0 0 29 2 *' };
  t.equal((await crons.send('POST', '/runs/crons', body)).status, 403);
  const { cron_id: id } = (await runs.send('POST', '/runs/crons', body)).body as ShownCron;
  t.equal((await crons.send('PATCH', `/runs/crons/${id}`, { enabled: false, metadata: { a: 1 } })).status, 200);
  t.equal(
    (await crons.send('PATCH', `/runs/crons/${id}`, { input: { text: 'y' } })).status,
    403,
    'it would be said in the name of the other',
  );
  t.equal((await runs.send('PATCH', `/runs/crons/${id}`, { input: { text: 'y' } })).status, 200);
});
