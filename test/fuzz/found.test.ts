import t from 'tap';
import { configWith, testServer } from '../helpers/server.js';

/** What the fuzzer found, each as small as it can be: refused as it should be, where it was an error of the server. */
const server = await testServer(t, { config: configWith(t, 'echo') });
const API = '/api/v1';

interface Found {
  name: string;
  send: readonly [method: string, path: string, body?: string | Buffer, headers?: Record<string, string>];
  status: number;
  said: RegExp;
}

const { id: datasetId } = (await (await server.post(`${API}/datasets`, { name: 'found' })).json()) as { id: string };
const { thread_id: threadId } = await server.client.threads.create();
const examples = `${API}/platform/datasets/${datasetId}/examples`;
const long = 'x'.repeat(9_000);
const json = { 'content-type': 'application/json' };
const form = (head: string): Buffer => Buffer.from(`--b\r\n${head}\r\n\r\n{}\r\n--b--\r\n`, 'latin1');
const multipart = { 'content-type': 'multipart/form-data; boundary=b' };

const all: readonly Found[] = [
  {
    name: 'an id that is longer than any key of the store',
    send: ['GET', `/assistants/${long}`],
    status: 404,
    said: /Assistant not found/,
  },
  {
    name: 'the same, to be deleted',
    send: ['DELETE', `/assistants/${long}`],
    status: 404,
    said: /Assistant not found/,
  },
  {
    name: 'the same, of a graph',
    send: ['GET', `/assistants/${long}/schemas`],
    status: 404,
    said: /Assistant not found/,
  },
  {
    name: 'the same, of a tool',
    send: ['GET', `/.well-known/agent-card.json?assistant_id=${long}`],
    status: 404,
    said: /No assistant found/,
  },
  {
    name: 'a checkpoint with such an id',
    send: ['POST', `/threads/${threadId}/history`, JSON.stringify({ checkpoint: { checkpoint_ns: long } }), json],
    status: 200,
    said: /^\[\]$/,
  },
  {
    name: 'history before such a checkpoint',
    send: ['POST', `/threads/${threadId}/history`, JSON.stringify({ before: long }), json],
    status: 200,
    said: /^\[\]$/,
  },
  {
    name: 'operations on metadata that are no list',
    send: ['PATCH', `${examples}/metadata`, '{"example_ids":[],"operations":7}', json],
    status: 422,
    said: /operations: must be array/,
  },
  {
    name: 'an operation that is none',
    send: ['PATCH', `${examples}/metadata`, '{"example_ids":[],"operations":[null]}', json],
    status: 422,
    said: /operations\.0: must be object/,
  },
  {
    name: 'an operation that is not known',
    send: ['PATCH', `${examples}/metadata`, '{"example_ids":[],"operations":[{"key":"a","operation":"boil"}]}', json],
    status: 422,
    said: /must be set, array_add or array_remove/,
  },
  {
    name: 'the name of a part that is no UTF-8',
    send: ['POST', examples, form('Content-Disposition: form-data; name="\xff"'), multipart],
    status: 400,
    said: /has a part whose headers cannot be read/,
  },
];

