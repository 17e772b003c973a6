import { Annotation, END, START, StateGraph, interrupt } from '@langchain/langgraph';

const State = Annotation.Root({
  answers: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

const ask = (who: string) => () => ({ answers: [`${who}: ${String(interrupt({ ask: who }))}`] });

/** Two nodes ask at the same time. */
export const graph = new StateGraph(State)
  .addNode('ada', ask('ada'))
  .addNode('bob', ask('bob'))
  .addNode('end', () => ({ answers: ['end'] }))
  .addEdge(START, 'ada')
  .addEdge(START, 'bob')
  .addEdge(['ada', 'bob'], 'end')
  .addEdge('end', END)
  .compile();
