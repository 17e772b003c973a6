import type {
  BaseCheckpointSaver,
  Checkpoint,
  CheckpointMetadata,
  CheckpointTuple,
} from '@langchain/langgraph-checkpoint';
import { MemorySaver, type Pregel } from '@langchain/langgraph';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { BundledGraphs } from '../../src/pool/graphs/bundle.js';
import type { How, InProcessResult, InProcessTask, SaverKind } from './in-process.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Graph = Pregel<any, any>;

const graphs = new Map<string, Graph>();
const chats = new Map<string, { graph: Graph; turns: number }>();
let threads = 0;

process.on('message', (message: InProcessTask | { type: 'load'; bundled: BundledGraphs }) => {
  answer(message).then(
    (result) => process.send!({ ok: true, result }),
    (error: unknown) =>
      process.send!({ ok: false, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

async function answer(message: InProcessTask | { type: 'load'; bundled: BundledGraphs }): Promise<InProcessResult> {
  switch (message.type) {
    case 'load':
      for (const { graphId, module, exportName } of message.bundled.graphs) {
        graphs.set(graphId, ((await import(module)) as Record<string, Graph>)[exportName]!);
      }
      return { runs: 0, ms: 0, latenciesMs: [] };
    case 'rate':
      return rate(message);
    case 'together':
      return together(message);
    case 'chunks':
      return chunks(message);
    case 'chat':
      return chat(message);
  }
}

async function rate({
  graphId,
  input,
  expect,
  how,
  saver,
  turnsPerThread,
  clients,
  ms,
}: Extract<InProcessTask, { type: 'rate' }>): Promise<InProcessResult> {
  const graph = withSaver(graphId, saver);
  const latenciesMs: number[] = [];
  const begun = performance.now();
  const client = async (): Promise<void> => {
    let turns = 0;
    let config: object = {};
    while (performance.now() - begun < ms) {
      if (saver !== 'none' && turns++ % turnsPerThread === 0) config = { configurable: { thread_id: `t${threads++}` } };
      const started = performance.now();
      const result = await once(graph, input, how, config);
      latenciesMs.push(performance.now() - started);
      if (turnsPerThread <= 1 || saver === 'none') same(result, expect);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { runs: latenciesMs.length, ms: performance.now() - begun, latenciesMs };
}

async function together({
  graphId,
  input,
  expect,
  runs,
}: Extract<InProcessTask, { type: 'together' }>): Promise<InProcessResult> {
  const graph = graphs.get(graphId)!;
  const begun = performance.now();
  const results = await Promise.all(Array.from({ length: runs }, () => once(graph, input, 'values', {})));
  const ms = performance.now() - begun;
  for (const result of results) same(result, expect);
  return { runs, ms, latenciesMs: [] };
}

async function chunks({
  graphId,
  input,
  expect,
}: Extract<InProcessTask, { type: 'chunks' }>): Promise<InProcessResult> {
  const begun = performance.now();
  let seen = 0;
  for await (const _chunk of await graphs.get(graphId)!.stream(input, { streamMode: 'custom' })) seen += 1;
  const ms = performance.now() - begun;
  if (seen !== expect) throw new Error(`${seen} chunks instead of ${expect}`);
  return { runs: seen, ms, latenciesMs: [] };
}

async function chat({
  graphId,
  chat: name,
  turn,
  saver,
  text,
}: Extract<InProcessTask, { type: 'chat' }>): Promise<InProcessResult> {
  const known = chats.get(name) ?? { graph: withSaver(graphId, saver), turns: 0 };
  chats.set(name, known);
  let ms = 0;
  for (; known.turns < turn; known.turns += 1) {
    const input = { messages: [{ role: 'user', content: text, id: `u${known.turns}` }] };
    const started = performance.now();
    await once(known.graph, input, 'updates', { configurable: { thread_id: name } });
    ms = performance.now() - started;
  }
  return { runs: known.turns, ms, latenciesMs: [] };
}

async function once(graph: Graph, input: unknown, how: How, config: object): Promise<unknown> {
  if (how === 'invoke') return graph.invoke(input, config);
  let last: unknown = null;
  for await (const chunk of await graph.stream(input, { ...config, streamMode: how })) last = chunk;
  return last;
}

function same(result: unknown, expect: string): void {
  const found = JSON.stringify(result);
  if (found !== expect) throw new Error(`${found.slice(0, 200)} instead of ${expect}`);
}

function withSaver(graphId: string, kind: SaverKind): Graph {
  const graph = Object.create(graphs.get(graphId)!) as Graph;
  if (kind === 'memory') graph.checkpointer = new MemorySaver();
  if (kind === 'kept') graph.checkpointer = new KeptSaver() as unknown as BaseCheckpointSaver;
  return graph;
}

/** Remembers the newest checkpoint of a thread as the object that it is. */
class KeptSaver extends MemorySaver {
  readonly #newest = new Map<string, CheckpointTuple>();

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    return this.#newest.get(String(config.configurable?.['thread_id']));
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const threadId = String(config.configurable?.['thread_id']);
    const stored = { configurable: { thread_id: threadId, checkpoint_ns: '', checkpoint_id: checkpoint.id } };
    // Channels go on changing their own copies, not these.
    this.#newest.set(threadId, {
      config: stored,
      checkpoint: { ...checkpoint, channel_values: { ...checkpoint.channel_values } },
      metadata,
      pendingWrites: [],
    });
    return stored;
  }

  override async putWrites(): Promise<void> {}
}
