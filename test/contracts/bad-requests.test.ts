import { request } from 'node:http';
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { Gate } from '../helpers/gate.js';
import { temporaryFolder, testServer, WITHOUT_TYPES } from '../helpers/server.js';

/** Whatever a client sends, it is told what is wrong with it, nothing is changed, and the server goes on. */
const server = await testServer(t, { env: WITHOUT_TYPES });
const { client } = server;
const folder = temporaryFolder(t);
const MiB = 1024 * 1024;

const { thread_id: threadId } = await client.threads.create({ metadata: { mine: true } });
await client.runs.wait(threadId, 'echo', { input: { text: 'x' } });
const [{ run_id: runId }] = (await client.runs.list(threadId)) as unknown as [{ run_id: string }];
const thread = `/threads/${threadId}`;
const NOBODY = randomUUID();

interface Answer {
  status: number;
  detail: string;
  headers: Headers;
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
  const text = await response.text();
  let detail = text;
  try {
    detail = (JSON.parse(text) as { detail: string }).detail;
  } catch {
    /* no JSON */
  }
  return { status: response.status, detail, headers: response.headers };
}
const post = async (path: string, body: unknown): Promise<Answer> => send('POST', path, body);

/** All that a client can see of what is stored. */
async function everything(): Promise<unknown> {
  const all = await client.threads.search({ limit: 1000, sortBy: 'thread_id' });
  return Promise.all(
    all.map(async (one) => ({
      one,
      runs: await client.runs.list(one.thread_id, { limit: 1000 }),
      history: await client.threads.getHistory(one.thread_id, { limit: 1000 }),
    })),
  );
}
const before = await everything();

/** A scenario after which all is as it was. */
function refuses(name: string, scenario: (t: Test) => Promise<void>): void {
  void t.test(name, async (t) => {
    await scenario(t);
    t.strictSame(await everything(), before, 'nothing was changed');
  });
}

