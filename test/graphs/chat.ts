import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';

/** Answers every message; the state grows by two a turn. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode('answer', (state) => ({
    messages: [new AIMessage({ content: `answer ${state.messages.length}`, id: `a${state.messages.length}` })],
  }))
  .addEdge(START, 'answer')
  .addEdge('answer', END)
  .compile();
