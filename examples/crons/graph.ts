import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({
  /** One line for each run on this thread, oldest first. */
  digests: Annotation<string[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
});

/** Counts the mails in the inbox and empties it. A run started by a cron works like any other run. */
export const graph = new StateGraph(State)
  .addNode('look', async (_state, config: LangGraphRunnableConfig) => {
    const mails = (await config.store?.search(['inbox'], { limit: 1_000 })) ?? [];
    for (const { namespace, key } of mails) await config.store?.delete(namespace, key);
    return {
      digests: [
        mails.length === 0
          ? 'Nothing new.'
          : `${mails.length} new: ${mails
              .map(({ key }) => key)
              .toSorted()
              .join(', ')}.`,
      ],
    };
  })
  .addEdge(START, 'look')
  .addEdge('look', END)
  .compile();
