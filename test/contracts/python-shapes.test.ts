import { randomUUID } from 'node:crypto';
import t from 'tap';
import { ask } from '../helpers/ask.js';
import { Empty } from '../helpers/empty.js';
import { withoutHeartbeats } from '../helpers/events.js';
import { Gate } from '../helpers/gate.js';
import { temporaryFolder, testServer, WITHOUT_TYPES } from '../helpers/server.js';

/** What the Python SDK and other clients send, byte for byte where it matters (agent-server.md, section 1). */
const server = await testServer(t, { env: WITHOUT_TYPES });
const { client } = server;
const folder = temporaryFolder(t);

const newThread = async (): Promise<string> => (await client.threads.create()).thread_id;
const FINAL = { text: 'x', steps: ['first x', 'second x'] };

interface SseEvent {
  id: string;
  event: string;
  data: unknown;
}

async function events(answer: Response): Promise<SseEvent[]> {
  return withoutHeartbeats(await answer.text())
    .split('\n\n')
    .map((block) => block.trim())
    .filter((block) => block.startsWith('event') || block.startsWith('id') || block.startsWith('data'))
    .map((block) => {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
      );
      return { id: fields['id']!, event: fields['event']!, data: JSON.parse(fields['data']!) as unknown };
    });
}

async function json(answer: Promise<Response>): Promise<{ status: number; body: unknown }> {
  const response = await answer;
  return { status: response.status, body: await response.json() };
}

/** A thread with a resumable run that has ended, and its events. */
async function endedRun(): Promise<{ threadId: string; runId: string; path: string; all: SseEvent[] }> {
  const threadId = await newThread();
  const answer = await server.post(`/threads/${threadId}/runs/stream`, {
    assistant_id: 'gate',
    input: { label: 'x' },
    stream_mode: ['values', 'updates', 'custom'],
    stream_resumable: true,
  });
  const path = answer.headers.get('content-location')!;
  return { threadId, runId: path.split('/').at(-1)!, path, all: await events(answer) };
}

t.test('[trap 11] accepts lists in a query: repeated, as JSON, with commas', async (t) => {
  const threadId = await newThread();
  const { run_id: runId } = await client.runs.create(threadId, 'echo', { input: { text: 'x' } });
  await client.runs.join(threadId, runId);
  for (const query of [
    'select=run_id&select=status',
    `select=${encodeURIComponent('["run_id","status"]')}`,
    'select=["run_id","status"]',
    'select=run_id,status',
    'select=run_id%2Cstatus',
    'select=status&select=run_id&limit=10&offset=0',
  ]) {
    t.strictSame(
      await json(server.get(`/threads/${threadId}/runs?${query}`)),
      { status: 200, body: [{ run_id: runId, status: 'success' }] },
      query,
    );
  }
  for (const query of ['select=run_id', 'select=["run_id"]'])
    t.strictSame((await json(server.get(`/threads/${threadId}/runs?${query}`))).body, [{ run_id: runId }], query);
  const whole = await client.runs.list(threadId);
  for (const query of ['select=', 'select=[]', 'status=', 'limit=&offset=', 'unknown=1'])
    t.strictSame((await json(server.get(`/threads/${threadId}/runs?${query}`))).body, whole, query);
});

t.test('[trap 11] accepts stream_mode of a join: repeated, as JSON, with commas, empty', async (t) => {
  const { path, all } = await endedRun();
  const join = async (query: string): Promise<SseEvent[]> =>
    events(await server.get(`${path}/stream${query}`, { headers: { 'last-event-id': '-1' } }));
  const of = (...modes: string[]): SseEvent[] =>
    all.filter(({ event }) => event === 'metadata' || modes.includes(event));
  for (const query of [
    '?stream_mode=values&stream_mode=custom',
    '?stream_mode=["values","custom"]',
    '?stream_mode=values,custom',
  ])
    t.strictSame(await join(query), of('values', 'custom'), query);
  t.strictSame(await join('?stream_mode=updates'), of('updates'));
  for (const query of [
    '',
    '?stream_mode=',
    '?stream_mode=[]',
    '?cancel_on_disconnect=false&stream_mode=',
    '?cancel_on_disconnect=0',
  ])
    t.strictSame(await join(query), all, `all of it: ${query}`);
});

