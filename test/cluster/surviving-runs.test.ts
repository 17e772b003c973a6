import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ChildServer } from '../helpers/child-server.js';
import { startChildNode, startTestNode, until, type TestNode } from '../helpers/cluster.js';
import { Reader, type Event } from '../helpers/events.js';
import { TestPostgres } from '../helpers/postgres.js';
import { configWith, temporaryFolder } from '../helpers/server.js';

/** Runs that a node executes for the owner go on when the owner is lost, in the same attempt. */
const postgres = await TestPostgres.start(t);
const config = configWith(t, 'ticker', 'gate', 'echo');

/** A project whose graph stores an item, and then waits until its gate opens. */
function projectWithItem(t: Test): string {
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'graph.ts'),
    `import { existsSync, writeFileSync } from 'node:fs';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({ gate: Annotation<string>, isDone: Annotation<boolean> });

export const graph = new StateGraph(State)
  .addNode('keep', async ({ gate }, { store, writer }) => {
    await store.put(['items'], gate.replaceAll('/', '_'), { by: 'graph' });
    writeFileSync(gate + '.reached', '');
    while (!existsSync(gate)) {
      writer({ waiting: true });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { isDone: true };
  })
  .addEdge(START, 'keep')
  .addEdge('keep', END)
  .compile();
`,
  );
  const file = join(folder, 'langgraph.json');
  writeFileSync(file, JSON.stringify({ graphs: { keep: './graph.ts:graph' } }));
  return file;
}

interface Nodes {
  /** In a process of its own. */
  owner: ChildServer;
  others: TestNode[];
}

/** The owner `a`, and the nodes `b`, `c` and so on in this process, whose graph workers it can use. */
async function startNodes(t: Test, count: number, file = config): Promise<Nodes> {
  const url = await postgres.createDatabase();
  const owner = await startChildNode(t, { config: file, url, env: { THREADMILL_NODE_NAME: 'a' } });
  const others: TestNode[] = [];
  for (const name of ['b', 'c'].slice(0, count - 1))
    others.push(await startTestNode(t, { config: file, url, env: { THREADMILL_NODE_NAME: name } }));
  await until(async () => (await text(owner, '/metrics')).split('threadmill_cluster_node_workers{').length > count);
  return { owner, others };
}

const text = async ({ url }: { url: string }, path: string): Promise<string> => (await fetch(`${url}${path}`)).text();

interface Executing {
  node: string | null;
  threadId: string;
  runId: string;
  gate: string;
  reader: Reader;
  open: () => void;
}

/** A run that executes until its gate opens, and a reader of its stream. */
async function start(t: Test, via: TestNode, graph: string, options: object): Promise<Executing> {
  const gate = join(temporaryFolder(t), 'gate');
  const { thread_id: threadId } = await via.client.threads.create();
  const stream = via.client.runs.stream(threadId, graph, {
    input: { gate, label: 'x' },
    streamMode: ['custom', 'values'],
    ...options,
  });
  const reader = new Reader(stream);
  await reader.until(() => existsSync(`${gate}.reached`));
  const [run] = await via.client.runs.list(threadId);
  const runId = run!.run_id;
  const { node } = await why(via, { threadId, runId });
  return { node, threadId, runId, gate, reader, open: () => writeFileSync(gate, '') };
}

/** Starts runs until one executes on each of the nodes except the owner. */
async function startOnEach(t: Test, { others }: Nodes, graph: string, options: object = {}): Promise<Executing[]> {
  const found = new Map<string, Executing>();
  const rest: Executing[] = [];
  while (found.size < others.length) {
    const run = await start(t, others[0]!, graph, options);
    if (run.node === null || found.has(run.node)) rest.push(run);
    else found.set(run.node, run);
  }
  for (const { open } of rest) open();
  return [...found.values()];
}

interface Why {
  reason: string;
  node: string | null;
  attempt: number;
}

async function why(via: { url: string }, { threadId, runId }: { threadId: string; runId: string }): Promise<Why> {
  return JSON.parse(await text(via, `/threads/${threadId}/runs/${runId}/why`)) as Why;
}

/** The numbers that the ticker has written, which begin again when a node of the graph is executed again. */
const ticks = (events: readonly Event[]): number[] =>
  events.filter(({ event }) => event === 'custom').map(({ data }) => (data as { tick: number }).tick);

/** Reads until the ticker has written some more. */
async function readTicks({ reader }: Executing, count: number): Promise<void> {
  const target = ticks(reader.seen).length + count;
  while (ticks(reader.seen).length < target) await reader.next();
}

