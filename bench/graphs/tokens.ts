import { FakeListChatModel } from '@langchain/core/utils/testing';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';

const PARAGRAPH =
  '## A heading\n\nAn answer with **bold** words, a [link](https://example.com) and `code`, of the length that people ' +
  'get:\n\n- one point\n- another one\n\n```ts\nconst answer: number = 42;\n```\n\n';

/** Streams an answer of 200 tokens a second, until the run is cancelled. A token is a character. */
const model = new FakeListChatModel({ responses: [PARAGRAPH.repeat(200)], sleep: 5 });

export const graph = new StateGraph(MessagesAnnotation)
  .addNode('answer', async (state) => ({ messages: [await model.invoke(state.messages)] }))
  .addEdge(START, 'answer')
  .addEdge('answer', END)
  .compile();
