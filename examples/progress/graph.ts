import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({
  rows: Annotation<number[]>,
  sum: Annotation<number>,
});

/** Tells how far it is: what `config.writer` is given goes out at once as an event of the mode `custom`, and is kept in no state. */
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
