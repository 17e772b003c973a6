import { randomUUID } from 'node:crypto';
import t from 'tap';
import { Empty } from '../helpers/empty.js';
import { Gate } from '../helpers/gate.js';
import { temporaryFolder, testServer } from '../helpers/server.js';

const server = await testServer(t);
const { client } = server;
const { threads, runs } = client;
const folder = temporaryFolder(t);

const NOBODY = '00000000-0000-4000-8000-000000000000';
const ISO_MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;
const ids = (list: readonly { thread_id: string }[]): string[] => list.map((one) => one.thread_id);
const label = (): string => `label-${randomUUID()}`;
const notFound = (id: string): RegExp => new RegExp(`HTTP 404: .*Thread with ID ${id} not found`);

t.test('[trap 28] creates an idle thread without values and with the given metadata', async (t) => {
  const metadata = { who: 'ada', nested: { a: [1, { b: null }] }, empty: {} };
  const thread = await threads.create({ metadata });
  t.match(thread, { created_at: ISO_MICROSECONDS, updated_at: ISO_MICROSECONDS, state_updated_at: ISO_MICROSECONDS });
  const {
    created_at: _created,
    updated_at: _updated,
    state_updated_at: _stateUpdated,
    thread_id: id,
    ...rest
  } = thread;
  t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.strictSame(rest, { metadata, status: 'idle', config: {}, values: null, interrupts: {} });
  t.strictSame(await threads.get(id), thread);
});

t.test('stores graphId in the metadata of a new thread', async (t) => {
  const thread = await threads.create({ metadata: { a: 1 }, graphId: 'echo' });
  t.strictSame(thread.metadata, { a: 1, graph_id: 'echo' });
});

t.test('creates a thread under the given id', async (t) => {
  const id = randomUUID();
  t.equal((await threads.create({ threadId: id })).thread_id, id);
  t.equal((await threads.get(id)).thread_id, id);
  t.equal((await threads.get(id.toUpperCase())).thread_id, id, 'ids are read in any case');
});

t.test('refuses a second thread with the same id', async (t) => {
  const first = await threads.create({ metadata: { n: 1 } });
  for (const ifExists of [undefined, 'raise'] as const) {
    await t.rejects(
      threads.create({
        threadId: first.thread_id,
        metadata: { n: 2 },
        ...(ifExists === undefined ? {} : { ifExists }),
      }),
      /HTTP 409: .*Thread already exists/,
    );
  }
  t.strictSame(await threads.get(first.thread_id), first);
});

t.test('returns the existing thread unchanged with do_nothing', async (t) => {
  const id = randomUUID();
  const first = await threads.create({ threadId: id, metadata: { n: 1 }, ifExists: 'do_nothing' });
  const second = await threads.create({ threadId: id, metadata: { n: 2 }, ifExists: 'do_nothing' });
  t.strictSame(second, first);
  t.strictSame(await threads.get(id), first);
});

t.test('lets one of many concurrent creates win', async (t) => {
  const id = randomUUID();
  const tries = await Promise.allSettled(
    Array.from({ length: 8 }, async (_, n) => threads.create({ threadId: id, metadata: { n } })),
  );
  t.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
  t.equal(tries.filter((one) => one.status === 'rejected' && /HTTP 409/.test(String(one.reason))).length, 7);
});

t.test('returns 404 for an unknown thread everywhere', async (t) => {
  await t.rejects(threads.get(NOBODY), notFound(NOBODY));
  await t.rejects(threads.delete(NOBODY), notFound(NOBODY));
  await t.rejects(threads.update(NOBODY, { metadata: { a: 1 } }), /HTTP 404: .*[Tt]hread.* not found/);
  await t.rejects(threads.getState(NOBODY), notFound(NOBODY));
  await t.rejects(threads.getState(NOBODY, NOBODY), notFound(NOBODY));
  await t.rejects(
    threads.getState(NOBODY, { thread_id: NOBODY, checkpoint_ns: '', checkpoint_id: NOBODY, checkpoint_map: null }),
    notFound(NOBODY),
  );
  await t.rejects(threads.getHistory(NOBODY), notFound(NOBODY));
  await t.rejects(runs.list(NOBODY), notFound(NOBODY));
});

