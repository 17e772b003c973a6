import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startTestNode, until } from '../helpers/cluster.js';
import { TestPostgres } from '../helpers/postgres.js';
import { temporaryFolder } from '../helpers/server.js';

const postgres = await TestPostgres.start(t);

const sourceOf = (word: string): string => `
import { Annotation, END, START, StateGraph, interrupt } from '@langchain/langgraph';
export const graph = new StateGraph(Annotation.Root({ text: Annotation<string>, done: Annotation<string> }))
  .addNode('ask', () => {
    interrupt('who?');
    return { done: '${word}' };
  })
  .addEdge(START, 'ask')
  .addEdge('ask', END)
  .compile();
`;

function project(t: Test, word: string, graphs: string[]): { folder: string; config: string } {
  const folder = temporaryFolder(t);
  const config = join(folder, 'langgraph.json');
  for (const name of graphs) writeFileSync(join(folder, `${name}.ts`), sourceOf(word));
  writeFileSync(
    config,
    JSON.stringify({
      graphs: Object.fromEntries(graphs.map((name) => [name, `./${name}.ts:graph`])),
      code_versions: { parked_threads: 'same' },
    }),
  );
  return { folder, config };
}

interface Versions {
  graphs: { graph_id: string; versions: { version: string; current: boolean }[] }[];
}

const versionsOf = async (url: string, graphId: string): Promise<Versions['graphs'][number]['versions']> => {
  const { graphs } = (await (await fetch(`${url}/server/code`)).json()) as Versions;
  return graphs.find((one) => one.graph_id === graphId)?.versions ?? [];
};

t.test('a thread that waits continues with its version when another node with new code has taken over', async (t) => {
  const url = await postgres.createDatabase();
  const [first, second] = [project(t, 'first', ['agent']), project(t, 'second', ['agent', 'other'])];
  const a = await startTestNode(t, { config: first.config, url, env: { THREADMILL_NODE_NAME: 'a' } });
  await a.owner;
  const { thread_id: threadId } = await a.client.threads.create();
  await a.client.runs.wait(threadId, 'agent', { input: { text: 'x' } });
  const [old] = await versionsOf(a.url, 'agent');
  const b = await startTestNode(t, { config: second.config, url, env: { THREADMILL_NODE_NAME: 'b' } });
  await until(async () => (await versionsOf(a.url, 'other')).length === 1);
  t.match(await versionsOf(a.url, 'other'), [{ current: false }], 'the owner keeps the code of a graph of the node');
  await a.close();
  await b.owner;
  rmSync(first.folder, { recursive: true });
  t.match(await b.client.runs.wait(threadId, 'agent', { command: { resume: 'me' } }), { done: 'first' });
  const runs = (await b.client.runs.list(threadId)) as unknown as { code_version: string }[];
  t.same(
    runs.map(({ code_version: version }) => version),
    [old!.version, old!.version],
  );
  const { thread_id: newThread } = await b.client.threads.create();
  await b.client.runs.wait(newThread, 'agent', { input: { text: 'x' } });
  t.match(await b.client.runs.wait(newThread, 'agent', { command: { resume: 'me' } }), { done: 'second' });
  t.match(await versionsOf(b.url, 'agent'), [{ current: true }, { version: old!.version, current: false }]);
});
