import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ScriptedModel } from './model';

// Replace this by a real model, such as new ChatOpenAI({ model: '…' }) from @langchain/openai.
const model = new ScriptedModel((message) => `You said "${message}". That has ${message.length} characters.`);

/** One step: the model answers the conversation so far. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode('answer', async (state) => ({ messages: [await model.invoke(state.messages)] }))
  .addEdge(START, 'answer')
  .addEdge('answer', END)
  .compile();
