import { Annotation, END, MessagesAnnotation, START, StateGraph, entrypoint } from '@langchain/langgraph';
import type { Place } from './place.js';

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  place: Annotation<Place>,
  words: Annotation<string[], string>({ reducer: (all, word) => [...all, word], default: () => [] }),
  flag: Annotation<boolean | undefined>,
});

const Context = Annotation.Root({ model: Annotation<'small' | 'large'> });

/** What its types alone say. */
export const graph = new StateGraph(State, Context)
  .addNode('say', () => ({ words: 'said' }))
  .addEdge(START, 'say')
  .addEdge('say', END)
  .compile();

/** Takes what its function takes. */
export const task = entrypoint({ name: 'task' }, async (input: { count: number }) => input.count);
