import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readProject } from '../../src/config/config.js';
import { createKey } from '../../src/store/access/api-keys.js';
import { ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const GRAPHS = { mirror: `${join(ROOT, 'test/graphs/mirror.ts')}:graph` };
const HANDLERS = join(ROOT, 'test/access/project/auth.ts');

/** A configuration of its own, which may name files of the repository. */
function configOf(t: Test, auth: unknown, files: Record<string, string> = {}): string {
  const folder = temporaryFolder(t);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'langgraph.json'), JSON.stringify({ graphs: GRAPHS, auth }));
  return join(folder, 'langgraph.json');
}

const status = async (
  server: TestServer,
  headers: Record<string, string>,
  path = '/threads/search',
): Promise<number> => {
  const response = await server.post(path, {}, { headers: { 'content-type': 'application/json', ...headers } });
  await response.text();
  return response.status;
};

const COUNTING = `
import { Auth } from '@langchain/langgraph-sdk/auth';
let asked = 0;
export const auth = new Auth()
  .authenticate((request) => ({ identity: request.headers.get('x-who') ?? 'nobody', permissions: [], asked: (asked += 1) }))
  .on('threads', ({ value, user }) => { value.metadata = { ...value.metadata, asked: user.asked, permissions: user.permissions }; })
  .on('threads:read', () => true)
  .on('*:delete', () => false);
`;

t.test('[trap 32] admits the studio only where it is enabled, and only with a key', async (t) => {
  for (const [option, studio] of [
    [{}, false],
    [{ disable_studio_auth: false }, true],
  ] as const) {
    const dataFolder = temporaryFolder(t);
    const { text } = createKey(dataFolder, { name: 'studio' });
    const server = await testServer(t, { dataFolder, config: configOf(t, { path: `${HANDLERS}:auth`, ...option }) });
    const made = await server.post(
      '/threads',
      {},
      { headers: { 'content-type': 'application/json', authorization: 'Bearer token-of-alice' } },
    );
    const { thread_id: threadId } = (await made.json()) as { thread_id: string };
    t.equal(await status(server, { 'x-auth-scheme': 'langsmith' }), 401, 'the header alone');
    t.equal(await status(server, { 'x-auth-scheme': 'langsmith', 'x-api-key': 'no' }), 401);
    const seen = await server.get(`/threads/${threadId}`, {
      headers: { 'x-auth-scheme': 'langsmith', 'x-api-key': text },
    });
    t.equal(seen.status, studio ? 200 : 401, 'isStudioUser of the handler lets it see all');
    await seen.text();
    if (studio) {
      const run = await server.post(
        '/runs/wait',
        { assistant_id: 'mirror', input: {} },
        { headers: { 'content-type': 'application/json', 'x-auth-scheme': 'langsmith', 'x-api-key': text } },
      );
      t.match(await run.json(), {
        seen: { configurable: { graph_auth_user: { kind: 'StudioUser', identity: 'langgraph-studio-user' } } },
      });
    }
    t.equal(await status(server, { 'x-api-key': text }), 401, "a key is no user of the handler's");
  }
  const { auth } = readProject(configOf(t, { path: `${HANDLERS}:auth`, disable_studio_auth: true }));
  t.equal(auth!.allowsStudio, false);
});

t.test('allow_langsmith_api_keys: shows a key of this server what its owner sees', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text } = createKey(dataFolder, { name: 'ops', scopes: ['read'] });
  const server = await testServer(t, {
    dataFolder,
    config: configOf(t, { path: `${HANDLERS}:auth`, allow_langsmith_api_keys: true }),
  });
  const alice = { 'content-type': 'application/json', authorization: 'Bearer token-of-alice' };
  await (await server.post('/threads', {}, { headers: alice })).text();
  const found = await server.post(
    '/threads/search',
    {},
    { headers: { 'content-type': 'application/json', 'x-api-key': text } },
  );
  t.equal(((await found.json()) as unknown[]).length, 1);
  t.equal(await status(server, { 'x-api-key': text }, '/threads'), 403, 'within its scopes');
  t.equal(await status(server, { 'x-api-key': 'no' }), 401, 'the handler is asked about any other');
  t.equal(await status(server, alice), 200);
});

t.test('caches users only when the handler is configured to', async (t) => {
  const asked = async (auth: Record<string, unknown>): Promise<number[]> => {
    const server = await testServer(t, {
      config: configOf(t, { path: './auth.ts:auth', ...auth }, { 'auth.ts': COUNTING }),
    });
    const found: number[] = [];
    for (let at = 0; at < 8; at += 1) {
      const response = await server.post(
        '/threads',
        {},
        { headers: { 'content-type': 'application/json', 'x-who': 'ada' } },
      );
      found.push(((await response.json()) as { metadata: { asked: number } }).metadata.asked);
    }
    return found;
  };
  t.ok(Math.max(...(await asked({}))) >= 4, 'each request is asked about, at one of two gates');
  t.strictSame(new Set(await asked({ cache: { cache_keys: ['X-Who'], ttl_seconds: 60 } })), new Set([1]));
});

