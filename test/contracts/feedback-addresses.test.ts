import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import t, { type Test } from 'tap';
import { collect } from '../helpers/events.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { all, langsmithOf } from '../helpers/langsmith.js';
import { configWith, temporaryFolder, testServer, withoutAddress, type TestServer } from '../helpers/server.js';

const KEYS = ['user_liked', 'user disliked'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const GRAPHS = configWith(t, 'echo', 'trouble', 'approval');
const DAY_MS = 24 * 3_600_000;

t.setTimeout(300_000);

type Addresses = Record<string, string>;

/** The address of a key, as a client reads it out of a run's last event or a wait's body. */
function addressOf(addresses: unknown, key = KEYS[0]!): string {
  const address = (addresses as Addresses)[key];
  if (address === undefined) throw new Error(`no address for ${key} in ${JSON.stringify(addresses)}`);
  return address;
}

const tokenOf = (address: string): string => address.slice(address.lastIndexOf('/') + 1);

function isOfServer(t: Test, server: TestServer, addresses: unknown, keys = KEYS): void {
  t.strictSame(Object.keys(addresses as Addresses), keys);
  for (const address of Object.values(addresses as Addresses)) {
    t.equal(withoutAddress(server, address.slice(0, -36)), '/api/v1/feedback/tokens/');
    t.match(address.slice(-36), UUID, 'the Python client takes a UUID alone');
  }
}

const post = (address: string, body: unknown): Promise<Response> =>
  fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

interface Shown {
  id: string;
  run_id: string;
  key: string;
  score: unknown;
  value: unknown;
  comment: string | null;
  correction: unknown;
  feedback_source: { metadata?: unknown } | null;
}

async function feedbackOf(server: TestServer, runId: string): Promise<Shown[]> {
  return (await (await server.get(`/api/v1/feedback?run=${runId}`)).json()) as Shown[];
}

const server = await testServer(t, { config: GRAPHS });

t.test('sends feedback URLs as the last event of a run, in order and once for every reader', async (t) => {
  const { client } = server;
  const { thread_id: threadId } = await client.threads.create();
  const events = await collect(
    client.runs.stream(threadId, 'echo', {
      input: { text: 'hi' },
      streamMode: 'updates',
      feedbackKeys: [...KEYS, KEYS[0]!],
      streamResumable: true,
    }),
  );
  t.strictSame(
    events.map(({ event }) => event),
    ['metadata', 'updates', 'updates', 'feedback'],
  );
  isOfServer(t, server, events[3]!.data);
  t.strictSame(
    events.map(({ id }) => Number(id)),
    [1, 2, 3, 4],
    'it has an id like every other',
  );
  const { run_id: runId } = events[0]!.data as { run_id: string };

  t.strictSame(await collect(client.runs.joinStream(threadId, runId, { lastEventId: '-1' })), events, 'from the first');
  t.strictSame(
    await collect(client.runs.joinStream(threadId, runId, { lastEventId: '3' })),
    events.slice(3),
    'what came after a break',
  );
  t.strictSame(await collect(client.runs.joinStream(threadId, runId, { lastEventId: '4' })), [], 'not twice');
  t.strictSame(
    await collect(client.runs.joinStream(threadId, runId, { lastEventId: '-1', streamMode: 'values' })),
    [events[0], events[3]],
    'a filter lets it through',
  );
});

t.test('sends the feedback event before the end of the run in the thread stream', async (t) => {
  const { client } = server;
  const { thread_id: threadId } = await client.threads.create();
  const abort = new AbortController();
  const stream = await fetch(`${server.url}/threads/${threadId}/stream?stream_modes=run_modes`, {
    signal: abort.signal,
  });
  await server.post(`/threads/${threadId}/runs/wait`, {
    assistant_id: 'echo',
    input: { text: 'hi' },
    feedback_keys: KEYS,
  });
  const next = await collect(
    client.runs.stream(threadId, 'echo', { input: { text: 'hi' }, streamMode: 'updates', feedbackKeys: KEYS }),
  );
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of stream.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true });
    if (text.split('run_done').length === 3) break;
  }
  abort.abort();
  const told = [...text.matchAll(/^id: (\d+)\nevent: (\S+)$/gm)].map(([, id, event]) => [Number(id), event] as const);
  const ids = told.map(([id]) => id);
  t.strictSame(
    ids,
    ids.toSorted((a, b) => a - b),
    'ids rise',
  );
  t.equal(new Set(ids).size, ids.length);
  const names = told.map(([, event]) => event);
  t.strictSame(names.slice(-2), ['feedback', 'metadata'], 'then the end of the run');
  t.equal(names.filter((name) => name === 'feedback').length, 2);
  t.equal(Number(next.at(-1)!.id), ids.at(-2));
});

