import { existsSync, writeFileSync } from 'node:fs';
import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({ gate: Annotation<string>, ticks: Annotation<number> });

/** Writes rising numbers until the file `gate` exists. */
export const graph = new StateGraph(State)
  .addNode('tick', async ({ gate }, config: LangGraphRunnableConfig) => {
    let ticks = 0;
    writeFileSync(`${gate}.reached`, '');
    while (!existsSync(gate) && config.signal?.aborted !== true) {
      config.writer?.({ tick: ticks });
      ticks += 1;
      await new Promise((resolve) => {
        setTimeout(resolve, 2);
      });
    }
    return { ticks };
  })
  .addEdge(START, 'tick')
  .addEdge('tick', END)
  .compile();
