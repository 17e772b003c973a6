import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({
  calls: Annotation<[method: string, ...args: unknown[]][]>,
  /** Of each call; of one that threw, `{error}`. */
  results: Annotation<unknown[]>,
});

/** Calls its long-term memory as it is told, one call after the other. */
export const graph = new StateGraph(State)
  .addNode('call', async ({ calls }, config: LangGraphRunnableConfig) => {
    const store = config.store as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    const results: unknown[] = [];
    for (const [method, ...args] of calls) {
      results.push(
        await store[method]!(...args).then(
          (result) => result ?? null,
          (error: unknown) => ({ error: (error as Error).message }),
        ),
      );
    }
    return { results };
  })
  .addEdge(START, 'call')
  .addEdge('call', END)
  .compile();