t.test('returns feedback URLs beside the values of waits and joins', async (t) => {
  const { client } = server;
  const { thread_id: threadId } = await client.threads.create();
  const body = { assistant_id: 'echo', input: { text: 'hi' }, feedback_keys: KEYS };
  const onThread = (await (await server.post(`/threads/${threadId}/runs/wait`, body)).json()) as Record<
    string,
    unknown
  >;
  t.match(onThread, { text: 'hi', steps: ['first hi', 'second hi'] });
  isOfServer(t, server, onThread['__feedback__']);
  const stateless = (await (await server.post('/runs/wait', body)).json()) as Record<string, unknown>;
  isOfServer(t, server, stateless['__feedback__']);
  const run = await client.runs.create(threadId, 'echo', { input: { text: 'later' }, feedbackKeys: KEYS } as never);
  const joined = (await client.runs.join(threadId, run.run_id)) as Record<string, unknown>;
  isOfServer(t, server, joined['__feedback__']);
  const again = (await client.runs.join(threadId, run.run_id)) as Record<string, unknown>;
  t.same(again['__feedback__'], joined['__feedback__'], 'a join after the end says the same');
  t.match(await client.runs.get(threadId, run.run_id), { kwargs: { feedback_keys: KEYS } });
  t.strictSame(
    Object.keys((await client.runs.wait(threadId, 'echo', { input: { text: 'hi' } })) as object),
    ['text', 'steps'],
    'without the keys nothing is said',
  );
  t.strictSame(
    (
      (await (await server.post(`/threads/${threadId}/runs/wait`, { ...body, feedback_keys: [] })).json()) as Record<
        string,
        unknown
      >
    )['__feedback__'],
    undefined,
  );
  const { thread_id: asking } = await client.threads.create();
  const interrupted = (await (
    await server.post(`/threads/${asking}/runs/wait`, { assistant_id: 'approval', input: {}, feedback_keys: KEYS })
  ).json()) as Record<string, unknown>;
  t.ok(interrupted['__interrupt__'], 'a graph that asks has done its part');
  isOfServer(t, server, interrupted['__feedback__']);
});

t.test('returns no feedback URLs for failed and canceled runs', async (t) => {
  const { client } = server;
  const failed = await collect(client.runs.stream(null, 'trouble', { input: { do: 'throw' }, feedbackKeys: KEYS }));
  t.equal(failed.at(-1)!.event, 'error');
  t.notOk(failed.some(({ event }) => event === 'feedback'));
  const body = (await (
    await server.post('/runs/wait', { assistant_id: 'trouble', input: { do: 'throw' }, feedback_keys: KEYS })
  ).json()) as object;
  t.strictSame(Object.keys(body), ['__error__']);
  const { thread_id: threadId } = await client.threads.create();
  const run = await client.runs.create(threadId, 'echo', {
    input: {},
    afterSeconds: 3_600,
    feedbackKeys: KEYS,
  } as never);
  await client.runs.cancel(threadId, run.run_id, true);
  t.strictSame(await (await server.get(`/api/v1/feedback/tokens?run_id=${run.run_id}`)).json(), []);
});

