import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ThreadState } from '@langchain/langgraph-sdk';
import t from 'tap';
import { SERVER_CALLER } from '../../src/domain/caller.js';
import { Commit } from '../../src/store/store.js';
import { openStores } from '../../src/store/stores.js';
import { Gate } from '../helpers/gate.js';
import { incompressible } from '../helpers/incompressible.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

const server = await testServer(t);
const { client } = server;
const { threads, runs } = client;
const folder = temporaryFolder(t);
/** Sweeps as often as may be, and keeps threads for 30 days. */
const ttlConfig = join(folder, 'langgraph.json');
writeFileSync(
  ttlConfig,
  JSON.stringify({
    graphs: { chat: `${join(ROOT, 'test/graphs/chat.ts')}:graph` },
    checkpointer: { ttl: { strategy: 'delete', default_ttl: 43_200, sweep_interval_minutes: 0.001 } },
  }),
);

/** The same state or history as another thread's would be, ids of the thread itself apart. */
const elsewhere = <T>(value: T, from: string, to: string): T =>
  JSON.parse(JSON.stringify(value).replaceAll(from, to)) as T;
const texts = (state: ThreadState): unknown =>
  (state.values as { messages: { content: string }[] }).messages.map(({ content }) => content);
const say = (content: string): { messages: { role: string; content: string }[] } => ({
  messages: [{ role: 'user', content }],
});

t.test('copies the whole state and history under a new id', async (t) => {
  for (const [graphId, input] of [
    ['chat', say('hi')],
    ['nested', { question: 'why' }],
    ['shapes', { do: 'fill' }],
    ['delta', say('one')],
  ] as const) {
    const source = await threads.create({ metadata: { owner: 'ada' } });
    await runs.wait(source.thread_id, graphId, { input });
    await runs.wait(source.thread_id, graphId, { input }).catch(() => undefined);
    const copy = (await threads.copy(source.thread_id)) as unknown as Awaited<ReturnType<typeof threads.get>>;
    t.not(copy.thread_id, source.thread_id);
    const before = await threads.get(source.thread_id);
    t.strictSame(copy.metadata, { ...before.metadata, thread_id: copy.thread_id });
    t.strictSame(copy.values, before.values, graphId);
    t.equal(copy.status, before.status);
    for (const subgraphs of [false, true]) {
      t.strictSame(
        await threads.getState(copy.thread_id, undefined, { subgraphs }),
        elsewhere(await threads.getState(source.thread_id, undefined, { subgraphs }), source.thread_id, copy.thread_id),
      );
    }
    t.strictSame(
      await threads.getHistory(copy.thread_id, { limit: 100 }),
      elsewhere(await threads.getHistory(source.thread_id, { limit: 100 }), source.thread_id, copy.thread_id),
    );
    t.strictSame(await runs.list(copy.thread_id), [], 'runs stay with the first thread');
  }
});

t.test('keeps a copy independent, also when the original is deleted', async (t) => {
  const source = await threads.create();
  await runs.wait(source.thread_id, 'approval', { input: {} });
  const copy = (await threads.copy(source.thread_id)) as unknown as { thread_id: string; status: string };
  t.equal(copy.status, 'interrupted');
  await runs.wait(source.thread_id, 'approval', { command: { resume: 'source' } });
  await threads.delete(source.thread_id);
  await runs.wait(copy.thread_id, 'approval', { command: { resume: 'A' } });
  t.match(await runs.wait(copy.thread_id, 'approval', { command: { resume: 'B' } }), {
    answers: ['before', 'A', 'B', 'after'],
  });
});

t.test('refuses to copy a missing or a busy thread', async (t) => {
  await t.rejects(threads.copy(randomUUID()), /HTTP 409: .*Thread not found/);
  const { thread_id: id } = await threads.create();
  const gate = new Gate(folder);
  const run = await runs.create(id, 'gate', { input: { label: 'a', gate: gate.file } });
  await gate.reached();
  await t.rejects(threads.copy(id), /HTTP 409: .*Thread is busy/);
  gate.open();
  await runs.join(id, run.run_id);
  const fresh = await threads.create();
  t.matchStrict(await threads.copy(fresh.thread_id), { values: null, status: 'idle' });
});

t.test('keeps the newest state and everything it depends on', async (t) => {
  for (const graphId of ['chat', 'delta']) {
    const { thread_id: id } = await threads.create();
    for (const word of ['one', 'two', 'three', 'four']) await runs.wait(id, graphId, { input: say(word) });
    const before = await threads.getState(id);
    t.strictSame(await threads.prune([id, randomUUID()], { strategy: 'keep_latest' }), { pruned_count: 1 });
    const after = await threads.getState(id);
    t.strictSame(texts(after), texts(before));
    t.equal(
      (await threads.getHistory(id, { limit: 100 })).length,
      1,
      'what the newest is put together from is no state of its own',
    );
    await runs.wait(id, graphId, { input: say('five') });
    t.strictSame((texts(await threads.getState(id)) as string[]).length, 10, graphId);
    await runs.wait(id, graphId, { input: say('six') });
    t.equal((texts(await threads.getState(id)) as string[]).length, 12);
  }
});

