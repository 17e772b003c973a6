import { request } from 'node:http';
import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import { Gate } from '../helpers/gate.js';
import { ROOT, testServer, type TestServer } from '../helpers/server.js';

const PROJECT = join(ROOT, 'test', 'access', 'project', 'langgraph.json');

const as = (name: string): Record<string, string> => ({ authorization: `Bearer token-of-${name}` });

function clientOf(server: TestServer, name: string): Client {
  return new Client({ apiUrl: server.url, apiKey: null, defaultHeaders: as(name), callerOptions: { maxRetries: 0 } });
}

async function answer(t: Test, response: Promise<Response>, status: number, what: string): Promise<unknown> {
  const found = await response;
  const body = await found.text();
  t.equal(found.status, status, `${what}: ${body.slice(0, 200)}`);
  return body === '' ? null : (JSON.parse(body) as unknown);
}

const server = await testServer(t, { config: PROJECT });

t.test("returns the handler's own status, text and headers to an unauthenticated client", async (t) => {
  const refused = await server.post('/threads', {});
  t.equal(refused.status, 401);
  t.equal(refused.headers.get('www-authenticate'), 'Bearer realm="test"');
  t.equal(refused.headers.get('x-reason'), 'no-token');
  t.strictSame(await refused.json(), { detail: 'Who are you?' });
  for (const open of ['/ok', '/info', '/openapi.json', '/docs'])
    t.equal((await server.get(open)).status, 200, `${open} is anyone's`);
  t.equal((await server.get('/nowhere')).status, 404);
  t.equal(
    (await fetch(`${server.url}/threads`, { method: 'OPTIONS' })).status,
    204,
    'a browser asks before it sends who it is for',
  );
});

t.test('[trap 30] [trap 31] shows each user only their own threads', async (t) => {
  const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => clientOf(server, name)) as [
    Client,
    Client,
    Client,
  ];
  const thread = await alice.threads.create({ metadata: { topic: 'weather', owner: 'bob' } });
  t.equal(thread.metadata!['owner'], 'alice', 'what the handler left in the value is stored, whatever the client said');
  await t.rejects(bob.threads.get(thread.thread_id), { message: /HTTP 404/ });
  t.equal(
    (await carol.threads.get(thread.thread_id)).thread_id,
    thread.thread_id,
    'a handler that returns no filter lets see all',
  );
  t.strictSame((await bob.threads.search()).length, 0);
  t.strictSame((await alice.threads.search({ metadata: { topic: 'weather' } })).length, 1);
  await t.rejects(
    bob.threads.search({ metadata: { owner: 'alice' } }).then((found) => {
      if (found.length === 0) throw new Error('none');
    }),
    { message: 'none' },
  );

  const id = thread.thread_id;
  const refused: [string, () => Promise<unknown>][] = [
    ['state', () => bob.threads.getState(id)],
    ['history', () => bob.threads.getHistory(id)],
    ['patch', () => bob.threads.update(id, { metadata: { owner: 'bob' } })],
    ['delete', () => bob.threads.delete(id)],
    ['runs', () => bob.runs.list(id)],
    ['run', () => bob.runs.create(id, 'echo', { input: {} })],
    ['wait', () => bob.runs.wait(id, 'echo', { input: {} })],
    ['create when missing', () => bob.runs.create(id, 'echo', { input: {}, ifNotExists: 'create' })],
  ];
  for (const [what, call] of refused) await t.rejects(call(), { message: /HTTP 404/ }, what);
  await t.rejects(bob.threads.create({ threadId: id }), { message: /HTTP 409/ });
  await t.rejects(bob.threads.create({ threadId: id, ifExists: 'do_nothing' }), { message: /HTTP 409/ });

  const run = await alice.runs.create(id, 'gate', { input: { label: 'a', gate: new Gate(server.dataFolder).file } });
  await t.rejects(bob.runs.get(id, run.run_id), { message: /HTTP 404/ });
  await t.rejects(bob.runs.cancel(id, run.run_id), { message: /HTTP 404/ });
  await t.rejects(bob.runs.join(id, run.run_id), { message: /HTTP 404/ });
  const stream = await server.get(`/threads/${id}/runs/${run.run_id}/stream`, { headers: as('bob') });
  t.equal(stream.status, 404);
  await stream.text();
  await alice.runs.cancel(id, run.run_id, true);
  t.equal(
    (await alice.threads.update(id, { metadata: { owner: 'bob', more: 1 } })).metadata!['owner'],
    'alice',
    'a thread cannot be given away',
  );
});

