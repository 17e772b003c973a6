import { randomUUID } from 'node:crypto';
import t from 'tap';
import { Empty } from '../helpers/empty.js';
import { collect, Reader, told } from '../helpers/events.js';
import { Gate, untilStarted } from '../helpers/gate.js';
import { temporaryFolder, testServer } from '../helpers/server.js';

const server = await testServer(t);
const { client } = server;
const { threads, runs } = client;
const folder = temporaryFolder(t);

const NOBODY = '00000000-0000-4000-8000-000000000000';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const newThread = async (): Promise<string> => (await threads.create()).thread_id;
const steps = (...labels: string[]): string[] =>
  labels.flatMap((label) => [`before ${label}`, `held ${label}`, `after ${label}`]);
/** `[source, step, next, values]` of each state, newest first. */
const history = async (threadId: string): Promise<unknown[]> =>
  (await threads.getHistory(threadId)).map(({ metadata, next, values }): unknown[] => [
    metadata?.source,
    metadata?.step,
    next,
    values,
  ]);

/** A run of the graph `gate` that waits in its middle node; its state so far is stored and readable. */
async function heldRun(
  threadId: string | null,
  options: Record<string, unknown> = {},
): Promise<{ gate: Gate; runId: string; threadId: string; reader: Reader }> {
  const gate = new Gate(folder);
  let created = { run_id: '', thread_id: '' as string | undefined };
  const reader = new Reader(
    runs.stream(threadId as string, 'gate', {
      input: { label: 'a', gate: gate.file },
      streamMode: ['values', 'custom'],
      durability: 'sync',
      ...options,
      onRunCreated: (run) => {
        created = run as typeof created;
      },
    }),
  );
  await reader.until(({ event }) => event === 'custom');
  return { gate, reader, runId: created.run_id, threadId: threadId ?? created.thread_id ?? '' };
}

t.test('runs a created run in the background and lets clients join it', async (t) => {
  const threadId = await newThread();
  const gate = new Gate(folder);
  const run = await runs.create(threadId, 'gate', {
    input: { label: 'a', gate: gate.file },
    metadata: { who: 'ada' },
    multitaskStrategy: 'enqueue',
  });
  const {
    created_at: _created,
    updated_at: _updated,
    kwargs: _kwargs,
    ...rest
  } = run as typeof run & { kwargs: unknown };
  t.match(run.run_id, UUID);
  t.match(run.assistant_id, /^[0-9a-f-]{36}$/);
  t.strictSame(rest, {
    run_id: run.run_id,
    thread_id: threadId,
    assistant_id: run.assistant_id,
    status: run.status,
    metadata: { who: 'ada', assistant_id: run.assistant_id, graph_id: 'gate' },
    multitask_strategy: 'enqueue',
  });
  t.ok(['pending', 'running'].includes(run.status));
  await gate.reached();
  await untilStarted(client, threadId, run.run_id);
  t.equal((await runs.get(threadId, run.run_id)).status, 'running');
  t.equal((await threads.get(threadId)).status, 'busy');
  const joined = [runs.join(threadId, run.run_id), runs.join(threadId, run.run_id)];
  gate.open();
  for (const body of await Promise.all(joined)) t.strictSame(body, { label: 'a', gate: gate.file, steps: steps('a') });
  t.equal((await runs.get(threadId, run.run_id)).status, 'success', 'a join answers when the end can be read');
  t.equal((await threads.get(threadId)).status, 'idle');
  t.strictSame(
    await runs.join(threadId, run.run_id),
    { label: 'a', gate: gate.file, steps: steps('a') },
    'also after the end',
  );
});

t.test('shows the arguments of a run', async (t) => {
  const threadId = await newThread();
  const run = (await runs.create(threadId, 'echo', {
    input: { text: 'x' },
    config: { tags: ['t'], configurable: { k: 1 } },
    streamMode: ['updates', 'custom'],
    interruptBefore: ['nowhere'],
    durability: 'sync',
  })) as unknown as { run_id: string; assistant_id: string; kwargs: Record<string, unknown> };
  t.matchStrict(run.kwargs, {
    input: { text: 'x' },
    command: null,
    stream_mode: ['updates', 'custom'],
    interrupt_before: ['nowhere'],
    interrupt_after: null,
    durability: 'sync',
    resumable: false,
    temporary: false,
    subgraphs: false,
    webhook: null,
    config: {
      tags: ['t'],
      configurable: { k: 1, run_id: run.run_id, thread_id: threadId, graph_id: 'echo', assistant_id: run.assistant_id },
    },
  });
  await runs.join(threadId, run.run_id);
  t.strictSame(((await runs.get(threadId, run.run_id)) as unknown as typeof run).kwargs, run.kwargs);
});

t.test('returns the final values from a wait', async (t) => {
  t.strictSame(await runs.wait(await newThread(), 'echo', { input: { text: 'hi' } }), {
    text: 'hi',
    steps: ['first hi', 'second hi'],
  });
  t.strictSame(await runs.wait(null, 'echo', { input: { text: 'hi' } }), {
    text: 'hi',
    steps: ['first hi', 'second hi'],
  });
});

t.test('[trap 3] always returns an object from a wait', async (t) => {
  for (const threadId of [null, 'new']) {
    for (const [give, answer] of [
      [null, {}],
      [{ a: 1 }, { a: 1 }],
      [[1], [1]],
      [7, { value: 7 }],
      ['text', { value: 'text' }],
      [false, { value: false }],
    ] as const) {
      t.strictSame(
        await runs.wait(threadId === null ? null : ((await newThread()) as never), 'scalar', { input: { give } }),
        answer,
        JSON.stringify(give),
      );
    }
  }
});

t.test('accepts the id of an assistant', async (t) => {
  const [assistant] = await client.assistants.search({ graphId: 'echo' });
  t.strictSame(await runs.wait(null, assistant!.assistant_id, { input: { text: 'hi' } }), {
    text: 'hi',
    steps: ['first hi', 'second hi'],
  });
});

