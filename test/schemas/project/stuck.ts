import { END, START, StateGraph } from '@langchain/langgraph';
import { z } from 'zod';

const make = () =>
  new StateGraph(z.object({ said: z.string() }))
    .addNode('say', () => ({ said: 'hello' }))
    .addEdge(START, 'say')
    .addEdge('say', END)
    .compile();

/** Runs as any other, and cannot be drawn: it never gives the thread back. */
export const burns = make();
burns.getGraphAsync = () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error('never');
};

/** Never comes to an end, and lets others go on. */
export const waits = make();
waits.getGraphAsync = () => new Promise(() => undefined);
