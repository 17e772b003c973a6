import { Annotation, END, START, StateGraph, interrupt } from '@langchain/langgraph';

const State = Annotation.Root({
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

const inner = new StateGraph(State)
  .addNode('prepare', () => ({ log: ['prepare'] }))
  .addNode('ask', () => ({
    log: [`first=${interrupt('inner first') as string}`, `second=${interrupt('inner second') as string}`],
  }))
  .addEdge(START, 'prepare')
  .addEdge('prepare', 'ask')
  .addEdge('ask', END)
  .compile();

/** Questions asked inside a subgraph, while a neighbour of the same step finishes. */
export const graph = new StateGraph(State)
  .addNode('sub', inner)
  .addNode('beside', () => ({ log: ['beside'] }))
  .addEdge(START, 'sub')
  .addEdge(START, 'beside')
  .addEdge('sub', END)
  .addEdge('beside', END)
  .compile();
