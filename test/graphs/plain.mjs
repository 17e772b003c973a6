import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({ said: Annotation() });

/** JavaScript, and it knows where it lies. */
export const graph = new StateGraph(State)
  .addNode('say', () => ({ said: import.meta.url.split('/').pop() }))
  .addEdge(START, 'say')
  .addEdge('say', END)
  .compile();