t.test('lists runs newest first, in pages, by status, with selected fields', async (t) => {
  const threadId = await newThread();
  const made: string[] = [];
  for (const text of ['a', 'b', 'c']) {
    await runs.wait(threadId, 'echo', { input: { text }, onRunCreated: ({ run_id }) => made.unshift(run_id) });
  }
  await runs.wait(threadId, 'trouble', {
    input: { do: 'throw' },
    raiseError: false,
    onRunCreated: ({ run_id }) => made.unshift(run_id),
  });
  const ids = async (options?: Parameters<typeof runs.list>[1]): Promise<string[]> =>
    (await runs.list(threadId, options)).map((run) => run.run_id);
  t.strictSame(await ids(), made);
  t.strictSame(await ids({ limit: 2 }), made.slice(0, 2));
  t.strictSame(await ids({ limit: 2, offset: 1 }), made.slice(1, 3));
  t.strictSame(await ids({ offset: 4 }), []);
  t.strictSame(await ids({ status: 'error' }), made.slice(0, 1));
  t.strictSame(await ids({ status: 'success', limit: 1, offset: 1 }), made.slice(2, 3));
  t.strictSame(await ids({ status: 'pending' }), []);
  t.strictSame(await runs.list(threadId, { limit: 1, select: ['run_id', 'status'] }), [
    { run_id: made[0], status: 'error' },
  ]);
  t.strictSame(await runs.list(threadId, { limit: 1, offset: 1 }), [await runs.get(threadId, made[1]!)]);
});

t.test('lists ten runs by default', async (t) => {
  const threadId = await newThread();
  for (let n = 0; n < 11; n += 1)
    await runs.create(threadId, 'echo', { input: { text: String(n) }, afterSeconds: 1000 });
  t.equal((await runs.list(threadId)).length, 10);
  t.equal(((await (await server.get(`/threads/${threadId}/runs`)).json()) as unknown[]).length, 10);
  t.equal((await runs.list(threadId, { limit: 100 })).length, 11);
});

t.test('[trap 16] calls onRunCreated exactly once, with the stored run', async (t) => {
  const threadId = await newThread();
  const input = { text: 'hi' };
  const told: { run_id: string; thread_id?: string }[] = [];
  const onRunCreated = (run: { run_id: string; thread_id?: string }): void => {
    told.push(run);
  };
  const created = await runs.create(threadId, 'echo', { input, onRunCreated });
  t.strictSame(told.splice(0), [{ run_id: created.run_id, thread_id: threadId }]);
  const [metadata] = await collect(runs.stream(threadId, 'echo', { input, onRunCreated }));
  t.strictSame(told.splice(0), [{ run_id: (metadata!.data as { run_id: string }).run_id, thread_id: threadId }]);
  await runs.wait(threadId, 'echo', { input, onRunCreated });
  const [newest] = await runs.list(threadId);
  t.strictSame(told.splice(0), [{ run_id: newest!.run_id, thread_id: threadId }]);

  const stateless = await runs.create(null as never, 'echo', { input, onRunCreated });
  t.strictSame(
    told.splice(0).map((run) => run.run_id),
    [stateless.run_id],
  );
  const [first] = await collect(runs.stream(null, 'echo', { input, onRunCreated }));
  t.strictSame(
    told.splice(0).map((run) => run.run_id),
    [(first!.data as { run_id: string }).run_id],
  );
  await runs.wait(null, 'echo', { input, onRunCreated });
  t.equal(told.length, 1);
  t.match(told[0]!.run_id, UUID);
});

t.test('[trap 16] names only the run in Content-Location, readable by browsers', async (t) => {
  const threadId = await newThread();
  const body = { assistant_id: 'echo', input: { text: 'hi' } };
  for (const path of [
    `/threads/${threadId}/runs`,
    `/threads/${threadId}/runs/stream`,
    `/threads/${threadId}/runs/wait`,
  ]) {
    const answer = await server.post(path, body, {
      headers: { 'content-type': 'application/json', origin: 'http://localhost:3000' },
    });
    t.match(answer.headers.get('content-location'), new RegExp(`^/threads/${threadId}/runs/[0-9a-f-]{36}$`), path);
    t.match(answer.headers.get('access-control-expose-headers'), /content-location/);
    await answer.text();
  }
});

t.test('[trap 4] raises the error of a failed run from a wait, unless disabled', async (t) => {
  const threadId = await newThread();
  const input = { do: 'throw' };
  for (const where of [threadId, null]) {
    await t.rejects(runs.wait(where as string, 'trouble', { input }), { message: 'CustomError: Boo!' });
    t.strictSame(await runs.wait(where as string, 'trouble', { input, raiseError: false }), {
      __error__: { error: 'CustomError', message: 'Boo!' },
    });
  }
  const [run] = await runs.list(threadId);
  t.equal(run!.status, 'error');
  t.strictSame(
    await runs.join(threadId, run!.run_id),
    { __error__: { error: 'CustomError', message: 'Boo!' } },
    'join tells and does not raise',
  );
  t.match(await threads.get(threadId), {
    status: 'error',
    error: 'CustomError: Boo!',
    values: { do: 'throw', done: Empty },
  });
  t.matchStrict((await threads.getState(threadId)).tasks, [
    { name: 'misbehave', error: 'CustomError: Boo!', result: null },
  ]);
});

t.test('continues the thread after a failure', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'trouble', { input: { do: 'throw' }, raiseError: false });
  t.strictSame(await runs.wait(threadId, 'trouble', { input: { do: 'nothing' } }), {
    do: 'nothing',
    done: ['nothing', 'after'],
  });
  t.equal((await threads.get(threadId)).status, 'idle');
});

t.test('limits the steps of a run by recursion_limit', async (t) => {
  const circle = async (limit: number | null, until?: number): Promise<unknown> =>
    runs.wait(null, 'circle', {
      input: { n: 0, ...(until === undefined ? {} : { until }) },
      ...(limit === null ? {} : { config: { recursion_limit: limit } }),
    });
  await t.rejects(circle(3), /^GraphRecursionError: Recursion limit of 3 reached/);
  await t.rejects(circle(null), /^GraphRecursionError: Recursion limit of 25 reached/, 'the default of the library');
  t.strictSame(await circle(40, 30), { n: 30, until: 30 });
  await t.rejects(
    runs.wait(await newThread(), 'circle', { input: { n: 0 }, config: { recursion_limit: 2 } }),
    /GraphRecursionError/,
  );
  const events = told(await collect(runs.stream(null, 'circle', { input: { n: 0 }, config: { recursion_limit: 2 } })));
  t.strictSame(events.slice(0, -1), [
    ['values', { n: 0 }],
    ['values', { n: 1 }],
    ['values', { n: 2 }],
  ]);
  t.match(events.at(-1), ['error', { error: 'GraphRecursionError', message: /^Recursion limit of 2 reached/ }]);
});

