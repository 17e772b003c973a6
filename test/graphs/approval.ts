import { appendFileSync } from 'node:fs';
import { Annotation, END, START, StateGraph, interrupt } from '@langchain/langgraph';

const State = Annotation.Root({
  /** When given, each node appends its name here: executions that really happened. */
  trace: Annotation<string>,
  answers: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

function note(state: typeof State.State, word: string): void {
  if (state.trace) appendFileSync(state.trace, `${word}\n`);
}

/** Asks two questions one after the other in one node, with a node before and one after. */
export const graph = new StateGraph(State)
  .addNode('before', (state) => {
    note(state, 'before');
    return { answers: ['before'] };
  })
  .addNode('ask', (state) => {
    note(state, 'ask');
    const first = interrupt('first question') as string;
    note(state, `first=${first}`);
    const second = interrupt('second question') as string;
    note(state, `second=${second}`);
    return { answers: [first, second] };
  })
  .addNode('after', (state) => {
    note(state, 'after');
    return { answers: ['after'] };
  })
  .addEdge(START, 'before')
  .addEdge('before', 'ask')
  .addEdge('ask', 'after')
  .addEdge('after', END)
  .compile();
