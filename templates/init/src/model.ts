import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { SimpleChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';

/** A chat model without a network. A function computes the answer, and the model streams it word by word. */
export class ScriptedModel extends SimpleChatModel {
  answer: (message: string) => string;

  constructor(answer: (message: string) => string) {
    super({});
    this.answer = answer;
  }

  _llmType(): string {
    return 'scripted';
  }

  async _call(messages: BaseMessage[]): Promise<string> {
    return this.answer(messages.at(-1)?.text ?? '');
  }

  async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for (const word of (await this._call(messages)).match(/\S+\s*/g) ?? []) {
      const chunk = new ChatGenerationChunk({ text: word, message: new AIMessageChunk(word) });
      yield chunk;
      await run?.handleLLMNewToken(word, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}
