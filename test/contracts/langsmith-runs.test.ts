import { randomUUID } from 'node:crypto';
import type { Run } from 'langsmith';
import t from 'tap';
import { all, holds, langsmithOf, settled, until, type Call } from '../helpers/langsmith.js';
import { configWith, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo');

const server = await testServer(t, { config });
const { clientOf, RunTree } = await langsmithOf(server);
const { traceable } = await import('langsmith/traceable');
const calls: Call[] = [];
const client = clientOf({}, calls);
t.capture(console, 'warn');

const unique = (name: string): string => `${name}-${randomUUID()}`;
const START = Date.parse('2024-05-01T10:00:00.000Z');
/** How the clients name a run's place in its trace. */
const step = (id: string, offsetMs = 0): string =>
  `${new Date(START + offsetMs).toISOString().replace(/[-:.]/g, '').replace('Z', '')}000Z${id}`;
const usage = {
  input_tokens: 10,
  output_tokens: 5,
  total_tokens: 15,
  input_cost: 0.001,
  output_cost: 0.002,
  total_cost: 0.003,
};
const shape = ({ name, child_runs: children }: Run): unknown => [name, (children ?? []).map(shape)];
/** The statistics of a project become these. */
async function projectIs(
  t: { match(found: unknown, wanted: unknown): boolean },
  projectName: string,
  runs: number,
  wanted: object,
  feedback = 0,
): Promise<void> {
  t.match(
    await until(
      () => settled(client, { projectName }, { runs, feedback }),
      (project) => holds(project, wanted),
    ),
    wanted,
  );
}

t.test('logs the start and the end of a run in one request each', async (t) => {
  const sent: Call[] = [];
  const plain = clientOf({ autoBatchTracing: false }, sent);
  const [id, project] = [randomUUID(), unique('single')];
  await plain.createRun({
    id,
    name: 'one',
    run_type: 'tool',
    inputs: { a: 1 },
    project_name: project,
    start_time: START,
    tags: ['x'],
    extra: { metadata: { who: 'ada' } },
  } as never);
  t.matchStrict(await client.readRun(id), {
    id,
    name: 'one',
    run_type: 'tool',
    status: 'pending',
    inputs: { a: 1 },
    outputs: null,
    end_time: null,
    tags: ['x'],
    trace_id: id,
    parent_run_id: null,
    extra: { metadata: { who: 'ada' } },
  });
  await plain.updateRun(id, {
    outputs: { b: 2 },
    end_time: START + 1_500,
    error: 'late',
    events: [{ name: 'start', time: '2024-05-01T10:00:00Z' }],
  });
  t.match(await client.readRun(id), {
    name: 'one',
    status: 'error',
    error: 'late',
    inputs: { a: 1 },
    outputs: { b: 2 },
    start_time: '2024-05-01T10:00:00.000000+00:00',
    end_time: '2024-05-01T10:00:01.500000+00:00',
    tags: ['x'],
    events: [{ name: 'start' }],
    dotted_order: `20240501T100000000000Z${id}`,
  });
  t.strictSame(
    sent.map(({ method, path, status }) => [method, path, status]),
    [
      ['POST', '/runs', 202],
      ['PATCH', `/runs/${id}`, 202],
    ],
  );
  await projectIs(t, project, 1, {
    run_count: 1,
    latency_p50: 1.5,
    error_rate: 1,
    reference_dataset_id: null,
    test_run_number: null,
  });
});

t.test('accepts a trace in batches and adds up token usage at the root', async (t) => {
  const project = unique('tree');
  const root = new RunTree({
    name: 'root',
    run_type: 'chain',
    project_name: project,
    client,
    inputs: { q: 'hi' },
    tags: ['t'],
    metadata: { thread_id: 'thread-1', version: 3 },
  });
  await root.postRun();
  const chain = root.createChild({ name: 'inner', run_type: 'chain' });
  await chain.postRun();
  for (const name of ['first call', 'second call']) {
    const model = chain.createChild({ name, run_type: 'llm', inputs: { messages: [{ role: 'user', content: name }] } });
    await model.postRun();
    await model.end({ message: { role: 'assistant', content: 'yes' }, usage_metadata: usage });
    await model.patchRun();
  }
  await chain.end({ done: true }, 'went wrong');
  await chain.patchRun();
  await root.end({ a: 'there' });
  await root.patchRun();
  await client.awaitPendingTraceBatches();

  const read = await client.readRun(root.id, { loadChildRuns: true });
  t.strictSame(shape(read), [
    'root',
    [
      [
        'inner',
        [
          ['first call', []],
          ['second call', []],
        ],
      ],
    ],
  ]);
  t.match(read, {
    status: 'success',
    inputs: { q: 'hi' },
    outputs: { a: 'there' },
    tags: ['t'],
    extra: { metadata: { version: 3 }, runtime: { sdk: 'langsmith-js' } },
    total_tokens: 30,
    prompt_tokens: 20,
    completion_tokens: 10,
    total_cost: '0.006',
    prompt_cost: '0.002',
    completion_cost: '0.004',
  });
  t.match(read.child_runs![0], {
    error: 'went wrong',
    status: 'error',
    outputs: { done: true },
    parent_run_ids: [root.id],
  });
  t.match(read.child_runs![0]!.child_runs![0], {
    total_tokens: 15,
    prompt_tokens: 10,
    total_cost: '0.003',
    parent_run_ids: [root.id, chain.id],
    dotted_order: String,
  });
  t.ok(read.child_runs![0]!.dotted_order!.startsWith(`${read.dotted_order!}.`));
  await projectIs(t, project, 1, {
    run_count: 1,
    total_tokens: 30,
    prompt_tokens: 20,
    completion_tokens: 10,
    total_cost: 0.006,
    error_rate: 0,
  });

  const of = async (options: object): Promise<string[]> =>
    (await all(client.listRuns({ projectName: project, ...options } as never))).map(({ name }) => name).sort();
  t.strictSame(await of({ isRoot: true }), ['root']);
  t.strictSame(await of({ isRoot: false }), ['first call', 'inner', 'second call']);
  t.strictSame(await of({ parentRunId: chain.id }), ['first call', 'second call']);
  t.strictSame(await of({ traceId: root.id, runType: 'llm' }), ['first call', 'second call']);
  t.strictSame(await of({ filter: 'gt(total_tokens, 20)' }), ['root']);
  t.strictSame(await of({ filter: 'has(tags, "t")' }), ['root']);
  t.strictSame(
    await of({ traceFilter: 'eq(name, "root")', treeFilter: 'eq(name, "inner")', filter: 'eq(run_type, "llm")' }),
    ['first call', 'second call'],
  );
  t.match(await client.getRunStats({ projectNames: [project], runType: 'llm' }), { run_count: 2, total_tokens: 30 });
});

t.test('logs traced functions', async (t) => {
  const project = unique('traced');
  const inner = traceable(async (n: number) => n + 1, { name: 'inner', run_type: 'tool' });
  const tokens = traceable(
    async function* words() {
      yield 'a';
      yield 'b';
    },
    { name: 'words', run_type: 'llm', aggregator: (all: string[]) => all.join('') },
  );
  const outer = traceable(
    async (input: { n: number }) => {
      let text = '';
      for await (const word of tokens()) text += word;
      if (input.n < 0) throw new TypeError('too small');
      return { sum: (await inner(input.n)) + (await inner(1)), text };
    },
    { name: 'outer', client, project_name: project, tags: ['traced'], metadata: { thread_id: 'thread-2' } },
  );
  t.strictSame(await outer({ n: 1 }), { sum: 4, text: 'ab' });
  await t.rejects(outer({ n: -1 }), /too small/);
  await client.awaitPendingTraceBatches();
  const roots = await all(client.listRuns({ projectName: project, isRoot: true }));
  t.strictSame(
    roots.map(({ status, inputs }) => [status, inputs]),
    [
      ['error', { n: -1 }],
      ['success', { n: 1 }],
    ],
  );
  t.match(roots[0]!.error, /TypeError: too small/);
  t.strictSame(shape(await client.readRun(roots[1]!.id, { loadChildRuns: true })), [
    'outer',
    [
      ['words', []],
      ['inner', []],
      ['inner', []],
    ],
  ]);
  const [streamed] = await all(client.listRuns({ projectName: project, traceId: roots[1]!.id, runType: 'llm' }));
  t.match(streamed, {
    outputs: { outputs: 'ab' },
    events: [{ name: 'new_token' }, { name: 'new_token' }],
    first_token_time: String,
  });
  await projectIs(t, project, 2, { error_rate: 0.5, streaming_rate: 1 });

  const [thread] = await client.listThreads({ projectName: project });
  t.match(thread, { thread_id: 'thread-2', count: 2 });
  t.strictSame(
    (await all(client.readThread({ threadId: 'thread-2', projectName: project }))).map(({ inputs }) => inputs),
    [{ n: 1 }, { n: -1 }],
  );
});

t.test('accepts many runs in one body', async (t) => {
  const project = unique('batch');
  const [a, b] = [randomUUID(), randomUUID()];
  const run = (id: string) => ({
    id,
    trace_id: id,
    dotted_order: step(id),
    name: 'batched',
    run_type: 'chain',
    inputs: { id },
    session_name: project,
    start_time: START,
    end_time: START + 500,
  });
  await client.batchIngestRuns({
    runCreates: [run(a), run(b)] as never,
    runUpdates: [{ id: a, trace_id: a, dotted_order: step(a), outputs: { from: 'update' } }],
  });
  t.strictSame(calls.at(-1)!.path, '/runs/batch');
  t.match(await client.readRun(a), { inputs: { id: a }, outputs: { from: 'update' }, status: 'success' });
  await projectIs(t, project, 2, { latency_p50: 0.5 });
  await client.multipartIngestRuns({
    runUpdates: [{ id: b, trace_id: b, dotted_order: step(b), outputs: { from: 'parts' }, error: 'in parts' }],
  });
  t.match(await client.readRun(b), {
    inputs: { id: b },
    outputs: { from: 'parts' },
    error: 'in parts',
    status: 'error',
    session_id: (await client.readProject({ projectName: project })).id,
  });
  await projectIs(t, project, 2, { run_count: 2, error_rate: 0.5 });
});

t.test('accepts the end of a run before its start', async (t) => {
  for (const named of [true, false]) {
    const [id, project] = [randomUUID(), unique('late')];
    const place = { id, trace_id: id, dotted_order: step(id) };
    await client.multipartIngestRuns({
      runUpdates: [
        {
          ...place,
          outputs: { done: true },
          end_time: START + 2_000,
          extra: { metadata: { last: 'word' } },
          ...(named ? { session_name: project } : {}),
        } as never,
      ],
    });
    t.match(await client.readRun(id), { outputs: { done: true }, end_time: '2024-05-01T10:00:02.000000+00:00' });
    await client.multipartIngestRuns({
      runCreates: [
        {
          ...place,
          name: 'late',
          run_type: 'tool',
          inputs: { n: 1 },
          outputs: {},
          extra: { metadata: { first: 'word' } },
          start_time: START,
          session_name: project,
        },
      ] as never,
    });
    t.match(await client.readRun(id), {
      name: 'late',
      run_type: 'tool',
      inputs: { n: 1 },
      outputs: { done: true },
      status: 'success',
      extra: { metadata: { last: 'word' } },
      session_id: (await client.readProject({ projectName: project })).id,
    });
    await projectIs(t, project, 1, { latency_p50: 2 });
    t.equal(
      (await all(client.listRuns({ projectName: 'default', id: undefined as never }))).filter((run) => run.id === id)
        .length,
      0,
      'it is in one project only',
    );
  }
});

t.test('changes nothing when the same body is sent again', async (t) => {
  const twice = clientOf({
    fetchImplementation: async (input: string | URL | Request, init?: RequestInit) => {
      const again = init?.method === 'POST' || init?.method === 'PATCH';
      if (again) await fetch(input, init);
      return fetch(input, init);
    },
  });
  const project = unique('twice');
  const outer = traceable(async (n: number) => traceable(async (m: number) => m + 1, { name: 'inner' })(n), {
    name: 'outer',
    client: twice,
    project_name: project,
  });
  await outer(1);
  await twice.awaitPendingTraceBatches();
  await twice.createRun({
    id: randomUUID(),
    name: 'single',
    run_type: 'chain',
    inputs: {},
    project_name: project,
    start_time: START,
    end_time: START,
  });
  const [root] = (await all(client.listRuns({ projectName: project, isRoot: true, filter: 'eq(name, "outer")' }))) as [
    Run,
  ];
  const { id } = await twice.createFeedback(root.id, 'again', { score: 1, sessionId: root.session_id! });
  await twice.createFeedback(root.id, 'batched', { score: 1, sessionId: root.session_id!, traceId: root.trace_id! });
  await twice.awaitPendingTraceBatches();
  await projectIs(t, project, 2, { run_count: 2, feedback_stats: { again: { n: 1 }, batched: { n: 1 } } }, 2);
  t.equal((await all(client.listRuns({ projectName: project }))).length, 3);
  t.strictSame((await all(client.listFeedback({ runIds: [root.id] }))).map(({ key }) => key).sort(), [
    'again',
    'batched',
  ]);
  const before = await client.readRun(root.id);
  // The beginning of a run, sent again after its end.
  await client.multipartIngestRuns({
    runCreates: [
      {
        id: root.id,
        trace_id: root.trace_id,
        dotted_order: root.dotted_order,
        name: 'outer',
        run_type: 'chain',
        inputs: { input: 1 },
        outputs: {},
        extra: {},
        start_time: root.start_time,
        session_name: project,
      },
    ] as never,
  });
  t.strictSame(await client.readRun(root.id), before);
  await twice.updateFeedback(id, { score: 0 });
  await projectIs(t, project, 2, { feedback_stats: { again: { n: 1, avg: 0 } } }, 2);
});

t.test('counts feedback that was sent before its run', async (t) => {
  const project = unique('early');
  const { id: sessionId } = await client.createProject({ projectName: project });
  const id = randomUUID();
  // Alone, with the project, and in a body of parts.
  await client.createFeedback(id, 'alone', { score: 0.5 });
  await client.createFeedback(id, 'placed', { score: 0.25, sessionId });
  await client.createFeedback(id, 'in parts', { score: true, sessionId, traceId: id });
  await client.awaitPendingTraceBatches();
  t.strictSame(
    (await all(client.listFeedback({ runIds: [id], feedbackKeys: ['alone'] }))).map(({ run_id: run, score }) => [
      run,
      score,
    ]),
    [[id, 0.5]],
  );
  await client.createRun({
    id,
    trace_id: id,
    dotted_order: step(id),
    name: 'late',
    run_type: 'chain',
    inputs: {},
    project_name: project,
    start_time: START,
    end_time: START + 1,
  });
  await client.awaitPendingTraceBatches();
  await projectIs(
    t,
    project,
    1,
    { feedback_stats: { alone: { n: 1, avg: 0.5 }, placed: { n: 1, avg: 0.25 }, 'in parts': { n: 1, avg: 1 } } },
    3,
  );
  const found = await all(client.listFeedback({ runIds: [id] }));
  t.strictSame(
    found
      .map((one) => [one.key, one.run_id, one.trace_id, (one as { session_id?: string }).session_id])
      .sort((a, b) => (a[0]! < b[0]! ? -1 : 1)),
    [
      ['alone', id, id, sessionId],
      ['in parts', id, id, sessionId],
      ['placed', id, id, sessionId],
    ],
  );
});
