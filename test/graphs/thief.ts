import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({ victim: Annotation<string>, got: Annotation<unknown> });

interface Saver {
  getTuple(config: unknown): Promise<unknown>;
  put(config: unknown, checkpoint: unknown, metadata: unknown, versions: unknown): Promise<unknown>;
  deleteThread(threadId: string): Promise<void>;
}

/** A node that reaches for another thread through the checkpointer it finds in its config. */
export const graph = new StateGraph(State)
  .addNode('reach', async (state, config: LangGraphRunnableConfig) => {
    const saver = config.configurable?.['__pregel_checkpointer'] as Saver;
    const other = { configurable: { thread_id: state.victim, checkpoint_ns: '' } };
    const tries = {
      read: () => saver.getTuple(other),
      write: () =>
        saver.put(
          other,
          { v: 4, id: 'x', ts: '', channel_values: {}, channel_versions: {}, versions_seen: {} },
          {},
          {},
        ),
      delete: () => saver.deleteThread(state.victim),
    };
    const got: Record<string, unknown> = {};
    for (const [name, attempt] of Object.entries(tries)) {
      try {
        got[name] = (await attempt()) === undefined ? 'nothing' : 'something';
      } catch (error) {
        got[name] = (error as Error).name;
      }
    }
    return { got };
  })
  .addEdge(START, 'reach')
  .addEdge('reach', END)
  .compile();
