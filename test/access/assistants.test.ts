import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import t from 'tap';
import { ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const PROJECT = join(ROOT, 'test', 'access', 'project', 'langgraph.json');
const clientOf = (server: TestServer, name: string): Client =>
  new Client({
    apiUrl: server.url,
    apiKey: null,
    defaultHeaders: { authorization: `Bearer token-of-${name}` },
    callerOptions: { maxRetries: 0 },
  });
const ids = (list: readonly { assistant_id: string }[]): string[] => list.map((one) => one.assistant_id);

const server = await testServer(t, { config: PROJECT });

t.test('shows an assistant only to its owner', async (t) => {
  const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => clientOf(server, name)) as [
    Client,
    Client,
    Client,
  ];
  const made = await alice.assistants.create({ graphId: 'echo', name: 'hers', metadata: { owner: 'bob', topic: 'x' } });
  const { assistant_id: id } = made;
  t.strictSame(made.metadata, { owner: 'alice', topic: 'x' } as never, 'whatever the client said');
  const refused: [string, () => Promise<unknown>][] = [
    ['get', () => bob.assistants.get(id)],
    ['update', () => bob.assistants.update(id, { name: 'his' })],
    ['versions', () => bob.assistants.getVersions(id)],
    ['latest', () => bob.assistants.setLatest(id, 1)],
    ['delete', () => bob.assistants.delete(id, { deleteThreads: true })],
    ['run', () => bob.runs.wait(null, id, { input: {} })],
  ];
  for (const [what, call] of refused) await t.rejects(call(), { message: /HTTP 404/ }, what);
  for (const ifExists of ['raise', 'do_nothing'] as const)
    await t.rejects(bob.assistants.create({ graphId: 'echo', assistantId: id, ifExists }), {
      message: /HTTP 409: .*Assistant already exists/,
    });
  for (const sortBy of ['created_at', 'name'] as const) {
    t.notOk(ids(await bob.assistants.search({ limit: 100, sortBy })).includes(id));
    t.ok(ids(await alice.assistants.search({ limit: 100, sortBy })).includes(id));
    t.ok(ids(await carol.assistants.search({ limit: 100, sortBy })).includes(id), 'without a filter all are seen');
  }
  t.strictSame(await bob.assistants.search({ metadata: { owner: 'alice' } }), []);
  t.equal(await bob.assistants.count({ name: 'hers' }), 0);
  t.equal(await alice.assistants.count(), (await bob.assistants.count()) + 1);
  t.strictSame(await alice.assistants.create({ graphId: 'echo', assistantId: id, ifExists: 'do_nothing' }), made);
  t.strictSame((await alice.assistants.update(id, { metadata: { owner: 'bob', more: 1 } })).metadata, {
    owner: 'alice',
    topic: 'x',
    more: 1,
  } as never);
  t.match(await alice.runs.wait(null, id, { input: { text: 'x' } }), { text: 'x' });
});

t.test('shows the assistant of a graph to everyone and lets only unfiltered users change it', async (t) => {
  const [bob, carol] = [clientOf(server, 'bob'), clientOf(server, 'carol')];
  const before = await bob.assistants.get('echo');
  for (const id of ['echo', before.assistant_id]) {
    await t.rejects(bob.assistants.update(id, { config: { configurable: { mine: 1 } } }), {
      message: /HTTP 403: .*Not authorized/,
    });
    await t.rejects(bob.assistants.setLatest(id, 1), { message: /HTTP 403/ });
    await t.rejects(bob.assistants.delete(id), { message: /HTTP 403/ });
  }
  t.strictSame(await bob.assistants.get('echo'), before);
  t.equal((await bob.assistants.getVersions('echo')).length, 1);
  t.strictSame(ids(await bob.assistants.search({ graphId: 'echo' })), [before.assistant_id]);
  t.match(before.metadata, { created_by: 'system' });
  const ofSystem = await bob.assistants.search({ metadata: { created_by: 'system' }, limit: 100 });
  t.ok(ids(ofSystem).includes(before.assistant_id), 'which no filter of a user matches');
  t.ok(ofSystem.every(({ metadata }) => (metadata as { owner?: string }).owner === undefined));
  t.strictSame(
    await bob.assistants.create({ graphId: 'echo', assistantId: before.assistant_id, ifExists: 'do_nothing' }),
    before,
  );
  t.match(await carol.assistants.update('echo', { description: 'ours' }), { version: 2, description: 'ours' });
  await t.rejects(carol.assistants.delete('echo'), { message: /HTTP 409/ });
  t.match(await bob.assistants.get('echo'), { version: 2 });
});