t.test('applies $or and $contains, treats false as 403 and an invalid verdict as 500', async (t) => {
  const alice = clientOf(server, 'alice');
  const shared = await alice.threads.create({ metadata: { readers: ['bob'] } });
  const own = await alice.threads.create({});
  const patch = (id: string, name: string): Promise<Response> =>
    fetch(`${server.url}/threads/${id}`, {
      method: 'PATCH',
      headers: { ...as(name), 'content-type': 'application/json' },
      body: '{"metadata":{"seen":1}}',
    });
  await answer(t, patch(own.thread_id, 'bob'), 404, 'neither owner nor reader');
  // The handler stamps its user as the owner on update, so this changes hands: what a handler says counts.
  await answer(t, patch(shared.thread_id, 'bob'), 200, 'a reader');
  await answer(t, patch(own.thread_id, 'reader'), 500, 'text is no verdict');
  await answer(
    t,
    fetch(`${server.url}/threads/${own.thread_id}`, { method: 'DELETE', headers: as('reader') }),
    403,
    'false',
  );
  t.equal((await alice.threads.get(own.thread_id)).thread_id, own.thread_id, 'nothing happened');
});

t.test('validates the body only after authentication and stops reading a long one', async (t) => {
  const json = { 'content-type': 'application/json' };
  await answer(t, server.post('/threads', '{"metadata": 1}', { headers: json }), 401, 'a body that is wrong');
  await answer(t, server.post('/threads', '{', { headers: json }), 401, 'a body that is no JSON');
  await answer(t, server.get('/threads/no-uuid'), 401, 'a path that is wrong');
  await answer(
    t,
    server.post('/threads', '{"metadata": 1}', { headers: { ...json, ...as('alice') } }),
    422,
    'it is told to those who may know',
  );
  const long = JSON.stringify({ metadata: { text: 'x'.repeat(300_000) } });
  await answer(t, server.post('/threads', long, { headers: json }), 401, 'a long body');
  await answer(
    t,
    server.post('/runs/wait', long.replace('"metadata"', '"assistant_id":"echo","input"'), {
      headers: { ...json, ...as('alice') },
    }),
    200,
    'a long body of someone known',
  );
  await answer(
    t,
    server.post('/threads', long, { headers: { ...json, ...as('alice') } }),
    422,
    'metadata is shown whole, so it has a limit',
  );

  await answer(t, server.post('/api/v1/datasets/upload-experiment', long, { headers: json }), 401, 'an upload');
  t.ok(['401', 'closed'].includes(await endless(server)), 'a body without an end is not read for ever');
});

/** Sends a body that never ends; the status of the answer, or that the connection was closed. */
function endless(server: TestServer): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(
      `${server.url}/api/v1/datasets/upload-experiment`,
      { method: 'POST', headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' } },
      (response) => {
        clearInterval(timer);
        resolve(String(response.statusCode));
        response.destroy();
      },
    );
    const timer = setInterval(() => sent.write(Buffer.alloc(65_536)), 1);
    sent.on('error', () => {
      clearInterval(timer);
      resolve('closed');
    });
  });
}

t.test('shows the assistants of configured graphs to everyone', async (t) => {
  for (const name of ['alice', 'carol']) {
    const found = await clientOf(server, name).assistants.search({ limit: 100 });
    t.strictSame(found.map((one) => one.graph_id).sort(), ['approval', 'echo', 'gate', 'memory', 'mirror'], name);
  }
});

t.test('passes the authenticated user to the graph, whatever the client sets', async (t) => {
  const alice = clientOf(server, 'alice');
  const forged = {
    langgraph_auth_user: { identity: 'carol' },
    langgraph_auth_user_id: 'carol',
    langgraph_auth_permissions: ['all'],
    graph_auth_user: { identity: 'carol' },
    langgraph_auth_anything: 1,
    mine: 1,
  };
  const thread = await alice.threads.create();
  for (const values of [
    await alice.runs.wait(thread.thread_id, 'mirror', { input: {}, config: { configurable: forged } }),
    await alice.runs.wait(null, 'mirror', { input: {}, config: { configurable: forged } }),
  ]) {
    const { configurable } = (values as { seen: { configurable: Record<string, unknown> } }).seen;
    const user = {
      identity: 'alice',
      role: 'member',
      permissions: ['member'],
      display_name: 'alice',
      is_authenticated: true,
      provider: { token: 'planted-user-secret-alice' },
    };
    t.strictSame(configurable['graph_auth_user'], user);
    t.strictSame(configurable['langgraph_auth_user'], user);
    t.equal(configurable['langgraph_auth_user_id'], 'alice');
    t.strictSame(configurable['langgraph_auth_permissions'], ['member']);
    t.equal(configurable['mine'], 1);
    t.notOk('langgraph_auth_anything' in configurable);
  }
});

