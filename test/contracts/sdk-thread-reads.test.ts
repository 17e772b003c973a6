import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import t from 'tap';
import { Gate } from '../helpers/gate.js';
import { temporaryFolder, testServer } from '../helpers/server.js';

/**
 * Finding threads and reading their states, with every option of the stock client, what the Python SDK sends, and what
 * is ours.
 */
const server = await testServer(t);
const { client } = server;
const { threads, runs } = client;
const folder = temporaryFolder(t);

const NOBODY = '00000000-0000-4000-8000-000000000000';
const ids = (list: readonly { thread_id: string }[]): string[] => list.map((one) => one.thread_id);
const label = (): string => `label-${randomUUID()}`;
const json = async <T>(answer: Promise<Response>): Promise<T> => (await (await answer).json()) as T;
const search = async (body: object): Promise<string[]> => ids(await json(server.post('/threads/search', body)));
const query = (parts: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(parts).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();

/** A thread that has answered so many messages. */
async function chat(metadata: Record<string, unknown>, texts: readonly string[]): Promise<string> {
  const { thread_id: id } = await threads.create({ metadata });
  for (const [at, content] of texts.entries())
    await runs.wait(id, 'chat', { input: { messages: [{ role: 'user', content, id: `h${at}` }] } });
  return id;
}

const set = label();
const empty = (await threads.create({ metadata: { set, kind: 'a', 'dotted.name': 1 } })).thread_id;
const short = await chat({ set, kind: 'b', deep: { n: 1 } }, ['hello']);
const long = await chat({ set, kind: 'b', deep: { n: 2 } }, ['one', 'two']);
const asking = (await threads.create({ metadata: { set, kind: 'c' } })).thread_id;
await runs.wait(asking, 'questions', { input: { answers: ['start'] } });

t.test('returns the number of found threads from count', async (t) => {
  t.equal(await threads.count({ metadata: { set } }), 4);
  t.equal(await threads.count({ metadata: { set, kind: 'b' } }), 2);
  t.equal(await threads.count({ metadata: { set, deep: { n: 2 } } }), 1);
  t.equal(await threads.count({ metadata: { set, 'dotted.name': 1 } }), 1);
  t.equal(await threads.count({ metadata: { set, dotted: { name: 1 } } }), 0, 'a name with a dot is no path');
  t.equal(await threads.count({ metadata: { set }, status: 'interrupted' }), 1);
  t.equal(await threads.count({ metadata: { set }, values: { messages: [{ content: 'hello' }] } as never }), 1);
  t.equal(await threads.count({ metadata: { set: label() } }), 0);
  t.ok((await threads.count()) >= 4);
  const answer = await server.post('/threads/count', { metadata: null, values: null, status: null });
  t.strictSame([answer.status, answer.headers.get('content-type')], [200, 'application/json']);
  t.match(await answer.text(), /^\d+$/);
  t.equal((await server.post('/threads/count', { status: 'asleep' })).status, 422);
});

t.test('searches values message by message, and only threads with values', async (t) => {
  t.strictSame(
    await search({ metadata: { set }, values: { messages: [{ content: 'answer 1' }] }, sort_by: 'created_at' }),
    [long, short],
  );
  t.strictSame(
    await search({
      metadata: { set },
      values: { messages: [{ content: 'one' }, { type: 'ai', content: 'answer 3' }] },
    }),
    [long],
    'all of them, in any order',
  );
  t.strictSame(
    await search({ metadata: { set }, values: { messages: [] }, sort_by: 'created_at' }),
    [long, short],
    'any list',
  );
  t.strictSame(await search({ metadata: { set }, values: { messages: 'one' } }), []);
  t.strictSame(await search({ metadata: { set }, values: { nothing: null } }), []);
  t.equal((await search({ metadata: { set }, values: {} })).length, 4, 'nothing is asked of them');
});

t.test("returns extracted parts under names of the client's choosing", async (t) => {
  const found = await threads.search({
    ids: [long, asking, empty],
    sortBy: 'created_at',
    sortOrder: 'asc',
    select: ['thread_id'],
    extract: {
      last: 'values.messages[-1].content',
      second: 'values.messages[1].type',
      gone: 'values.messages[9].content',
      kind: 'metadata.kind',
      n: 'metadata.deep.n',
      metadata: 'metadata',
      config: 'config',
      none: 'config.none',
      first: 'values.answers[0]',
    },
  });
  t.strictSame(
    found.map(({ thread_id: id, extracted }) => [id, { ...extracted, metadata: null }]),
    [
      [
        empty,
        {
          last: null,
          second: null,
          gone: null,
          kind: 'a',
          n: null,
          metadata: null,
          config: {},
          none: null,
          first: null,
        },
      ],
      [
        long,
        {
          last: 'answer 3',
          second: 'ai',
          gone: null,
          kind: 'b',
          n: 2,
          metadata: null,
          config: {},
          none: null,
          first: null,
        },
      ],
      [
        asking,
        {
          last: null,
          second: null,
          gone: null,
          kind: 'c',
          n: null,
          metadata: null,
          config: {},
          none: null,
          first: 'start',
        },
      ],
    ],
  );
  t.strictSame(Object.keys(found[0]!).sort(), ['extracted', 'thread_id']);
  const [whole] = await threads.search({ ids: [asking], extract: { values: 'values', interrupts: 'interrupts' } });
  t.strictSame([whole!.extracted!['values'], whole!.extracted!['interrupts']], [whole!.values, whole!.interrupts]);
  const [task] = Object.keys(whole!.interrupts);
  const [asked] = await threads.search({
    ids: [asking],
    select: ['status'],
    extract: { ask: `interrupts.${task}[0].value.ask` },
  });
  t.strictSame(asked, {
    status: 'interrupted',
    extracted: { ask: (whole!.interrupts[task!]![0]!.value as { ask: string }).ask },
  } as never);
  t.strictSame(
    await json<object[]>(
      server.get(
        `/threads?${query({ ids: long, select: 'thread_id', extract: { last: 'values.messages[-1].content' } })}`,
      ),
    ),
    [{ thread_id: long, extracted: { last: 'answer 3' } }],
  );
  for (const [path, said] of [
    ['thread_id', /extract\.x: must be a path/],
    ['values..a', /extract\.x/],
    ['values.a[', /extract\.x/],
    ['values.a[b]', /extract\.x/],
    ['', /extract\.x/],
  ] as const) {
    await t.rejects(threads.search({ extract: { x: path } }), said, path);
  }
  await t.rejects(
    threads.search({ extract: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`x${at}`, 'values'])) }),
    /HTTP 422/,
    'ten at most',
  );
});

