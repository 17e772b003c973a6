import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';

const WORDS = 'It is a fine day in Oslo, with some clouds in the afternoon and a light wind from the west'.split(' ');

/** Asks for the tool at first, and answers in 18 pieces when it has its result. No time passes. */
class WeatherModel extends BaseChatModel {
  override _llmType(): string {
    return 'weather';
  }

  override _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const isAsked = messages.at(-1)?.getType() === 'tool';
    const message = isAsked
      ? new AIMessage(WORDS.join(' '))
      : new AIMessage({ content: '', tool_calls: [{ name: 'weather', args: { city: 'Oslo' }, id: 'call' }] });
    return Promise.resolve({ generations: [{ text: message.text, message }] });
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const [{ message } = { message: null }] = (await this._generate(messages, options)).generations;
    if (message instanceof AIMessage && message.tool_calls?.length === 1) {
      const [{ name, args, id }] = message.tool_calls as [{ name: string; args: object; id: string }];
      const call = { name, args: JSON.stringify(args), id, index: 0, type: 'tool_call_chunk' as const };
      yield new ChatGenerationChunk({
        text: '',
        message: new AIMessageChunk({ content: '', tool_call_chunks: [call] }),
      });
      return;
    }
    for (const word of WORDS) {
      const text = `${word} `;
      const chunk = new ChatGenerationChunk({ text, message: new AIMessageChunk(text) });
      yield chunk;
      await run?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

const weather = tool(({ city }: { city: string }) => `fine in ${city}`, {
  name: 'weather',
  description: 'The weather of a city',
  schema: z.object({ city: z.string() }),
});

const model = new WeatherModel({});

/** An agent that calls a model, a tool and the model again, which streams its answer. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode('agent', async ({ messages }, config) => ({ messages: [await model.invoke(messages, config)] }))
  .addNode('tools', new ToolNode([weather]))
  .addEdge(START, 'agent')
  .addConditionalEdges('agent', toolsCondition, ['tools', END])
  .addEdge('tools', 'agent')
  .compile();
