import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';

const WORDS = 'an answer of the length that people get when they ask a model for help with something '.repeat(8);

/** Answers every message with about 700 characters; the state grows by two messages per turn. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode('answer', (state) => ({
    messages: [new AIMessage({ content: `${state.messages.length}: ${WORDS}`, id: `a${state.messages.length}` })],
  }))
  .addEdge(START, 'answer')
  .addEdge('answer', END)
  .compile();
