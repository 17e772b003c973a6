import { existsSync } from 'node:fs';
import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({
  /** Chunks to write. */
  n: Annotation<number>,
  /** Characters of text in each. */
  size: Annotation<number>,
  /** Chunks to write first, once the file `<gate>.prelude` exists. */
  prelude: Annotation<number>,
  /** If set, writes nothing until this file exists. */
  gate: Annotation<string>,
  wrote: Annotation<number>,
});

/** Chunks per turn of the event loop. */
const BURST = 64;

async function waitForFile(file: string): Promise<void> {
  while (!existsSync(file))
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
}

async function write(n: number, text: string, config: LangGraphRunnableConfig): Promise<void> {
  for (let i = 0; i < n; i += 1) {
    config.writer?.({ i, text });
    if (i % BURST === BURST - 1)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
  }
}

/** Writes chunks as fast as it can, in a burst per turn of the event loop, like a fast model. */
export const graph = new StateGraph(State)
  .addNode('write', async (state, config: LangGraphRunnableConfig) => {
    const text = 'x'.repeat(state.size);
    if (state.prelude) {
      await waitForFile(`${state.gate}.prelude`);
      await write(state.prelude, text, config);
    }
    if (state.gate) await waitForFile(state.gate);
    await write(state.n, text, config);
    return { wrote: state.n };
  })
  .addEdge(START, 'write')
  .addEdge('write', END)
  .compile();