t.test('applies conditions with or, not and exists at any depth', async (t) => {
  const found = async (more: object): Promise<string[]> =>
    search({ metadata: { set }, sort_by: 'created_at', sort_order: 'asc', ...more });
  t.strictSame(await found({ or: [{ metadata: { kind: 'a' } }, { status: 'interrupted' }] }), [empty, asking]);
  t.strictSame(await found({ not: { metadata: { kind: 'b' } } }), [empty, asking]);
  t.strictSame(await found({ exists: ['metadata.deep.n'] }), [short, long]);
  t.strictSame(await found({ exists: ['values.messages[3]'] }), [long]);
  t.strictSame(await found({ not: { exists: ['values.messages'] } }), [empty, asking]);
  t.strictSame(await found({ not: { ids: [short] }, exists: ['values'] }), [long, asking]);
  t.strictSame(
    await found({
      or: [
        { values: { messages: [{ content: 'two' }] } },
        { not: { or: [{ metadata: { kind: 'b' } }, { metadata: { kind: 'c' } }] } },
      ],
    }),
    [empty, long],
  );
  t.strictSame(await found({ or: [{}] }), [empty, short, long, asking], 'nothing is asked');
  t.strictSame(await found({ not: {} }), []);
  t.equal(
    await json(
      server.post('/threads/count', {
        metadata: { set },
        or: [{ metadata: { kind: 'a' } }, { metadata: { kind: 'c' } }],
      }),
    ),
    2,
  );
  t.equal(
    await json(
      server.post('/threads/count', { metadata: { set }, exists: ['interrupts'], not: { metadata: { kind: 'b' } } }),
    ),
    1,
  );
  const listed = await json<{ thread_id: string }[]>(
    server.get(
      `/threads?${query({ metadata: { set }, or: [{ metadata: { kind: 'a' } }, { status: 'interrupted' }], not: { metadata: { kind: 'c' } }, exists: 'metadata.kind' })}`,
    ),
  );
  t.strictSame(ids(listed), [empty], 'GET has the same');
  for (const [body, said] of [
    [{ or: [] }, /body\.or/],
    [{ or: [{ kind: 'a' }] }, /kind: is not a known field/],
    [{ exists: ['kind'] }, /exists\.0: must be a path such as/],
    [{ not: { or: [{ exists: ['x'] }] } }, /not\.or\.0\.exists\.0/],
    [JSON.parse(`${'{"not":'.repeat(10)}{}${'}'.repeat(10)}`) as object, /nested deeper than 8 levels/],
    [{ or: Array.from({ length: 100 }, () => ({})) }, /more than 100 conditions/],
  ] as const) {
    const answer = await server.post('/threads/search', body);
    t.equal(answer.status, 422);
    t.match(((await answer.json()) as { detail: string }).detail, said);
  }
});