t.test('merges metadata one level deep', async (t) => {
  const before = await threads.create({ metadata: { a: 1, b: { x: 1, y: 2 } } });
  const updated = await threads.update(before.thread_id, { metadata: { b: { z: 3 }, c: null } });
  t.strictSame(updated.metadata, { a: 1, b: { z: 3 }, c: null });
  const after = await threads.get(before.thread_id);
  t.strictSame(after, updated);
  t.strictSame({ ...after, metadata: null, updated_at: null }, { ...before, metadata: null, updated_at: null });
  t.strictSame((await threads.update(before.thread_id, {})).metadata, updated.metadata, 'nothing to merge');
});

t.test('merges concurrent metadata updates without loss', async (t) => {
  const { thread_id: id } = await threads.create();
  await Promise.all(Array.from({ length: 20 }, async (_, n) => threads.update(id, { metadata: { [`k${n}`]: n } })));
  t.strictSame(
    (await threads.get(id)).metadata,
    Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, n])),
  );
});

t.test('deletes a thread with its runs and states and frees its id', async (t) => {
  const { thread_id: id } = await threads.create({ metadata: { n: 1 } });
  await runs.wait(id, 'echo', { input: { text: 'hi' } });
  const [run] = await runs.list(id);
  await threads.delete(id);
  await t.rejects(threads.get(id), notFound(id));
  await t.rejects(threads.getHistory(id), notFound(id));
  await t.rejects(runs.get(id, run!.run_id), notFound(id));
  t.strictSame(await threads.search({ ids: [id] }), []);
  await t.rejects(threads.delete(id), notFound(id));

  const again = await threads.create({ threadId: id });
  t.strictSame([again.metadata, again.values], [{}, null]);
  t.strictSame(await threads.getHistory(id), []);
  t.strictSame(await runs.list(id), []);
});

t.test('ends the runs of a deleted busy thread', async (t) => {
  const gate = new Gate(folder);
  const { thread_id: id } = await threads.create();
  const waiting = runs.wait(id, 'gate', { input: { label: 'a', gate: gate.file } });
  await gate.reached();
  await threads.delete(id);
  t.notOk('__error__' in (await waiting), 'whoever waits is answered');
  await t.rejects(threads.get(id), notFound(id));
});

