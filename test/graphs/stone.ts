import { existsSync, writeFileSync } from 'node:fs';
import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({ gate: Annotation<string>, said: Annotation<string> });

/** Waits for the file `gate` without letting its thread's loop turn, then speaks. */
export const graph = new StateGraph(State)
  .addNode('wait', ({ gate }, config: LangGraphRunnableConfig) => {
    writeFileSync(`${gate}.reached`, '');
    while (!existsSync(gate));
    config.writer?.({ said: 'after the join' });
    return { said: 'done' };
  })
  .addEdge(START, 'wait')
  .addEdge('wait', END)
  .compile();
