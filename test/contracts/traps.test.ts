import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as OlderClient } from 'langgraph-sdk-1.9';
import t from 'tap';
import { assistantIdOf } from '../../src/base/ids.js';
import { collect, told } from '../helpers/events.js';
import { Gate } from '../helpers/gate.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

/**
 * What others got wrong (agent-server.md, section 23): the traps that no other suite shows. A test that shows one has
 * `[trap N]` in its name, wherever it is; docs/compatibility.md lists them.
 */
const server = await testServer(t);
const { threads, runs, assistants } = server.client;
const folder = temporaryFolder(t);
const newThread = async (): Promise<string> => (await threads.create()).thread_id;

t.test('[trap 1] gives graphs the same assistant ids as every server', async (t) => {
  t.equal(assistantIdOf('agent'), 'fe096781-5601-53d2-b2f6-0d3403f7e9ca');
  t.equal(assistantIdOf('weather'), '5fb44052-6611-57fc-99b4-527b0d62f788');
  t.equal(assistantIdOf('agent_simple'), '41237ec1-a1e5-5297-9ec9-e27936781bda');
  t.equal((await assistants.get('echo')).assistant_id, assistantIdOf('echo'));
});

t.test(
  '[trap 5] ends an interrupted run as success with an interrupted thread, a canceled run as interrupted',
  async (t) => {
    const asking = await newThread();
    await runs.wait(asking, 'approval', { input: {} });
    t.strictSame(
      (await runs.list(asking)).map(({ status }) => status),
      ['success'],
    );
    t.equal((await threads.get(asking)).status, 'interrupted');
    const cancelled = await newThread();
    const gate = new Gate(folder);
    const { run_id: runId } = await runs.create(cancelled, 'gate', { input: { label: 'a', gate: gate.file } });
    await gate.reached();
    await runs.cancel(cancelled, runId, true);
    t.equal((await runs.get(cancelled, runId)).status, 'interrupted');
  },
);

t.test('[trap 6] keeps a thread interrupted after a state update', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'approval', { input: {} });
  await threads.updateState(threadId, { values: { answers: ['aside'] }, asNode: 'before' });
  t.match(await threads.get(threadId), { status: 'interrupted', values: { answers: ['before', 'aside'] } });
});

t.test('[trap 18] ends a late join only when the end of the run is stored', async (t) => {
  for (let n = 0; n < 20; n += 1) {
    const threadId = await newThread();
    const gate = new Gate(folder);
    const { run_id: runId } = await runs.create(threadId, 'gate', {
      input: { label: 'a', gate: gate.file },
      durability: 'sync',
    });
    await gate.reached();
    const joined =
      n % 2 === 0
        ? (): Promise<unknown> => runs.join(threadId, runId)
        : (): Promise<unknown> => collect(runs.joinStream(threadId, runId));
    await Promise.all([runs.cancel(threadId, runId), joined()]);
    t.equal((await runs.get(threadId, runId)).status, 'interrupted');
  }
});

t.test('[trap 19] sends heartbeats while graphs block every worker', { timeout: 60_000 }, async (t) => {
  const threadId = await newThread();
  const gate = new Gate(folder);
  const stream = await server.post(`/threads/${threadId}/runs/stream`, {
    assistant_id: 'gate',
    input: { label: 'a', gate: gate.file },
  });
  await gate.reached();
  let heard = '';
  const reading = (async (): Promise<void> => {
    for await (const bytes of stream.body!) heard += Buffer.from(bytes as Uint8Array).toString();
  })();
  const [run] = await runs.list(threadId);
  const older = new OlderClient({ apiUrl: server.url, apiKey: null });
  const seenByOlder = collect(older.runs.joinStream(threadId, run!.run_id, { lastEventId: '-1' }));
  const beats = (): number => heard.split(': heartbeat\n').length - 1;
  // The only worker is blocked most of the time until the client's watchdog would be armed.
  while (beats() < 2) await runs.wait(null, 'trouble', { input: { do: 'block', n: 1_000 } });
  gate.open();
  await reading;
  t.match(heard, /: heartbeat\n[\s\S]*after a/, 'and the events come after them');
  const names = (await seenByOlder).map(({ event }) => event);
  t.strictSame([...new Set(names)], ['metadata', 'values'], 'older clients take them for no event');
});

t.test('[trap 25] ends with the values of the root graph', async (t) => {
  const threadId = await newThread();
  const run = { input: { question: 'which?' }, streamSubgraphs: true, streamMode: ['values' as const] };
  t.match(await runs.wait(threadId, 'nested', { input: { question: 'which?' }, ...{ stream_subgraphs: true } }), {
    question: 'which?',
    __interrupt__: [{ value: 'which?' }],
  });
  const second = await newThread();
  const { run_id: runId } = await runs.create(second, 'nested', run);
  await runs.join(second, runId);
  const answer = await server.post(`/threads/${second}/runs/wait`, {
    assistant_id: 'nested',
    command: { resume: 'this' },
    stream_mode: ['values'],
    stream_subgraphs: true,
  });
  t.strictSame(await answer.json(), { question: 'which?', words: ['prepared', 'answer this', 'closed'] });
});

t.test("[trap 26] applies the graph's recursion limit when the run has none", async (t) => {
  const project = temporaryFolder(t);
  writeFileSync(
    join(project, 'bound.ts'),
    `import { graph as circle } from '${join(ROOT, 'test', 'graphs', 'circle.ts')}';\nexport const graph = circle.withConfig({ recursionLimit: 30 });\n`,
  );
  writeFileSync(join(project, 'langgraph.json'), JSON.stringify({ graphs: { bound: './bound.ts:graph' } }));
  const { client } = await testServer(t, { config: join(project, 'langgraph.json') });
  t.match(await client.runs.wait(null, 'bound', { input: { n: 0, until: 28 } }), { n: 28 });
  await t.rejects(client.runs.wait(null, 'bound', { input: { n: 0 } }), /Recursion limit of 30 reached/);
  await t.rejects(
    client.runs.wait(null, 'bound', { input: { n: 0 }, config: { recursion_limit: 4 } }),
    /Recursion limit of 4 reached/,
  );
});

t.test('[trap 27] sends flat messages in streams and waits', async (t) => {
  const input = { messages: [{ role: 'user', content: 'hi', id: 'h0' }] };
  const human = { type: 'human', id: 'h0', content: 'hi' };
  const ai = { type: 'ai', id: 'a1', content: 'answer 1' };
  t.match(await runs.wait(null, 'chat', { input }), { messages: [human, ai] });
  const events = told(await collect(runs.stream(null, 'chat', { input, streamMode: ['values', 'updates'] })));
  t.match(events, [
    ['values', { messages: [human] }],
    ['updates', { answer: { messages: [ai] } }],
    ['values', { messages: [human, ai] }],
  ]);
  t.notMatch(JSON.stringify(events), /"lc"|"kwargs"/);
});

t.test('[trap 37] keeps one assistant for each graph', async (t) => {
  const system = { metadata: { created_by: 'system' } };
  const before = await assistants.count(system);
  const found = await assistants.search({ ...system, limit: 100 });
  t.strictSame(
    found.map(({ graph_id: graphId }) => graphId).length,
    new Set(found.map(({ graph_id: graphId }) => graphId)).size,
  );
  const made = await assistants.create({ graphId: 'echo' });
  await assistants.delete(made.assistant_id);
  await t.rejects(assistants.delete('echo'), /HTTP 409/);
  t.equal(await assistants.count(system), before);
  t.equal(before, found.length);
});