t.test('search', async (t) => {
  const set = label();
  const made: Awaited<ReturnType<typeof threads.create>>[] = [];
  for (const n of [1, 2, 3, 4, 5])
    made.push(
      await threads.create({ metadata: { set, n, parity: n % 2 === 0 ? 'even' : 'odd', deep: { n, kind: 'x' } } }),
    );
  const [one, two, three, four, five] = ids(made) as [string, string, string, string, string];
  const inSet = { set };

  t.test('finds by metadata, newest first', async (t) => {
    t.strictSame(ids(await threads.search({ metadata: inSet })), [five, four, three, two, one]);
    t.strictSame(ids(await threads.search({ metadata: { ...inSet, parity: 'odd' } })), [five, three, one]);
    t.strictSame(
      ids(await threads.search({ metadata: { ...inSet, deep: { n: 2 } } })),
      [two],
      'nested objects are contained',
    );
    t.strictSame(await threads.search({ metadata: { ...inSet, n: '1' } }), [], 'a number is no text');
    t.strictSame(await threads.search({ metadata: { ...inSet, missing: null } }), [], 'null is not absence');
    t.strictSame((await threads.search({ metadata: { ...inSet, n: 1 } }))[0], made[0], 'rows are whole threads');
  });

  t.test('finds by ids, alone and with metadata', async (t) => {
    t.strictSame(ids(await threads.search({ ids: [one, three, NOBODY] })).sort(), [one, three].sort());
    t.strictSame(ids(await threads.search({ ids: [one, two], metadata: { parity: 'even' } })), [two]);
    t.strictSame(ids(await threads.search({ ids: [one, one] })), [one], 'an id given twice is one thread');
    t.strictSame(await threads.search({ ids: [NOBODY] }), []);
  });

  t.test('sorts', async (t) => {
    t.strictSame(ids(await threads.search({ metadata: inSet, sortBy: 'created_at', sortOrder: 'asc' })), [
      one,
      two,
      three,
      four,
      five,
    ]);
    t.strictSame(
      ids(await threads.search({ metadata: inSet, sortBy: 'created_at' })),
      [five, four, three, two, one],
      'newest first unless told otherwise',
    );
    t.strictSame(
      ids(await threads.search({ metadata: inSet, sortBy: 'thread_id', sortOrder: 'desc' })),
      [one, two, three, four, five].sort().reverse(),
    );
    t.strictSame(ids(await threads.search({ metadata: inSet, sortBy: 'updated_at', sortOrder: 'asc' })), [
      one,
      two,
      three,
      four,
      five,
    ]);
  });

  t.test('[trap 40] returns pages and announces more in headers', async (t) => {
    const body = { metadata: inSet, sort_by: 'created_at', sort_order: 'asc' };
    const page = async (limit: number, offset: number): Promise<unknown> => {
      const answer = await server.post('/threads/search', { ...body, limit, offset });
      return [
        ids((await answer.json()) as { thread_id: string }[]),
        answer.headers.get('x-pagination-total'),
        answer.headers.get('x-pagination-next'),
      ];
    };
    t.strictSame(await page(2, 0), [[one, two], '3', '2']);
    t.strictSame(await page(2, 2), [[three, four], '5', '4']);
    t.strictSame(await page(2, 4), [[five], '5', null]);
    t.strictSame(await page(5, 0), [[one, two, three, four, five], '5', null]);
    t.strictSame(await page(10, 10), [[], '10', null]);
  });

  t.test('returns ten by default', async (t) => {
    const many = label();
    for (let n = 0; n < 12; n += 1) await threads.create({ metadata: { many } });
    t.equal((await threads.search({ metadata: { many } })).length, 10);
    t.equal(((await (await server.post('/threads/search', { metadata: { many } })).json()) as unknown[]).length, 10);
    t.equal((await threads.search({ metadata: { many }, limit: 1000 })).length, 12);
  });

  t.test('returns only selected fields', async (t) => {
    t.strictSame(await threads.search({ ids: [one], select: ['thread_id', 'status', 'values'] }), [
      { thread_id: one, status: 'idle', values: null },
    ]);
    t.strictSame(await threads.search({ ids: [one], select: ['metadata'] }), [{ metadata: made[0]!.metadata }]);
    for (const name of [
      'thread_id',
      'created_at',
      'updated_at',
      'state_updated_at',
      'metadata',
      'config',
      'status',
      'values',
      'interrupts',
    ] as const) {
      t.strictSame(await threads.search({ ids: [one], select: [name] as never }), [
        { [name]: made[0]![name as 'thread_id'] },
      ]);
    }
  });

  t.test('moves an updated thread to the front', async (t) => {
    await threads.update(two, { metadata: { touched: true } });
    t.strictSame(ids(await threads.search({ metadata: inSet })), [two, five, four, three, one]);
    t.strictSame(ids(await threads.search({ metadata: { ...inSet, touched: true } })), [two]);
  });

  t.test('finds a changed value under its new value only', async (t) => {
    await threads.update(one, { metadata: { parity: 'neither' } });
    t.strictSame(ids(await threads.search({ metadata: { ...inSet, parity: 'odd' } })), [five, three]);
    t.strictSame(ids(await threads.search({ metadata: { ...inSet, parity: 'neither' } })), [one]);
  });

  t.test('applies the same filters in GET /threads', async (t) => {
    const list = async (query: string): Promise<string[]> =>
      ids((await (await server.get(`/threads?${query}`)).json()) as { thread_id: string }[]);
    const metadata = encodeURIComponent(JSON.stringify(inSet));
    t.strictSame(await list(`metadata=${metadata}&sort_by=created_at&sort_order=asc`), [one, two, three, four, five]);
    t.strictSame(await list(`metadata=${metadata}&sort_by=created_at&limit=2&offset=1`), [four, three]);
    t.strictSame(await list(`metadata=${metadata}&status=busy`), []);
    const answer = await server.get(`/threads?metadata=${metadata}&limit=3`);
    t.equal(answer.headers.get('x-pagination-next'), '3');
    t.equal(answer.headers.get('x-pagination-total'), '4');
    const plain = await server.get('/threads');
    t.equal(plain.status, 200);
    t.equal(((await plain.json()) as unknown[]).length, 10);
  });
});