t.test('[trap 29] calls only the most specific handler', async (t) => {
  const server = await testServer(t, { config: configOf(t, { path: './auth.ts:auth' }, { 'auth.ts': COUNTING }) });
  const headers = { 'content-type': 'application/json', 'x-who': 'ada' };
  const made = (await (await server.post('/threads', { metadata: { a: 1 } }, { headers })).json()) as {
    thread_id: string;
    metadata: Record<string, unknown>;
  };
  t.strictSame(Object.keys(made.metadata).sort(), ['a', 'asked', 'permissions']);
  t.equal((await server.get(`/threads/${made.thread_id}`, { headers })).status, 200);
  const removed = await fetch(`${server.url}/threads/${made.thread_id}`, { method: 'DELETE', headers });
  t.equal(removed.status, 200, 'threads comes before *:delete');
  t.equal((await server.post('/assistants/search', {}, { headers })).status, 200, 'no handler: allowed');
  const dataset = await fetch(`${server.url}/api/v1/datasets/01a20000-0000-7000-8000-000000000001`, {
    method: 'DELETE',
    headers,
  });
  t.equal(dataset.status, 403, '*:delete is about evaluation results too');
});

t.test('refuses a change that would hide a record from its own caller', async (t) => {
  const server = await testServer(t, {
    config: configOf(
      t,
      { path: './auth.ts:auth' },
      {
        'auth.ts': `
import { Auth } from '@langchain/langgraph-sdk/auth';
export const auth = new Auth()
  .authenticate((request) => ({ identity: request.headers.get('x-who') ?? 'nobody', permissions: [] }))
  .on('*', ({ user }) => ({ owner: user.identity }))
  .on('*:create', ({ value, user }) => { value.metadata = { ...value.metadata, owner: user.identity }; });
`,
      },
    ),
  });
  const headers = { 'content-type': 'application/json', 'x-who': 'ada' };
  const change = async (path: string, body: unknown, who = 'ada'): Promise<number> => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'PATCH',
      headers: { ...headers, 'x-who': who },
      body: JSON.stringify(body),
    });
    await response.text();
    return response.status;
  };
  const { thread_id: thread } = (await (await server.post('/threads', {}, { headers })).json()) as {
    thread_id: string;
  };
  const { id: dataset } = (await (
    await server.post('/api/v1/datasets', { name: 'questions' }, { headers })
  ).json()) as { id: string };
  const { id: session } = (await (await server.post('/api/v1/sessions', { name: 'first' }, { headers })).json()) as {
    id: string;
  };
  for (const [path, body] of [
    [`/threads/${thread}`, (owner: string) => ({ metadata: { owner } })],
    [`/api/v1/datasets/${dataset}`, (owner: string) => ({ metadata: { owner } })],
    [`/api/v1/sessions/${session}`, (owner: string) => ({ extra: { metadata: { owner } } })],
  ] as const) {
    t.equal(await change(path, body('bob')), 403, path);
    t.equal(await change(path, body('ada'), 'bob'), 404, path);
    t.equal(await change(path, body('ada')), 200, path);
    t.equal((await server.get(path, { headers })).status, 200, path);
  }
});

t.test('names an unusable handler at the start', async (t) => {
  const cases: [auth: unknown, problem: RegExp][] = [
    [{ path: './nowhere.ts:auth' }, /nowhere\.ts:auth\) could not be loaded: the file does not exist/],
    [{ path: `${HANDLERS}:missing` }, /the export "missing" is not an Auth object/],
    [{ path: `${HANDLERS}:nothing` }, /the export "nothing" is not an Auth object/],
    [{ path: `${HANDLERS}:unfinished` }, /has no authenticate handler/],
    [{ path: './throws.ts:auth' }, /no directory/],
    [{ path: './broken.ts:auth' }, /broken\.ts:1/],
    [{}, /auth\.path: must be/],
    ['auth.ts', /auth: must be an object/],
    [{ path: `${HANDLERS}:auth`, disable_studio_auth: 'no' }, /auth\.disable_studio_auth: must be true or false/],
    [{ path: `${HANDLERS}:auth`, cache: { cache_keys: [] } }, /auth\.cache\.cache_keys/],
  ];
  for (const [auth, problem] of cases) {
    const config = configOf(t, auth, {
      'throws.ts': 'throw new Error("no directory");',
      'broken.ts': 'export const auth = (',
    });
    await t.rejects(testServer(t, { config }), { message: problem }, JSON.stringify(auth));
  }
});

t.test('reloads handlers, and needs a restart to remove them', async (t) => {
  const config = configOf(
    t,
    { path: './auth.ts:auth' },
    {
      'auth.ts': COUNTING,
      'strict.ts': `
import { Auth, HTTPException } from '@langchain/langgraph-sdk/auth';
export const auth = new Auth().authenticate(() => { throw new HTTPException(418, { message: 'no more' }); });
`,
    },
  );
  const server = await testServer(t, { config });
  t.equal(await status(server, { 'x-who': 'ada' }), 200);
  const change = (auth: unknown): void => writeFileSync(config, JSON.stringify({ graphs: GRAPHS, auth }));
  change({ path: './nowhere.ts:auth' });
  await t.rejects(server.reload(readProject(config)), { code: 'AUTH_LOAD_FAILED' });
  t.equal(await status(server, { 'x-who': 'ada' }), 200, 'the old ones stay');
  change({ path: './strict.ts:auth' });
  await server.reload(readProject(config));
  t.equal(await status(server, { 'x-who': 'ada' }), 418);
  // A graph that does not load keeps the handlers out too.
  writeFileSync(config, JSON.stringify({ graphs: { mirror: './nowhere.ts:graph' }, auth: { path: './auth.ts:auth' } }));
  await t.rejects(server.reload(readProject(config)), { code: 'GRAPH_LOAD_FAILED' });
  t.equal(await status(server, { 'x-who': 'ada' }), 418);
  change(undefined);
  await t.rejects(server.reload(readProject(config)), { code: 'CONFIG_INVALID' });
  t.equal(await status(server, { 'x-who': 'ada' }), 418);
});