t.test('refuses or applies conditions of any depth', async (t) => {
  // As much as fits into a head that Node's fetch and http send.
  const whole = `${'{"not":'.repeat(1_500)}{}${'}'.repeat(1_500)}`;
  t.equal((await conditional(`/threads?not=${whole}`, {})).status, 422);
  t.equal((await server.post('/threads/search', `{"not":${whole}}`)).status, 422);
  t.equal(
    (await server.post('/threads/search', `{"not":${'{"not":'.repeat(100_000)}{}${'}'.repeat(100_000)}}`)).status,
    422,
  );
});

t.test('returns all pages with a cursor, whatever changes between them', async (t) => {
  const pages = label();
  const all: string[] = [];
  for (let n = 0; n < 9; n += 1) all.push((await threads.create({ metadata: { pages, n } })).thread_id);
  for (const order of ['desc', 'asc'] as const) {
    for (const sortBy of ['updated_at', 'created_at'] as const) {
      const walked: string[] = [];
      for (let cursor: string | null = '*'; cursor !== null;) {
        const answer = await server.post('/threads/search', {
          metadata: { pages },
          limit: 2,
          offset: 0,
          sort_by: sortBy,
          sort_order: order,
          cursor,
        });
        t.equal(answer.status, 200);
        t.notOk(answer.headers.get('x-pagination-next'));
        const page = ids((await answer.json()) as { thread_id: string }[]);
        walked.push(...page);
        cursor = answer.headers.get('x-pagination-cursor');
        // One that was shown, and one that was not.
        const later = all.find((id) => !walked.includes(id));
        for (const id of [page[0], later])
          if (id !== undefined) await threads.update(id, { metadata: { touched: true } });
        t.ok(walked.length <= 9);
      }
      t.strictSame(walked.toSorted(), all.toSorted(), `${sortBy} ${order}`);
    }
  }
});

t.test('refuses a cursor of another search', async (t) => {
  const first = await server.post('/threads/search', { metadata: { set }, limit: 1, cursor: '*' });
  const cursor = first.headers.get('x-pagination-cursor')!;
  t.match(cursor, /^[\w-]+$/);
  const refused = async (body: object, said: RegExp): Promise<void> => {
    const answer = await server.post('/threads/search', body);
    t.equal(answer.status, 422);
    t.match(((await answer.json()) as { detail: string }).detail, said);
  };
  await refused({ metadata: { set: label() }, cursor }, /cursor: does not belong to this search/);
  await refused({ metadata: { set }, sort_order: 'asc', cursor }, /cursor/);
  await refused({ metadata: { set }, cursor: `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}x` }, /cursor/);
  await refused({ metadata: { set }, cursor: 'x' }, /cursor/);
  await refused({ metadata: { set }, cursor, offset: 1 }, /offset: cannot be combined with a cursor/);
  await refused({ ids: [short], cursor: '*' }, /ids: cannot be combined with a cursor/);
  await refused({ sort_by: 'status', cursor: '*' }, /sort_by: must be updated_at or created_at with a cursor/);
  const second = await server.get(`/threads?${query({ metadata: { set }, limit: 100, cursor })}`);
  t.strictSame(
    [second.status, ((await second.json()) as unknown[]).length, second.headers.get('x-pagination-cursor')],
    [200, 3, null],
    'the page may have another size; the last one says nothing',
  );
});

t.test('sorts by state_updated_at', async (t) => {
  await threads.update(empty, { metadata: { later: true } });
  t.equal((await search({ metadata: { set }, limit: 1 }))[0], empty, 'metadata counts as an update');
  t.strictSame(await search({ metadata: { set }, sort_by: 'state_updated_at' }), [asking, long, short, empty]);
  t.strictSame(
    ids(await threads.search({ metadata: { set }, sortBy: 'state_updated_at' as never, sortOrder: 'asc' })),
    [empty, short, long, asking],
  );
});

