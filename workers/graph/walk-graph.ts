/**
 * The graph of `threadmill doctor --auth` (src/cli/walk). It replaces the project's own graphs, so that no
 * model is called. Bundled like any other graph; nothing imports it.
 */
import { END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { z } from 'zod';

/** The schemas are explicit, because reading them with the compiler would take longer than the whole check. */
const State = z.object({ text: z.string(), remembered: z.array(z.string()) });

/** Stores its input in long-term memory, and returns all items that its caller can read. */
export const graph = new StateGraph(State)
  .addNode('echo', async ({ text }, config: LangGraphRunnableConfig) => {
    if (text) await config.store!.put(['walk'], text, { text });
    const items = await config.store!.search(['walk'], { limit: 100 });
    return { remembered: items.map(({ key }) => key) };
  })
  .addEdge(START, 'echo')
  .addEdge('echo', END)
  .compile();
