import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({ ms: Annotation<number>, slept: Annotation<number> });

/** Waits, like a graph that waits for its model. */
export const graph = new StateGraph(State)
  .addNode('pause', async (state) => {
    await new Promise((resolve) => {
      setTimeout(resolve, state.ms);
    });
    return { slept: state.ms };
  })
  .addEdge(START, 'pause')
  .addEdge('pause', END)
  .compile();