t.test('returns the selected parts of states', async (t) => {
  const whole = await threads.getState(long);
  const { checkpoint } = whole;
  t.strictSame(await threads.getState(long, undefined, { select: ['next'] }), { next: [] } as never);
  t.strictSame(await threads.getState(long, undefined, { select: ['values.messages', 'checkpoint'] }), {
    values: whole.values,
    checkpoint,
  } as never);
  t.strictSame(
    await threads.getState(asking, undefined, { select: ['values.messages'] }),
    { values: {} } as never,
    'no such value',
  );
  t.strictSame(await threads.getState(asking, undefined, { select: ['values.answers', 'values'] }), {
    values: { answers: ['start'] },
  } as never);
  t.strictSame(await threads.getState(long, checkpoint.checkpoint_id!, { select: ['metadata', 'created_at'] }), {
    metadata: whole.metadata,
    created_at: whole.created_at,
  } as never);
  t.strictSame(await threads.getState(long, checkpoint, { select: ['parent_checkpoint', 'interrupts', 'tasks'] }), {
    tasks: [],
    parent_checkpoint: whole.parent_checkpoint,
    interrupts: [],
  } as never);
  t.strictSame(
    await threads.getState(empty, undefined, { select: ['values.messages', 'next'] }),
    { values: {}, next: [] } as never,
    'without a graph',
  );
  const history = await threads.getHistory(long);
  t.strictSame(
    await threads.getHistory(long, { select: ['next', 'values.messages'] }),
    history.map(({ values, next }) => ({ values, next })) as never,
  );
  t.strictSame(
    await threads.getHistory(long, { select: ['checkpoint'], limit: 2, before: checkpoint as never }),
    history.slice(1, 3).map((state) => ({ checkpoint: state.checkpoint })) as never,
  );
  await t.rejects(threads.getState(long, undefined, { select: ['everything' as never] }), /HTTP 422/);
  await t.rejects(threads.getHistory(long, { select: ['values.'] }), /HTTP 422/);
});

t.test('accepts select of a state in every list format of clients', async (t) => {
  const expected = { values: (await threads.getState(long)).values, next: [] };
  for (const one of [
    'select=next&select=values.messages',
    'select=["next","values.messages"]',
    'select=next,values.messages',
    `select=${encodeURIComponent('["values.messages","next"]')}&subgraphs=false`,
  ]) {
    t.strictSame(await json(server.get(`/threads/${long}/state?${one}`)), expected, one);
  }
  for (const one of ['select=', 'select=[]', 'subgraphs=0'])
    t.strictSame(await json(server.get(`/threads/${long}/state?${one}`)), await threads.getState(long), one);
  const body = {
    checkpoint: { checkpoint_ns: null, checkpoint_id: null, checkpoint_map: null },
    subgraphs: null,
    select: null,
  };
  t.strictSame(
    await json(server.post(`/threads/${long}/state/checkpoint`, body)),
    await threads.getState(long),
    'null counts as absent',
  );
  t.strictSame(
    await json(
      server.post(`/threads/${long}/history`, {
        limit: null,
        before: null,
        metadata: null,
        checkpoint: null,
        select: null,
      }),
    ),
    await threads.getHistory(long),
  );
});

t.test('treats a state that is no object as having no parts', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'scalar', { input: { give: { a: 1, b: [2] } } });
  t.strictSame(await threads.getState(id, undefined, { select: ['values.b'] }), { values: { b: [2] } } as never);
  t.strictSame(await threads.search({ ids: [id], select: ['status'], extract: { b: 'values.b[-1]' } }), [
    { status: 'idle', extracted: { b: 2 } },
  ] as never);
  t.strictSame(await search({ ids: [id], values: { a: 1 } }), [id]);
  await runs.wait(id, 'scalar', { input: { give: 7 } });
  t.strictSame(await threads.getState(id, undefined, { select: ['values.b'] }), { values: {} } as never);
  t.strictSame(await search({ ids: [id], values: { a: 1 } }), []);
});

