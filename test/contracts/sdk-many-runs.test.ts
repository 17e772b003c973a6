import { randomUUID } from 'node:crypto';
import type { Run } from '@langchain/langgraph-sdk';
import t from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import { Reader } from '../helpers/events.js';
import { Gate } from '../helpers/gate.js';
import { temporaryFolder, testServer } from '../helpers/server.js';

const server = await testServer(t);
const { threads, runs } = server.client;
const folder = temporaryFolder(t);

const newThread = async (): Promise<string> => (await threads.create()).thread_id;
const LATER = 1_000;
/** What stays pending until it is cancelled. */
const later = async (threadId: string, text = 'later'): Promise<string> =>
  (await runs.create(threadId, 'echo', { input: { text }, afterSeconds: LATER })).run_id;
const statusOf = async (threadId: string, runId: string): Promise<string> => (await runs.get(threadId, runId)).status;
const detail = async (answer: Promise<Response>): Promise<[number, string]> => {
  const response = await answer;
  return [response.status, ((await response.json()) as { detail: string }).detail];
};

t.test('creates the runs of a batch in order, each on its own thread', async (t) => {
  const labels = Array.from({ length: 7 }, (_, n) => `n${n}`);
  const made = await runs.createBatch(
    labels.map((text) => ({
      assistantId: 'echo',
      input: { text },
      metadata: { text },
      onCompletion: 'complete' as const,
      streamMode: ['nonsense'] as never,
    })),
  );
  t.strictSame(
    made.map(({ metadata }) => (metadata as { text: string }).text),
    labels,
  );
  t.equal(new Set(made.map(({ run_id: id }) => id)).size, 7);
  t.equal(new Set(made.map(({ thread_id: id }) => id)).size, 7);
  for (const run of made as (Run & { kwargs: { stream_mode: unknown } })[]) {
    t.match(
      run,
      { status: 'pending', kwargs: { stream_mode: ['values'], temporary: true } },
      'names in camel case are not ours',
    );
  }
  const [kept] = (await (
    await server.post('/runs/batch', [{ assistant_id: 'echo', input: { text: 'kept' }, on_completion: 'keep' }])
  ).json()) as [Run];
  t.strictSame(await runs.join(kept.thread_id, kept.run_id), { text: 'kept', steps: ['first kept', 'second kept'] });
});

t.test('creates a whole batch or none of it', async (t) => {
  const before = (await threads.search({ limit: 1000 })).length;
  const good = { assistant_id: 'echo', input: { text: 'x' }, after_seconds: LATER };
  const post = (body: unknown): Promise<[number, string]> => detail(server.post('/runs/batch', body));
  t.strictSame(await post([good, good, good, { input: {} }]), [422, 'body.3.assistant_id: is required']);
  t.strictSame(await post([good, { ...good, config: { recursion_limit: 0 } }]), [
    422,
    'body.1.config.recursion_limit: must be >= 1',
  ]);
  t.match(await post([good, { ...good, stream_mode: ['values', 'nonsense'] }]), [
    422,
    /^body\.1\.stream_mode\.1: must be one of/,
  ]);
  t.match(await post([good, 7]), [422, 'body.1: must be object']);
  t.match(await post([]), [422, /^body: must NOT have fewer than 1 items/]);
  t.match(await post(Array.from({ length: 501 }, () => good)), [422, /^body: must NOT have more than 500 items/]);
  t.match(await post(good), [422, 'body: must be array']);
  t.match(await post([good, { ...good, assistant_id: 'nobody' }]), [404, /^No assistant found for "nobody"/]);
  t.equal((await threads.search({ limit: 1000 })).length, before, 'no thread was made');
});

t.test('completes a large batch of runs', async (t) => {
  const made = (await (
    await server.post(
      '/runs/batch',
      Array.from({ length: 120 }, (_, n) => ({
        assistant_id: 'echo',
        input: { text: String(n) },
        on_completion: 'keep',
      })),
    )
  ).json()) as Run[];
  const bodies = await Promise.all(
    made.slice(-3).map(async ({ thread_id: threadId, run_id: runId }) => runs.join(threadId, runId)),
  );
  t.strictSame(
    bodies.map((body) => (body as { text: string }).text),
    ['117', '118', '119'],
  );
  t.equal(made.length, 120);
  t.ok(made.length > 2 * LIMITS.batchSliceMax, 'more than one turn takes');
});

t.test('selects the API by the body when both APIs share a path', async (t) => {
  const id = randomUUID();
  const trace = {
    post: [
      {
        id,
        trace_id: id,
        dotted_order: `20260101T000000000000Z${id}`,
        name: 'n',
        run_type: 'chain',
        start_time: '2026-01-01T00:00:00Z',
        inputs: {},
        session_name: 'by batch',
      },
    ],
  };
  t.equal((await server.post('/runs/batch', trace)).status, 202);
  t.match(await detail(server.post('/runs/batch', {})), [422, 'body: must be array']);
});