t.test('separates the memory of graphs by caller', async (t) => {
  const ask = async (name: string, input: Record<string, unknown>): Promise<unknown> =>
    clientOf(server, name).runs.wait(null, 'memory', { input });
  await ask('alice', { name: 'the sea' });
  t.notMatch(JSON.stringify(await ask('bob', {})), /the sea/);
  t.match(JSON.stringify(await ask('alice', {})), /the sea/);
});

t.test('shows a stateless run only to its caller', async (t) => {
  const response = await server.post(
    '/runs/stream',
    { assistant_id: 'gate', input: { label: 'a', gate: new Gate(server.dataFolder).file }, stream_mode: 'values' },
    { headers: { ...as('alice'), 'content-type': 'application/json' } },
  );
  const location = response.headers.get('content-location')!;
  const reader = response.body!.getReader();
  const first =
    Buffer.from((await reader.read()).value!).toString() + Buffer.from((await reader.read()).value ?? []).toString();
  const runId = location.split('/').at(-1)!;
  t.match(first, /metadata/);
  // Of a run without a thread only its own id is known; another thread's name does not lead to it.
  for (const name of ['bob', 'alice'])
    t.equal((await server.get(`/threads/${runId}/runs/${runId}`, { headers: as(name) })).status, 404);
  await reader.cancel();
});

t.test('fails only the requests of a handler that throws, exits or blocks', async (t) => {
  const alice = clientOf(server, 'alice');
  const thread = await alice.threads.create();
  const trouble = (token: string): Promise<Response> =>
    server.get(`/threads/${thread.thread_id}`, { headers: { authorization: `Bearer ${token}` } });
  for (const token of ['throw', 'nobody', 'nothing', 'studio', 'circle']) {
    t.strictSame(await answer(t, trouble(token), 500, token), {
      detail: "The auth handler failed. The server's log has the error.",
    });
  }
  // While one gate stands still, and while it is made again, the others are answered.
  for (const token of ['loop', 'exit', 'late']) {
    const [bad, ...good] = await Promise.all([
      trouble(token),
      ...Array.from({ length: 40 }, () => alice.threads.get(thread.thread_id)),
    ]);
    t.equal(bad.status, token === 'late' ? 404 : 500, token);
    await bad.text();
    t.equal(good.length, 40);
  }
  t.equal((await alice.threads.get(thread.thread_id)).thread_id, thread.thread_id);
  const hung = await trouble('hang');
  t.equal(hung.status, 503);
  t.match(await hung.text(), /did not respond within/);
});

t.test('answers paths and queries that cannot be decoded with 4xx or ignores them', async (t) => {
  const odd = await fetch(`${server.url}/threads/%00%ff`, { headers: as('alice') });
  t.ok(odd.status >= 400 && odd.status < 500, String(odd.status));
  const host = await fetch(`${server.url}/threads/search?a=%zz`, {
    method: 'POST',
    body: '{}',
    headers: { ...as('alice'), 'content-type': 'application/json' },
  });
  t.equal(host.status, 200);
});