t.test('[trap 12] returns the same history from GET and POST', async (t) => {
  const history = await threads.getHistory(long, { limit: 1000 });
  const get = async (parts: Record<string, unknown>): Promise<unknown> =>
    json(server.get(`/threads/${long}/history?${query(parts)}`));
  t.strictSame(await get({ limit: 1000 }), history);
  const before = history[1]!.checkpoint;
  for (const form of [before.checkpoint_id, before, { configurable: before }])
    t.strictSame(await get({ before: form, limit: 2 }), history.slice(2, 4));
  t.strictSame(
    await get({ metadata: { source: 'input' } }),
    history.filter(({ metadata }) => metadata?.source === 'input'),
  );
  t.strictSame(
    await get({ select: 'next', limit: 2 }),
    history.slice(0, 2).map(({ next }) => ({ next })),
  );
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'nested', { input: { question: 'why?' } });
  const [task] = (await threads.getState(id)).tasks;
  t.strictSame(
    await json(server.get(`/threads/${id}/history?${query({ checkpoint: task!.checkpoint })}`)),
    await threads.getHistory(id, { checkpoint: task!.checkpoint as never }),
  );
  for (const limit of [0, 1001, 'x'])
    t.equal((await server.get(`/threads/${long}/history?limit=${limit}`)).status, 422);
  t.equal((await server.post(`/threads/${long}/history`, { limit: 1001 })).status, 422);
});

t.test('accepts include of a thread in every format', async (t) => {
  const plain = await threads.get(long);
  t.notOk('ttl' in plain);
  t.strictSame(await threads.get(long, { include: ['ttl'] }), { ...plain, ttl: null } as never);
  for (const one of ['include=ttl', 'include=ttl&include=ttl', 'include=["ttl"]', 'include=ttl,ttl'])
    t.strictSame(await json(server.get(`/threads/${long}?${one}`)), { ...plain, ttl: null }, one);
  t.strictSame(await json(server.get(`/threads/${long}?include=`)), plain);
  t.equal((await server.get(`/threads/${long}?include=everything`)).status, 422);
});

t.test('returns no body to a change that asks for none', async (t) => {
  t.equal(await threads.update(short, { metadata: { quiet: 1 }, returnMinimal: true }), undefined);
  t.equal((await threads.get(short)).metadata?.['quiet'], 1);
  const patch = async (body: object, headers: Record<string, string>): Promise<Response> =>
    fetch(`${server.url}/threads/${short}`, {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const minimal = await patch({ metadata: null }, { prefer: 'respond-async, return=minimal' });
  t.strictSame(
    [minimal.status, await minimal.text(), minimal.headers.get('etag')],
    [204, '', (await server.get(`/threads/${short}`)).headers.get('etag')],
  );
  t.equal((await patch({ metadata: { quiet: 2 } }, { prefer: 'return=representation' })).status, 200);
});

/** Conditional reads with a client that keeps nothing itself. */
async function conditional(
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; etag: string | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, { headers }, (answer) => {
      let body = '';
      answer
        .setEncoding('utf8')
        .on('data', (part: string) => {
          body += part;
        })
        .on('end', () => resolve({ status: answer.statusCode!, etag: answer.headers.etag, body }));
    });
    sent.on('error', reject).end();
  });
}

t.test('returns 304 until the thread changes', async (t) => {
  const gate = new Gate(folder);
  const { thread_id: id } = await threads.create();
  const paths = [
    `/threads/${id}`,
    `/threads/${id}/state`,
    `/threads/${id}/state?subgraphs=true`,
    `/threads/${id}/history`,
    `/threads/${id}/history?limit=1&select=next`,
  ];
  /** `still`: nothing changes meanwhile. */
  const tags = async (still = true): Promise<string[]> =>
    Promise.all(
      paths.map(async (path) => {
        const { status, etag } = await conditional(path, {});
        t.equal(status, 200);
        t.match(etag, /^"[\w-]{22}"$/, 'a strong tag');
        if (!still) return etag!;
        const known = await conditional(path, { 'if-none-match': etag! });
        t.strictSame(known, { status: 304, etag, body: '' }, path);
        for (const form of ['*', `W/${etag!}`, `"x", ${etag!}`])
          t.equal((await conditional(path, { 'if-none-match': form })).status, 304, form);
        for (const form of ['"x"', 'x', '', 'W/"x"'])
          t.equal((await conditional(path, { 'if-none-match': form })).status, 200, form);
        return etag!;
      }),
    );
  const [before, ...statesBefore] = await tags();
  await threads.update(id, { metadata: { a: 1 } });
  const [patched, ...statesPatched] = await tags();
  t.not(patched, before);
  t.strictSame(statesPatched, statesBefore, 'its state is what it was');
  const run = await runs.create(id, 'gate', { input: { label: 'a', gate: gate.file } });
  await gate.reached();
  // What the worker has stored so far may still be on its way.
  while (!(await threads.getState(id)).next.includes('hold'))
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  const busy = await tags(false);
  gate.open();
  await runs.join(id, run.run_id);
  const done = await tags();
  for (const at of paths.keys())
    t.equal(new Set([[before, ...statesBefore][at], busy[at], done[at]]).size, 3, paths[at]!);
  t.equal((await conditional(`/threads/${NOBODY}`, { 'if-none-match': '*' })).status, 404);
});

