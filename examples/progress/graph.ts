import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({
  rows: Annotation<number[]>,
  sum: Annotation<number>,
});

/**
 * Reports progress. `config.writer` sends its value at once as an event of the mode `custom`, and stores it in no
 * state.
 */
export const graph = new StateGraph(State)
  .addNode('add', async ({ rows }, config: LangGraphRunnableConfig) => {
    let sum = 0;
    for (const [at, row] of rows.entries()) {
      sum += row;
      config.writer?.({ done: at + 1, of: rows.length });
      await new Promise(setImmediate);
    }
    return { sum };
  })
  .addEdge(START, 'add')
  .addEdge('add', END)
  .compile();