t.test('accepts a pruned value again', async (t) => {
  const { thread_id: id } = await threads.create();
  const long = 'a'.repeat(5_000);
  await runs.wait(id, 'reducer', { input: { words: 'x', last: long } });
  await threads.updateState(id, { values: { last: long }, asNode: 'second' });
  await threads.updateState(id, { values: { last: 'short' }, asNode: 'second' });
  await threads.prune([id], { strategy: 'keep_latest' });
  await threads.updateState(id, { values: { last: long }, asNode: 'second' });
  t.equal(((await threads.getState(id)).values as { last: string }).last, long);
});

t.test('keeps an open interrupt in a subgraph over pruning', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'nested', { input: { question: 'why' } });
  const before = await threads.getState(id, undefined, { subgraphs: true });
  await threads.prune([id], { strategy: 'keep_latest' });
  const withoutParent = (state: ThreadState): unknown =>
    JSON.parse(JSON.stringify(state), (key, value: unknown) => (key === 'parent_checkpoint' ? null : value));
  t.strictSame(withoutParent(await threads.getState(id, undefined, { subgraphs: true })), withoutParent(before));
  t.match(await runs.wait(id, 'nested', { command: { resume: 'because' } }), {
    words: ['prepared', 'answer because', 'closed'],
  });
});

t.test('removes pruned content and keeps shared content', async (t) => {
  const own = await testServer(t);
  const { thread_id: id } = await own.client.threads.create();
  for (let turn = 0; turn < 6; turn += 1)
    await own.client.runs.wait(id, 'chat', { input: say(`${turn} ${incompressible(3_000)}`) });
  for (let n = 0; n < 5; n += 1)
    await own.client.threads.updateState(id, {
      values: { messages: [{ type: 'human', id: 'same', content: `${n} ${incompressible(4_000)}` }] },
      asNode: 'answer',
    });
  const before = (await (await own.get(`/threads/${id}/storage`)).json()) as {
    total_bytes: number;
    checkpoints: { count: number };
  };
  await own.client.threads.prune([id], { strategy: 'keep_latest' });
  const after = (await (await own.get(`/threads/${id}/storage`)).json()) as {
    total_bytes: number;
    checkpoints: { count: number };
  };
  t.equal(after.checkpoints.count, 1);
  t.ok(before.total_bytes - after.total_bytes > 4 * 4_000, `${before.total_bytes} -> ${after.total_bytes}`);
  const { messages } = (await own.client.threads.getState(id)).values as { messages: { content: string }[] };
  t.equal(messages.length, 13);
  t.match(messages.at(-1)!.content, /^4 .{4000}/);
});

t.test('deletes threads by default and skips running ones', async (t) => {
  const [one, two] = [await threads.create(), await threads.create()];
  t.strictSame(await threads.prune([one.thread_id, two.thread_id]), { pruned_count: 2 });
  await t.rejects(threads.get(one.thread_id), /HTTP 404/);
  const { thread_id: id } = await threads.create();
  const gate = new Gate(folder);
  const run = await runs.create(id, 'gate', { input: { label: 'a', gate: gate.file } });
  await gate.reached();
  t.strictSame(await threads.prune([id], { strategy: 'keep_latest' }), { pruned_count: 0 });
  gate.open();
  await runs.join(id, run.run_id);
  t.match(await threads.getState(id), { values: { label: 'a' } });
  t.equal((await server.post('/threads/prune', { thread_ids: [id], strategy: 'everything' })).status, 422);
});