t.test('passes config, context and metadata to the graph', async (t) => {
  const threadId = await newThread();
  let runId = '';
  type Seen = {
    configurable: Record<string, unknown>;
    context: unknown;
    metadata: Record<string, unknown>;
    tags: string[];
    recursionLimit: number;
  };
  const { seen } = (await runs.wait(threadId, 'mirror', {
    input: {},
    context: { tenant: 'a', deep: { b: [1] } },
    metadata: { from: 'metadata', both: 'metadata' },
    config: {
      tags: ['x', 'y'],
      recursion_limit: 9,
      configurable: { color: 'red', nested: { n: 1 } },
      metadata: { config: true },
    } as never,
    onRunCreated: (run) => {
      runId = run.run_id;
    },
  })) as unknown as { seen: Seen };
  t.strictSame(seen.context, { tenant: 'a', deep: { b: [1] } });
  t.strictSame(seen.recursionLimit, 9);
  t.ok(['x', 'y'].every((tag) => seen.tags.includes(tag)));
  t.match(seen.configurable, {
    color: 'red',
    nested: { n: 1 },
    run_id: runId,
    thread_id: threadId,
    graph_id: 'mirror',
  });
  t.match(seen.metadata, {
    from: 'metadata',
    both: 'metadata',
    config: true,
    run_id: runId,
    thread_id: threadId,
    graph_id: 'mirror',
    run_attempt: 1,
    langgraph_node: 'look',
  });
  const states = await threads.getHistory(threadId);
  t.equal(states.length, 3);
  for (const { metadata } of states)
    t.match(metadata, { from: 'metadata', config: true, run_id: runId, thread_id: threadId, graph_id: 'mirror' });
  t.notOk('color' in ((await threads.get(threadId)).config ?? {}), 'what a run was configured with stays with the run');
});

t.test('[trap 32] prevents a client from setting its user', async (t) => {
  const { seen } = (await runs.wait(await newThread(), 'mirror', {
    input: {},
    config: {
      configurable: {
        graph_auth_user: { identity: 'eve' },
        langgraph_auth_user: { identity: 'eve' },
        langgraph_auth_user_id: 'eve',
        langgraph_auth_permissions: ['all'],
        'x-api-key': 'secret',
        thread_id: NOBODY,
        run_id: NOBODY,
      },
    },
  })) as unknown as { seen: { configurable: Record<string, unknown> } };
  t.notMatch(JSON.stringify(seen), /eve|secret|"all"|00000000-0000/);
  // Nobody has authenticated: there is no user, and none can be made up.
  t.notOk('graph_auth_user' in seen.configurable);
  t.notOk('langgraph_auth_user' in seen.configurable);
});

t.test('stops before the given nodes and continues from there', async (t) => {
  const threadId = await newThread();
  t.strictSame(await runs.wait(threadId, 'echo', { input: { text: 'x' }, interruptBefore: ['second'] }), {
    text: 'x',
    steps: ['first x'],
    __interrupt__: [],
  });
  t.equal((await runs.list(threadId))[0]!.status, 'success', 'a run that stops at a breakpoint has ended well');
  t.match(await threads.get(threadId), {
    status: 'interrupted',
    values: { text: 'x', steps: ['first x'] },
    interrupts: Empty,
  });
  t.strictSame((await threads.getState(threadId)).next, ['second']);
  t.strictSame(await runs.wait(threadId, 'echo', { input: null }), { text: 'x', steps: ['first x', 'second x'] });
  t.equal((await threads.get(threadId)).status, 'idle');
  t.strictSame(await history(threadId), [
    ['loop', 2, [], { text: 'x', steps: ['first x', 'second x'] }],
    ['loop', 1, ['second'], { text: 'x', steps: ['first x'] }],
    ['loop', 0, ['first'], { text: 'x', steps: [] }],
    ['input', -1, ['__start__'], { steps: [] }],
  ]);
});

t.test('stops at every node with interruptBefore "*"', async (t) => {
  const threadId = await newThread();
  const next = async (): Promise<string[]> => (await threads.getState(threadId)).next;
  await runs.wait(threadId, 'echo', { input: { text: 'x' }, interruptBefore: '*' });
  t.strictSame(await next(), ['first']);
  await runs.wait(threadId, 'echo', { input: null, interruptBefore: '*' });
  t.strictSame(await next(), ['second']);
  t.strictSame(await runs.wait(threadId, 'echo', { input: null, interruptBefore: '*' }), {
    text: 'x',
    steps: ['first x', 'second x'],
  });
  t.strictSame(await next(), []);
});

t.test('continues behind the node after which it stopped', async (t) => {
  const threadId = await newThread();
  t.strictSame(await runs.wait(threadId, 'echo', { input: { text: 'x' }, interruptAfter: ['first'] }), {
    text: 'x',
    steps: ['first x'],
    __interrupt__: [],
  });
  t.equal((await threads.get(threadId)).status, 'interrupted');
  t.strictSame(await runs.wait(threadId, 'echo', { input: null }), { text: 'x', steps: ['first x', 'second x'] });
});

t.test('ends a stream at a breakpoint with an empty interrupt', async (t) => {
  const events = await collect(
    runs.stream(await newThread(), 'echo', { input: { text: 'x' }, interruptBefore: ['second'] }),
  );
  t.strictSame(told(events), [
    ['values', { text: 'x', steps: [] }],
    ['values', { text: 'x', steps: ['first x'] }],
    ['values', { __interrupt__: [] }],
  ]);
});