t.test('finds a thread by its status at every stage', async (t) => {
  const set = label();
  const metadata = { set };
  const found = async (status: 'idle' | 'busy' | 'interrupted' | 'error'): Promise<string[]> =>
    ids(await threads.search({ metadata, status })).sort();
  const [idle, busy, asking, failed] = (await Promise.all(
    [1, 2, 3, 4].map(async () => (await threads.create({ metadata })).thread_id),
  )) as [string, string, string, string];
  const gate = new Gate(folder);
  await runs.wait(asking, 'approval', { input: {} });
  await runs.wait(failed, 'trouble', { input: { do: 'throw' }, raiseError: false });
  const held = await runs.create(busy, 'gate', { input: { label: 'a', gate: gate.file } });
  await gate.reached();
  t.strictSame(await found('idle'), [idle]);
  t.strictSame(await found('busy'), [busy]);
  t.strictSame(await found('interrupted'), [asking]);
  t.strictSame(await found('error'), [failed]);
  t.equal(((await threads.get(failed)) as { error?: unknown }).error, 'CustomError: Boo!');
  gate.open();
  await runs.join(busy, held.run_id);
  t.strictSame(await found('busy'), []);
  t.strictSame(await found('idle'), [idle, busy].sort());
  t.strictSame(
    ids(await threads.search({ metadata, sortBy: 'status', sortOrder: 'asc' })).map(
      (id) => ({ [failed]: 'error', [asking]: 'interrupted' })[id] ?? 'idle',
    ),
    ['error', 'idle', 'idle', 'interrupted'],
  );

  await runs.wait(failed, 'trouble', { input: { do: 'nothing' } });
  t.strictSame(await found('error'), [], 'a run that ends well clears the failure');
  t.notOk('error' in (await threads.get(failed)));
});

t.test('searches the values of the latest state', async (t) => {
  const set = label();
  const make = async (text: string | null): Promise<string> => {
    const { thread_id: id } = await threads.create({ metadata: { set } });
    if (text !== null) await runs.wait(id, 'echo', { input: { text } });
    return id;
  };
  const ada = await make('ada');
  await make('bob');
  await make(null);
  const values = { text: 'ada' };
  t.strictSame(ids(await threads.search({ metadata: { set }, values })), [ada]);
  t.strictSame(ids(await threads.search({ metadata: { set }, values: { steps: ['second ada'] } })), [ada]);
  t.strictSame(await threads.search({ metadata: { set }, values: { text: 'cid' } }), []);
  await runs.wait(ada, 'echo', { input: { text: 'eve' } });
  t.strictSame(await threads.search({ metadata: { set }, values }), [], 'only the latest counts');
});

t.test('returns an empty state and no history for a thread without runs', async (t) => {
  const { thread_id: id } = await threads.create();
  t.matchStrict(await threads.getState(id), {
    values: Empty,
    next: Empty,
    tasks: Empty,
    checkpoint: null,
    parent_checkpoint: null,
    created_at: null,
  });
  t.strictSame(await threads.getHistory(id), []);
});