t.test('cancels runs by thread and ids', async (t) => {
  const threadId = await newThread();
  const ids = [await later(threadId), await later(threadId), await later(threadId)];
  t.equal(await runs.cancelMany({ threadId, runIds: [ids[0]!, ids[2]!, ids[0]!] }), undefined);
  t.strictSame(await Promise.all(ids.map(async (id) => statusOf(threadId, id))), [
    'interrupted',
    'pending',
    'interrupted',
  ]);
  t.equal((await threads.get(threadId)).status, 'busy', 'one is left');
  t.equal(await runs.cancelMany({ threadId, runIds: [ids[1]!], action: 'rollback' }), undefined);
  await t.rejects(runs.get(threadId, ids[1]!), /HTTP 404: .*Run not found/, 'rolled back is gone');
  t.equal((await threads.get(threadId)).status, 'idle');
});

t.test('cancels no run when one of them cannot be canceled', async (t) => {
  const [threadId, other] = [await newThread(), await newThread()];
  const [mine, theirs] = [await later(threadId), await later(other)];
  const ended = (await runs.create(threadId, 'echo', { input: { text: 'x' } })).run_id;
  await runs.join(threadId, ended);
  for (const wrong of [ended, theirs, randomUUID()])
    await t.rejects(runs.cancelMany({ threadId, runIds: [mine, wrong] }), /HTTP 404: .*Run not found/);
  await t.rejects(
    runs.cancelMany({ threadId: randomUUID(), runIds: [mine] }),
    /HTTP 404: .*Thread with ID .* not found/,
  );
  t.strictSame([await statusOf(threadId, mine), await statusOf(other, theirs)], ['pending', 'pending']);
  await runs.cancelMany({ threadId, runIds: [mine] });
  await runs.cancelMany({ threadId: other, runIds: [theirs] });
});

t.test('accepts either a status or a thread and ids', async (t) => {
  const threadId = await newThread();
  const runId = await later(threadId);
  const post = (body: unknown, query = ''): Promise<[number, string]> =>
    detail(server.post(`/runs/cancel${query}`, body));
  for (const body of [
    {},
    { thread_id: threadId },
    { run_ids: [runId] },
    { status: 'all', thread_id: threadId, run_ids: [runId] },
    { status: 'all', thread_id: threadId },
    { status: null, thread_id: null },
  ]) {
    t.strictSame(await post(body), [422, 'body: needs either status, or thread_id and run_ids'], JSON.stringify(body));
  }
  t.match(await post({ status: 'error' }), [422, /^body\.status: must be one of "pending", "running", "all"/]);
  t.match(await post({ thread_id: threadId, run_ids: ['x'] }), [422, 'body.run_ids.0: must be a UUID']);
  t.match(await post({ thread_id: threadId, run_ids: [] }), [422, /^body\.run_ids: /]);
  t.match(await post({ thread_id: threadId, run_ids: [runId] }, '?action=forget'), [
    422,
    /^query\.action: must be one of/,
  ]);
  t.equal(await statusOf(threadId, runId), 'pending');
  t.equal(
    (
      await server.post('/runs/cancel', {
        status: null,
        thread_id: threadId.toUpperCase(),
        run_ids: [runId.toUpperCase()],
      })
    ).status,
    204,
    'ids in upper case, null for absent',
  );
});

t.test('cancels runs by status', async (t) => {
  const own = await testServer(t);
  const { client } = own;
  const gate = new Gate(folder);
  const { thread_id: threadId } = await client.threads.create();
  const running = new Reader(
    client.runs.stream(threadId, 'gate', { input: { label: 'x', gate: gate.file }, streamMode: 'custom' }),
  );
  await running.until(({ event }) => event === 'custom');
  const queued = await client.runs.create(threadId, 'echo', { input: { text: 'queued' } });
  const batch = await client.runs.createBatch(
    Array.from({ length: 120 }, () => ({ assistantId: 'echo', input: { text: 'x' }, metadata: {} })).map((one) => ({
      ...one,
      after_seconds: LATER,
      on_completion: 'keep',
    })),
  );
  await client.runs.cancelMany({ status: 'pending' });
  t.equal((await client.runs.get(threadId, queued.run_id)).status, 'interrupted');
  t.equal(
    (await client.runs.get(threadId, (await client.runs.list(threadId, { status: 'running' }))[0]!.run_id)).status,
    'running',
    'what runs goes on',
  );
  const statuses = await Promise.all(
    batch.map(async (run) => (await client.runs.get(run.thread_id, run.run_id)).status),
  );
  t.strictSame([...new Set(statuses)], ['interrupted']);
  t.equal(statuses.length, 120, 'more than one turn takes');
  t.ok(statuses.length > 2 * LIMITS.cancelSliceMax);
  await t.rejects(client.runs.cancelMany({ status: 'pending' }), /HTTP 404: .*Run not found/, 'none is left');

  await client.runs.create(threadId, 'echo', { input: { text: 'never' } });
  await client.runs.cancelMany({ status: 'all' });
  t.strictSame(await running.rest(), []);
  t.strictSame(
    (await client.runs.list(threadId)).map(({ status }) => status),
    ['interrupted', 'interrupted', 'interrupted'],
    'what waited did not begin in between',
  );
  await t.rejects(client.runs.cancelMany({ status: 'all' }), /HTTP 404/);
});

