import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({ seen: Annotation<unknown> });

/** Shows what it was configured with. */
export const graph = new StateGraph(State)
  .addNode('look', (_state, { configurable, context, metadata, tags, recursionLimit }: LangGraphRunnableConfig) => ({
    seen: {
      configurable: Object.fromEntries(Object.entries(configurable ?? {}).filter(([key]) => !key.startsWith('__'))),
      context: context ?? null,
      metadata,
      tags,
      recursionLimit,
    },
  }))
  .addEdge(START, 'look')
  .addEdge('look', END)
  .compile();