t.test('answers interrupts one after the other without repeating nodes needlessly', async (t) => {
  const threadId = await newThread();
  const ask = (await runs.wait(threadId, 'approval', { input: {} })) as unknown as {
    __interrupt__: { id: string; value: unknown }[];
  };
  t.match(ask, { answers: ['before'], __interrupt__: [{ id: /^[0-9a-f]{32}$/, value: 'first question' }] });
  t.match(await threads.get(threadId), { status: 'interrupted', values: { answers: ['before'] } });
  t.strictSame(Object.values((await threads.get(threadId)).interrupts), [ask.__interrupt__]);
  t.strictSame(await runs.join(threadId, (await runs.list(threadId))[0]!.run_id), ask, 'a join says the same');
  t.match(await runs.wait(threadId, 'approval', { command: { resume: 'one' } }), {
    answers: ['before'],
    __interrupt__: [{ value: 'second question' }],
  });
  t.strictSame(await runs.wait(threadId, 'approval', { command: { resume: 'two' } }), {
    answers: ['before', 'one', 'two', 'after'],
  });
  t.match(await threads.get(threadId), { status: 'idle', interrupts: Empty });
  t.strictSame(
    (await runs.list(threadId)).map(({ status }) => status),
    ['success', 'success', 'success'],
  );
});

t.test('resumes with any JSON value', async (t) => {
  for (const answer of [0, false, '', { approved: true }, ['a', 1]]) {
    const threadId = await newThread();
    await runs.wait(threadId, 'approval', { input: {} });
    t.match(await runs.wait(threadId, 'approval', { command: { resume: answer } }), {
      __interrupt__: [{ value: 'second question' }],
    });
    t.strictSame(
      await runs.wait(threadId, 'approval', { command: { resume: 'end' } }),
      { answers: ['before', answer, 'end', 'after'] },
      JSON.stringify(answer),
    );
  }
});

t.test('answers some or all interrupts by a map of ids', async (t) => {
  const asked = async (threadId: string): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await threads.getState(threadId)).tasks.map(({ name, interrupts }) => [name, interrupts[0]!.id!]),
    );
  const both = await newThread();
  await runs.wait(both, 'questions', { input: { answers: ['start'] } });
  const ids = await asked(both);
  t.strictSame(
    await runs.wait(both, 'questions', { command: { resume: { [ids['ada']!]: 'A', [ids['bob']!]: 'B' } } }),
    { answers: ['start', 'ada: A', 'bob: B', 'end'] },
  );
  t.equal((await threads.get(both)).status, 'idle');

  const oneByOne = await newThread();
  await runs.wait(oneByOne, 'questions', { input: { answers: ['start'] } });
  const { ada, bob } = await asked(oneByOne);
  t.match(await runs.wait(oneByOne, 'questions', { command: { resume: { [bob!]: 'B' } } }), {
    answers: ['start', 'bob: B'],
    __interrupt__: [{ id: ada }],
  });
  t.match(await threads.getState(oneByOne), { next: ['ada'] });
  t.equal((await threads.get(oneByOne)).status, 'interrupted');
  t.strictSame(await runs.wait(oneByOne, 'questions', { command: { resume: { [ada!]: 'A' } } }), {
    answers: ['start', 'ada: A', 'bob: B', 'end'],
  });
});

t.test('answers an interrupt inside a subgraph from its parent', async (t) => {
  const threadId = await newThread();
  t.match(await runs.wait(threadId, 'nested', { input: { question: 'why?' } }), {
    question: 'why?',
    words: Empty,
    __interrupt__: [{ value: 'why?' }],
  });
  t.strictSame(await runs.wait(threadId, 'nested', { command: { resume: 'because' } }), {
    question: 'why?',
    words: ['prepared', 'answer because', 'closed'],
  });
});

t.test('fails a run that answers nothing with strictResume', async (t) => {
  const threadId = await newThread();
  const ask = await runs.wait(threadId, 'approval', { input: {} });
  await t.rejects(
    runs.wait(threadId, 'approval', { command: { resume: { [`${'0'.repeat(31)}1`]: 'x' } }, strictResume: true }),
    /UnknownInterruptError/,
  );
  t.match(
    await runs.wait(threadId, 'approval', {
      command: { resume: { [(ask as unknown as { __interrupt__: { id: string }[] }).__interrupt__[0]!.id]: 'one' } },
      strictResume: true,
    }),
    { __interrupt__: [{ value: 'second question' }] },
  );
});

t.test('updates the state by a command', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'echo', { input: { text: 'x' } });
  t.strictSame(await runs.wait(threadId, 'echo', { command: { update: { text: 'y', steps: ['extra'] } } }), {
    text: 'y',
    steps: ['first x', 'second x', 'extra'],
  });
  t.strictSame(
    await runs.wait(threadId, 'echo', { command: { update: [['text', 'z']] } }),
    { text: 'z', steps: ['first x', 'second x', 'extra'] },
    'as pairs',
  );
});

t.test('jumps to a node by a command, by name or with its own input', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'echo', { input: { text: 'x' } });
  t.strictSame(await runs.wait(threadId, 'echo', { command: { goto: 'second' } }), {
    text: 'x',
    steps: ['first x', 'second x', 'second x'],
  });
  t.strictSame(await runs.wait(threadId, 'echo', { command: { goto: { node: 'second', input: { text: 'sent' } } } }), {
    text: 'x',
    steps: ['first x', 'second x', 'second x', 'second sent'],
  });
  t.strictSame(await runs.wait(threadId, 'echo', { command: { update: { text: 'y' }, goto: ['first'] } }), {
    text: 'y',
    steps: ['first x', 'second x', 'second x', 'second sent', 'first y', 'second y'],
  });
});