t.test('shows evaluation results only to their owner', async (t) => {
  const json = (name: string): Record<string, string> => ({ ...as(name), 'content-type': 'application/json' });
  const upload = {
    experiment_name: 'nightly',
    dataset_name: 'questions',
    experiment_start_time: '2026-01-01T00:00:00Z',
    experiment_end_time: '2026-01-01T01:00:00Z',
    experiment_metadata: { branch: 'main' },
    results: [
      {
        row_id: '5f8f0b5e-8f4e-4bb2-a1a9-5d4a5e5f0001',
        inputs: { q: 1 },
        actual_outputs: { a: 1 },
        evaluation_scores: [{ key: 'good', score: 1 }],
        attachments: { file: { mime_type: 'text/plain', data: Buffer.from("alice's").toString('base64') } },
        start_time: '2026-01-01T00:00:01Z',
        end_time: '2026-01-01T00:00:02Z',
      },
    ],
  };
  const made = (await answer(
    t,
    server.post('/api/v1/datasets/upload-experiment', upload, { headers: json('alice') }),
    200,
    'upload',
  )) as { experiment: { id: string; extra: { metadata: unknown } }; dataset: { id: string; metadata: unknown } };
  t.strictSame(made.dataset.metadata, { owner: 'alice' });
  t.strictSame(made.experiment.extra.metadata, { branch: 'main', owner: 'alice' });
  const get = (path: string, name: string): Promise<Response> => server.get(`/api/v1${path}`, { headers: as(name) });
  for (const path of [
    `/datasets/${made.dataset.id}`,
    `/sessions/${made.experiment.id}`,
    `/examples?dataset=${made.dataset.id}`,
  ]) {
    await answer(t, get(path, 'alice'), 200, `alice ${path}`);
    await answer(t, get(path, 'bob'), 404, `bob ${path}`);
  }
  t.strictSame(await answer(t, get('/datasets', 'bob'), 200, 'bob lists'), []);
  t.equal(((await answer(t, get('/datasets', 'alice'), 200, 'alice lists')) as unknown[]).length, 1);
  t.equal(((await answer(t, get('/datasets', 'carol'), 200, 'carol lists')) as unknown[]).length, 1);
  await answer(
    t,
    server.post(
      '/api/v1/datasets/upload-experiment',
      { ...upload, experiment_name: 'mine now' },
      { headers: json('bob') },
    ),
    404,
    "a name that is another's",
  );
  const runs = (await answer(
    t,
    server.post('/api/v1/runs/query', { session: [made.experiment.id] }, { headers: json('bob') }),
    200,
    'runs',
  )) as { runs: unknown[] };
  t.strictSame(runs.runs, []);

  // A link to a file is only made for readers of its record. Then it needs no key.
  const { runs: hers } = (await answer(
    t,
    server.post('/api/v1/runs/query', { session: [made.experiment.id] }, { headers: json('alice') }),
    200,
    'her runs',
  )) as { runs: { id: string; s3_urls: Record<string, { presigned_url: string }> }[] };
  const file = await server.get(hers[0]!.s3_urls['attachment.file']!.presigned_url);
  t.equal(await file.text(), "alice's");
  const own = (await answer(
    t,
    server.post('/api/v1/datasets', { name: "bob's" }, { headers: json('bob') }),
    200,
    "bob's dataset",
  )) as { id: string };
  const copying = { dataset_id: own.id, inputs: {}, source_run_id: hers[0]!.id, use_source_run_attachments: ['file'] };
  await answer(t, server.post('/api/v1/examples', copying, { headers: json('bob') }), 422, 'a copy of her file');

  // A trace of alice's, named by bob, does not lead into her project.
  const trace = {
    id: '01a20000-0000-7000-8000-000000000001',
    trace_id: '01a20000-0000-7000-8000-000000000001',
    name: 'step',
    run_type: 'chain',
    inputs: {},
    start_time: '2026-01-01T00:00:00Z',
  };
  await answer(t, server.post('/api/v1/runs', trace, { headers: json('alice') }), 202, 'alice traces');
  await answer(
    t,
    server.post(
      '/api/v1/runs',
      { ...trace, id: '01a20000-0000-7000-8000-000000000002', parent_run_id: trace.id },
      { headers: json('bob') },
    ),
    404,
    'bob adds to her trace',
  );
  await answer(
    t,
    server.post(
      '/api/v1/runs',
      { ...trace, id: '01a20000-0000-7000-8000-000000000003', trace_id: '01a20000-0000-7000-8000-000000000003' },
      { headers: json('bob') },
    ),
    202,
    'bob traces',
  );
  await answer(t, get('/runs/01a20000-0000-7000-8000-000000000003', 'bob'), 200, 'bob reads his');
  await answer(t, get('/runs/01a20000-0000-7000-8000-000000000003', 'alice'), 404, 'alice does not');

  const patch = (name: string, body: unknown): Promise<Response> =>
    fetch(`${server.url}/api/v1/datasets/${made.dataset.id}`, {
      method: 'PATCH',
      headers: json(name),
      body: JSON.stringify(body),
    });
  await answer(t, patch('alice', { metadata: { owner: 'bob' } }), 200, 'alice patches');
  t.strictSame(
    ((await answer(t, get(`/datasets/${made.dataset.id}`, 'alice'), 200, 'still hers')) as { metadata: unknown })
      .metadata,
    { owner: 'alice' },
  );
  await answer(t, patch('bob', { metadata: { owner: 'bob' } }), 404, 'bob patches');
});