refuses('a body that does not fit is refused with the place in front', async (t) => {
  const echo = { assistant_id: 'echo', input: { text: 'x' } };
  const MODES =
    '"values", "messages", "messages-tuple", "tasks", "checkpoints", "updates", "events", "debug", "custom", "tools"';
  const cases: [body: unknown, detail: string | RegExp][] = [
    [{}, 'body.assistant_id: is required'],
    [{ assistant_id: null }, 'body.assistant_id: must be string'],
    [{ assistant_id: 7 }, 'body.assistant_id: must be string'],
    [{ assistant_id: '' }, /^body\.assistant_id: /],
    [{ ...echo, stream_mode: ['values', 'nonsense'] }, `body.stream_mode.1: must be one of ${MODES}`],
    [{ ...echo, stream_mode: 'nonsense' }, /^body\.stream_mode: .*must be one of "values"/],
    [{ ...echo, stream_mode: [7] }, /^body\.stream_mode\.0: /],
    [{ ...echo, stream_mode: Array<string>(21).fill('values') }, /^body\.stream_mode: /],
    [{ ...echo, config: { recursion_limit: 0 } }, /^body\.config\.recursion_limit: /],
    [{ ...echo, config: { recursion_limit: 1.5 } }, /^body\.config\.recursion_limit: must be integer/],
    [{ ...echo, config: { recursion_limit: '5' } }, /^body\.config\.recursion_limit: must be integer/],
    [{ ...echo, config: { tags: ['a', 1] } }, 'body.config.tags.1: must be string'],
    [{ ...echo, config: [] }, /^body\.config: must be object/],
    [{ ...echo, config: { configurable: 'x' } }, /^body\.config\.configurable: must be object/],
    [{ ...echo, metadata: 'x' }, /^body\.metadata: must be object/],
    [{ ...echo, metadata: ['x'] }, /^body\.metadata: must be object/],
    [
      { ...echo, multitask_strategy: 'whatever' },
      /^body\.multitask_strategy: must be one of "reject", "rollback", "interrupt", "enqueue"/,
    ],
    [{ ...echo, durability: 'maybe' }, /^body\.durability: must be one of "sync", "async", "exit"/],
    [{ ...echo, on_disconnect: 'shrug' }, /^body\.on_disconnect: must be one of "cancel", "continue"/],
    [{ ...echo, if_not_exists: 'maybe' }, /^body\.if_not_exists: must be one of "create", "reject"/],
    [{ ...echo, after_seconds: -1 }, /^body\.after_seconds: /],
    [{ ...echo, after_seconds: 'soon' }, /^body\.after_seconds: must be number/],
    [{ ...echo, stream_subgraphs: 'yes' }, /^body\.stream_subgraphs: must be boolean/],
    [{ ...echo, interrupt_before: [1] }, /^body\.interrupt_before\.0: must be string/],
    [{ ...echo, interrupt_after: { node: 'x' } }, /^body\.interrupt_after: /],
    [{ ...echo, command: 'resume' }, /^body\.command: must be object/],
    [{ ...echo, command: { goto: 7 } }, /^body\.command\.goto: /],
    [{ ...echo, command: { goto: { input: {} } } }, 'body.command.goto.node: is required'],
    [{ ...echo, command: { goto: ['a', { input: 1 }] } }, 'body.command.goto.1.node: is required'],
    [{ ...echo, command: { update: [['key']] } }, /^body\.command\.update\.0: /],
    [{ ...echo, checkpoint: 'abc' }, /^body\.checkpoint: must be object/],
    [{ ...echo, checkpoint: { checkpoint_id: 7 } }, /^body\.checkpoint\.checkpoint_id: must be string/],
    [{ ...echo, webhook: '' }, /^body\.webhook: /],
    [{ ...echo, feedback_keys: 'x' }, /^body\.feedback_keys: /],
    [[], /^body: must be object/],
    ['"text"', /^body: must be object/],
    ['null', /^body: must be object/],
    ['7', /^body: must be object/],
  ];
  for (const path of [
    `${thread}/runs`,
    `${thread}/runs/stream`,
    `${thread}/runs/wait`,
    '/runs',
    '/runs/stream',
    '/runs/wait',
  ]) {
    for (const [body, expected] of cases) {
      const { status, detail } = await post(path, body);
      t.equal(status, 422, `${path} ${JSON.stringify(body)}: ${detail}`);
      if (typeof expected === 'string') t.equal(detail, expected);
      else t.match(detail, expected);
    }
  }
});

