import type {
  BaseCheckpointSaver,
  Checkpoint,
  CheckpointMetadata,
  CheckpointTuple,
} from '@langchain/langgraph-checkpoint';
import { MemorySaver, type Pregel } from '@langchain/langgraph';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { CallMode, InProcessResult, InProcessTask, SaverKind } from './in-process.js';
import type { NpmGraph } from './npm-graphs.js';
import { question } from '../graphs/prose.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Graph = Pregel<any, any>;

const graphs = new Map<string, Graph>();
const chats = new Map<string, { graph: Graph; turns: number }>();
let threads = 0;

type Message = InProcessTask | { type: 'load'; graphs: NpmGraph[] };

process.on('message', (message: Message) => {
  perform(message).then(
    (result) => process.send!({ ok: true, result }),
    (error: unknown) =>
      process.send!({ ok: false, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

async function perform(message: Message): Promise<InProcessResult> {
  switch (message.type) {
    case 'load':
      for (const { graphId, module, exportName } of message.graphs) {
        graphs.set(graphId, ((await import(module)) as Record<string, Graph>)[exportName]!);
      }
      return { runs: 0, ms: 0, latenciesMs: [] };
    case 'rate':
      return measureRate(message);
    case 'together':
      return runTogether(message);
    case 'chunks':
      return streamChunks(message);
    case 'chat':
      return runChat(message);
  }
}

async function measureRate({
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
      const result = await runOnce(graph, input, how, config);
      latenciesMs.push(performance.now() - started);
      if (turnsPerThread <= 1 || saver === 'none') expectEqual(result, expect);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { runs: latenciesMs.length, ms: performance.now() - begun, latenciesMs };
}

async function runTogether({
  graphId,
  input,
  expect,
  runs,
}: Extract<InProcessTask, { type: 'together' }>): Promise<InProcessResult> {
  const graph = graphs.get(graphId)!;
  const begun = performance.now();
  const results = await Promise.all(Array.from({ length: runs }, () => runOnce(graph, input, 'values', {})));
  const ms = performance.now() - begun;
  for (const result of results) expectEqual(result, expect);
  return { runs, ms, latenciesMs: [] };
}

async function streamChunks({
  graphId,
  input,
  expect,
  runs,
}: Extract<InProcessTask, { type: 'chunks' }>): Promise<InProcessResult> {
  const begun = performance.now();
  const streamOne = async (): Promise<void> => {
    let seen = 0;
    for await (const _chunk of await graphs.get(graphId)!.stream(input, { streamMode: 'custom' })) seen += 1;
    if (seen !== expect) throw new Error(`${seen} chunks instead of ${expect}`);
  };
  await Promise.all(Array.from({ length: runs }, streamOne));
  return { runs, ms: performance.now() - begun, latenciesMs: [] };
}

async function runChat({
  graphId,
  chat: name,
  turn,
  saver,
}: Extract<InProcessTask, { type: 'chat' }>): Promise<InProcessResult> {
  const known = chats.get(name) ?? { graph: withSaver(graphId, saver), turns: 0 };
  chats.set(name, known);
  let ms = 0;
  for (; known.turns < turn; known.turns += 1) {
    const input = { messages: [{ role: 'user', content: question(known.turns), id: `u${known.turns}` }] };
    const started = performance.now();
    await runOnce(known.graph, input, 'updates', { configurable: { thread_id: name } });
    ms = performance.now() - started;
  }
  return { runs: known.turns, ms, latenciesMs: [] };
}

async function runOnce(graph: Graph, input: unknown, how: CallMode, config: object): Promise<unknown> {
  if (how === 'invoke') return graph.invoke(input, config);
  let last: unknown = null;
  const streamMode = how === 'values and updates' ? ['values' as const, 'updates' as const] : how;
  for await (const chunk of await graph.stream(input, { ...config, streamMode })) last = chunk;
  return last;
}

function expectEqual(result: unknown, expect: string): void {
  const found = JSON.stringify(result);
  if (found !== expect) throw new Error(`${found.slice(0, 200)} instead of ${expect}`);
}

function withSaver(graphId: string, kind: SaverKind): Graph {
  const graph = Object.create(graphs.get(graphId)!) as Graph;
  if (kind === 'memory') graph.checkpointer = new MemorySaver();
  if (kind === 'kept') graph.checkpointer = new ObjectSaver() as unknown as BaseCheckpointSaver;
  return graph;
}

/** Keeps the newest checkpoint of each thread as an object, without serializing it. */
class ObjectSaver extends MemorySaver {
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
    // Copied, because LangGraph keeps changing the channel values.
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
