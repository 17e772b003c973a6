import { existsSync, writeFileSync } from 'node:fs';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { Annotation, DeltaChannel, END, START, StateGraph, messagesDeltaReducer } from '@langchain/langgraph';

const append = (words: string[], added: string[][]): string[] => [...words, ...added.flat()];

const State = Annotation.Root({
  /**
   * A file that the middle of the graph waits for, when there is one; that it waits it says by making `<gate>.reached`.
   */
  gate: Annotation<string | null>,
  messages: (() =>
    new DeltaChannel<BaseMessage[], BaseMessage[]>(messagesDeltaReducer, { snapshotFrequency: 5 })) as never,
  /** Written by every node, so that it has a snapshot at other checkpoints than the messages. */
  words: (() => new DeltaChannel<string[], string[]>(append as never, { snapshotFrequency: 3 })) as never,
  /** No delta: what is kept whole must agree with the rest. */
  count: Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 }),
});

interface Values {
  gate?: string | null;
  messages?: BaseMessage[];
  words?: string[];
}

const say =
  (name: string) =>
  ({ messages = [] }: Values): unknown => ({
    messages: [new AIMessage({ content: `${name} ${messages.length}`, id: `${name}-${messages.length}` })],
    words: [`${name}${messages.length}`],
    count: 1,
  });

async function middle({ gate, words = [] }: Values): Promise<unknown> {
  if (gate) {
    writeFileSync(`${gate}.reached`, '');
    while (!existsSync(gate))
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
  }
  return { words: [`middle${words.length}`] };
}

/** Channels whose values live in the pending writes of earlier checkpoints, written by nodes that run side by side. */
export const graph = new StateGraph(State as never)
  .addNode('left', say('left') as never)
  .addNode('right', say('right') as never)
  .addNode('middle', middle as never)
  .addNode('last', say('last') as never)
  .addEdge(START, 'left' as never)
  .addEdge(START, 'right' as never)
  .addEdge(['left', 'right'] as never, 'middle' as never)
  .addEdge('middle' as never, 'last' as never)
  .addEdge('last' as never, END)
  .compile();