t.test('forks the thread with a run from an earlier checkpoint', async (t) => {
  for (const form of ['id', 'checkpoint'] as const) {
    const threadId = await newThread();
    await runs.wait(threadId, 'echo', { input: { text: 'one' } });
    await runs.wait(threadId, 'echo', { input: { text: 'two' } });
    const states = await threads.getHistory(threadId);
    const end = states.find(({ metadata }) => metadata?.step === 2)!;
    const from =
      form === 'id'
        ? { checkpointId: end.checkpoint.checkpoint_id! }
        : { checkpoint: { checkpoint_id: end.checkpoint.checkpoint_id!, checkpoint_ns: '', checkpoint_map: null } };
    t.strictSame(
      await runs.wait(threadId, 'echo', { input: { text: 'three' }, ...from }),
      { text: 'three', steps: ['first one', 'second one', 'first three', 'second three'] },
      form,
    );
    const after = await threads.getHistory(threadId, { limit: 100 });
    t.equal(after.length, 12, 'both branches are there');
    t.strictSame(after.slice(4), states, 'and the old one is what it was');
    t.equal(after[3]!.parent_checkpoint?.checkpoint_id, end.checkpoint.checkpoint_id);
    t.strictSame((await threads.get(threadId)).values, {
      text: 'three',
      steps: ['first one', 'second one', 'first three', 'second three'],
    });
  }
});

t.test('repeats later steps with a run without input from an earlier checkpoint', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'echo', { input: { text: 'one' } });
  const states = await threads.getHistory(threadId);
  const middle = states.find(({ next }) => next[0] === 'second')!;
  t.strictSame(await runs.wait(threadId, 'echo', { input: null, checkpointId: middle.checkpoint.checkpoint_id! }), {
    text: 'one',
    steps: ['first one', 'second one'],
  });
  t.strictSame((await threads.getState(threadId)).values, { text: 'one', steps: ['first one', 'second one'] });
});

t.test('cancelling a run', async (t) => {
  t.test('interrupt keeps the stored steps of the run', async (t) => {
    const threadId = await newThread();
    await runs.wait(threadId, 'gate', { input: { label: 'zero' } });
    const { runId, reader, gate } = await heldRun(threadId);
    const joined = runs.join(threadId, runId);
    t.equal(await runs.cancel(threadId, runId, true), undefined);
    t.equal((await runs.get(threadId, runId)).status, 'interrupted', 'it has ended when a cancel that waits answers');
    t.strictSame(await reader.rest(), [], 'its stream ends without an error');
    const values = { label: 'a', gate: gate.file, steps: [...steps('zero'), 'before a'] };
    t.strictSame(await joined, values);
    t.match(await threads.get(threadId), { status: 'interrupted', values });
    t.strictSame((await threads.getState(threadId)).next, ['hold']);
    gate.open();
    t.strictSame(
      await runs.wait(threadId, 'gate', { input: null }),
      { ...values, steps: steps('zero', 'a') },
      'the thread can go on from there',
    );
  });

  t.test('[trap 8] rollback removes the run and everything it wrote', async (t) => {
    const threadId = await newThread();
    await runs.wait(threadId, 'gate', { input: { label: 'zero' } });
    const before = await threads.getHistory(threadId);
    const { runId, reader } = await heldRun(threadId);
    await runs.cancel(threadId, runId, true, 'rollback');
    t.strictSame(await reader.rest(), []);
    await t.rejects(runs.get(threadId, runId), /HTTP 404: .*Run not found/);
    t.equal((await runs.list(threadId)).length, 1);
    t.strictSame(await threads.getHistory(threadId), before);
    t.match(await threads.get(threadId), { status: 'idle', values: { label: 'zero', steps: steps('zero') } });
  });

  t.test('accepts a cancel without waiting and ends the run', async (t) => {
    const threadId = await newThread();
    const { runId, reader } = await heldRun(threadId);
    const answer = await server.post(`/threads/${threadId}/runs/${runId}/cancel?wait=0`, undefined);
    t.equal(answer.status, 202);
    t.strictSame(await reader.rest(), []);
    t.equal((await runs.get(threadId, runId)).status, 'interrupted');
  });

  t.test('[trap 7] ends a queued or delayed run at once', async (t) => {
    const threadId = await newThread();
    const { run_id: delayed } = await runs.create(threadId, 'echo', { input: { text: 'later' }, afterSeconds: 1000 });
    t.equal((await runs.get(threadId, delayed)).status, 'pending');
    t.equal((await threads.get(threadId)).status, 'busy');
    const joined = runs.join(threadId, delayed);
    await runs.cancel(threadId, delayed, true);
    t.strictSame(await joined, {});
    t.equal((await runs.get(threadId, delayed)).status, 'interrupted');
    t.equal((await threads.get(threadId)).status, 'idle');

    const { runId, gate, reader } = await heldRun(threadId);
    const { run_id: queued } = await runs.create(threadId, 'echo', { input: { text: 'queued' } });
    await runs.cancel(threadId, queued, true, 'rollback');
    await t.rejects(runs.get(threadId, queued), /HTTP 404/);
    t.equal((await runs.get(threadId, runId)).status, 'running', 'the other goes on');
    gate.open();
    await reader.rest();
    t.strictSame(
      (await runs.list(threadId)).map((run) => [run.run_id, run.status]),
      [
        [runId, 'success'],
        [delayed, 'interrupted'],
      ].sort((a, b) => Number(b[0] === delayed) - Number(a[0] === delayed)),
    );
  });

  t.test('refuses to cancel a finished run', async (t) => {
    const threadId = await newThread();
    const { run_id: runId } = await runs.create(threadId, 'echo', { input: { text: 'x' } });
    await runs.join(threadId, runId);
    await t.rejects(runs.cancel(threadId, runId, true), /HTTP 404: .*Run not found/);
    await t.rejects(runs.cancel(threadId, runId, false, 'rollback'), /HTTP 404: .*Run not found/);
    t.equal((await runs.get(threadId, runId)).status, 'success');
    t.equal((await threads.getHistory(threadId)).length, 4);
  });

  t.test('ends the run once when two cancels arrive together', async (t) => {
    const threadId = await newThread();
    const { runId } = await heldRun(threadId);
    const answers = await Promise.allSettled([runs.cancel(threadId, runId, true), runs.cancel(threadId, runId, true)]);
    t.ok(answers.some(({ status }) => status === 'fulfilled'));
    for (const answer of answers) if (answer.status === 'rejected') t.match(String(answer.reason), /HTTP 404/);
    t.equal((await runs.get(threadId, runId)).status, 'interrupted');
  });
});