t.test('refuses the requests that the fuzzer found', async (t) => {
  for (const {
    name,
    send: [method, path, body, headers],
    status,
    said,
  } of all) {
    const response = await fetch(`${server.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      headers: headers ?? {},
    });
    const text = await response.text();
    t.equal(response.status, status, `${name}: ${text.slice(0, 200)}`);
    t.match(text, said, name);
  }
  t.equal((await server.get('/ok')).status, 200);
});

t.test('keeps a run of a trace whose experiment was deleted', async (t) => {
  const traceId = '01a20000-0000-7000-8000-0000000000aa';
  const root = '20260101T000000000000Z01a20000-0000-7000-8000-0000000000aa';
  const ids = [
    '01a20000-0000-7000-8000-0000000000b1',
    '01a20000-0000-7000-8000-0000000000b2',
    '01a20000-0000-7000-8000-0000000000b3',
  ] as const;
  const send = async (id: string, more: Record<string, string> = {}): Promise<void> => {
    const run = {
      id,
      trace_id: traceId,
      parent_run_id: traceId,
      dotted_order: `${root}.20260101T000001000000Z${id}`,
      name: 'child',
      run_type: 'chain',
      start_time: '2026-01-01T00:00:01Z',
      inputs: {},
      ...more,
    };
    t.equal((await server.post(`${API}/runs`, run)).status, 202);
  };
  const found = async (id: string): Promise<number> => (await server.get(`${API}/runs/${id}`)).status;
  const remove = async (name: string): Promise<void> => {
    const [session] = (await (await server.get(`${API}/sessions?name=${name}`)).json()) as { id: string }[];
    t.ok((await server.get(`${API}/sessions/${session!.id}`, { method: 'DELETE' })).ok);
  };
  await send(ids[0], { session_name: 'gone' });
  t.equal(await found(ids[0]), 200);
  await remove('gone');
  await send(ids[1]);
  t.equal(await found(ids[1]), 200, 'a further run of the trace');
  await send(ids[0]);
  t.equal(await found(ids[0]), 200, 'the same run again');
  await send(ids[2]);
  t.equal(await found(ids[2]), 200, 'and all that follow');
});

t.test('deletes a stateless thread with the last of its runs, and no run with it', async (t) => {
  const later = { assistant_id: 'echo', input: { text: 'x' }, after_seconds: 86_400 };
  const post = async (path: string, body: unknown): Promise<Record<string, string>> =>
    (await (await server.post(path, body)).json()) as Record<string, string>;
  const status = async (path: string): Promise<number> => (await server.get(path)).status;
  const first = await post('/runs', later);
  const thread = `/threads/${first['thread_id']!}`;
  const second = await post(`${thread}/runs`, later);
  t.equal((await server.get(`${thread}/runs/${first['run_id']!}/cancel?wait=true`, { method: 'POST' })).status, 204);
  t.equal(await status(`${thread}/runs/${second['run_id']!}`), 200, 'the second run was accepted, and is there');
  t.equal((await server.get(`${thread}/runs/${second['run_id']!}/cancel?wait=true`, { method: 'POST' })).status, 204);
  t.equal(await status(thread), 404, 'nothing is left for it');
  await post('/threads', { thread_id: first['thread_id'] });
  t.equal(await status(thread), 200, 'its id is free');
});

t.test('handles stateless runs of one thread that end together', async (t) => {
  for (let round = 0; round < 20; round += 1) {
    const first = (await (
      await server.post('/runs', { assistant_id: 'echo', input: { text: 'x' }, after_seconds: 86_400 })
    ).json()) as Record<string, string>;
    const thread = `/threads/${first['thread_id']!}`;
    const runIds = [first['run_id']!];
    for (let n = 0; n < 3; n += 1)
      runIds.push(
        (
          (await (
            await server.post(`${thread}/runs`, { assistant_id: 'echo', input: { text: 'x' }, after_seconds: 86_400 })
          ).json()) as { run_id: string }
        ).run_id,
      );
    const ends = [server.post('/runs/cancel', { thread_id: first['thread_id'], run_ids: runIds })];
    // Whoever is quick may have the id before the last of them has ended.
    while ((await server.post('/threads', { thread_id: first['thread_id'] })).status !== 200);
    await Promise.all(ends);
    t.equal((await server.get(thread)).status, 200, 'the new thread stays');
  }
});

t.test('deletes a feedback configuration while its creation is answered', async (t) => {
  const path = `${API}/feedback-configs`;
  const statuses = new Set<number>();
  for (let round = 0; round < 40; round += 1) {
    const made = server.post(path, { feedback_key: 'found', feedback_config: { type: 'continuous', min: 0, max: 1 } });
    // As soon as it is there.
    while ((await server.get(`${path}?feedback_key=found`, { method: 'DELETE' })).status === 404);
    statuses.add((await made).status);
  }
  t.strictSame(
    [...statuses].filter((status) => status !== 200 && status !== 404),
    [],
  );
});