t.test('sends no length without a body and keeps the connection open', async (t) => {
  const { thread_id: id } = await threads.create();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const { url } = server;
  const ask = async (
    method: string,
    headers: Record<string, string>,
    body = '',
  ): Promise<{ status: number; length: string | undefined; socket: Socket }> =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}/threads/${id}`, { agent, method, headers }, (answer) => {
        const { socket } = answer;
        answer
          .resume()
          .on('end', () => resolve({ status: answer.statusCode!, length: answer.headers['content-length'], socket }));
      });
      sent.on('error', reject).end(body);
    });
  const answers = [
    await ask('GET', { 'if-none-match': '*' }),
    await ask('PATCH', { prefer: 'return=minimal' }, '{}'),
    await ask('GET', { 'if-none-match': '*' }),
  ];
  t.strictSame(
    answers.map(({ status, length }) => [status, length]),
    [
      [304, undefined],
      [204, undefined],
      [304, undefined],
    ],
  );
  t.equal(new Set(answers.map(({ socket }) => socket)).size, 1);
});

t.test('applies a change only if the thread is unchanged since it was read', async (t) => {
  const { thread_id: id } = await threads.create();
  const patch = async (tag: string, n: number): Promise<Response> =>
    fetch(`${server.url}/threads/${id}`, {
      method: 'PATCH',
      body: JSON.stringify({ metadata: { n } }),
      headers: { 'content-type': 'application/json', 'if-match': tag },
    });
  const { etag } = await conditional(`/threads/${id}`, {});
  const first = await patch(etag!, 1);
  t.equal(first.status, 200);
  const late = await patch(etag!, 2);
  t.strictSame(
    [late.status, await late.json()],
    [412, { detail: 'The thread has changed: it does not match If-Match.' }],
  );
  t.equal((await patch(`W/${first.headers.get('etag')!}`, 2)).status, 412, 'weak tags match nothing');
  t.equal((await patch(first.headers.get('etag')!, 3)).status, 200);
  t.equal((await patch('*', 4)).status, 200);
  t.strictSame((await threads.get(id)).metadata, { n: 4 });
  const { etag: now } = await conditional(`/threads/${id}`, {});
  const answers = await Promise.all(Array.from({ length: 8 }, async (_, n) => (await patch(now!, n)).status));
  t.strictSame(
    answers.toSorted((a, b) => a - b),
    [200, ...Array<number>(7).fill(412)],
    'of many at once one wins',
  );
});

t.test('exposes paging headers to other origins', async (t) => {
  const answer = await fetch(`${server.url}/threads/search`, {
    method: 'POST',
    body: '{"cursor":"*","limit":1}',
    headers: { origin: 'http://localhost:3000', 'content-type': 'application/json' },
  });
  const exposed = answer.headers.get('access-control-expose-headers')!.split(', ');
  for (const name of ['x-pagination-total', 'x-pagination-next', 'x-pagination-cursor', 'etag'])
    t.ok(exposed.includes(name), name);
});

t.test('returns the error texts of the official server', async (t) => {
  const notFound = { detail: `Thread with ID ${NOBODY} not found` };
  for (const path of ['', '/state', '/history', `/state/${NOBODY}`])
    t.strictSame(await json(server.get(`/threads/${NOBODY}${path}`)), notFound, path);
  t.strictSame(await json(server.post(`/threads/${NOBODY}/state/checkpoint`, { checkpoint: {} })), notFound);
  t.strictSame(await json(server.post(`/threads/${NOBODY}/history`, {})), notFound);
  t.equal((await server.get('/threads/no-uuid/state')).status, 422);
  t.equal((await server.post('/threads/search', { limit: 1001 })).status, 422);
});
