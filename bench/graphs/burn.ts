import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({ ms: Annotation<number>, turns: Annotation<number> });

/** Length of one busy loop: long enough to block its thread, short enough for the watchdog. */
const SPIN_MS = 500;

/** Burns CPU for `ms`, and yields to the event loop twice a second. */
export const graph = new StateGraph(State)
  .addNode('burn', async (state) => {
    const until = performance.now() + state.ms;
    let turns = 0;
    while (performance.now() < until) {
      const pause = Math.min(until, performance.now() + SPIN_MS);
      while (performance.now() < pause) turns += 1;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    return { turns };
  })
  .addEdge(START, 'burn')
  .addEdge('burn', END)
  .compile();