t.test('reports the storage of a thread', async (t) => {
  const { thread_id: id } = await threads.create();
  const empty = (await (await server.get(`/threads/${id}/storage`)).json()) as Record<string, unknown>;
  t.strictSame(empty, {
    thread_id: id,
    total_bytes: 0,
    checkpoints: { count: 0, bytes: 0 },
    channel_values: { count: 0, bytes: 0, by_channel: {} },
    pending_writes: { count: 0, bytes: 0, by_channel: {} },
  });
  await runs.wait(id, 'chat', { input: say(incompressible(10_000)) });
  const one = (await (await server.get(`/threads/${id}/storage`)).json()) as {
    total_bytes: number;
    checkpoints: { count: number };
    channel_values: { bytes: number; by_channel: Record<string, { versions: number; bytes: number }> };
    pending_writes: { count: number; bytes: number; by_channel: Record<string, { count: number; bytes: number }> };
  };
  t.equal(one.checkpoints.count, 3);
  t.equal(one.channel_values.by_channel['messages']!.versions, 3, 'none, the question, the answer');
  t.ok(one.channel_values.bytes > 10_000);
  t.ok(one.total_bytes < 40_000, 'shared content counts once');
  const { by_channel: ofWrites, ...ofAll } = one.pending_writes;
  t.strictSame(
    Object.values(ofWrites).reduce(
      (sum, { count, bytes }) => ({ count: sum.count + count, bytes: sum.bytes + bytes }),
      { count: 0, bytes: 0 },
    ),
    ofAll,
  );
  const delta = await threads.create();
  await runs.wait(delta.thread_id, 'delta', { input: say(incompressible(10_000)) });
  const deltas = (await (await server.get(`/threads/${delta.thread_id}/storage`)).json()) as typeof one;
  t.ok(deltas.pending_writes.by_channel['messages']!.bytes > 10_000, 'a delta channel stands in the writes');
  t.equal((await server.get(`/threads/${randomUUID()}/storage`)).status, 404);
});

t.test('removes an expired thread with everything it has', async (t) => {
  const dataFolder = temporaryFolder(t);
  const own = await testServer(t, { dataFolder });
  const kept = await own.client.threads.create({ ttl: 60 });
  const minutes = async (id: string): Promise<unknown> =>
    ((await (await own.get(`/threads/${id}?include=ttl`)).json()) as { ttl: unknown }).ttl;
  t.match(await minutes(kept.thread_id), { strategy: 'delete', ttl_minutes: 60, expires_at: /^\d{4}-/ });
  const over = (await (await own.post('/threads', { ttl: { ttl: 0.000_01 } })).json()) as { thread_id: string };
  const thin = (await (await own.post('/threads', { ttl: { ttl: 0.000_01, strategy: 'keep_latest' } })).json()) as {
    thread_id: string;
  };
  for (const word of ['one', 'two']) await own.client.runs.wait(thin.thread_id, 'chat', { input: say(word) });
  for (const ttl of ['x', 0, -1, { strategy: 'delete' }, { ttl: 1, strategy: 'sometimes' }])
    t.equal((await own.post('/threads', { ttl })).status, 422, JSON.stringify(ttl));
  await own.close();

  const again = await testServer(t, { dataFolder, config: ttlConfig });
  await until(async () => (await again.get(`/threads/${over.thread_id}`)).status === 404);
  await until(async () => (await again.client.threads.getHistory(thin.thread_id, { limit: 100 })).length === 1);
  t.equal((texts(await again.client.threads.getState(thin.thread_id)) as string[]).length, 4);
  t.matchStrict(await (await again.get(`/threads/${thin.thread_id}?include=ttl`)).json(), {
    ttl: { strategy: 'keep_latest', expires_at: null },
  });
  t.equal((await again.get(`/threads/${kept.thread_id}`)).status, 200);
  const patched = await again.client.threads.update(kept.thread_id, { metadata: {}, ttl: 5 });
  t.equal(patched.thread_id, kept.thread_id);
  t.match(await (await again.get(`/threads/${kept.thread_id}?include=ttl`)).json(), { ttl: { ttl_minutes: 5 } });
  const implicit = (await (await again.post('/threads', {})).json()) as { thread_id: string };
  t.match(
    await (await again.get(`/threads/${implicit.thread_id}?include=ttl`)).json(),
    { ttl: { strategy: 'delete', ttl_minutes: 43_200 } },
    'what langgraph.json says',
  );
});

t.test('leaves nothing behind when it crashes during a copy or an update', async (t) => {
  const dataFolder = temporaryFolder(t);
  const first = await testServer(t, { dataFolder });
  const { thread_id: id } = await first.client.threads.create();
  await first.client.runs.wait(id, 'chat', { input: say('hi') });
  const before = await first.client.threads.getState(id);
  await first.close();
  // What a crash would leave: a change that was begun and never completed.
  const stores = openStores(dataFolder, undefined);
  const thread = stores.threads.get(SERVER_CALLER, id)!;
  const begun = new Commit();
  stores.changes.begin(begun, { kind: 'new', changeId: 'half-a-copy', uid: 'someuid' });
  for (const slice of stores.checkpoints.copyContent(thread, 'someuid')) begun.operations.push(...slice.operations);
  await stores.store.write(begun);
  await stores.store.close();
  const second = await testServer(t, { dataFolder });
  t.strictSame(await second.client.threads.getState(id), before);
  await second.close();
  const after = openStores(dataFolder, undefined);
  t.strictSame([...after.changes.unfinished()], []);
  t.strictSame([...after.store.keys({ prefix: ['c', 'someuid'] })], [], 'the remover has taken it');
  await after.store.close();
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition()))
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
}