t.test('accepts a cursor in the form of every client', async (t) => {
  const { path, all } = await endedRun();
  const join = async (lastEventId: string): Promise<SseEvent[]> =>
    events(
      await server.get(`${path}/stream`, {
        headers: { 'Last-Event-ID': lastEventId, accept: 'text/event-stream', 'cache-control': 'no-store' },
      }),
    );
  t.strictSame(await join('-1'), all);
  t.strictSame(await join('-'), all);
  t.strictSame(await join('not an id of ours'), all, 'what is no id of ours begins at the start');
  t.strictSame(await join(all[2]!.id), all.slice(3));
  t.strictSame(await join(all.at(-1)!.id), []);
});

t.test('[trap 10] accepts wait=0 and wait=1 of a cancel', async (t) => {
  for (const [query, status] of [
    ['?wait=0&action=interrupt', 202],
    ['?wait=false', 202],
    ['', 202],
    ['?wait=', 202],
    ['?wait=1&action=interrupt', 204],
    ['?wait=true', 204],
    ['?wait=True', 204],
  ] as const) {
    const threadId = await newThread();
    const { run_id: runId } = await client.runs.create(threadId, 'echo', { input: { text: 'x' }, afterSeconds: 1000 });
    const answer = await server.post(`/threads/${threadId}/runs/${runId}/cancel${query}`, undefined);
    t.equal(answer.status, status, query);
    if (status === 204) t.equal((await client.runs.get(threadId, runId)).status, 'interrupted', query);
    await client.runs.join(threadId, runId);
  }
});

t.test('lets the run continue with cancel_on_disconnect=0 of a join', async (t) => {
  const threadId = await newThread();
  const gate = new Gate(folder);
  const { run_id: runId } = await client.runs.create(threadId, 'gate', { input: { label: 'x', gate: gate.file } });
  await gate.reached();
  for (const kind of ['join', 'stream']) {
    const abort = new AbortController();
    const answer = await server.get(`/threads/${threadId}/runs/${runId}/${kind}?cancel_on_disconnect=0`, {
      signal: abort.signal,
    });
    t.equal(answer.status, 200);
    abort.abort();
    await t.rejects(answer.text());
  }
  gate.open();
  t.match(await client.runs.join(threadId, runId), { steps: ['before x', 'held x', 'after x'] });
  t.equal((await client.runs.get(threadId, runId)).status, 'success');
});

t.test('treats null in every optional field of a run as absent', async (t) => {
  const nulls = {
    command: null,
    checkpoint: null,
    checkpoint_id: null,
    metadata: null,
    config: null,
    context: null,
    webhook: null,
    interrupt_before: null,
    interrupt_after: null,
    stream_mode: null,
    stream_subgraphs: null,
    stream_resumable: null,
    on_disconnect: null,
    feedback_keys: null,
    multitask_strategy: null,
    if_not_exists: null,
    after_seconds: null,
    checkpoint_during: null,
    durability: null,
    on_completion: null,
    strict_resume: null,
    langsmith_tracer: null,
  };
  const threadId = await newThread();
  const body = { assistant_id: 'echo', input: { text: 'x' }, ...nulls };
  t.strictSame(await json(server.post('/runs/wait', body)), { status: 200, body: FINAL });
  t.strictSame(await json(server.post(`/threads/${threadId}/runs/wait`, body)), { status: 200, body: FINAL });
  t.strictSame(
    (await events(await server.post('/runs/stream', body))).map(({ event }) => event),
    ['metadata', 'values', 'values', 'values'],
  );
  const { status, body: run } = (await json(server.post(`/threads/${threadId}/runs`, body))) as {
    status: number;
    body: { run_id: string };
  };
  t.equal(status, 200);
  t.matchStrict(run, {
    multitask_strategy: 'enqueue',
    metadata: { graph_id: 'echo' },
    kwargs: { command: null, stream_mode: ['values'], durability: 'async', resumable: false },
  });
  await client.runs.join(threadId, run.run_id);
  t.match(await json(server.post('/runs', body)), { status: 200, body: { run_id: String } });
  t.strictSame(
    await json(
      server.post('/runs/wait', {
        ...body,
        config: { tags: null, recursion_limit: null, configurable: null, metadata: null },
        command: null,
      }),
    ),
    { status: 200, body: FINAL },
  );
});