refuses('threads and searches that do not fit', async (t) => {
  const cases: [path: string, body: unknown, detail: string | RegExp][] = [
    ['/threads', { thread_id: 'abc' }, /^body\.thread_id: .*must be a UUID$/],
    ['/threads', { thread_id: 7 }, /^body\.thread_id: must be .*string/],
    ['/threads', { metadata: 'x' }, /^body\.metadata: must be object/],
    ['/threads', { if_exists: 'overwrite' }, /^body\.if_exists: must be one of "raise", "do_nothing"/],
    ['/threads', [], /^body: must be object/],
    ['/threads/search', { limit: 0 }, /^body\.limit: /],
    ['/threads/search', { limit: 1001 }, /^body\.limit: /],
    ['/threads/search', { limit: '10' }, /^body\.limit: must be integer/],
    ['/threads/search', { offset: -1 }, /^body\.offset: /],
    ['/threads/search', { status: 'sleepy' }, /^body\.status: must be one of "idle", "busy", "interrupted", "error"/],
    ['/threads/search', { sort_by: 'size' }, /^body\.sort_by: must be one of "thread_id"/],
    ['/threads/search', { sort_order: 'up' }, /^body\.sort_order: must be one of "asc", "desc"/],
    ['/threads/search', { select: ['thread_id', 'secret'] }, /^body\.select\.1: must be one of "thread_id"/],
    ['/threads/search', { ids: ['abc'] }, 'body.ids.0: must be a UUID'],
    ['/threads/search', { ids: threadId }, /^body\.ids: must be .*array/],
    ['/threads/search', { metadata: [] }, /^body\.metadata: must be object/],
    ['/threads/search', { values: 'x' }, /^body\.values: must be object/],
    ['/assistants/search', { limit: 1001 }, /^body\.limit: /],
    ['/assistants/search', { name: 7 }, /^body\.name: must be string/],
    [`${thread}/history`, { limit: 0 }, /^body\.limit: /],
    [`${thread}/history`, { before: 7 }, /^body\.before: /],
    [`${thread}/history`, { checkpoint: 'x' }, /^body\.checkpoint: must be object/],
    [`${thread}/state/checkpoint`, {}, 'body.checkpoint: is required'],
    [`${thread}/state/checkpoint`, { checkpoint: 'x' }, /^body\.checkpoint: must be object/],
    [
      `${thread}/state/checkpoint`,
      { checkpoint: { checkpoint_ns: 7 } },
      /^body\.checkpoint\.checkpoint_ns: must be string/,
    ],
  ];
  for (const [path, body, expected] of cases) {
    const { status, detail } = await post(path, body);
    t.equal(status, 422, `${path} ${JSON.stringify(body)}: ${detail}`);
    if (typeof expected === 'string') t.equal(detail, expected);
    else t.match(detail, expected);
  }
  const patched = await send('PATCH', thread, { metadata: 'x' });
  t.strictSame([patched.status, patched.detail], [422, 'body.metadata: must be object or null']);
});

refuses('queries that do not fit', async (t) => {
  const cases: [path: string, detail: RegExp][] = [
    [`${thread}/runs?limit=0`, /^query\.limit: /],
    [`${thread}/runs?limit=abc`, /^query\.limit: must be integer/],
    [`${thread}/runs?limit=1.5`, /^query\.limit: must be integer/],
    [`${thread}/runs?offset=-1`, /^query\.offset: /],
    [`${thread}/runs?status=nonsense`, /^query\.status: must be one of "pending"/],
    [`${thread}/runs?select=run_id,nonsense`, /^query\.select\.1: must be one of "run_id"/],
    [`${thread}/runs?select=[1]`, /^query\.select\.0: /],
    [`${thread}/history?limit=1001`, /^query\.limit: /],
    [`${thread}/state?subgraphs=maybe`, /^query\.subgraphs: must be boolean/],
    [`${thread}/runs/${runId}/stream?stream_mode=values,nonsense`, /^query\.stream_mode\.1: must be one of "values"/],
    [`${thread}/runs/${runId}/stream?cancel_on_disconnect=maybe`, /^query\.cancel_on_disconnect: must be boolean/],
    [`${thread}/runs/${runId}/join?cancel_on_disconnect=2`, /^query\.cancel_on_disconnect: must be boolean/],
    ['/threads?limit=0', /^query\.limit: /],
    ['/threads?metadata=abc', /^query\.metadata: must be object/],
    ['/threads?metadata=[]', /^query\.metadata: must be object/],
    ['/threads?status=nonsense', /^query\.status: must be one of "idle"/],
  ];
  for (const [path, expected] of cases) {
    const { status, detail } = await send('GET', path);
    t.equal(status, 422, `${path}: ${detail}`);
    t.match(detail, expected);
  }
  for (const [query, expected] of [
    ['wait=maybe', /^query\.wait: must be boolean/],
    ['action=explode', /^query\.action: must be one of "interrupt", "rollback"/],
  ] as const) {
    const { status, detail } = await send('POST', `${thread}/runs/${runId}/cancel?${query}`);
    t.equal(status, 422);
    t.match(detail, expected);
  }
});

