import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createKey, listKeys } from '../../src/store/access/api-keys.js';
import { RECORD_KINDS } from '../../src/store/files/storage-sizes.js';
import { incompressible } from '../helpers/incompressible.js';
import { configWith, ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { projectOf } from '../helpers/project.js';

const config = configWith(t, 'echo', 'trouble');

const detail = async (response: Response): Promise<string> => ((await response.json()) as { detail: string }).detail;
const as = (text: string): RequestInit => ({ headers: { 'x-api-key': text, 'content-type': 'application/json' } });

const server = await testServer(t, { config });

t.test('shows for every run who runs it or what it waits for', async (t) => {
  t.same(await (await server.get('/server/queue')).json(), {
    running: { total: 0, runs: [] },
    waiting: { total: 0, reasons: {}, runs: [] },
    shown_max: 100,
  });
  const { thread_id: thread } = await server.client.threads.create();
  const first = await server.client.runs.create(thread, 'trouble', { input: { do: 'sleep', n: 60_000 } });
  for (let more = 0; more < 120; more += 1)
    await server.client.runs.create(thread, 'trouble', { input: { do: 'throw' }, multitaskStrategy: 'enqueue' });
  const late = await server.client.runs.create(null, 'echo', { input: {}, afterSeconds: 1_000 });
  const found = (await (await server.get('/server/queue')).json()) as {
    running: { total: number; runs: Record<string, unknown>[] };
    waiting: { total: number; reasons: unknown; runs: Record<string, unknown>[] };
  };
  t.match(found.running, {
    total: 1,
    runs: [{ run_id: first.run_id, thread_id: thread, graph_id: 'trouble', attempt: 1, worker: 'graph-0' }],
  });
  t.equal(found.waiting.total, 121);
  t.same(found.waiting.reasons, { thread: 120, delayed: 1 });
  t.equal(found.waiting.runs.length, 100, 'no more than the oldest are shown');
  t.match(found.waiting.runs[0], { thread_id: thread, reason: 'thread', ahead: 1 });
  await server.client.threads.delete(thread);
  const after = (await (await server.get('/server/queue')).json()) as typeof found;
  t.match(after.waiting, { total: 1, runs: [{ run_id: late.run_id, reason: 'delayed' }] });
});

t.test('counts every record once, by the kinds of the key table', async (t) => {
  const table = readFileSync(join(ROOT, 'src', 'store', 'keys.ts'), 'utf8');
  const prefixes = [...table.matchAll(/^ \* \| `\['([^']+)'/gm)].map(([, prefix]) => prefix!);
  const kinds = Object.values(RECORD_KINDS).flat();
  t.same([...new Set(prefixes)].toSorted(), kinds.toSorted(), 'each key has one kind, and each kind its keys');
  const { thread_id: thread } = await server.client.threads.create();
  await server.client.runs.wait(thread, 'echo', { input: { text: incompressible(10_000) } });
  await server.client.store.putItem(['a'], 'b', { text: 'y'.repeat(5_000) });
  const { kinds: sizes } = (await (await server.get('/server/storage')).json()) as {
    kinds: { kind: string; records: number; bytes: number }[];
  };
  const of = (kind: string): { records: number; bytes: number } => sizes.find((one) => one.kind === kind)!;
  t.notOk(of('other'));
  t.ok(of('states').bytes > 10_000);
  t.ok(of('memory').bytes > 5_000 && of('memory').records >= 2);
  t.ok(of('runs').records >= 2);
  t.same(
    sizes.map(({ bytes }) => bytes),
    sizes.map(({ bytes }) => bytes).toSorted((a, b) => b - a),
    'largest first',
  );
});

t.test('returns metrics by name', async (t) => {
  const { metrics } = (await (
    await server.get('/metrics?format=json&names=threadmill_workers,nothing,threadmill_store_file_bytes')
  ).json()) as { metrics: { name: string }[] };
  t.same(
    metrics.map(({ name }) => name),
    ['threadmill_workers', 'threadmill_store_file_bytes'],
  );
});

t.test('manages keys over the API', async (t) => {
  const make = async (server: TestServer, body: unknown, init: RequestInit = {}): Promise<Response> =>
    server.post('/server/keys', body, {
      ...init,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
    });

  t.test('requires the first key to be unrestricted, and closes the server with it', async (t) => {
    const server = await testServer(t, { config });
    const made = (await (await make(server, { name: 'first' })).json()) as {
      key: string;
      key_id: string;
      scopes: string[];
      state: string;
    };
    t.matchStrict(made, { name: 'first', scopes: ['*'], state: 'valid', expires_at: null });
    t.equal((await server.get('/server/keys')).status, 401);
    t.equal((await server.get('/threads')).status, 401);
    t.same(
      ((await (await server.get('/server/keys', as(made.key))).json()) as { name: string; key?: string }[]).map(
        ({ name, key }) => [name, key],
      ),
      [['first', undefined]],
      'the text is never shown again',
    );
    t.equal(listKeys(server.dataFolder).length, 1, 'the command line sees it');
    t.match(await detail(await make(server, { name: 'first' }, as(made.key))), /already has the name "first"/);
    for (const [body, says] of [
      [{}, /name/],
      [{ name: '' }, /name/],
      [{ name: ' x' }, /name: must be/],
      [{ name: 'x', scopes: ['nope'] }, /"nope" does not exist/],
      [{ name: 'x', scopes: [] }, /scopes/],
      [{ name: 'x', expires_at: '2001-01-01T00:00:00Z' }, /must be in the future/],
      [{ name: 'x', expires_at: 'soon' }, /expires_at/],
    ] as const) {
      const refused = await make(server, body, as(made.key));
      t.equal(refused.status, 422, JSON.stringify(body));
      t.match(await detail(refused), says);
    }
    const other = (await (
      await make(server, { name: 'other', expires_at: new Date(Date.now() + 60_000).toISOString() }, as(made.key))
    ).json()) as typeof made;
    t.equal((await server.get('/server/queue', as(other.key))).status, 200);
    const revoked = await fetch(`${server.url}/server/keys/${other.key_id}`, { method: 'DELETE', ...as(made.key) });
    t.match(await revoked.json(), { key_id: other.key_id, state: 'revoked' });
    t.equal((await server.get('/server/queue', as(other.key))).status, 401, 'at once');
    t.equal(
      (await fetch(`${server.url}/server/keys/first`, { method: 'DELETE', ...as(made.key) })).status,
      404,
      'a name is no id',
    );
  });

  t.test("creates no key with more rights than the caller's", async (t) => {
    const dataFolder = temporaryFolder(t);
    const text = (name: string, scopes: string[]): string => createKey(dataFolder, { name, scopes }).text;
    const [maker, reader, all] = [
      text('maker', ['server:keys', 'threads']),
      text('reader', ['read']),
      text('all', ['*']),
    ];
    const server = await testServer(t, {
      config,
      dataFolder,
      env: { THREADMILL_API_KEYS: `Deploy=${'e'.repeat(30)}` },
    });
    t.equal((await server.get('/server/keys', as(reader))).status, 403);
    t.equal((await make(server, { name: 'x', scopes: ['read'] }, as(reader))).status, 403);
    t.equal((await server.get('/server/queue', as(reader))).status, 200);
    t.equal((await server.get('/server/storage', as(reader))).status, 200);
    t.equal((await server.get('/server/queue', as(maker))).status, 403);
    for (const scopes of [null, ['*'], ['read'], ['threads', 'store']])
      t.equal((await make(server, { name: 'x', scopes }, as(maker))).status, 403, JSON.stringify(scopes));
    t.equal((await make(server, { name: 'x', scopes: ['threads'] }, as(maker))).status, 200);
    t.equal((await make(server, { name: 'y', scopes: ['store', 'read'] }, as(all))).status, 200);
    const environment = await fetch(`${server.url}/server/keys/env:Deploy`, { method: 'DELETE', ...as(all) });
    t.equal(environment.status, 409);
    t.match(await detail(environment), /THREADMILL_API_KEYS/);
    t.equal((await server.get('/threads', as('e'.repeat(30)))).status, 200);
  });

  t.test('compares scopes by what they allow, however they are written', async (t) => {
    const dataFolder = temporaryFolder(t);
    const server = await testServer(t, { config, dataFolder });
    const allowed = async (own: string[], wanted: string[]): Promise<boolean> => {
      const { text } = createKey(dataFolder, {
        name: `maker ${JSON.stringify([own, wanted])}`,
        scopes: [...own, 'server:keys'],
      });
      const { status } = await make(
        server,
        { name: `made ${JSON.stringify([own, wanted])}`, scopes: wanted },
        as(text),
      );
      return status === 200;
    };
    const enough: [own: string[], wanted: string[]][] = [
      [['threads'], ['threads:read']],
      [['*:read', '*:search'], ['read']],
      [['read'], ['metrics:read', 'server:read', 'crons:search']],
      [['server:backup'], ['server:backup', 'server:keys']],
    ];
    const tooLittle: typeof enough = [
      [['threads:read'], ['threads']],
      [['read'], ['*:delete']],
      [['*:read'], ['read']],
      [['read'], ['server:backup']],
      [['threads', 'assistants', 'crons', 'store', 'datasets', 'experiments'], ['*:read']],
    ];
    for (const [own, wanted] of enough) t.ok(await allowed(own, wanted), `${own.join()} makes ${wanted.join()}`);
    for (const [own, wanted] of tooLittle)
      t.notOk(await allowed(own, wanted), `${own.join()} does not make ${wanted.join()}`);
  });

  t.test("creates no key that expires after the caller's", async (t) => {
    const dataFolder = temporaryFolder(t);
    const endMs = Date.now() + 3_600_000;
    const { text } = createKey(dataFolder, { name: 'short', expiresAtMs: endMs });
    const server = await testServer(t, { config, dataFolder });
    for (const expires of [undefined, null, new Date(endMs + 1).toISOString(), '9999-12-31T00:00:00Z']) {
      const answer = await make(server, { name: 'longer', expires_at: expires }, as(text));
      t.strictSame(
        [answer.status, await detail(answer)],
        [
          403,
          `Not authorized: this API key expires at ${new Date(endMs).toISOString()}. A key that it creates must not expire later. Send expires_at.`,
        ],
        String(expires),
      );
    }
    t.same(
      listKeys(dataFolder).map(({ name }) => name),
      ['short'],
    );
    const made = (await (
      await make(server, { name: 'as long', expires_at: new Date(endMs).toISOString() }, as(text))
    ).json()) as { key: string };
    t.equal(
      (await make(server, { name: 'child', expires_at: new Date(endMs + 1).toISOString() }, as(made.key))).status,
      403,
      'nor does one that it made',
    );
    t.equal(
      (await make(server, { name: 'child', expires_at: new Date(endMs - 60_000).toISOString() }, as(made.key))).status,
      200,
    );
  });

  t.test('refuses to revoke a key with more rights', async (t) => {
    const dataFolder = temporaryFolder(t);
    const made = (name: string, scopes: string[]): { id: string; text: string } => {
      const { key, text } = createKey(dataFolder, { name, scopes });
      return { id: key.keyId, text };
    };
    const [maker, owner, threads, reads, future] = [
      made('maker', ['server:keys', 'threads']),
      made('owner', ['*']),
      made('threads', ['threads:read', 'threads:search']),
      made('reads', ['read']),
      made('future', ['read']),
    ];
    const file = join(dataFolder, 'keys', `${future.id}.json`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"read"', '"a-later-word"'));
    const server = await testServer(t, { config, dataFolder });
    const revoke = async (key: { text: string }, { id }: { id: string }): Promise<number> =>
      (await fetch(`${server.url}/server/keys/${id}`, { method: 'DELETE', ...as(key.text) })).status;
    for (const one of [owner, reads, future]) t.equal(await revoke(maker, one), 403);
    t.equal((await server.get('/server/queue', as(owner.text))).status, 200, 'it goes on');
    t.equal(await revoke(maker, threads), 200);
    t.equal((await server.post('/threads/search', {}, as(threads.text))).status, 401);
    for (const one of [future, reads, maker]) t.equal(await revoke(owner, one), 200);
    t.equal((await server.get('/server/keys', as(maker.text))).status, 401);
  });

  t.test('refuses users of a handler', async (t) => {
    const handler = join(temporaryFolder(t), 'auth.mjs');
    writeFileSync(
      handler,
      `import { Auth } from '@langchain/langgraph-sdk/auth';\nexport const auth = new Auth().authenticate(() => ({ identity: 'ada', permissions: ['*'] }));\n`,
    );
    const config = projectOf(t, ['echo'], { auth: { path: `${handler}:auth` } });
    const server = await testServer(t, { config });
    for (const path of ['/server/keys', '/server/queue', '/server/storage'])
      t.equal((await server.get(path, { headers: { authorization: 'Bearer ada' } })).status, 401, path);
  });
});