t.test('keeps the owner when an assistant returns to an earlier version', async (t) => {
  const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => clientOf(server, name)) as [
    Client,
    Client,
    Client,
  ];
  const { assistant_id: id } = await alice.assistants.create({ graphId: 'echo', metadata: { kept: true } });
  await carol.assistants.update(id, { metadata: { owner: 'bob' } });
  await t.rejects(alice.assistants.get(id), { message: /HTTP 404/ });
  t.match(await bob.assistants.setLatest(id, 1), { version: 1, metadata: { owner: 'bob', kept: true } });
  await t.rejects(alice.assistants.get(id), { message: /HTTP 404/ });
});

t.test('refuses a change that would hide the assistant from its own caller', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'auth.ts'),
    `
import { Auth } from '@langchain/langgraph-sdk/auth';
export const auth = new Auth()
  .authenticate((request) => ({ identity: (request.headers.get('authorization') ?? '').replace('Bearer token-of-', ''), permissions: [] }))
  .on('*', ({ user }) => (user.identity === 'root' ? true : { owner: user.identity }));
`,
  );
  writeFileSync(
    join(folder, 'langgraph.json'),
    JSON.stringify({
      graphs: { echo: `${join(ROOT, 'test/graphs/echo.ts')}:graph` },
      auth: { path: './auth.ts:auth' },
    }),
  );
  const server = await testServer(t, { config: join(folder, 'langgraph.json') });
  const [alice, root] = [clientOf(server, 'alice'), clientOf(server, 'root')];
  const { assistant_id: id } = await root.assistants.create({ graphId: 'echo', metadata: { owner: 'bob' } });
  await root.assistants.update(id, { metadata: { owner: 'alice' } });
  const before = await alice.assistants.get(id);
  await t.rejects(alice.assistants.update(id, { metadata: { owner: 'bob' } }), { message: /HTTP 403/ });
  await t.rejects(alice.assistants.setLatest(id, 1), { message: /HTTP 403/ });
  t.strictSame(await alice.assistants.get(id), before);
  t.match(await root.assistants.setLatest(id, 1), { metadata: { owner: 'bob' } });
});

t.test('deletes with an assistant only the threads that the caller may delete', async (t) => {
  const [alice, carol, reader] = ['alice', 'carol', 'reader'].map((name) => clientOf(server, name)) as [
    Client,
    Client,
    Client,
  ];
  const { assistant_id: id } = await alice.assistants.create({ graphId: 'echo' });
  const [hers, admins] = [await alice.threads.create(), await carol.threads.create()];
  await alice.runs.wait(hers.thread_id, id, { input: { text: 'x' } });
  await carol.runs.wait(admins.thread_id, id, { input: { text: 'y' } });
  await alice.assistants.delete(id, { deleteThreads: true });
  await t.rejects(carol.threads.get(hers.thread_id), { message: /HTTP 404/ });
  t.match((await carol.threads.get(admins.thread_id)).values, { text: 'y' });
  t.strictSame(await carol.runs.list(admins.thread_id), []);

  const { assistant_id: readers } = await reader.assistants.create({ graphId: 'echo' });
  await t.rejects(
    reader.assistants.delete(readers, { deleteThreads: true }),
    { message: /HTTP 403/ },
    'threads:delete is asked for too',
  );
  t.ok(await reader.assistants.get(readers));
  await reader.assistants.delete(readers, { deleteThreads: false });
  await t.rejects(reader.assistants.get(readers), { message: /HTTP 404/ });
});
