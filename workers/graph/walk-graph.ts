/**
 * The graph of `threadmill doctor --auth` (src/cli/walk): it stands in for the developer's own, so that no model is called.
 * Bundled like any other graph; nothing imports it.
 */
import { END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { z } from 'zod';

/** A graph that says its schemas itself: the compiler, which would be asked otherwise, takes longer than a walk. */
const State = z.object({ text: z.string(), remembered: z.array(z.string()) });

/** Says what it is told, keeps it in the long-term memory, and tells all that its caller's memory has. */
export const graph = new StateGraph(State)
  .addNode('echo', async ({ text }, config: LangGraphRunnableConfig) => {
    if (text) await config.store!.put(['walk'], text, { text });
    const items = await config.store!.search(['walk'], { limit: 100 });
    return { remembered: items.map(({ key }) => key) };
  })
  .addEdge(START, 'echo')
  .addEdge('echo', END)
  .compile();