for (const streamResumable of [true, false])
  t.test(`a run goes on when the owner dies; resumable: ${streamResumable}`, async (t) => {
    const nodes = await startNodes(t, 3);
    const runs = await startOnEach(t, nodes, 'ticker', { streamResumable });
    await Promise.all(runs.map((run) => readTicks(run, 50)));
    await nodes.owner.kill('SIGKILL');
    await until(() => nodes.others.some((node) => node.isOwner()));
    // One of the runs executes on the new owner, and one on the other node.
    await Promise.all(runs.map((run) => readTicks(run, 1_000)));
    for (const run of runs) {
      t.match(await why(nodes.others[0]!, run), { reason: 'running', attempt: 1 });
      run.open();
      await run.reader.rest();
      const seen = ticks(run.reader.seen);
      t.strictSame(
        seen,
        seen.map((_tick, index) => index),
        'every event once, in order',
      );
      t.equal(run.reader.seen.filter(({ event }) => event === 'metadata').length, 1);
      t.equal(run.reader.seen.filter(({ event }) => event === 'error').length, 0);
      const { values } = await nodes.others[1]!.client.threads.getState<{ ticks: number }>(run.threadId);
      t.equal(values.ticks, seen.length);
      if (!streamResumable) continue;
      const stored = new Reader(
        nodes.others[1]!.client.runs.joinStream(run.threadId, run.runId, { lastEventId: '-1' }),
      );
      t.strictSame(ticks(await stored.rest()), seen, 'what was shown is what is stored');
    }
  });

t.test('a run goes on when the owner leaves, also before its node has found the next one', async (t) => {
  const nodes = await startNodes(t, 3);
  const runs = await startOnEach(t, nodes, 'gate');
  t.equal(await nodes.owner.kill('SIGTERM'), '0');
  for (const { open } of runs) open();
  for (const run of runs) {
    await run.reader.rest();
    t.match(await nodes.others[0]!.client.runs.get(run.threadId, run.runId), { status: 'success' });
    const { values } = await nodes.others[0]!.client.threads.getState<{ steps: string[] }>(run.threadId);
    t.strictSame(values.steps, ['before x', 'held x', 'after x']);
    t.equal((await why(nodes.others[0]!, run)).attempt, 1);
  }
});

t.test('a run whose code returns while there is no owner has ended for the next one', async (t) => {
  const nodes = await startNodes(t, 2);
  const [run] = await startOnEach(t, nodes, 'gate');
  const waiting = nodes.others[0]!.client.runs.join(run!.threadId, run!.runId);
  await nodes.owner.kill('SIGKILL');
  run!.open();
  t.match(await waiting, { steps: ['before x', 'held x', 'after x'] });
  t.equal((await why(nodes.others[0]!, run!)).attempt, 1);
});

t.test('what a run has stored in the long-term memory is not stored again', async (t) => {
  const nodes = await startNodes(t, 3, projectWithItem(t));
  const [one] = nodes.others;
  const runs = await startOnEach(t, nodes, 'keep');
  const keyOf = ({ gate }: Executing): string => gate.replaceAll('/', '_');
  for (const run of runs) {
    t.match(await one!.client.store.getItem(['items'], keyOf(run)), { value: { by: 'graph' } });
    await one!.client.store.putItem(['items'], keyOf(run), { by: 'client' });
  }
  await nodes.owner.kill('SIGKILL');
  for (const run of runs) {
    run.open();
    t.match(await one!.client.runs.join(run.threadId, run.runId), { isDone: true });
    t.match(await why(one!, run), { attempt: 1 });
    t.match(await one!.client.store.getItem(['items'], keyOf(run)), { value: { by: 'client' } });
  }
});

t.test('a run can be canceled when the owner has changed', async (t) => {
  const nodes = await startNodes(t, 3);
  const runs = await startOnEach(t, nodes, 'ticker');
  await nodes.owner.kill('SIGKILL');
  const [one] = nodes.others;
  for (const { threadId, runId, reader } of runs) {
    await one!.client.runs.cancel(threadId, runId, true);
    t.match(await one!.client.runs.get(threadId, runId), { status: 'interrupted' });
    await reader.rest();
    t.match(await one!.client.runs.wait(threadId, 'echo', { input: {} }), {}, 'the thread is free');
  }
});

t.test('a run whose node died with the owner is retried', async (t) => {
  const url = await postgres.createDatabase();
  const a = await startChildNode(t, { config, url, env: { THREADMILL_NODE_NAME: 'a' } });
  const b = await startTestNode(t, { config, url, env: { THREADMILL_NODE_NAME: 'b' } });
  const c = await startChildNode(t, { config, url, env: { THREADMILL_NODE_NAME: 'c' } });
  await until(async () => (await text(a, '/metrics')).split('threadmill_cluster_node_workers{').length > 3);
  const runs = [await start(t, b, 'ticker', {})];
  while (runs.at(-1)!.node !== 'c') runs.push(await start(t, b, 'ticker', {}));
  const run = runs.at(-1)!;
  await Promise.all([a.kill('SIGKILL'), c.kill('SIGKILL')]);
  await until(async () => (await why(b, run)).attempt === 2);
  for (const { open } of runs) open();
  t.match(await b.client.runs.join(run.threadId, run.runId), { ticks: Number });
});
