import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { Annotation, DeltaChannel, END, START, StateGraph, messagesDeltaReducer } from '@langchain/langgraph';

const State = Annotation.Root({
  messages: (() => new DeltaChannel<BaseMessage[], BaseMessage[]>(messagesDeltaReducer)) as never,
});

/** A channel whose value lives in the pending writes of earlier checkpoints. */
export const graph = new StateGraph(State as never)
  .addNode('answer', ((state: { messages: BaseMessage[] }) => ({
    messages: [new AIMessage(`answer ${state.messages.length}`)],
  })) as never)
  .addEdge(START, 'answer' as never)
  .addEdge('answer' as never, END)
  .compile();