refuses('ids that are no UUIDs', async (t) => {
  for (const [method, path, place] of [
    ['GET', '/threads/abc', 'path.thread_id'],
    ['PATCH', '/threads/abc', 'path.thread_id'],
    ['DELETE', '/threads/abc', 'path.thread_id'],
    ['GET', `/threads/${threadId}x`, 'path.thread_id'],
    ['GET', `/threads/${threadId.replaceAll('-', '')}`, 'path.thread_id'],
    ['GET', '/threads/%00', 'path.thread_id'],
    ['GET', '/threads/..%2F..%2Fetc', 'path.thread_id'],
    ['GET', '/threads/abc/state', 'path.thread_id'],
    ['POST', '/threads/abc/history', 'path.thread_id'],
    ['GET', '/threads/abc/runs', 'path.thread_id'],
    ['GET', `${thread}/runs/abc`, 'path.run_id'],
    ['DELETE', `${thread}/runs/abc`, 'path.run_id'],
    ['GET', `${thread}/runs/abc/join`, 'path.run_id'],
    ['GET', `${thread}/runs/abc/stream`, 'path.run_id'],
    ['POST', `${thread}/runs/abc/cancel`, 'path.run_id'],
  ] as const) {
    const { status, detail } = await send(method, path, method === 'PATCH' ? {} : undefined);
    t.strictSame([status, detail], [422, `${place}: must be a UUID`], `${method} ${path}`);
  }
  for (const path of ['runs', 'runs/stream', 'runs/wait'])
    t.match(await post(`/threads/abc/${path}`, { assistant_id: 'echo' }), {
      status: 422,
      detail: 'path.thread_id: must be a UUID',
    });
  t.match(await send('GET', '/threads/%zz'), { status: 422, detail: 'path.thread_id: is not valid percent-encoding' });
  t.match(await send('GET', '/threads/%ff'), { status: 422, detail: 'path.thread_id: is not valid percent-encoding' });
});

refuses('what is not there', async (t) => {
  for (const [method, path, detail] of [
    ['GET', '/does/not/exist', 'There is no route for GET /does/not/exist.'],
    ['POST', '/runs/nothing/at-all', 'There is no route for POST /runs/nothing/at-all.'],
    ['GET', `/threads/${NOBODY}`, `Thread with ID ${NOBODY} not found`],
    ['DELETE', `/threads/${NOBODY}`, `Thread with ID ${NOBODY} not found`],
    ['GET', `/threads/${NOBODY}/state`, `Thread with ID ${NOBODY} not found`],
    ['POST', `/threads/${NOBODY}/history`, `Thread with ID ${NOBODY} not found`],
    ['GET', `/threads/${NOBODY}/runs`, `Thread with ID ${NOBODY} not found`],
    ['GET', `${thread}/state/${NOBODY}`, `Checkpoint ${NOBODY} not found`],
    ['GET', `${thread}/runs/${NOBODY}`, 'Run not found'],
    ['DELETE', `${thread}/runs/${NOBODY}`, 'Run not found'],
    ['GET', `${thread}/runs/${NOBODY}/join`, 'Run not found'],
    ['GET', `${thread}/runs/${NOBODY}/stream`, 'Run not found'],
    ['POST', `${thread}/runs/${NOBODY}/cancel`, 'Run not found'],
    ['POST', `${thread}/runs/${NOBODY}/cancel?wait=1`, 'Run not found'],
    ['POST', `${thread}/runs/${runId}/cancel`, 'Run not found'],
    ['GET', '/assistants/nobody', 'Assistant not found'],
    ['GET', `/assistants/${NOBODY}`, 'Assistant not found'],
  ] as const) {
    const answer = await send(method, path);
    t.strictSame([answer.status, answer.detail], [404, detail], `${method} ${path}`);
    t.equal(answer.headers.get('content-type'), 'application/json');
  }
  for (const path of [
    '/runs',
    '/runs/stream',
    '/runs/wait',
    `${thread}/runs`,
    `${thread}/runs/stream`,
    `${thread}/runs/wait`,
  ]) {
    t.match(await post(path, { assistant_id: 'nobody' }), {
      status: 404,
      detail:
        'No assistant found for "nobody". Make sure the assistant ID is for a valid assistant or a valid graph ID.',
    });
  }
  for (const path of ['runs', 'runs/stream', 'runs/wait'])
    t.match(await post(`/threads/${NOBODY}/${path}`, { assistant_id: 'echo' }), {
      status: 404,
      detail: `Thread with ID ${NOBODY} not found`,
    });
});