t.test('treats null inside a command and a checkpoint as absent', async (t) => {
  const threadId = await newThread();
  await client.runs.wait(threadId, 'approval', { input: {} });
  const wait = async (body: object): Promise<unknown> =>
    (await json(server.post(`/threads/${threadId}/runs/wait`, { assistant_id: 'approval', ...body }))).body;
  t.match(
    await wait({
      input: null,
      command: { resume: 'one', update: null, goto: null },
      checkpoint: { thread_id: threadId, checkpoint_ns: '', checkpoint_id: null, checkpoint_map: null },
    }),
    { __interrupt__: [{ value: 'second question' }] },
  );
  t.strictSame(await wait({ command: { resume: 'two' } }), { answers: ['before', 'one', 'two', 'after'] });
});

t.test('treats null in every optional field of threads and their searches as absent', async (t) => {
  const { status, body: thread } = (await json(
    server.post('/threads', { thread_id: null, metadata: null, if_exists: null, supersteps: null, ttl: null }),
  )) as { status: number; body: { thread_id: string } };
  t.equal(status, 200);
  t.match(thread, { thread_id: /^[0-9a-f-]{36}$/, metadata: Empty });
  const path = `/threads/${thread.thread_id}`;
  t.match(
    await json(
      server.post('/threads/search', {
        ids: [thread.thread_id],
        metadata: null,
        values: null,
        status: null,
        limit: null,
        offset: null,
        sort_by: null,
        sort_order: null,
        select: null,
        extract: null,
      }),
    ),
    { status: 200, body: [thread] },
  );
  t.match(
    await json(
      server.post('/assistants/search', {
        metadata: null,
        graph_id: null,
        name: null,
        limit: null,
        offset: null,
        sort_by: null,
        sort_order: null,
        select: null,
      }),
    ),
    { status: 200, body: [{ assistant_id: String }] },
  );
  t.strictSame(
    await json(
      server.post(`${path}/history`, { limit: null, before: null, metadata: null, checkpoint: null, select: null }),
    ),
    { status: 200, body: [] },
  );
  t.match(
    await json(
      server.post(`${path}/state/checkpoint`, {
        checkpoint: { thread_id: null, checkpoint_id: null, checkpoint_ns: null, checkpoint_map: null },
        subgraphs: null,
        select: null,
      }),
    ),
    { status: 200, body: { values: Empty, next: Empty } },
  );
  const patched = await fetch(`${server.url}${path}`, {
    method: 'PATCH',
    body: JSON.stringify({ metadata: null, ttl: null }),
    headers: { 'content-type': 'application/json' },
  });
  t.equal(patched.status, 200);
  t.match(await patched.json(), { metadata: Empty });
});

t.test('treats an empty body as an empty object', async (t) => {
  const made = (await json(server.post('/threads', undefined))) as { status: number; body: { thread_id: string } };
  t.match(made, { status: 200, body: { thread_id: /^[0-9a-f-]{36}$/, metadata: Empty } });
  t.equal((await server.post('/threads', '')).status, 200);
  t.equal((await server.post('/threads', {})).status, 200);
  t.equal((await server.post('/threads/search', undefined)).status, 200);
  t.equal((await server.post('/assistants/search', undefined)).status, 200);
  t.strictSame(await json(server.post(`/threads/${made.body.thread_id}/history`, undefined)), {
    status: 200,
    body: [],
  });
});

t.test('accepts a JSON body with its content type or none', async (t) => {
  const body = JSON.stringify({ assistant_id: 'echo', input: { text: 'x' } });
  for (const type of ['application/json', 'application/json; charset=utf-8']) {
    const answer = await server.post('/runs/wait', undefined, { body, headers: { 'content-type': type } });
    t.strictSame([answer.status, await answer.json()], [200, FINAL], type);
  }
  t.match(
    await ask(`${server.url}/runs/wait`, 'POST', {}, body),
    { status: 200, text: JSON.stringify(FINAL) },
    'older versions of langsmith send some bodies without a type',
  );
  t.equal(
    (await server.post('/runs/wait', undefined, { body, headers: { 'content-type': 'text/plain' } })).status,
    415,
  );
});