t.test('returns state and history of a thread with two runs', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'echo', { input: { text: 'one' }, metadata: { turn: 1 } });
  await runs.wait(id, 'echo', { input: { text: 'two' }, metadata: { turn: 2 } });
  const [newer, older] = await runs.list(id);
  const history = await threads.getHistory(id);
  const latest = await threads.getState(id);
  const checkpointIds = history.map(({ checkpoint }) => checkpoint.checkpoint_id!);

  t.test('returns the latest state', async (t) => {
    const { assistant_id: assistantId } = newer!;
    const { checkpoint, parent_checkpoint: parent, created_at: createdAt, metadata, ...rest } = latest;
    t.strictSame(rest, {
      values: { text: 'two', steps: ['first one', 'second one', 'first two', 'second two'] },
      next: [],
      tasks: [],
      interrupts: [],
    });
    t.match(createdAt, /^\d{4}-\d\d-\d\dT/);
    t.strictSame(checkpoint, {
      thread_id: id,
      checkpoint_ns: '',
      checkpoint_id: checkpointIds[0],
      checkpoint_map: null,
    });
    t.strictSame(parent, { thread_id: id, checkpoint_ns: '', checkpoint_id: checkpointIds[1], checkpoint_map: null });
    t.match(metadata, {
      source: 'loop',
      step: 6,
      parents: Empty,
      turn: 2,
      run_id: newer!.run_id,
      thread_id: id,
      graph_id: 'echo',
      assistant_id: assistantId,
      run_attempt: 1,
    });
    t.notOk(
      Object.keys(metadata ?? {}).some(
        (key) => key.startsWith('langgraph_auth_') || key.startsWith('__') || key === 'graph_auth_user',
      ),
      'the user is not in it',
    );
    t.strictSame((await threads.get(id)).values, latest.values);
  });

  t.test('returns every step of the history, newest first', async (t) => {
    t.strictSame(
      history.map(({ next, metadata, values }) => [
        metadata?.source,
        metadata?.step,
        next,
        (values as { steps: string[] }).steps.length,
      ]),
      [
        ['loop', 6, [], 4],
        ['loop', 5, ['second'], 3],
        ['loop', 4, ['first'], 2],
        ['input', 3, ['__start__'], 2],
        ['loop', 2, [], 2],
        ['loop', 1, ['second'], 1],
        ['loop', 0, ['first'], 0],
        ['input', -1, ['__start__'], 0],
      ],
    );
    t.strictSame(
      history.map(({ parent_checkpoint: parent }) => parent?.checkpoint_id ?? null),
      [...checkpointIds.slice(1), null],
    );
    t.equal(history.at(-1)!.parent_checkpoint, null);
    t.strictSame(history[0], latest);
    t.strictSame(
      history.map(({ metadata }) => (metadata as unknown as { run_id: string }).run_id),
      [...Array<string>(4).fill(newer!.run_id), ...Array<string>(4).fill(older!.run_id)],
    );
  });

  t.test('shows the writes of tasks in an earlier state', async (t) => {
    const [task] = history[1]!.tasks;
    t.matchStrict(task, {
      name: 'second',
      path: ['__pregel_pull', 'second'],
      error: null,
      interrupts: Empty,
      checkpoint: null,
      state: null,
      result: { steps: ['second two'] },
    });
    t.equal(history[1]!.tasks.length, 1);
  });

  t.test('returns a state by its checkpoint, in both forms', async (t) => {
    for (const [at, checkpointId] of checkpointIds.entries()) {
      t.strictSame(await threads.getState(id, checkpointId), history[at]);
      t.strictSame(
        await threads.getState(id, {
          thread_id: id,
          checkpoint_ns: '',
          checkpoint_id: checkpointId,
          checkpoint_map: null,
        }),
        history[at],
      );
    }
    t.strictSame(await threads.getState(id, { checkpoint_ns: '' } as never), latest, 'no id: the latest');
    await t.rejects(threads.getState(id, NOBODY), /HTTP 404: /);
    await t.rejects(threads.getState(id, { checkpoint_ns: '', checkpoint_id: NOBODY } as never), /HTTP 404: /);
  });

  t.test('[trap 12] returns parts of the history', async (t) => {
    const part = async (options: Parameters<typeof threads.getHistory>[1]): Promise<(string | null | undefined)[]> =>
      (await threads.getHistory(id, options)).map(({ checkpoint }) => checkpoint.checkpoint_id);
    t.strictSame(await part({ limit: 3 }), checkpointIds.slice(0, 3));
    t.strictSame(
      await part({ limit: 2, before: { configurable: { checkpoint_id: checkpointIds[2] } } }),
      checkpointIds.slice(3, 5),
      'before a config',
    );
    t.strictSame(
      await part({ before: history[5]!.checkpoint as never }),
      checkpointIds.slice(6),
      'before a checkpoint',
    );
    t.strictSame(await part({ before: checkpointIds[5] as never }), checkpointIds.slice(6), 'before an id');
    t.strictSame(await part({ before: checkpointIds.at(-1) as never }), []);
    t.strictSame(await part({ metadata: { turn: 1 } as never }), checkpointIds.slice(4), 'of the first run');
    t.strictSame(await part({ metadata: { source: 'input' } as never, limit: 1 }), [checkpointIds[3]]);
    t.strictSame(await part({ metadata: { step: 99 } as never }), []);
    t.strictSame(await part({ checkpoint: { checkpoint_ns: 'no-such-graph' } as never }), []);
    const listed = await (await server.get(`/threads/${id}/history?limit=2&before=${checkpointIds[0]}`)).json();
    t.strictSame(listed, history.slice(1, 3), 'GET');
    t.strictSame(await (await server.get(`/threads/${id}/history`)).json(), history);
  });

  t.test('[trap 28] stores the graph of the first run in the metadata', async (t) => {
    t.strictSame((await threads.get(id)).metadata, { graph_id: 'echo', assistant_id: newer!.assistant_id });
    t.strictSame((await threads.get(id)).config, {});
  });
});

