/**
 * `node write-code-cache.js FOLDER SCRIPT`: writes the code cache of the packages for graphs, with the functions that
 * loading LangGraph and a first run need. In a process of its own, because V8 must not have compiled the script before.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as Core from '@langchain/core/messages';
import type * as LangGraph from '@langchain/langgraph';
import { setV8Flags } from '../src/base/v8-flags.js';
import type * as CachedScript from './cached-script.js';

setV8Flags();

const folder = resolve(process.argv[2]!);
const script = join(folder, process.argv[3]!);
const load = (path: string): Promise<unknown> => import(join(folder, path));
const graphs = (await load('node_modules/@langchain/langgraph/dist/index.js')) as typeof LangGraph;
const core = (await load('node_modules/@langchain/core/dist/messages/index.js')) as typeof Core;
// The others that every worker loads (workers/graph/packages.ts).
for (const path of [
  '@langchain/langgraph-checkpoint/dist/index.js',
  '@langchain/core/dist/singletons/index.js',
  '@langchain/core/dist/callbacks/manager.js',
  '@langchain/core/dist/utils/json_schema.js',
  '@langchain/langgraph/dist/graph/zod/schema.js',
])
  await load(`node_modules/${path}`);

const graph = new graphs.StateGraph(graphs.MessagesAnnotation)
  .addNode('first', () => ({ messages: [new core.AIMessage('first')] }))
  .addNode('second', () => ({ messages: [] }))
  .addEdge(graphs.START, 'first')
  .addEdge('first', 'second')
  .addEdge('second', graphs.END)
  .compile({ checkpointer: new graphs.MemorySaver() });
for await (const _ of await graph.stream(
  { messages: [new core.HumanMessage('input')] },
  { streamMode: ['values', 'updates', 'messages'], configurable: { thread_id: 'first' } },
));

const { codeCacheFile, createCodeCache } = (await load('chunks/cached-script.js')) as typeof CachedScript;
writeFileSync(codeCacheFile(script), createCodeCache(script));
