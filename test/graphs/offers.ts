import { Annotation, END, START, StateGraph, interrupt } from '@langchain/langgraph';

const State = Annotation.Root({
  answers: Annotation<unknown[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

/** Asks for one of some options, then for values of a schema. */
export const graph = new StateGraph(State)
  .addNode('choose', () => ({
    answers: [
      interrupt({
        question: 'Which size?',
        options: ['small', { label: 'Very large', value: { size: 9 }, description: 'Needs a permit.' }],
      }),
    ],
  }))
  .addNode('describe', () => ({
    answers: [
      interrupt({
        question: 'Where to?',
        schema: {
          type: 'object',
          properties: { city: { type: 'string' }, floor: { type: 'integer', minimum: 0 } },
          required: ['city', 'floor'],
        },
      }),
    ],
  }))
  .addEdge(START, 'choose')
  .addEdge('choose', 'describe')
  .addEdge('describe', END)
  .compile();