t.test('returns ten entries of the history by default', async (t) => {
  const { thread_id: id } = await threads.create();
  for (const text of ['a', 'b', 'c']) await runs.wait(id, 'echo', { input: { text } });
  t.equal((await threads.getHistory(id)).length, 10);
  t.equal(((await (await server.get(`/threads/${id}/history`)).json()) as unknown[]).length, 10);
  t.equal((await threads.getHistory(id, { limit: 1000 })).length, 12);
});

t.test('[trap 24] shows the interrupts of an interrupted thread', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'questions', { input: { answers: ['start'] } });
  const thread = await threads.get(id);
  const state = await threads.getState(id);
  t.equal(thread.status, 'interrupted');
  t.strictSame(thread.values, { answers: ['start'] });
  t.strictSame([...state.next].sort(), ['ada', 'bob']);
  t.strictSame(
    state.tasks.map(({ name, interrupts }) => [name, interrupts.map(({ value }) => value)]),
    [
      ['ada', [{ ask: 'ada' }]],
      ['bob', [{ ask: 'bob' }]],
    ],
  );
  t.strictSame(thread.interrupts, Object.fromEntries(state.tasks.map((task) => [task.id, task.interrupts])));
  t.strictSame(
    (state as unknown as { interrupts: unknown }).interrupts,
    state.tasks.flatMap(({ interrupts }) => interrupts),
  );
  for (const { interrupts } of state.tasks) t.match(interrupts[0]!.id, /^[0-9a-f]{32}$/);
});

t.test('returns the state of a subgraph', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'nested', { input: { question: 'why?' } });
  const flat = await threads.getState(id);
  const deep = await threads.getState(id, undefined, { subgraphs: true });
  const [task] = flat.tasks;
  t.strictSame([flat.values, flat.next], [{ question: 'why?', words: [] }, ['inner']]);
  t.strictSame(
    [task!.name, task!.state, Object.keys(task!.checkpoint!).sort()],
    ['inner', null, ['checkpoint_ns', 'thread_id']],
  );
  t.equal(task!.checkpoint!.checkpoint_ns, `inner:${task!.id}`);
  t.strictSame(
    task!.interrupts.map(({ value }) => value),
    ['why?'],
    'the question shows above',
  );

  const [deepTask] = deep.tasks;
  t.equal(deepTask!.checkpoint, null);
  t.match(deepTask!.state, {
    values: { question: 'why?', words: ['prepared'] },
    next: ['ask'],
    checkpoint: { thread_id: id, checkpoint_ns: `inner:${task!.id}` },
    metadata: { source: 'loop', step: 1 },
  });
  t.strictSame({ ...deep, tasks: null }, { ...flat, tasks: null });

  const inner = await threads.getState(id, { ...task!.checkpoint!, checkpoint_id: undefined } as never);
  t.strictSame(inner, deepTask!.state, 'the checkpoint of the task leads to the same state');
  const innerHistory = await threads.getHistory(id, { checkpoint: task!.checkpoint as never });
  t.strictSame(
    innerHistory.map(({ next }) => next),
    [['ask'], ['prepare'], ['__start__']],
  );
  t.strictSame(innerHistory[0], inner);
});

t.test('[trap 27] returns flat messages in values, state and history', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'chat', { input: { messages: [{ role: 'user', content: 'hi', id: 'h0' }] } });
  const human = { content: 'hi', id: 'h0', additional_kwargs: {}, response_metadata: {}, type: 'human' };
  const ai = {
    content: 'answer 1',
    id: 'a1',
    tool_calls: [],
    invalid_tool_calls: [],
    additional_kwargs: {},
    response_metadata: {},
    type: 'ai',
  };
  const values = { messages: [human, ai] };
  t.same((await threads.get(id)).values, values);
  t.same((await threads.getState(id)).values, values);
  t.same(
    (await threads.getHistory(id)).map((state) => state.values),
    [values, { messages: [human] }, { messages: [] }],
  );
});
