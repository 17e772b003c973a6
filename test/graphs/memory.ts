import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({
  name: Annotation<string>,
  found: Annotation<unknown>,
});

/** Keeps what it is told in the long-term memory and shows what is there. */
export const graph = new StateGraph(State)
  .addNode('remember', async (state, config: LangGraphRunnableConfig) => {
    if (state.name)
      await config.store!.put(['people', 'names'], state.name, { name: state.name, length: state.name.length });
    const items = await config.store!.search(['people'], { limit: 100 });
    const one = state.name ? await config.store!.get(['people', 'names'], state.name) : null;
    return {
      found: {
        names: items.map((item) => item.key).sort(),
        one: one?.value ?? null,
        namespaces: await config.store!.listNamespaces(),
      },
    };
  })
  .addEdge(START, 'remember')
  .addEdge('remember', END)
  .compile();
