import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { configWith, ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const HANDLERS = join(ROOT, 'test', 'access', 'project', 'langgraph.json');
const KEY = 'user_liked';

t.setTimeout(300_000);

interface Answer {
  status: number;
  body: unknown;
}
type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

function as(server: TestServer, headers: Record<string, string>): Send {
  return async (method, path, body) => {
    const answer = await fetch(path.startsWith('http') ? path : `${server.url}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
}
const user = (server: TestServer, name: string): Send => as(server, { authorization: `Bearer token-of-${name}` });

interface Made {
  runId: string;
  threadId: string;
  address: string;
}

/** A run on a thread of its own that has given out an address. */
async function runOf(send: Send): Promise<Made> {
  const { body: thread } = await send('POST', '/threads', {});
  const { thread_id: threadId } = thread as { thread_id: string };
  const { body: assistants } = await send('POST', '/assistants/search', {});
  const [{ graph_id: graph }] = assistants as [{ graph_id: string }];
  const path = `/threads/${threadId}/runs`;
  const { run_id: runId } = (
    await send('POST', path, { assistant_id: graph, input: { text: 'hi' }, feedback_keys: [KEY] })
  ).body as { run_id: string };
  const values = (await send('GET', `${path}/${runId}/join`)).body as { __feedback__: Record<string, string> };
  return { runId, threadId, address: values.__feedback__[KEY]! };
}

/** The same without a thread, from the events of its stream. */
async function streamOf(
  server: TestServer,
  headers: Record<string, string>,
  assistantId: string,
): Promise<Omit<Made, 'threadId'>> {
  const answer = await fetch(`${server.url}/runs/stream`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ assistant_id: assistantId, input: { text: 'hi' }, feedback_keys: [KEY] }),
  });
  const text = await answer.text();
  const dataOf = (event: string): unknown => JSON.parse(new RegExp(`event: ${event}\\ndata: (.*)`).exec(text)![1]!);
  return {
    runId: (dataOf('metadata') as { run_id: string }).run_id,
    address: (dataOf('feedback') as Record<string, string>)[KEY]!,
  };
}

const listOf = async (send: Send, runId: string): Promise<unknown> =>
  (await send('GET', `/api/v1/feedback?run=${runId}`)).body;

const server = await testServer(t, { config: HANDLERS });

t.test('lets everyone who sees a thread read, change and request feedback on its runs', async (t) => {
  const [alice, bob, carol, nobody] = [
    user(server, 'alice'),
    user(server, 'bob'),
    user(server, 'carol'),
    as(server, {}),
  ] as const;
  const { runId, threadId, address } = await runOf(alice);
  t.equal(
    (await nobody('POST', address, { score: 1, comment: 'by a stranger with the address' })).status,
    200,
    'no token of a user is asked for',
  );
  const [found] = (await listOf(alice, runId)) as [{ id: string }];
  t.match(found, { run_id: runId, score: 1, key: KEY });
  t.strictSame(await listOf(bob, runId), []);
  t.match(await listOf(carol, runId), [{ id: found.id }], 'who sees all');
  t.match((await carol('GET', '/api/v1/feedback')).body, [{ id: found.id }]);
  t.equal((await nobody('GET', `/api/v1/feedback?run=${runId}`)).status, 401);
  t.equal((await alice('GET', `/api/v1/feedback/${found.id}`)).status, 200);

  const hidden: [string, string, unknown?][] = [
    ['GET', `/api/v1/feedback/${found.id}`],
    ['PATCH', `/api/v1/feedback/${found.id}`, { score: 0 }],
    ['DELETE', `/api/v1/feedback/${found.id}`],
    ['POST', '/api/v1/feedback', { run_id: runId, key: 'other', score: 0 }],
    ['POST', '/api/v1/feedback', { id: found.id, run_id: randomUUID(), key: KEY, score: 0 }],
    ['POST', '/api/v1/feedback/tokens', { run_id: runId, feedback_key: KEY }],
    ['GET', `/api/v1/feedback/tokens?run_id=${runId}`],
  ];
  for (const [method, path, body] of hidden) t.equal((await bob(method, path, body)).status, 404, `${method} ${path}`);
  t.match(await listOf(alice, runId), [{ score: 1 }], 'nothing has changed');

  t.equal((await alice('PATCH', `/api/v1/feedback/${found.id}`, { score: 0.5 })).status, 200);
  t.match(await listOf(alice, runId), [{ score: 0.5 }]);
  const direct = await alice('POST', '/api/v1/feedback', { run_id: runId, key: 'said by herself', score: 1 });
  t.equal(direct.status, 200);
  t.strictSame(await listOf(bob, runId), []);
  const token = await alice('POST', '/api/v1/feedback/tokens', [{ run_id: runId, feedback_key: 'more' }]);
  t.equal(token.status, 200);
  t.equal(((await alice('GET', `/api/v1/feedback/tokens?run_id=${runId}`)).body as unknown[]).length, 2);
  t.equal(
    (
      await bob('POST', '/api/v1/feedback/tokens', [
        { run_id: (await runOf(bob)).runId, feedback_key: 'k' },
        { run_id: runId, feedback_key: 'k' },
      ])
    ).status,
    404,
    'all of a list, or none',
  );
  t.equal(
    (await bob('POST', '/api/v1/feedback/tokens', { run_id: randomUUID(), feedback_key: 'k' })).status,
    404,
    'nor ahead of a run',
  );
  t.equal((await carol('POST', '/api/v1/feedback/tokens', { run_id: randomUUID(), feedback_key: 'k' })).status, 200);
  t.equal((await alice('DELETE', `/api/v1/feedback/${found.id}`)).status, 200);
  t.equal((await alice('DELETE', `/threads/${threadId}`)).status, 200);
  for (const send of [alice, carol]) t.strictSame(await listOf(send, runId), [], 'it goes with the thread');
  t.equal((await nobody('POST', address, { score: 1 })).status, 404);
});

t.test("gives nothing to the sender of a trace that has the id of another user's run", async (t) => {
  const [alice, bob] = [user(server, 'alice'), user(server, 'bob')];
  const { runId, address } = await runOf(alice);
  const nobody = as(server, {});
  t.equal((await nobody('POST', address, { score: 1 })).status, 200);
  const trace = {
    id: runId,
    trace_id: runId,
    dotted_order: `20260101T000000000000Z${runId}`,
    name: 'mine',
    run_type: 'chain',
    start_time: '2026-01-01T00:00:00Z',
    inputs: {},
    session_name: 'of bob',
  };
  t.equal((await bob('POST', '/api/v1/runs/batch', { post: [trace] })).status, 202);
  t.strictSame(await listOf(bob, runId), []);
  t.equal((await nobody('POST', address, { score: 0.5 })).status, 200);
  t.strictSame(await listOf(bob, runId), []);
  t.match(await listOf(alice, runId), [{ score: 0.5 }]);
  const own = (await bob('POST', '/api/v1/feedback/tokens', { run_id: runId, feedback_key: KEY })).body as {
    url: string;
  };
  t.equal((await nobody('POST', own.url, { score: 0 })).status, 200);
  t.match(await listOf(bob, runId), [{ score: 0 }], 'on the trace that is his');
  t.match(await listOf(alice, runId), [{ score: 0.5 }], 'hers is another');
});

t.test('shows feedback on a stateless run only to its user', async (t) => {
  const [alice, bob, carol] = [user(server, 'alice'), user(server, 'bob'), user(server, 'carol')];
  // Of several that are as old as each other any may come first.
  const [{ assistant_id: assistantId }] = (await alice('POST', '/assistants/search', { graph_id: 'echo' })).body as [
    { assistant_id: string },
  ];
  const { runId, address } = await streamOf(server, { authorization: 'Bearer token-of-alice' }, assistantId);
  t.equal((await as(server, {})('GET', `${address}?score=1`)).status, 200);
  t.match(await listOf(alice, runId), [{ score: 1 }]);
  t.match(await listOf(carol, runId), [{ score: 1 }]);
  t.strictSame(await listOf(bob, runId), []);
});

/** Handlers over the echo graph, in a file of their own. */
function withHandlers(t: Test, handlers: string): string {
  const config = configWith(t, 'echo');
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'auth.mjs'),
    `
    import { Auth, HTTPException } from ${JSON.stringify(join(ROOT, 'node_modules', '@langchain', 'langgraph-sdk', 'dist', 'auth', 'index.js'))};
    export const auth = new Auth().authenticate((request) => {
      const name = /^Bearer token-of-(\\w+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
      if (name === undefined) throw new HTTPException(401, { message: 'who?' });
      return { identity: name, permissions: [] };
    })${handlers};
  `,
  );
  writeFileSync(
    join(folder, 'langgraph.json'),
    JSON.stringify({ ...(JSON.parse(readFileSync(config, 'utf8')) as object), auth: { path: './auth.mjs:auth' } }),
  );
  return join(folder, 'langgraph.json');
}

t.test('separates feedback on runs when a handler filters threads only', async (t) => {
  const server = await testServer(t, {
    config: withHandlers(
      t,
      `
    .on('threads', ({ value, user }) => {
      value.metadata = { ...value.metadata, owner: user.identity };
      return { owner: user.identity };
    })
  `,
    ),
  });
  const [alice, bob] = [user(server, 'alice'), user(server, 'bob')];
  const { runId, address } = await runOf(alice);
  t.equal((await as(server, {})('POST', address, { score: 1 })).status, 200);
  const [found] = (await listOf(alice, runId)) as [{ id: string }];
  t.match(found, { score: 1 });
  t.strictSame(await listOf(bob, runId), []);
  t.strictSame((await bob('GET', '/api/v1/feedback')).body, []);
  t.match((await alice('GET', '/api/v1/feedback')).body, [{ score: 1 }]);
  t.equal((await bob('GET', `/api/v1/feedback/${found.id}`)).status, 404);
  t.equal((await bob('DELETE', `/api/v1/feedback/${found.id}`)).status, 404);
  t.equal(
    (await bob('POST', '/api/v1/feedback', { id: found.id, run_id: randomUUID(), key: KEY, score: 0 })).status,
    404,
  );
  // To him there is no such run, as there is none that has not come yet: what he says waits for a trace, beside hers.
  const ahead = (await bob('POST', '/api/v1/feedback/tokens', { run_id: runId, feedback_key: KEY })).body as {
    url: string;
  };
  t.equal((await as(server, {})('POST', ahead.url, { score: 0 })).status, 200);
  t.match((await alice('GET', `/api/v1/feedback/${found.id}`)).body, { score: 1 }, 'hers is as it was');
  t.strictSame(
    ((await bob('GET', `/api/v1/feedback/tokens?run_id=${runId}`)).body as unknown[]).length,
    1,
    'he is not shown her addresses',
  );
});

t.test('hides feedback on runs, and nothing else, when the handler of threads refuses or fails', async (t) => {
  for (const handler of [
    '() => false',
    '() => { throw new Error("no idea"); }',
    '() => { throw new HTTPException(403, { message: "no" }); }',
  ]) {
    const server = await testServer(t, { config: withHandlers(t, `.on('threads:read', ${handler})`) });
    const alice = user(server, 'alice');
    // Of several that are as old as each other any may come first.
    const [{ assistant_id: assistantId }] = (await alice('POST', '/assistants/search', { graph_id: 'echo' })).body as [
      { assistant_id: string },
    ];
    const { runId, address } = await streamOf(server, { authorization: 'Bearer token-of-alice' }, assistantId);
    t.equal((await as(server, {})('POST', address, { score: 1 })).status, 200);
    t.strictSame(await alice('GET', `/api/v1/feedback?run=${runId}`), { status: 200, body: [] }, handler);
    const { body } = await alice('POST', '/api/v1/feedback', { run_id: randomUUID(), key: 'trace', score: 1 });
    t.match((await alice('GET', '/api/v1/feedback')).body, [{ id: (body as { id: string }).id }]);
  }
});

t.test('needs the scope of feedback to create and list feedback URLs with a key', async (t) => {
  const folder = temporaryFolder(t);
  const textOf = (scopes?: string[]): string => createKey(folder, { name: scopes?.join() ?? 'all', scopes }).text;
  const [owner, reader, giver] = [textOf(), textOf(['read']), textOf(['experiments'])];
  const server = await testServer(t, { config: configWith(t, 'echo'), dataFolder: folder });
  const key = (text: string): Send => as(server, { 'x-api-key': text });
  const { runId, address } = await runOf(key(owner));
  t.equal((await as(server, {})('POST', address, { score: 1 })).status, 200);
  t.match(await listOf(key(reader), runId), [{ score: 1 }]);
  t.match(await listOf(key(giver), runId), [{ score: 1 }]);
  t.equal(
    (await key(reader)('GET', `/api/v1/feedback/tokens?run_id=${runId}`)).status,
    403,
    'an address is a right to write',
  );
  t.equal((await key(reader)('POST', '/api/v1/feedback/tokens', { run_id: runId, feedback_key: 'k' })).status, 403);
  t.equal((await key(giver)('POST', '/api/v1/feedback/tokens', { run_id: runId, feedback_key: 'k' })).status, 200);
  t.equal(((await key(giver)('GET', `/api/v1/feedback/tokens?run_id=${runId}`)).body as unknown[]).length, 2);
});
