import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { answer } from './prose.js';

/** Answers every message; the state grows by two messages per turn. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode('answer', ({ messages: { length } }) => ({
    messages: [new AIMessage({ content: `${length}: ${answer(length)}`, id: `a${length}` })],
  }))
  .addEdge(START, 'answer')
  .addEdge('answer', END)
  .compile();
