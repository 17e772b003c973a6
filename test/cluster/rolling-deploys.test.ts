import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import { FORMAT_VERSION } from '../../src/store/keys.js';
import type { ChildServer } from '../helpers/child-server.js';
import { startChildNode, until } from '../helpers/cluster.js';
import { TestPostgres } from '../helpers/postgres.js';
import { ROOT, temporaryFolder } from '../helpers/server.js';

/** Nodes are replaced one after another by nodes with changed code, while clients work. */

const postgres = await TestPostgres.start(t);

/** A project whose graph writes the version of its code into the state. */
function projectOfVersion(t: Test, version: string): string {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'src'));
  writeFileSync(
    join(folder, 'src', 'graph.ts'),
    `import { existsSync, writeFileSync } from 'node:fs';
import { Annotation, END, START, StateGraph, interrupt } from '@langchain/langgraph';

const State = Annotation.Root({
  gate: Annotation<string>,
  asks: Annotation<boolean>,
  steps: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

export const graph = new StateGraph(State)
  .addNode('first', () => ({ steps: ['first ${version}'] }))
  .addNode('wait', async ({ gate, asks }, { signal }) => {
    if (gate) writeFileSync(gate + '.reached', '');
    while (gate && !existsSync(gate) && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20));
    return { steps: [asks ? 'answer ' + interrupt('which?') : 'waited ${version}'] };
  })
  .addNode('last', () => ({ steps: ['last ${version}'] }))
  .addEdge(START, 'first')
  .addEdge('first', 'wait')
  .addEdge('wait', 'last')
  .addEdge('last', END)
  .compile();
`,
  );
  const file = join(folder, 'langgraph.json');
  writeFileSync(file, JSON.stringify({ graphs: { steps: './src/graph.ts:graph' } }));
  return file;
}

interface Steps {
  steps: string[];
}

/** A load balancer's list of nodes. */
class Nodes {
  readonly #t: Test;
  readonly #url: string;
  readonly all: ChildServer[] = [];
  #next = 0;

  constructor(t: Test, url: string) {
    this.#t = t;
    this.#url = url;
  }