t.test('deleting a run', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'gate', { input: { label: 'zero' } });
  const [zero] = await runs.list(threadId);
  await runs.wait(threadId, 'gate', { input: { label: 'one' } });
  const [one] = await runs.list(threadId);
  await runs.delete(threadId, one!.run_id);
  await t.rejects(runs.get(threadId, one!.run_id), /HTTP 404: .*Run not found/);
  await t.rejects(runs.delete(threadId, one!.run_id), /HTTP 404: .*Run not found/);
  t.strictSame(
    (await runs.list(threadId)).map((run) => run.run_id),
    [zero!.run_id],
  );
  t.match(await threads.get(threadId), { status: 'idle', values: { label: 'zero', steps: steps('zero') } });
  t.equal((await threads.getHistory(threadId)).length, 5);

  const held = await heldRun(threadId);
  await runs.delete(threadId, held.runId);
  t.strictSame(await held.reader.rest(), [], 'a run that is under way is ended first');
  await t.rejects(runs.get(threadId, held.runId), /HTTP 404: .*Run not found/);
  t.match(await threads.get(threadId), { status: 'idle', values: { label: 'zero', steps: steps('zero') } });
});

t.test('keeps later runs and their state when an older run is deleted', async (t) => {
  const threadId = await newThread();
  for (const text of ['a', 'b', 'c']) await runs.wait(threadId, 'echo', { input: { text } });
  const [c, b, a] = await runs.list(threadId);
  const values = { text: 'c', steps: ['first a', 'second a', 'first b', 'second b', 'first c', 'second c'] };
  await runs.delete(threadId, a!.run_id);
  t.strictSame((await threads.get(threadId)).values, values);
  t.equal((await threads.getHistory(threadId)).length, 8);
  await runs.delete(threadId, b!.run_id);
  t.strictSame(
    (await runs.list(threadId)).map((run) => run.run_id),
    [c!.run_id],
  );
  t.strictSame((await threads.getState(threadId)).values, values);
  t.strictSame(await runs.wait(threadId, 'echo', { input: { text: 'd' } }), {
    text: 'd',
    steps: [...values.steps, 'first d', 'second d'],
  });
});

t.test('a second run on a busy thread', async (t) => {
  t.test('reject refuses it and leaves the first run alone', async (t) => {
    const threadId = await newThread();
    const { gate, reader, runId } = await heldRun(threadId);
    const refused = { input: { label: 'b' }, multitaskStrategy: 'reject' as const };
    const message =
      /HTTP 409: .*Thread is already running a task\. Wait for it to finish or choose a different multitask strategy\./;
    await t.rejects(runs.create(threadId, 'gate', refused), message);
    await t.rejects(runs.wait(threadId, 'gate', refused), message);
    await t.rejects(collect(runs.stream(threadId, 'gate', refused)), message);
    t.strictSame(
      (await runs.list(threadId)).map((run) => run.run_id),
      [runId],
    );
    gate.open();
    await reader.rest();
    t.strictSame((await threads.getState(threadId)).values, { label: 'a', gate: gate.file, steps: steps('a') });
    t.strictSame(
      await runs.wait(threadId, 'gate', { input: { label: 'b', gate: '' }, multitaskStrategy: 'reject' }),
      { label: 'b', gate: '', steps: steps('a', 'b') },
      'and takes it when there is none',
    );
  });

  t.test('enqueue, the default, runs it after the first run', async (t) => {
    const threadId = await newThread();
    const { gate, runId } = await heldRun(threadId);
    const b = await runs.create(threadId, 'gate', { input: { label: 'b', gate: '' } });
    const c = await runs.create(threadId, 'gate', { input: { label: 'c' }, multitaskStrategy: 'enqueue' });
    t.strictSame(
      (await runs.list(threadId)).map((run) => [run.run_id, run.status]),
      [
        [c.run_id, 'pending'],
        [b.run_id, 'pending'],
        [runId, 'running'],
      ],
    );
    gate.open();
    t.strictSame(await runs.join(threadId, c.run_id), { label: 'c', gate: '', steps: steps('a', 'b', 'c') });
    t.strictSame(
      (await runs.list(threadId)).map((run) => run.status),
      ['success', 'success', 'success'],
    );
  });

  t.test('[trap 9] interrupt stops the first run and continues from its stored state', async (t) => {
    const threadId = await newThread();
    const { runId, reader } = await heldRun(threadId);
    const pending = await runs.create(threadId, 'gate', { input: { label: 'never' } });
    t.strictSame(
      await runs.wait(threadId, 'gate', { input: { label: 'b', gate: '' }, multitaskStrategy: 'interrupt' }),
      { label: 'b', gate: '', steps: ['before a', ...steps('b')] },
    );
    t.strictSame(await reader.rest(), []);
    t.strictSame(
      (await runs.list(threadId)).map((run) => run.status),
      ['success', 'interrupted', 'interrupted'],
    );
    t.equal((await runs.get(threadId, runId)).status, 'interrupted');
    t.equal((await runs.get(threadId, pending.run_id)).status, 'interrupted');
    t.equal((await threads.get(threadId)).status, 'idle');
  });

  t.test('[trap 9] rollback removes the first run and starts from the state before it', async (t) => {
    const threadId = await newThread();
    await runs.wait(threadId, 'gate', { input: { label: 'zero' } });
    const { runId, reader } = await heldRun(threadId);
    const pending = await runs.create(threadId, 'gate', { input: { label: 'never' } });
    t.strictSame(await runs.wait(threadId, 'gate', { input: { label: 'b' }, multitaskStrategy: 'rollback' }), {
      label: 'b',
      steps: steps('zero', 'b'),
    });
    t.strictSame(await reader.rest(), []);
    await t.rejects(runs.get(threadId, runId), /HTTP 404/);
    await t.rejects(runs.get(threadId, pending.run_id), /HTTP 404/);
    t.strictSame(
      (await runs.list(threadId)).map((run) => run.status),
      ['success', 'success'],
    );
    t.notMatch(JSON.stringify(await threads.getHistory(threadId, { limit: 100 })), /before a|never/);
  });
});

