import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({ count: Annotation<number>, pauseMs: Annotation<number> });

/** Writes the numbers below `count`, with a pause after each. */
export const graph = new StateGraph(State)
  .addNode('write', async ({ count, pauseMs }, config: LangGraphRunnableConfig) => {
    for (let number = 0; number < count && config.signal?.aborted !== true; number += 1) {
      config.writer?.({ number });
      await new Promise((resolve) => {
        setTimeout(resolve, pauseMs);
      });
    }
    return {};
  })
  .addEdge(START, 'write')
  .addEdge('write', END)
  .compile();
