import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ScriptedModel } from './model';

// Put a real model here, such as new ChatOpenAI({ model: '…' }) of @langchain/openai. Nothing else has to change.
const model = new ScriptedModel((said) => `You said "${said}". That has ${said.length} characters.`);

/** One step: the model answers the conversation so far. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode('answer', async (state) => ({ messages: [await model.invoke(state.messages)] }))
  .addEdge(START, 'answer')
  .addEdge('answer', END)
  .compile();