t.test('[trap 36] delays a run by afterSeconds and runs others first', async (t) => {
  const threadId = await newThread();
  const later = await runs.create(threadId, 'gate', { input: { label: 'later' }, afterSeconds: 0.3 });
  t.equal(later.status, 'pending');
  t.ok(Date.parse(later.created_at) > Date.parse(later.updated_at), 'created_at lies in the future');
  await runs.wait(threadId, 'gate', { input: { label: 'now' } });
  t.strictSame(await runs.join(threadId, later.run_id), { label: 'later', steps: steps('now', 'later') });
});

t.test('creates or refuses a missing thread by ifNotExists', async (t) => {
  const threadId = randomUUID();
  for (const ifNotExists of [undefined, 'reject'] as const) {
    const options = { input: { text: 'x' }, ...(ifNotExists === undefined ? {} : { ifNotExists }) };
    await t.rejects(
      runs.create(threadId, 'echo', options),
      new RegExp(`HTTP 404: .*Thread with ID ${threadId} not found`),
    );
    await t.rejects(runs.wait(threadId, 'echo', options), /HTTP 404/);
    await t.rejects(collect(runs.stream(threadId, 'echo', options)), /HTTP 404/);
  }
  await t.rejects(threads.get(threadId), /HTTP 404/);
  t.strictSame(
    await runs.wait(threadId, 'echo', { input: { text: 'x' }, ifNotExists: 'create', metadata: { who: 'ada' } }),
    { text: 'x', steps: ['first x', 'second x'] },
  );
  t.match(await threads.get(threadId), {
    thread_id: threadId,
    status: 'idle',
    metadata: { who: 'ada', graph_id: 'echo' },
  });
});

t.test('shares a thread between concurrent runs that create it', async (t) => {
  const threadId = randomUUID();
  const answers = await Promise.all(
    ['a', 'b', 'c'].map(async (text) => runs.wait(threadId, 'echo', { input: { text }, ifNotExists: 'create' })),
  );
  t.strictSame(
    answers.map((answer) => (answer as unknown as { steps: string[] }).steps.length).sort((a, b) => a - b),
    [2, 4, 6],
  );
  t.equal((await runs.list(threadId)).length, 3);
});

t.test('runs one graph after another on the same thread', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'echo', { input: { text: 'x' } });
  t.match(await runs.wait(threadId, 'circle', { input: { n: 0, until: 2 } }), { n: 2, until: 2 });
  t.match((await threads.get(threadId)).metadata, { graph_id: 'circle' });
});

t.test('starts anew with new input on an interrupted thread', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'approval', { input: {} });
  t.match(await runs.wait(threadId, 'approval', { input: { answers: ['again'] } }), {
    answers: ['before', 'again', 'before'],
    __interrupt__: [{ value: 'first question' }],
  });
  t.equal(Object.keys((await threads.get(threadId)).interrupts).length, 1);
});

t.test('names an unknown assistant and creates nothing', async (t) => {
  const threadId = await newThread();
  const message = (id: string): RegExp =>
    new RegExp(
      `HTTP 404: .*No assistant found for \\\\"${id}\\\\"\\. Make sure the assistant ID is for a valid assistant or a valid graph ID\\.`,
    );
  for (const id of ['nobody', NOBODY]) {
    await t.rejects(runs.create(threadId, id, { input: {} }), message(id));
    await t.rejects(runs.wait(threadId, id, { input: {} }), message(id));
    await t.rejects(collect(runs.stream(threadId, id, { input: {} })), message(id));
    await t.rejects(runs.wait(null, id, { input: {} }), message(id));
    await t.rejects(runs.create(NOBODY, id, { input: {}, ifNotExists: 'create' }), message(id));
  }
  t.strictSame(await runs.list(threadId), []);
  await t.rejects(threads.get(NOBODY), /HTTP 404/);
});

t.test('returns 404 for an unknown run and a run of another thread', async (t) => {
  const [mine, other] = [await newThread(), await newThread()];
  const { run_id: foreign } = await runs.create(other, 'echo', { input: { text: 'x' } });
  await runs.join(other, foreign);
  for (const id of [NOBODY, foreign]) {
    await t.rejects(runs.get(mine, id), /HTTP 404: .*Run not found/);
    await t.rejects(runs.join(mine, id), /HTTP 404: .*Run not found/);
    await t.rejects(runs.cancel(mine, id), /HTTP 404: .*Run not found/);
    await t.rejects(runs.delete(mine, id), /HTTP 404: .*Run not found/);
    await t.rejects(collect(runs.joinStream(mine, id)), /HTTP 404: .*Run not found/);
  }
  t.equal((await runs.get(other, foreign)).status, 'success');
});

t.test('[trap 34] leaves nothing behind after a stateless run', async (t) => {
  const run = await runs.create(null as never, 'echo', { input: { text: 'x' } });
  t.match(run.thread_id, UUID);
  const set = `set-${randomUUID()}`;
  await runs.wait(null, 'echo', { input: { text: 'x' }, metadata: { set } });
  await collect(runs.stream(null, 'echo', { input: { text: 'x' }, metadata: { set } }));
  t.strictSame(await threads.search({ metadata: { set } }), []);
});

t.test('[trap 34] keeps a stateless background run until it ends', async (t) => {
  const gate = new Gate(folder);
  const { run_id: runId, thread_id: threadId } = await runs.create(null as never, 'gate', {
    input: { label: 'a', gate: gate.file },
  });
  await gate.reached();
  await untilStarted(client, threadId, runId);
  t.equal((await runs.get(threadId, runId)).status, 'running');
  const joined = collect(runs.joinStream(threadId, runId));
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  gate.open();
  await joined;
  await t.rejects(runs.get(threadId, runId), /HTTP 404/);
  await t.rejects(threads.get(threadId), /HTTP 404/);
});

