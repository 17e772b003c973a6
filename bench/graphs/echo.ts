import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({
  text: Annotation<string>,
  steps: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

/** Two nodes that do almost nothing, so that a bench measures the overhead around them. */
export const graph = new StateGraph(State)
  .addNode('first', (state) => ({ steps: [`first ${state.text}`] }))
  .addNode('second', (state) => ({ steps: [`second ${state.text}`] }))
  .addEdge(START, 'first')
  .addEdge('first', 'second')
  .addEdge('second', END)
  .compile();
