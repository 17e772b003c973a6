import { existsSync, writeFileSync } from 'node:fs';
import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({
  label: Annotation<string>,
  /**
   * A file: the run waits in `hold` until it exists, and says that it waits by making `<file>.reached`. None: no
   * waiting.
   */
  gate: Annotation<string>,
  steps: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

/** Waits in its middle node until the test lets it go on, or until it is told to stop. */
async function hold(
  { label, gate }: typeof State.State,
  config: LangGraphRunnableConfig,
): Promise<{ steps: string[] }> {
  config.writer?.({ waiting: label });
  if (gate) {
    writeFileSync(`${gate}.reached`, label);
    while (!existsSync(gate)) {
      if (config.signal?.aborted) throw new Error('told to stop');
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
  }
  config.writer?.({ passed: label });
  return { steps: [`held ${label}`] };
}

export const graph = new StateGraph(State)
  .addNode('before', (state) => ({ steps: [`before ${state.label}`] }))
  .addNode('hold', hold)
  .addNode('after', (state) => ({ steps: [`after ${state.label}`] }))
  .addEdge(START, 'before')
  .addEdge('before', 'hold')
  .addEdge('hold', 'after')
  .addEdge('after', END)
  .compile();