refuses('names that every object has are no graphs', async (t) => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    t.equal((await post('/runs/wait', { assistant_id: name })).status, 404, name);
    t.equal((await send('GET', `/assistants/${name}`)).status, 404, name);
  }
});

refuses('JSON that is none', async (t) => {
  for (const body of [
    '{',
    '{"assistant_id": "echo",}',
    'assistant_id=echo',
    '\u0000',
    '{"a": NaN}',
    "{'a': 1}",
    '{"a":1}{"b":2}',
    ' ',
    '\ufeff{"assistant_id"',
  ]) {
    for (const path of ['/runs/wait', `${thread}/runs`, '/threads', '/threads/search', `${thread}/history`]) {
      const { status, detail } = await post(path, body);
      t.equal(status, 400, `${path} ${JSON.stringify(body)}`);
      t.match(detail, /^The request body is not valid JSON: /);
    }
  }
});

refuses('bytes that are no UTF-8', async (t) => {
  for (const bytes of [
    [0x22, 0xff, 0xfe, 0x22],
    [0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]) {
    for (const path of ['/runs/wait', '/threads', '/threads/search']) {
      const { status, detail } = await post(path, new Uint8Array(bytes));
      t.equal(status, 400);
      t.match(detail, /^The request body is not valid JSON: /);
    }
  }
});

refuses('JSON that is nested too deep', async (t) => {
  const deep = (depth: number): string =>
    `{"assistant_id":"echo","thread_id":null,"input":null,"metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
  for (const depth of [1_000, 100_000]) {
    for (const path of ['/runs/wait', `${thread}/runs`, '/threads', '/threads/search']) {
      const { status, detail } = await post(path, deep(depth));
      t.strictSame([status, detail], [422, 'body: is nested deeper than 200 levels'], `${path} ${depth}`);
    }
  }
  t.equal((await post('/threads/search', `{"metadata":${'['.repeat(300)}${']'.repeat(300)}}`)).status, 422);
  t.equal((await post('/threads/search', deep(150))).status, 200, 'deep, but not too deep');
});

refuses('a body over the limit', async (t) => {
  const big = JSON.stringify({ metadata: { text: 'x'.repeat(4 * MiB) } });
  for (const path of [
    '/threads/search',
    '/assistants/search',
    '/threads',
    `${thread}/history`,
    `${thread}/state/checkpoint`,
  ]) {
    const { status, detail } = await post(path, big);
    t.strictSame([status, detail], [413, `The request body is over the limit of ${4 * MiB} bytes.`], path);
  }
  t.equal((await send('PATCH', thread, big)).status, 413);
  const fits = `{"metadata":{"none":"${'x'.repeat(4 * MiB - 24)}"}}`;
  t.equal(Buffer.byteLength(fits), 4 * MiB);
  t.equal((await post('/threads/search', fits)).status, 200, 'the limit itself is within');
  t.equal((await post('/threads/search', `${fits} `)).status, 413, 'one byte more is not');
});

refuses('a body over the limit that does not say its length', async (t) => {
  const status = await new Promise<number | undefined>((resolve) => {
    const sending = request(
      `${server.url}/threads/search`,
      { method: 'POST', headers: { 'transfer-encoding': 'chunked' } },
      (response) => {
        resolve(response.statusCode);
        response.resume();
      },
    );
    // The server closes while we are still sending.
    sending.on('error', () => resolve(undefined));
    for (let n = 0; n < 6; n += 1) sending.write('x'.repeat(MiB));
    sending.end();
  });
  t.ok(status === 413 || status === undefined, String(status));
  t.equal((await server.get('/ok')).status, 200);
});

refuses('a method that a path does not know', async (t) => {
  const cases: [method: string, path: string, allow: string[]][] = [
    ['DELETE', '/threads', ['GET', 'HEAD', 'POST']],
    ['PUT', '/threads', ['GET', 'HEAD', 'POST']],
    ['POST', thread, ['DELETE', 'GET', 'HEAD', 'PATCH']],
    ['PUT', thread, ['DELETE', 'GET', 'HEAD', 'PATCH']],
    ['GET', '/threads/search', ['POST']],
    ['GET', '/runs/wait', ['POST']],
    ['GET', '/runs/stream', ['POST']],
    ['PUT', `${thread}/runs`, ['GET', 'HEAD', 'POST']],
    ['GET', `${thread}/runs/${runId}/cancel`, ['POST']],
    ['DELETE', `${thread}/runs/${runId}/join`, ['GET', 'HEAD']],
    ['PATCH', `${thread}/runs/${runId}`, ['DELETE', 'GET', 'HEAD']],
    ['DELETE', `${thread}/history`, ['GET', 'HEAD', 'POST']],
    ['POST', '/ok', ['GET', 'HEAD']],
    ['DELETE', '/info', ['GET', 'HEAD']],
  ];
  for (const [method, path, allow] of cases) {
    const answer = await send(method, path);
    t.equal(answer.status, 405, `${method} ${path}: ${answer.detail}`);
    t.strictSame((answer.headers.get('allow') ?? '').split(', ').sort(), allow, path);
    t.match(answer.detail, new RegExp(`^${method} is not allowed on `));
  }
});

refuses('a thread that is there already', async (t) => {
  for (const id of [threadId, threadId.toUpperCase()])
    t.match(await post('/threads', { thread_id: id, metadata: { stolen: true } }), {
      status: 409,
      detail: 'Thread already exists',
    });
});

refuses('headers and queries in bad shape', async (t) => {
  for (const path of [
    '/threads?limit=%zz',
    '/threads?%',
    '/threads?metadata=%ff',
    '/threads?=&=&&&',
    `/threads?${'a=1&'.repeat(1_000)}`,
  ]) {
    const { status } = await send('GET', path);
    t.ok(status < 500, `${path.slice(0, 40)}: ${status}`);
  }
  for (const lastEventId of ['-2', 'NaN', '1e400', '99999999999999999999', '0x10', '1.5', ' ', '\u00e9']) {
    const answer = await send('GET', `${thread}/runs/${runId}/stream`, undefined, { 'last-event-id': lastEventId });
    t.equal(answer.status, 200, lastEventId);
  }
});

refuses('a run that is refused on a busy thread leaves it alone', async (t) => {
  const { thread_id: busy } = await client.threads.create();
  const gate = new Gate(folder);
  const waiting = client.runs.wait(busy, 'gate', { input: { label: 'a', gate: gate.file } });
  await gate.reached();
  for (const path of ['runs', 'runs/stream', 'runs/wait']) {
    t.match(
      await post(`/threads/${busy}/${path}`, {
        assistant_id: 'gate',
        input: { label: 'b' },
        multitask_strategy: 'reject',
      }),
      {
        status: 409,
        detail: 'Thread is already running a task. Wait for it to finish or choose a different multitask strategy.',
      },
    );
    t.equal(
      (
        await post(`/threads/${busy}/${path}`, {
          assistant_id: 'gate',
          input: { label: 'b' },
          multitask_strategy: 'nonsense',
        })
      ).status,
      422,
    );
    t.equal(
      (await post(`/threads/${busy}/${path}`, { assistant_id: 'nobody', multitask_strategy: 'rollback' })).status,
      404,
    );
  }
  gate.open();
  t.match(await waiting, { steps: ['before a', 'held a', 'after a'] });
  t.equal((await client.runs.list(busy)).length, 1);
  await client.threads.delete(busy);
});

refuses('keys that mean something to JavaScript are data', async (t) => {
  const tricky = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}';
  const made = await server.post('/threads', `{"metadata":${tricky}}`);
  t.equal(made.status, 200);
  const { thread_id: id } = JSON.parse(await made.text(), (key, value: unknown) =>
    key === 'metadata' ? undefined : value,
  ) as { thread_id: string };
  t.match(await (await server.get(`/threads/${id}`)).text(), `"metadata":${tricky}`, 'as they came');
  t.equal(
    (
      await post(
        '/runs/wait',
        `{"assistant_id":"echo","__proto__":{"input":{"text":"x"}},"config":{"configurable":${tricky}},"metadata":${tricky}}`,
      )
    ).status,
    200,
  );
  const wait = await server.post(
    `/threads/${id}/runs/wait`,
    `{"assistant_id":"scalar","input":{"give":${tricky}},"metadata":${tricky},"config":{"configurable":${tricky}},"context":${tricky}}`,
  );
  t.equal(wait.status, 200);
  await wait.text();
  t.equal((await send('PATCH', `/threads/${id}`, `{"metadata":${tricky}}`)).status, 200);
  t.equal((await post('/threads/search', `{"metadata":${tricky}}`)).status, 200);
  t.equal((await post('/threads/search', `{"values":${tricky}}`)).status, 200);
  t.equal((await server.post('/threads/search', '{"limit":1,"__proto__":{"limit":"x"}}')).status, 200);
  t.notOk('polluted' in {}, 'and no object of the server has them');
  await client.threads.delete(id);
});

refuses('text of every kind is data, and comes back as it was', async (t) => {
  const strange = [
    '\u0000',
    '\u2028',
    '\ud83d\ude00',
    '\\u0000',
    '"',
    '</script>',
    '\r\n\r\ndata: x',
    'id: 7\n',
    '\u202e',
    '\ufeff',
    'a'.repeat(100_000),
  ];
  const { thread_id: id } = await client.threads.create({ metadata: { strange } });
  t.strictSame((await client.threads.get(id)).metadata, { strange });
  for (const text of strange) {
    const { thread_id: one } = await client.threads.create();
    t.strictSame(await client.runs.wait(one, 'echo', { input: { text } }), {
      text,
      steps: [`first ${text}`, `second ${text}`],
    });
    t.strictSame((await client.threads.get(one)).values, { text, steps: [`first ${text}`, `second ${text}`] });
    await client.threads.delete(one);
  }
  await client.threads.delete(id);
});

refuses('input that a graph cannot take fails its run, not the server', async (t) => {
  for (const input of ['text', 7, [], [1], true, { unknown: 1 }, {}, null]) {
    const answer = await server.post('/runs/wait', { assistant_id: 'echo', input });
    t.equal(answer.status, 200, JSON.stringify(input));
    t.equal(typeof (await answer.json()), 'object');
  }
  for (const [command, name] of [
    [{ goto: 'no-such-node' }, 'goto'],
    [{ resume: 'nothing was asked' }, 'resume'],
    [{}, 'empty'],
  ] as const) {
    const answer = await server.post('/runs/wait', { assistant_id: 'echo', command });
    t.equal(answer.status, 200, name);
    t.equal(typeof (await answer.json()), 'object');
  }
  const breakpoint = await server.post('/runs/wait', {
    assistant_id: 'echo',
    input: { text: 'x' },
    interrupt_before: ['no-such-node'],
  });
  t.equal(breakpoint.status, 200);
  await breakpoint.text();
  const fork = await server.post('/runs/wait', {
    assistant_id: 'echo',
    input: { text: 'x' },
    checkpoint_id: 'no-such-checkpoint',
  });
  t.equal(fork.status, 200);
  await fork.text();
  t.equal((await server.get('/ok')).status, 200);
});
