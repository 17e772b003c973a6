import { createHash } from 'node:crypto';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({ steps: Annotation<number>, digest: Annotation<string> });

/** Bytes that a step hashes: about 1 ms of CPU. */
const STEP_BYTES = 1 << 20;

/** Computes for a fixed amount of CPU time, however long that takes, and yields after each step. */
export const graph = new StateGraph(State)
  .addNode('compute', async ({ steps }) => {
    const block = Buffer.alloc(STEP_BYTES, 7);
    let digest = '';
    for (let step = 0; step < steps; step += 1) {
      digest = createHash('sha256').update(digest).update(block).digest('hex');
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    return { digest };
  })
  .addEdge(START, 'compute')
  .addEdge('compute', END)
  .compile();
