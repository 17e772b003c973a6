import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { SERVER_CALLER } from '../../src/domain/caller.js';
import { boundedError, toErrorRecord } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { describeThrown, thrownText } from '../../src/base/thrown.js';
import { Commit } from '../../src/store/store.js';
import { openStores } from '../../src/store/stores.js';
import { keys } from '../../src/store/keys.js';
import { pack } from '../../src/wire/codec.js';
import { temporaryFolder, testServer } from '../helpers/server.js';

/** Code of values whose description runs code that throws. */
const NASTY: Record<string, string> = {
  toString: "{ toString() { throw new Error('toString'); }, toJSON() { throw new Error('toJSON'); } }",
  getters:
    "Object.defineProperties(new Error('x'), Object.fromEntries(['stack', 'name', 'message', 'cause'].map((name) => [name, { get() { throw new Error(name); } }])))",
  fields: "Object.assign(new Error('x'), { name: { toString() { throw 1; } }, message: Symbol('m'), stack: 7n })",
  proxy:
    "new Proxy(new Error('x'), { get() { throw new Error('get'); }, getPrototypeOf() { throw new Error('proto'); }, ownKeys() { throw new Error('keys'); } })",
  revoked: '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; })()',
  circular: "(() => { const error = new Error('round'); error.cause = error; error.self = error; return error; })()",
  circularObject: '(() => { const value = {}; value.self = value; value.toString = () => value; return value; })()',
  nullPrototype: 'Object.assign(Object.create(null), { big: 1n })',
  symbol: "Symbol('thrown')",
  function: '() => 1',
  undefined: 'undefined',
  null: 'null',
};
const LONG = 40 * 1024 * 1024;

t.test('never throws when it describes a thrown value', (t) => {
  for (const [name, code] of Object.entries(NASTY)) {
    // oxlint-disable-next-line no-implied-eval
    const value = new Function(`return ${code}`)() as unknown;
    const { name: kind, message } = toErrorRecord(value);
    t.type(kind, 'string', name);
    t.type(message, 'string', name);
    t.type(thrownText(value), 'string', name);
  }
  t.strictSame(toErrorRecord(new TypeError('plain')), { name: 'TypeError', message: 'plain' });
  t.strictSame(toErrorRecord({ a: 1 }), { name: 'Error', message: '{"a":1}' });
  t.end();
});

t.test('truncates error texts and adds their length', (t) => {
  const error = new Error('m'.repeat(LONG));
  error.name = 'n'.repeat(LONG);
  const { name, message, stack } = describeThrown(error);
  t.ok(
    name.length < LIMITS.errorNameCharsMax + 40 &&
      message.length < LIMITS.errorTextCharsMax + 40 &&
      stack!.length < LIMITS.errorStackCharsMax + 40,
  );
  t.match(message, /m… \(41943040 characters\)$/);
  t.ok(toErrorRecord({ text: 'x'.repeat(LONG) }).message.length < LIMITS.errorTextCharsMax + 40);
  const split = boundedError({ name: 'E', message: `${'a'.repeat(LIMITS.errorTextCharsMax - 1)}😀😀` });
  t.ok(split.message.isWellFormed(), 'no half of a pair');
  t.end();
});

const GRAPH = `
  import { StateGraph, Annotation, START, END } from '@langchain/langgraph';
  const State = Annotation.Root({ throw: Annotation() });
  const values = { ${Object.entries(NASTY)
    .map(
      ([name, code]) =>
        `${JSON.stringify(name)}: () => ${code === 'undefined' || code === 'null' ? code : `(${code})`}`,
    )
    .join(',\n')},
    long: () => new Error('m'.repeat(${LONG})) };
  export const graph = new StateGraph(State).addNode('fail', (state) => { throw values[state.throw](); }).addEdge(START, 'fail').addEdge('fail', END).compile();
`;

function project(t: Test): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'graph.mjs'), GRAPH);
  writeFileSync(join(folder, 'langgraph.json'), JSON.stringify({ graphs: { agent: './graph.mjs:graph' } }));
  return join(folder, 'langgraph.json');
}

const server = await testServer(t, { config: project(t) });

t.test('ends a run that throws such a value with an error, and keeps its worker', async (t) => {
  for (const name of Object.keys(NASTY)) {
    const { thread_id: threadId } = (await (await server.post('/threads', {})).json()) as { thread_id: string };
    const streamed = await (
      await server.post(`/threads/${threadId}/runs/stream`, {
        assistant_id: 'agent',
        input: { throw: name },
        stream_mode: ['values', 'tasks'],
      })
    ).text();
    t.match(streamed, /"attempt":1/, name);
    t.notMatch(streamed, /"attempt":2|ATTEMPTS_EXCEEDED/, name);
    const [run] = (await (await server.get(`/threads/${threadId}/runs`)).json()) as { status: string }[];
    t.equal(run?.status, 'error', name);
  }
});

t.test('stores and shows an error text of 40 MB truncated', { timeout: 120_000 }, async (t) => {
  const { thread_id: threadId } = (await (await server.post('/threads', {})).json()) as { thread_id: string };
  const waited = await (
    await server.post(`/threads/${threadId}/runs/wait`, {
      assistant_id: 'agent',
      input: { throw: 'long' },
      on_completion: 'keep',
    })
  ).text();
  t.ok(waited.length < 20_000, `wait: ${waited.length}`);
  for (const path of [
    `/threads/${threadId}`,
    `/threads/${threadId}/state`,
    `/threads/${threadId}/history`,
    `/threads/${threadId}/runs`,
  ]) {
    const text = await (await server.get(path)).text();
    t.ok(text.length < 50_000, `${path}: ${text.length}`);
  }
  const list = await server.post('/threads/search', {});
  t.equal(list.status, 200);
  t.ok((await list.text()).length < 20_000);
});

t.test('truncates a long error text of an earlier version', async (t) => {
  const dataFolder = temporaryFolder(t);
  const config = project(t);
  const first = await testServer(t, { config, dataFolder });
  const { thread_id: threadId } = (await (await first.post('/threads', {})).json()) as { thread_id: string };
  await (
    await first.post(`/threads/${threadId}/runs/wait`, { assistant_id: 'agent', input: { throw: 'symbol' } })
  ).text();
  await first.close();
  const stores = openStores(dataFolder, undefined);
  const commit = new Commit();
  const record = stores.threads.get(SERVER_CALLER, threadId)!;
  commit.put(keys.thread(threadId), pack({ ...record, failure: { name: 'E', message: 'm'.repeat(LONG) } }));
  await stores.store.write(commit);
  await stores.store.close();
  const server = await testServer(t, { config, dataFolder });
  const list = await server.post('/threads/search', {});
  t.equal(list.status, 200);
  const [thread] = (await list.json()) as { error: string }[];
  t.match(thread!.error, /^E: mmm.*… \(41943040 characters\)$/);
});