t.test('keeps the thread of a stateless run with onCompletion keep', async (t) => {
  const keep = { onCompletion: 'keep' } as object;
  let threadId: string | undefined;
  const set = `set-${randomUUID()}`;
  t.strictSame(
    await runs.wait(null, 'echo', {
      input: { text: 'x' },
      metadata: { set },
      ...keep,
      onRunCreated: (run) => {
        threadId = run.thread_id;
      },
    }),
    { text: 'x', steps: ['first x', 'second x'] },
  );
  const [thread] = await threads.search({ metadata: { set } });
  t.match(thread, { status: 'idle', values: { text: 'x', steps: ['first x', 'second x'] } });
  t.ok(threadId === undefined || threadId === thread!.thread_id);
  t.equal((await runs.list(thread!.thread_id)).length, 1);
  t.equal((await threads.getHistory(thread!.thread_id)).length, 4);
  t.strictSame(await runs.wait(thread!.thread_id, 'echo', { input: { text: 'y' } }), {
    text: 'y',
    steps: ['first x', 'second x', 'first y', 'second y'],
  });

  for (const onCompletion of ['delete', 'complete', 'continue']) {
    const other = `set-${randomUUID()}`;
    const options: object = { input: { text: 'x' }, metadata: { set: other }, onCompletion };
    await runs.wait(null, 'echo', options);
    t.strictSame(await threads.search({ metadata: { set: other } }), [], onCompletion);
  }
});

t.test('onDisconnect', async (t) => {
  t.test('[trap 35] cancel ends the run when a streaming client disconnects', async (t) => {
    const threadId = await newThread();
    const abort = new AbortController();
    const { runId, reader } = await heldRun(threadId, { onDisconnect: 'cancel', signal: abort.signal });
    const joined = runs.join(threadId, runId);
    abort.abort();
    await reader.rest().catch(() => undefined);
    await joined;
    t.equal((await runs.get(threadId, runId)).status, 'interrupted');
  });

  t.test('[trap 35] cancel ends the run when a waiting client disconnects', async (t) => {
    const threadId = await newThread();
    const gate = new Gate(folder);
    const abort = new AbortController();
    // Headers come before the run has ended, and with them its id.
    const waiting = await server.post(
      `/threads/${threadId}/runs/wait`,
      { assistant_id: 'gate', input: { label: 'a', gate: gate.file }, on_disconnect: 'cancel' },
      { signal: abort.signal },
    );
    const runId = waiting.headers.get('content-location')!.split('/').at(-1)!;
    await gate.reached();
    const joined = runs.join(threadId, runId);
    abort.abort();
    await t.rejects(waiting.json());
    await joined;
    t.equal((await runs.get(threadId, runId)).status, 'interrupted');
  });

  t.test('continue, the default, lets the run finish', async (t) => {
    for (const onDisconnect of [undefined, 'continue']) {
      const threadId = await newThread();
      const abort = new AbortController();
      const { runId, reader, gate } = await heldRun(threadId, { onDisconnect, signal: abort.signal });
      abort.abort();
      await reader.rest().catch(() => undefined);
      gate.open();
      t.strictSame(await runs.join(threadId, runId), { label: 'a', gate: gate.file, steps: steps('a') });
      t.equal((await runs.get(threadId, runId)).status, 'success');
    }
  });

  t.test('ends the run with cancelOnDisconnect of a join', async (t) => {
    const threadId = await newThread();
    const { runId, reader } = await heldRun(threadId);
    const abort = new AbortController();
    // Headers come before the run has ended.
    const joined = await server.get(`/threads/${threadId}/runs/${runId}/join?cancel_on_disconnect=1`, {
      signal: abort.signal,
    });
    t.equal(joined.status, 200);
    abort.abort();
    await t.rejects(joined.json());
    t.strictSame(await reader.rest(), []);
    t.equal((await runs.get(threadId, runId)).status, 'interrupted');
  });

  t.test('[trap 35] cancel does nothing at the normal end', async (t) => {
    const threadId = await newThread();
    await collect(runs.stream(threadId, 'echo', { input: { text: 'x' }, onDisconnect: 'cancel' }));
    await runs.wait(threadId, 'echo', { input: { text: 'x' }, onDisconnect: 'cancel' });
    t.strictSame(
      (await runs.list(threadId)).map(({ status }) => status),
      ['success', 'success'],
    );
  });
});

t.test('keeps every step with durability sync and async', async (t) => {
  for (const durability of ['sync', 'async', undefined] as const) {
    const threadId = await newThread();
    await runs.wait(threadId, 'echo', { input: { text: 'x' }, ...(durability === undefined ? {} : { durability }) });
    t.strictSame(
      await history(threadId),
      [
        ['loop', 2, [], { text: 'x', steps: ['first x', 'second x'] }],
        ['loop', 1, ['second'], { text: 'x', steps: ['first x'] }],
        ['loop', 0, ['first'], { text: 'x', steps: [] }],
        ['input', -1, ['__start__'], { steps: [] }],
      ],
      durability ?? 'default',
    );
  }
});

t.test('keeps only the last step with durability exit', async (t) => {
  for (const options of [{ durability: 'exit' as const }, { checkpointDuring: false }]) {
    const threadId = await newThread();
    t.strictSame(await runs.wait(threadId, 'echo', { input: { text: 'x' }, ...options }), {
      text: 'x',
      steps: ['first x', 'second x'],
    });
    t.strictSame(
      (await threads.getHistory(threadId)).map(({ metadata }) => [metadata?.source, metadata?.step]),
      [['loop', 2]],
    );
    t.strictSame(
      await runs.wait(threadId, 'echo', { input: { text: 'y' }, ...options }),
      { text: 'y', steps: ['first x', 'second x', 'first y', 'second y'] },
      'and the next run stands on it',
    );
    t.equal((await threads.getHistory(threadId)).length, 2);
  }
});

t.test('completes many runs on many threads at once', async (t) => {
  const made = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const threadId = await newThread();
      const answers = await Promise.all(
        ['a', 'b'].map(
          async (text) => runs.wait(threadId, 'echo', { input: { text: `${text}${n}` } }) as Promise<unknown>,
        ),
      );
      return { n, answers };
    }),
  );
  for (const { n, answers } of made) {
    const lengths = answers.map((answer) => (answer as { steps: string[] }).steps.length).sort((a, b) => a - b);
    t.strictSame(lengths, [2, 4], `thread ${n}: one after the other`);
  }
});