t.test('returns feedback URLs for runs of batches and crons', async (t) => {
  const clock = new FakeClock('2026-03-10T08:00:30Z');
  const server = await testServer(t, { config: GRAPHS, clock });
  const body = { assistant_id: 'echo', input: { text: 'hi' }, feedback_keys: KEYS, on_completion: 'keep' };
  const runs = (await (await server.post('/runs/batch', [body, body])).json()) as {
    run_id: string;
    thread_id: string;
  }[];
  for (const { run_id: runId, thread_id: threadId } of runs) {
    const values = (await server.client.runs.join(threadId, runId)) as Record<string, unknown>;
    isOfServer(t, server, values['__feedback__']);
  }
  const cron = (await server.client.crons.create('echo', {
    schedule: '0 * * * *',
    input: { text: 'hi' },
    onRunCompleted: 'keep',
  } as never)) as unknown as { cron_id: string };
  const made = await server.post('/runs/crons', {
    assistant_id: 'echo',
    schedule: '0 * * * *',
    input: { text: 'hi' },
    on_run_completed: 'keep',
    feedback_keys: KEYS,
  });
  t.equal(made.status, 200);
  const { cron_id: cronId } = (await made.json()) as { cron_id: string };
  clock.set('2026-03-10T09:00:01Z');
  for (;;) {
    const [thread] = await server.client.threads.search({ metadata: { cron_id: cronId }, status: 'idle' });
    if (thread === undefined) continue;
    const [run] = await server.client.runs.list(thread.thread_id);
    isOfServer(
      t,
      server,
      ((await server.client.runs.join(thread.thread_id, run!.run_id)) as Record<string, unknown>)['__feedback__'],
    );
    break;
  }
  t.ok(cron.cron_id);
});

t.test('accepts any text as a key, and refuses keys that are empty, too long, too many or no text', async (t) => {
  const body = { assistant_id: 'echo', input: { text: 'hi' }, feedback_keys: KEYS, on_completion: 'keep' };
  const wrong: unknown[] = ['x', [''], [1], Array.from({ length: 21 }, (_, at) => `key ${at}`), ['x'.repeat(181)]];
  for (const feedback_keys of wrong) {
    for (const [path, sent] of [
      ['/runs/wait', { ...body, feedback_keys }],
      ['/runs/batch', [{ ...body, feedback_keys }]],
      ['/runs/crons', { ...body, feedback_keys, schedule: '0 * * * *' }],
    ] as const) {
      const { status } = await server.post(path, sent);
      t.equal(status, 422, `${path} ${JSON.stringify(feedback_keys).slice(0, 40)}`);
    }
  }
  const odd = ['__proto__', 'a/b?c#d', 'constructor', 'é\u0001"'];
  const values = (await (await server.post('/runs/wait', { ...body, feedback_keys: odd })).json()) as Record<
    string,
    unknown
  >;
  isOfServer(t, server, values['__feedback__'], odd);
});

t.test('accepts feedback at a URL without authentication, and the stock client reads it', async (t) => {
  const { clientOf } = await langsmithOf(server);
  const langsmith = clientOf();
  const events = await collect(
    server.client.runs.stream((await server.client.threads.create()).thread_id, 'echo', {
      input: { text: 'hi' },
      feedbackKeys: KEYS,
    }),
  );
  const { run_id: runId } = events[0]!.data as { run_id: string };
  const [liked, disliked] = KEYS.map((key) => addressOf(events.at(-1)!.data, key)) as [string, string];

  t.equal(
    (
      await post(liked, {
        score: 1,
        value: { stars: 5 },
        comment: 'good',
        correction: { text: 'better' },
        metadata: { page: 'chat' },
      })
    ).status,
    200,
  );
  const [first] = await all(langsmith.listFeedback({ runIds: [runId] }));
  t.match(first, {
    run_id: runId,
    key: KEYS[0],
    score: 1,
    value: { stars: 5 },
    comment: 'good',
    correction: { text: 'better' },
    feedback_source: { type: 'api', metadata: { page: 'chat' } },
  });
  t.equal((await langsmith.readFeedback(first!.id)).id, first!.id);
  t.equal((await post(liked, { score: false })).status, 200);
  const second = await feedbackOf(server, runId);
  t.matchStrict(
    second,
    [{ id: first!.id, score: false, comment: null, value: null }],
    'said again, it stands in the place of the first',
  );
  const link = await fetch(`${disliked}?score=0.5&comment=${encodeURIComponent('a, b & c')}&value=7&correction=no`);
  t.equal(link.status, 200);
  t.equal(link.headers.get('cache-control'), 'no-store');
  t.match(
    (await feedbackOf(server, runId)).find(({ key }) => key === KEYS[1]),
    { score: 0.5, comment: 'a, b & c', value: '7', correction: 'no' },
  );
  t.equal((await fetch(`${disliked}?score=true`)).status, 200);
  t.matchStrict(
    (await feedbackOf(server, runId)).find(({ key }) => key === KEYS[1]),
    { score: true, comment: null },
  );
  t.equal((await fetch(disliked, { method: 'HEAD' })).status, 200);
  t.match(
    (await feedbackOf(server, runId)).find(({ key }) => key === KEYS[1]),
    { score: true },
    'who only looks says nothing',
  );
  // The Python client sends all fields, and to the path without the prefix.
  const python = await post(`${server.url}/feedback/tokens/${tokenOf(liked)}`, {
    score: 0.25,
    value: null,
    correction: null,
    comment: null,
    metadata: null,
  });
  t.equal(python.status, 200);
  t.equal((await fetch(`${server.url}/feedback/tokens/${tokenOf(liked).toUpperCase()}`)).status, 200);
  t.equal((await feedbackOf(server, runId)).length, 2);
  await langsmith.updateFeedback(first!.id, { score: 0.75 });
  t.match(await langsmith.readFeedback(first!.id), { score: 0.75 });
  await langsmith.deleteFeedback(first!.id);
  t.equal((await feedbackOf(server, runId)).length, 1);
  t.equal((await post(liked, {})).status, 200, 'nothing but that it was chosen');
  t.matchStrict(
    (await feedbackOf(server, runId)).find(({ key }) => key === KEYS[0]),
    { score: null, comment: null },
  );
});