t.test('cancels stateless runs that keep nothing', async (t) => {
  const own = await testServer(t);
  const gate = new Gate(folder);
  const waiting = own.client.runs.wait(null, 'gate', { input: { label: 'x', gate: gate.file } });
  await gate.reached();
  await own.client.runs.cancelMany({ status: 'running' });
  t.strictSame(await waiting, {}, 'a wait for a cancelled run answers an object');
});

t.test('shows why a run was canceled', async (t) => {
  const reason = async (threadId: string, runId: string): Promise<unknown> =>
    (await runs.get(threadId, runId)).cancel_reason;
  const held = async (threadId: string): Promise<{ gate: Gate; runId: string }> => {
    const gate = new Gate(folder);
    const { run_id: runId } = await runs.create(threadId, 'gate', { input: { label: 'x', gate: gate.file } });
    await gate.reached();
    // What the run has stored on its way here is on disk a moment later: cancelled before, there would be nothing to go
    // on from.
    while (!(await threads.getState(threadId)).next.includes('hold')) {
      /* each look is a request */
    }
    return { gate, runId };
  };
  const threadId = await newThread();
  const first = await held(threadId);
  t.notOk('cancel_reason' in (await runs.get(threadId, first.runId)), 'none while it runs');
  await runs.cancel(threadId, first.runId, true);
  t.equal(await reason(threadId, first.runId), 'cancelled by request');
  t.match(await threads.get(threadId), { status: 'interrupted', error: 'UserInterrupt: cancelled by request' });
  t.strictSame(await runs.list(threadId, { select: ['run_id', 'cancel_reason'] }), [
    { run_id: first.runId, cancel_reason: 'cancelled by request' },
  ]);

  const second = await held(threadId);
  await runs.cancel(threadId, second.runId, true, 'interrupt', { reason: 'taken' });
  t.match(await reason(threadId, second.runId), /^taken: /);

  const third = await held(threadId);
  let superseding = '';
  await runs.wait(threadId, 'echo', {
    input: { text: 'x' },
    multitaskStrategy: 'interrupt',
    onRunCreated: ({ run_id: id }) => {
      superseding = id;
    },
  });
  t.equal(await reason(threadId, third.runId), `superseded by run ${superseding} (interrupt)`);
  const thread = (await threads.get(threadId)) as unknown as { error?: string };
  t.equal(thread.error, undefined, 'the next run says nothing of it');
  t.strictSame(await runs.list(threadId, { limit: 1, select: ['cancel_reason', 'langsmith_session_name' as never] }), [
    { cancel_reason: null, langsmith_session_name: null },
  ]);

  const gone = new AbortController();
  const gate = new Gate(folder);
  const reader = new Reader(
    runs.stream(threadId, 'gate', {
      input: { label: 'x', gate: gate.file },
      streamMode: 'custom',
      onDisconnect: 'cancel',
      signal: gone.signal,
    }),
  );
  await reader.until(({ event }) => event === 'custom');
  const [left] = await runs.list(threadId);
  const ended = runs.join(threadId, left!.run_id);
  gone.abort();
  await ended;
  t.equal(await reason(threadId, left!.run_id), 'the client disconnected');

  const last = await held(threadId);
  t.match(
    await detail(server.post(`/threads/${threadId}/runs/${last.runId}/cancel?action=rollback&reason=taken`, undefined)),
    [422, 'query.reason: is only allowed with the action interrupt'],
  );
  t.match(await detail(server.post(`/threads/${threadId}/runs/${last.runId}/cancel?reason=bored`, undefined)), [
    422,
    /^query\.reason: must be one of "taken"/,
  ]);
  t.equal(await statusOf(threadId, last.runId), 'running');
  last.gate.open();
});

t.test('announces more runs of a list', async (t) => {
  const threadId = await newThread();
  for (let n = 0; n < 3; n += 1) await later(threadId);
  const headers = async (query: string): Promise<(string | null)[]> => {
    const answer = await server.get(`/threads/${threadId}/runs${query}`);
    await answer.text();
    return ['x-pagination-total', 'x-pagination-next'].map((name) => answer.headers.get(name));
  };
  t.strictSame(await headers('?limit=2'), ['3', '2']);
  t.strictSame(await headers('?limit=2&offset=2'), ['3', null]);
  t.strictSame(await headers('?limit=3'), ['3', null]);
  t.strictSame(await headers('?status=running'), ['0', null]);
  t.strictSame(await headers('?status=pending&limit=1'), ['2', '1']);
  t.strictSame(await detail(server.get(`/threads/${randomUUID()}/runs`)).then(([status]) => status), 404);
});
