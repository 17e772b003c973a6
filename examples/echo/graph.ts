import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';

/** The smallest graph: one node that repeats the message. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode('echo', (state) => ({ messages: [new AIMessage(`You said: ${state.messages.at(-1)?.text ?? 'nothing'}`)] }))
  .addEdge(START, 'echo')
  .addEdge('echo', END)
  .compile();
