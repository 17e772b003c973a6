import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({ outer: Annotation<string> });
const Middle = Annotation.Root({ outer: Annotation<string>, middle: Annotation<number> });
const Inner = Annotation.Root({ middle: Annotation<number>, inner: Annotation<string[]> });

const innermost = new StateGraph(Inner)
  .addNode('first', () => ({ inner: ['one'] }))
  .addNode('second', () => ({ inner: ['two'] }))
  .addEdge(START, 'first')
  .addEdge('first', 'second')
  .addEdge('second', END)
  .compile();

const builder = new StateGraph(Middle).addNode('before', () => ({ middle: 1 })).addNode('below', innermost);
builder.addEdge(START, 'before');
builder.addEdge('before', 'below');
const middle = builder.compile();

/** Subgraphs two deep. */
export const graph = new StateGraph(State)
  .addNode('sub', middle)
  .addNode('after', () => ({ outer: 'done' }))
  .addEdge(START, 'sub')
  .addEdge('sub', 'after')
  .addEdge('after', END)
  .compile();
