import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { SimpleChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';

/** A chat model without a key and without a network: a function says what it answers, and it answers word by word. */
export class ScriptedModel extends SimpleChatModel {
  answer: (said: string) => string;

  constructor(answer: (said: string) => string) {
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