t.test('refuses invalid feedback and unknown tokens', async (t) => {
  const values = (await (
    await server.post('/runs/wait', { assistant_id: 'echo', input: { text: 'hi' }, feedback_keys: KEYS })
  ).json()) as Record<string, unknown>;
  const address = addressOf(values['__feedback__']);
  const wrong = [
    { score: 'high' },
    { score: [] },
    { value: [1] },
    { comment: 7 },
    { correction: 3 },
    { metadata: 'x' },
    [],
  ];
  for (const body of wrong) t.equal((await post(address, body)).status, 422, JSON.stringify(body));
  t.equal((await fetch(`${address}?score=high`)).status, 422);
  t.equal(
    (await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' })).status,
    400,
  );
  t.equal(
    (
      await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"score": 1e999}',
      })
    ).status,
    422,
  );
  t.equal((await post(address, { comment: 'x'.repeat(70_000) })).status, 413, 'a stranger may not send much');
  t.equal((await fetch(address, { method: 'DELETE' })).status, 405);
  const token = tokenOf(address);
  const other = (at: number): string => token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
  const hostile = [
    randomUUID(),
    other(0),
    other(35),
    other(20),
    token.slice(1),
    `${token}0`,
    '__proto__',
    '..%2f..',
    '%00',
    'x'.repeat(5_000),
    encodeURIComponent('{"runId":1}'),
    `${token}%20x`,
  ];
  for (const one of hostile) {
    for (const response of [
      await post(`${server.url}/api/v1/feedback/tokens/${one}`, { score: 1 }),
      await server.get(`/api/v1/feedback/tokens/${one}?score=1`),
    ])
      t.equal(response.status, 404, one.slice(0, 60));
  }
  t.equal((await server.get('/api/v1/feedback/tokens/%ff')).status, 422);
  t.strictSame(await (await post(`${server.url}/api/v1/feedback/tokens/${randomUUID()}`, {})).json(), {
    detail: 'Feedback token not found',
  });
});

