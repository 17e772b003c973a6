import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Pregel } from '@langchain/langgraph';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { SqliteTask } from './sqlite-saver.js';
import { question } from '../graphs/prose.js';

interface LoadMessage {
  module: string;
  exportName: string;
  package: string;
  file: string;
}

// oxlint-disable-next-line typescript/no-explicit-any
type Graph = Pregel<any, any>;

const CONFIG = { configurable: { thread_id: 'chat' } };
let compiled: Graph;
let open: () => BaseCheckpointSaver;
let graph: Graph;

process.on('message', (message: LoadMessage | SqliteTask) => {
  const done = 'module' in message ? loadGraph(message).then(() => 0) : perform(message);
  done.then(
    (ms) => process.send!({ ms }),
    (error: unknown) => process.send!({ problem: error instanceof Error ? error.stack : String(error) }),
  );
});

async function loadGraph({ module, exportName, package: from, file }: LoadMessage): Promise<void> {
  compiled = ((await import(module)) as Record<string, Graph>)[exportName]!;
  const found = createRequire(from)
    .resolve('@langchain/langgraph-checkpoint-sqlite')
    .replace(/\.cjs$/, '.js');
  const { SqliteSaver } = (await import(pathToFileURL(found).href)) as {
    SqliteSaver: { fromConnString(file: string): BaseCheckpointSaver };
  };
  open = () => SqliteSaver.fromConnString(file);
  graph = withNewSaver();
}

function withNewSaver(): Graph {
  const made = Object.create(compiled) as Graph;
  made.checkpointer = open();
  return made;
}

async function perform(message: SqliteTask): Promise<number> {
  switch (message.type) {
    case 'turn': {
      const used = message.fresh ? withNewSaver() : graph;
      const begun = performance.now();
      let last: unknown = null;
      for await (const chunk of await used.stream(
        { messages: [{ role: 'user', content: question(message.n), id: `u${message.n}` }] },
        { ...CONFIG, streamMode: 'updates' },
      ))
        last = chunk;
      const ms = performance.now() - begun;
      if (!JSON.stringify(last).includes(`"${2 * message.n + 1}: `))
        throw new Error(`turn ${message.n}: ${JSON.stringify(last).slice(0, 200)}`);
      return ms;
    }
    case 'head': {
      const begun = performance.now();
      const { values } = await graph.getState(CONFIG);
      const ms = performance.now() - begun;
      const { length } = (values as { messages: unknown[] }).messages;
      if (length !== message.messages) throw new Error(`${length} messages instead of ${message.messages}`);
      return ms;
    }
    case 'history': {
      const begun = performance.now();
      let states = 0;
      for await (const _ of graph.getStateHistory(CONFIG, { limit: message.limit })) states += 1;
      const ms = performance.now() - begun;
      if (states !== message.limit) throw new Error(`${states} states instead of ${message.limit}`);
      return ms;
    }
  }
}
