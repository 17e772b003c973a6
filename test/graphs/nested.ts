import { Annotation, END, START, StateGraph, interrupt } from '@langchain/langgraph';

const State = Annotation.Root({
  question: Annotation<string>,
  words: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

const inner = new StateGraph(State)
  .addNode('prepare', () => ({ words: ['prepared'] }))
  .addNode('ask', (state) => ({ words: [`answer ${String(interrupt(state.question))}`] }))
  .addEdge(START, 'prepare')
  .addEdge('prepare', 'ask')
  .addEdge('ask', END)
  .compile();

/** A graph in a graph, and the inner one asks. */
export const graph = new StateGraph(State)
  .addNode('inner', inner)
  .addNode('close', () => ({ words: ['closed'] }))
  .addEdge(START, 'inner')
  .addEdge('inner', 'close')
  .addEdge('close', END)
  .compile();
