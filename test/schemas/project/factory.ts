import { END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { z } from 'zod';

/** Its state and its nodes are what its configuration says. */
export async function make(config: LangGraphRunnableConfig) {
  const word = String(config.configurable?.['word'] ?? config.configurable?.['graph_id'] ?? 'nothing');
  return new StateGraph(z.object({ [word]: z.string() }))
    .addNode(`say ${word}`, () => ({}))
    .addEdge(START, `say ${word}` as typeof START)
    .addEdge(`say ${word}` as typeof START, END)
    .compile();
}

export const none = () => 'no graph';

export const throws = () => {
  throw new Error('the factory has no key');
};
