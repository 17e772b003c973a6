import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({ text: Annotation<string> });

/** Repeats a text in capital letters. */
export const graph = new StateGraph(State)
  .addNode('shout', ({ text }) => ({ text: `${text.toUpperCase()}!` }))
  .addEdge(START, 'shout')
  .addEdge('shout', END)
  .compile();
