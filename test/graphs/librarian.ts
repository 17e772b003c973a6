import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { Document } from '@langchain/core/documents';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { BaseRetriever } from '@langchain/core/retrievers';
import { RunnableLambda } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import {
  Annotation,
  END,
  MessagesAnnotation,
  START,
  StateGraph,
  type LangGraphRunnableConfig,
} from '@langchain/langgraph';
import { z } from 'zod';

const usage_metadata = {
  input_tokens: 12,
  output_tokens: 5,
  total_tokens: 17,
  input_token_details: { cache_read: 4 },
  output_token_details: { reasoning: 2 },
};

/** A model that says which books it knows, and what that took. */
class BookModel extends BaseChatModel {
  override _llmType(): string {
    return 'books';
  }

  override getLsParams(): { ls_provider: string; ls_model_name: string; ls_model_type: 'chat' } {
    return { ls_provider: 'library', ls_model_name: 'books-1', ls_model_type: 'chat' };
  }

  override invocationParams(): Record<string, unknown> {
    return { temperature: 0.5, api_key: 'sk-do-not-store' };
  }

  override _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const text = `I know ${messages.length} books`;
    return Promise.resolve({ generations: [{ text, message: new AIMessage({ content: text, usage_metadata }) }] });
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for (const text of ['I know ', `${messages.length} books`]) {
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
      const message = new AIMessageChunk({ content: text, ...(text === 'I know ' ? {} : { usage_metadata }) });
      yield new ChatGenerationChunk({ text, message });
      await run?.handleLLMNewToken(text);
    }
  }
}

class Shelf extends BaseRetriever {
  override lc_namespace = ['test'];
  override _getRelevantDocuments(query: string): Promise<Document[]> {
    return Promise.resolve([new Document({ pageContent: `about ${query}`, metadata: { shelf: 3 } })]);
  }
}

const lend = tool(({ title }: { title: string }) => `lent ${title}`, {
  name: 'lend',
  description: 'Lends a book',
  schema: z.object({ title: z.string() }),
});

const State = Annotation.Root({ ...MessagesAnnotation.spec, streams: Annotation<boolean> });
const model = new BookModel({});
const hidden = RunnableLambda.from((config: unknown) => config).withConfig({ tags: ['langsmith:hidden'] });

/** Asks a model, a retriever and a tool, one after the other. */
export const graph = new StateGraph(State)
  .addNode('think', async ({ messages, streams }, config: LangGraphRunnableConfig) => {
    if (!streams) return { messages: [await model.invoke(messages, config)] };
    const chunks = [];
    for await (const chunk of await model.stream(messages, config)) chunks.push(chunk);
    return { messages: [new AIMessage(chunks.map(({ content }) => content as string).join(''))] };
  })
  .addNode('fetch', async (_state, config: LangGraphRunnableConfig) => {
    await hidden.invoke({ nothing: true }, config);
    const [found] = await new Shelf({}).invoke('whales', config);
    const said = await lend.invoke({ title: found!.pageContent }, config);
    return { messages: [new AIMessage(said)] };
  })
  .addEdge(START, 'think')
  .addEdge('think', 'fetch')
  .addEdge('fetch', END)
  .compile();
