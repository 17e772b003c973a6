import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({ n: Annotation<number>, until: Annotation<number> });

/** Goes round until `n` has reached `until`; without one, for ever. */
export const graph = new StateGraph(State)
  .addNode('round', (state) => ({ n: (state.n ?? 0) + 1 }))
  .addEdge(START, 'round')
  .addConditionalEdges('round', (state) => (state.n === state.until ? END : 'round'), ['round', END])
  .compile();
