import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

/** JavaScript: the names are known, the types are not. */
export const graph = new StateGraph(Annotation.Root({ said: Annotation(), heard: Annotation() }))
  .addNode('say', () => ({ said: 'hello' }))
  .addEdge(START, 'say')
  .addEdge('say', END)
  .compile();
