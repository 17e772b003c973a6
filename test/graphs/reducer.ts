import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

/** What a user's reducer may do when it is handed a value: nothing, throw, never return, or end its thread. */
function take(list: string[], added: string | string[]): string[] {
  for (const word of [added].flat()) {
    if (word === 'throw') throw new TypeError('no such word');
    while (word === 'loop');
    if (word === 'exit') process.exit(3);
  }
  return [...list, ...[added].flat()];
}

const State = Annotation.Root({
  words: Annotation<string[], string | string[]>({ reducer: take, default: () => [] }),
  last: Annotation<string>,
});

/** Two nodes and a branch: what an update counts as decides what comes next. */
export const graph = new StateGraph(State)
  .addNode('first', () => ({ words: 'first', last: 'first' }))
  .addNode('second', () => ({ words: 'second', last: 'second' }))
  .addNode('other', () => ({ words: 'other', last: 'other' }))
  .addEdge(START, 'first')
  .addConditionalEdges('first', (state) => (state.words.includes('aside') ? 'other' : 'second'), ['second', 'other'])
  .addEdge('second', END)
  .addEdge('other', END)
  .compile();