t.test('ignores unknown fields', async (t) => {
  t.strictSame(
    await json(
      server.post('/runs/wait', {
        assistant_id: 'echo',
        input: { text: 'x' },
        assistantId: 'nobody',
        streamMode: ['nonsense'],
        langsmith_tracer: { project_name: 'p', example_id: 'e' },
        future: { of: 'this' },
      }),
    ),
    { status: 200, body: FINAL },
  );
  t.equal((await server.post('/threads', { future: 1 })).status, 200);
  t.equal((await server.post('/threads/search', { future: 1 })).status, 200);
});

t.test('accepts stream_mode as text and as a list, and other fields as Python types them', async (t) => {
  for (const mode of ['updates', ['updates']])
    t.strictSame(
      (
        await events(
          await server.post('/runs/stream', { assistant_id: 'echo', input: { text: 'x' }, stream_mode: mode }),
        )
      ).map(({ event }) => event),
      ['metadata', 'updates', 'updates'],
    );
  const threadId = await newThread();
  t.match(
    await json(
      server.post(`/threads/${threadId}/runs/wait`, {
        assistant_id: 'echo',
        input: { text: 'x' },
        interrupt_before: ['second'],
        interrupt_after: [],
        after_seconds: 0,
        checkpoint_during: true,
        multitask_strategy: 'reject',
        if_not_exists: 'create',
        on_disconnect: 'cancel',
      }),
    ),
    { status: 200, body: { steps: ['first x'] } },
  );
  t.strictSame(
    await json(server.post(`/threads/${threadId}/runs/wait`, { assistant_id: 'echo' })),
    { status: 200, body: FINAL },
    'no input at all: on from the checkpoint',
  );
});

t.test('accepts a thread id in the path that is percent-encoded or in upper case', async (t) => {
  const threadId = await newThread();
  t.match((await json(server.get(`/threads/${threadId.toUpperCase()}`))).body, { thread_id: threadId });
  t.match((await json(server.get(`/threads/${threadId.replaceAll('-', '%2D')}`))).body, { thread_id: threadId });
  t.strictSame(
    (
      await json(
        server.post(`/threads/${threadId.toUpperCase()}/runs/wait`, { assistant_id: 'echo', input: { text: 'x' } }),
      )
    ).body,
    FINAL,
  );
});

t.test('returns the text of an error in `detail`', async (t) => {
  const id = randomUUID();
  t.strictSame(await json(server.get(`/threads/${id}`)), {
    status: 404,
    body: { detail: `Thread with ID ${id} not found` },
  });
  const answer = await server.get(`/threads/${id}`);
  t.equal(answer.headers.get('content-type'), 'application/json');
  await answer.text();
});

t.test('accepts metadata of a list in the query', async (t) => {
  const metadata = { who: `py-${randomUUID()}` };
  const { thread_id: id } = await client.threads.create({ metadata });
  const { body } = await json(server.get(`/threads?metadata=${encodeURIComponent(JSON.stringify(metadata))}&limit=5`));
  t.strictSame(
    (body as { thread_id: string }[]).map((thread) => thread.thread_id),
    [id],
  );
});

t.test('[trap 12] accepts before of a history as text, in the body and in the query', async (t) => {
  const threadId = await newThread();
  await client.runs.wait(threadId, 'echo', { input: { text: 'x' } });
  const states = await client.threads.getHistory(threadId);
  const before = states[1]!.checkpoint.checkpoint_id!;
  t.strictSame((await json(server.post(`/threads/${threadId}/history`, { limit: 10, before }))).body, states.slice(2));
  t.strictSame(
    (await json(server.get(`/threads/${threadId}/history?limit=10&before=${before}`))).body,
    states.slice(2),
  );
});

t.test('answers HEAD and OPTIONS', async (t) => {
  const head = await fetch(`${server.url}/ok`, { method: 'HEAD' });
  t.strictSame([head.status, await head.text()], [200, '']);
  const preflight = await fetch(`${server.url}/threads`, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://localhost:3000',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-api-key',
    },
  });
  t.equal(preflight.status, 204);
  t.equal(preflight.headers.get('access-control-allow-origin'), 'http://localhost:3000');
  t.match(preflight.headers.get('access-control-allow-headers'), /x-api-key/);
});