  /** One after the other. */
  get client(): Client {
    this.#next += 1;
    return this.all[this.#next % this.all.length]!.client;
  }

  /** `root`: folder of the program. */
  async add(config: string, name: string, root?: string): Promise<void> {
    const node = await startChildNode(this.#t, {
      ...{ config, url: this.#url, root },
      env: { THREADMILL_NODE_NAME: name, BG_JOB_SHUTDOWN_GRACE_PERIOD_SECS: '2' },
    });
    this.all.push(node);
  }

  /** Ends the oldest one, to which no new requests are sent. What it has begun, it ends. */
  async endOldest(): Promise<string> {
    const node = this.all.shift()!;
    return node.kill('SIGTERM');
  }

  async ownerName(): Promise<string | undefined> {
    const { rows } = await postgres.query(
      'SELECT name FROM threadmill.node JOIN threadmill.shard ON owner = node_id',
      this.#url,
    );
    return rows[0]?.['name'] as string | undefined;
  }
}

/** Clients that work until `isDone` is aborted. Returns the errors of their requests, and how many succeeded. */
async function work(nodes: Nodes, isDone: AbortSignal): Promise<{ errors: string[]; done: number }> {
  const errors: string[] = [];
  let done = 0;
  const repeat = async (request: (client: Client) => Promise<unknown>): Promise<void> => {
    while (!isDone.aborted) {
      try {
        await request(nodes.client);
        done += 1;
      } catch (error) {
        errors.push((error as Error).message);
      }
      await sleep(10);
    }
  };
  let count = 0;
  const { thread_id: threadId } = await nodes.client.threads.create();
  await Promise.all([
    repeat((client) => client.runs.wait(threadId, 'steps', { input: {} })),
    repeat((client) => client.runs.wait(null, 'steps', { input: {} })),
    repeat((client) => client.store.putItem(['deploys'], 'count', { count: (count += 1) })),
    repeat(async (client) => {
      const { thread_id: id } = await client.threads.create();
      // The first node may have been told to end meanwhile, and then gets no new requests.
      await nodes.client.threads.delete(id);
    }),
    repeat(async (client) => {
      for await (const { event, data } of client.runs.stream(null, 'steps', { input: {}, streamMode: 'values' }))
        if (event === 'error') throw new Error(JSON.stringify(data));
    }),
  ]);
  const { values } = await nodes.client.threads.getState<Steps>(threadId);
  const firsts = values.steps.filter((step) => step.startsWith('first')).length;
  const lasts = values.steps.filter((step) => step.startsWith('last')).length;
  if (firsts !== lasts) errors.push(`${firsts} runs began, and ${lasts} ended`);
  return { errors, done };
}

async function replaceThreeNodes(t: Test, newProgram?: string): Promise<string> {
  const url = await postgres.createDatabase();
  const nodes = new Nodes(t, url);
  const [before, after] = [projectOfVersion(t, 'one'), projectOfVersion(t, 'two')];
  for (const name of ['old-1', 'old-2', 'old-3']) await nodes.add(before, name);
  t.equal(await nodes.ownerName(), 'old-1');

  // Runs of the old code that are under way: one that executes, and one that waits for an answer.
  const gate = join(temporaryFolder(t), 'gate');
  const executing = await nodes.client.threads.create();
  const { run_id: runId } = await nodes.client.runs.create(executing.thread_id, 'steps', { input: { gate } });
  await until(() => existsSync(`${gate}.reached`));
  const asking = await nodes.client.threads.create();
  await nodes.client.runs.wait(asking.thread_id, 'steps', { input: { asks: true } });

  const isDone = new AbortController();
  const working = work(nodes, isDone.signal);
  for (const name of ['new-1', 'new-2', 'new-3']) {
    await nodes.add(after, name, newProgram);
    t.equal(await nodes.endOldest(), '0', 'a node that is replaced ends well');
  }
  // Between two owners there is none for a moment.
  await until(async () => (await nodes.ownerName())?.startsWith('new-') === true);
  writeFileSync(gate, '');
  await nodes.client.runs.join(executing.thread_id, runId);
  await nodes.client.runs.wait(asking.thread_id, 'steps', { command: { resume: 'this one' } });
  isDone.abort();
  const { errors, done } = await working;
  t.strictSame(errors, [], `${done} requests`);
  t.ok(done > 20);

  const stepsOf = async ({ thread_id: id }: { thread_id: string }): Promise<string[]> =>
    (await nodes.client.threads.getState<Steps>(id)).values.steps;
  t.strictSame(await stepsOf(executing), ['first one', 'waited two', 'last two'], 'goes on from its checkpoint');
  t.strictSame(await stepsOf(asking), ['first one', 'answer this one', 'last two']);
  return url;
}

/** A program that is like this one, but has the next data format. */
function nextRelease(t: Test): string {
  const root = temporaryFolder(t);
  const copied = ['src', 'workers', 'schemas'];
  for (const name of copied) cpSync(join(ROOT, 'dist', name), join(root, 'dist', name), { recursive: true });
  for (const name of ['packages', 'static', 'native']) symlinkSync(join(ROOT, 'dist', name), join(root, 'dist', name));
  for (const name of ['package.json', 'node_modules']) symlinkSync(join(ROOT, name), join(root, name));
  const change = (file: string, from: RegExp, to: string): void => {
    const path = join(root, 'dist', 'src', 'store', file);
    const text = readFileSync(path, 'utf8');
    if (!from.test(text)) throw new Error(`${path} has no ${String(from)}`);
    writeFileSync(path, text.replace(from, to));
  };
  const next = FORMAT_VERSION + 1;
  change('keys.js', /FORMAT_VERSION = \d+/, `FORMAT_VERSION = ${next}`);
  change(
    'files/upgrade.js',
    /const UPGRADE_STEPS = \{/,
    `const UPGRADE_STEPS = { ${FORMAT_VERSION}: function* (records) {
      const format = encodeKey(keys.meta('format'));
      for (const [key, record] of records)
        yield format.equals(key) ? [key, encodeRawRecord(key, Buffer.from('${next}'))] : [key, record];
    },`,
  );
  return root;
}

t.test('three nodes are replaced by nodes with changed code without a failed request', async (t) => {
  await replaceThreeNodes(t);
});

t.test('three nodes are replaced by nodes with another data format without a failed request', async (t) => {
  const url = await replaceThreeNodes(t, nextRelease(t));
  const { rows } = await postgres.query('SELECT store_format FROM threadmill.cluster', url);
  t.strictSame(rows, [{ store_format: FORMAT_VERSION + 1 }]);
  await t.rejects(
    new Nodes(t, url).add(projectOfVersion(t, 'one'), 'late'),
    /its records have format \d+, and this release knows/,
    'a node of the earlier release does not start any more',
  );
});