t.test('builds URLs from the configured server URL, never from a request', async (t) => {
  const named = await testServer(t, {
    config: GRAPHS,
    env: {
      LANGGRAPH_API_URL: 'https://agents.example.com/base/',
      MOUNT_PREFIX: '/agents',
      THREADMILL_ALLOWED_HOSTS: 'evil.example.com',
    },
  });
  const body = JSON.stringify({ assistant_id: 'echo', input: { text: 'hi' }, feedback_keys: ['k'] });
  const answer = await new Promise<string>((resolve, reject) => {
    const sent = request(
      `${named.url}/runs/wait`,
      {
        method: 'POST',
        headers: {
          host: 'evil.example.com',
          'x-forwarded-host': 'evil.example.com',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        let text = '';
        response.on('data', (part: Buffer) => {
          text += part.toString();
        });
        response.on('end', () => resolve(text));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
  const address = addressOf((JSON.parse(answer) as Record<string, unknown>)['__feedback__'], 'k');
  t.equal(address.slice(0, -36), 'https://agents.example.com/base/agents/api/v1/feedback/tokens/');
  t.equal((await post(`${named.url}/api/v1/feedback/tokens/${tokenOf(address)}`, { score: 1 })).status, 200);
  for (const [url, what] of [
    ['agents.example.com', /http:\/\/ or https:/],
    ['ftp://x', /http:\/\/ or https:/],
    ['https://u:p@x', /must not contain a user or a password/],
    ['https://x/?a=1', /query/],
    ['https://x/#', /query or a fragment/],
  ] as const) {
    await t.rejects(
      testServer(t, { config: GRAPHS, env: { LANGGRAPH_API_URL: url } }),
      { code: 'CONFIG_INVALID', message: what },
      url,
    );
  }
});

t.test('keeps a URL valid over a restart until it expires', async (t) => {
  const dataFolder = temporaryFolder(t);
  const clock = new FakeClock('2026-03-10T08:00:00Z');
  const env = { LANGGRAPH_API_URL: 'http://127.0.0.1:1' };
  const before = await testServer(t, { dataFolder, clock, config: GRAPHS, env });
  const { thread_id: threadId } = await before.client.threads.create();
  const run = await before.client.runs.create(threadId, 'echo', { input: { text: 'hi' }, feedbackKeys: KEYS } as never);
  const { __feedback__: addresses } = (await before.client.runs.join(threadId, run.run_id)) as {
    __feedback__: Addresses;
  };
  await before.close(0);

  const after = await testServer(t, { dataFolder, clock, config: GRAPHS, env });
  const address = `${after.url}/api/v1/feedback/tokens/${tokenOf(addressOf(addresses))}`;
  t.equal((await post(address, { score: 1 })).status, 200);
  t.match(await feedbackOf(after, run.run_id), [{ score: 1 }]);
  t.same(((await after.client.runs.join(threadId, run.run_id)) as { __feedback__: Addresses }).__feedback__, addresses);
  clock.set(new Date(Date.parse('2026-03-10T08:00:00Z') + 7 * DAY_MS - 1_000).toISOString());
  t.equal((await post(address, { score: 0.5 })).status, 200, 'good for seven days');
  clock.set(new Date(Date.parse('2026-03-10T08:00:00Z') + 7 * DAY_MS + 60_000).toISOString());
  const late = await post(address, { score: 0 });
  t.equal(late.status, 410);
  t.match(await late.json(), { detail: /expired at 2026-03-17T08:00:00/ });
  t.match(await feedbackOf(after, run.run_id), [{ score: 0.5 }]);
  t.equal(((await after.client.runs.join(threadId, run.run_id)) as Record<string, unknown>)['__feedback__'], undefined);
});

t.test('deletes URLs and feedback with their run or thread', async (t) => {
  const { client } = server;
  const thread = await client.threads.create();
  const run = async (): Promise<[runId: string, address: string]> => {
    const events = await collect(
      client.runs.stream(thread.thread_id, 'echo', { input: { text: 'hi' }, feedbackKeys: KEYS }),
    );
    return [(events[0]!.data as { run_id: string }).run_id, addressOf(events.at(-1)!.data)];
  };
  const made = [await run(), await run()];
  const ids: string[] = [];
  for (const [runId, address] of made) {
    t.equal((await post(address, { score: 1, comment: 'kept with the thread' })).status, 200);
    ids.push((await feedbackOf(server, runId))[0]!.id);
  }
  const gone = async (at: number): Promise<void> => {
    const [runId, address] = made[at]!;
    t.strictSame(await feedbackOf(server, runId), []);
    t.equal((await server.get(`/api/v1/feedback/${ids[at]}`)).status, 404);
    t.equal((await post(address, { score: 0 })).status, 404);
    t.equal((await fetch(address)).status, 404);
  };
  await client.runs.delete(thread.thread_id, made[0]![0]);
  await gone(0);
  t.equal((await feedbackOf(server, made[1]![0])).length, 1);
  await client.threads.delete(thread.thread_id);
  await gone(1);
});

t.test('accepts feedback at the URLs of a stateless run', async (t) => {
  const { clientOf } = await langsmithOf(server);
  for (const more of [{}, { stream_resumable: true }, { after_seconds: 0.001 }]) {
    const events = await collect(
      server.client.runs.stream(null, 'echo', { input: { text: 'hi' }, feedbackKeys: KEYS, ...(more as object) }),
    );
    t.equal(events.at(-1)!.event, 'feedback');
    const { run_id: runId } = events[0]!.data as { run_id: string };
    t.equal((await post(addressOf(events.at(-1)!.data), { score: 1 })).status, 200);
    t.match(await all(clientOf().listFeedback({ runIds: [runId] })), [{ run_id: runId, key: KEYS[0], score: 1 }]);
  }
});

t.test('lets the stock client create and list URLs', async (t) => {
  const { clientOf } = await langsmithOf(server);
  const langsmith = clientOf();
  const { thread_id: threadId } = await server.client.threads.create();
  const run = await server.client.runs.create(threadId, 'echo', { input: { text: 'hi' } });
  await server.client.runs.join(threadId, run.run_id);
  const now = Date.now();
  const token = await langsmith.createPresignedFeedbackToken(run.run_id, 'stars', {
    feedbackConfig: { type: 'continuous', min: 0, max: 5, categories: [] },
  });
  t.match(withoutAddress(server, token), {
    id: UUID,
    url: `/api/v1/feedback/tokens/${token.id}`,
    feedback_key: 'stars',
  });
  const hoursLeft = (Date.parse(token.expires_at) - now) / 3_600_000;
  t.ok(hoursLeft > 2.9 && hoursLeft < 3.1, `three hours: ${token.expires_at}`);
  const longer = await langsmith.createPresignedFeedbackToken(run.run_id, 'stars', {
    expiration: { days: 2, hours: 1, minutes: 30 },
  });
  t.ok(Date.parse(longer.expires_at) - now > 2 * DAY_MS);
  const until = new Date(now + DAY_MS).toISOString();
  const dated = await langsmith.createPresignedFeedbackToken(run.run_id, 'comment', { expiration: until });
  t.equal(Date.parse(dated.expires_at), Date.parse(until));
  t.strictSame(
    (await all(langsmith.listPresignedFeedbackTokens(run.run_id))).map(({ id }) => id),
    [longer.id, dated.id, token.id],
  );
  for (const [{ url }, score] of [
    [token, 1],
    [longer, 4],
  ] as const)
    t.equal((await post(url, { score })).status, 200);
  t.match(
    await feedbackOf(server, run.run_id),
    [{ key: 'stars', score: 4 }],
    'one piece of feedback for a run and key',
  );
  t.match(await (await server.get('/api/v1/feedback-configs?key=stars')).json(), [
    { feedback_key: 'stars', feedback_config: { type: 'continuous', max: 5 } },
  ]);

  // As Python sends them: a list, and an id for the feedback of each.
  const [id, other] = [randomUUID(), randomUUID()];
  const asked = (feedbackId: string): object => ({
    run_id: run.run_id,
    feedback_key: 'python',
    feedback_config: null,
    id: feedbackId,
    expires_in: { days: 0, hours: 3, minutes: 0 },
  });
  const listed = (await (await server.post('/feedback/tokens', [asked(id), asked(other)])).json()) as {
    id: string;
    url: string;
    expires_at: string;
  }[];
  t.equal(listed.length, 2);
  for (const { url } of listed) t.equal((await post(url, { score: 1 })).status, 200);
  t.strictSame(
    (await feedbackOf(server, run.run_id))
      .filter(({ key }) => key === 'python')
      .map((one) => one.id)
      .toSorted(),
    [id, other].toSorted(),
  );

  const wrong: unknown[] = [
    {},
    [],
    [asked(id), {}],
    { run_id: 'x', feedback_key: 'k' },
    { run_id: run.run_id },
    { run_id: run.run_id, feedback_key: '' },
    { ...asked('no id') },
    { run_id: run.run_id, feedback_key: 'k', expires_in: { days: -1 } },
    { run_id: run.run_id, feedback_key: 'k', expires_in: { days: 0 } },
    { run_id: run.run_id, feedback_key: 'k', expires_in: { days: 100_000 } },
    { run_id: run.run_id, feedback_key: 'k', expires_at: 'soon' },
    { run_id: run.run_id, feedback_key: 'k', expires_at: '2020-01-01T00:00:00Z' },
    Array.from({ length: 101 }, () => asked(id)),
  ];
  for (const body of wrong)
    t.equal((await server.post('/api/v1/feedback/tokens', body)).status, 422, JSON.stringify(body).slice(0, 80));
  const many = Array.from({ length: 100 }, (_, at) => ({ run_id: run.run_id, feedback_key: `key ${at}` }));
  for (let at = 0; at < 4; at += 1)
    t.equal(
      (
        await server.post(
          '/api/v1/feedback/tokens',
          many.map((one) => ({ ...one, expires_in: { hours: at + 1 } })),
        )
      ).status,
      200,
    );
  const tooMany = await server.post('/api/v1/feedback/tokens', many);
  t.equal(tooMany.status, 422);
  t.match(await tooMany.json(), { detail: [{ loc: ['body', 95, 'run_id'], msg: 'already has 500 feedback URLs' }] });
  t.equal((await server.get('/api/v1/feedback/tokens')).status, 422);
  t.equal((await server.get('/api/v1/feedback/tokens?run_id=x')).status, 422);
});

t.test('creates URLs for the run of a trace before and after the run exists', async (t) => {
  const { clientOf } = await langsmithOf(server);
  const langsmith = clientOf({ autoBatchTracing: false });
  const id = randomUUID();
  const early = await langsmith.createPresignedFeedbackToken(id, 'early');
  t.equal((await post(early.url, { score: 0.5 })).status, 200);
  t.match(await feedbackOf(server, id), [{ key: 'early', score: 0.5 }]);
  const project = `traces-${id}`;
  await langsmith.createRun({
    id,
    name: 'traced',
    run_type: 'chain',
    inputs: {},
    project_name: project,
    start_time: Date.now(),
  });
  t.match(await feedbackOf(server, id), [{ key: 'early', score: 0.5 }], 'it has come with its run');
  const token = await langsmith.createPresignedFeedbackToken(id, 'late');
  t.equal((await post(token.url, { score: 1 })).status, 200);
  t.equal((await post(early.url, { score: 0.75 })).status, 200);
  t.same(Object.fromEntries((await feedbackOf(server, id)).map(({ key, score }) => [key, score])), {
    early: 0.75,
    late: 1,
  });
  t.strictSame((await all(langsmith.listPresignedFeedbackTokens(id))).length, 2);
  await langsmith.deleteProject({ projectName: project });
  t.equal((await post(token.url, { score: 0 })).status, 404, 'its run is gone');
});

t.test('shows feedback on a run in the trace of the same id', async (t) => {
  const { clientOf } = await langsmithOf(server);
  const langsmith = clientOf({ autoBatchTracing: false });
  const { thread_id: threadId } = await server.client.threads.create();
  const events = await collect(
    server.client.runs.stream(threadId, 'echo', { input: { text: 'hi' }, feedbackKeys: KEYS }),
  );
  const { run_id: runId } = events[0]!.data as { run_id: string };
  const address = addressOf(events.at(-1)!.data);
  t.equal((await post(address, { score: 1 })).status, 200);
  await langsmith.createRun({
    id: runId,
    name: 'traced',
    run_type: 'chain',
    inputs: {},
    project_name: `graph-${runId}`,
    start_time: Date.now(),
  });
  t.match(await feedbackOf(server, runId), [{ score: 1, run_id: runId }]);
  t.equal((await post(address, { score: 0 })).status, 200);
  const { id: sessionId } = await langsmith.readProject({ projectName: `graph-${runId}` });
  t.match(await (await server.get(`/api/v1/feedback?session=${sessionId}`)).json(), [{ score: 0, run_id: runId }]);
});
