import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';

export type Script = (messages: BaseMessage[]) => AIMessage;

/**
 * A chat model without a network. A function computes the answer from the conversation, and the model streams it word
 * by word. Replace it by a real model without other changes.
 */
export class ScriptedModel extends BaseChatModel {
  readonly #script: Script;

  constructor(script: Script) {
    super({});
    this.#script = script;
  }

  override _llmType(): string {
    return 'scripted';
  }

  /** The script already knows its tools. */
  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const message = this.#script(messages);
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const message = this.#script(messages);
    for (const word of message.text.match(/\S+\s*/g) ?? []) {
      const chunk = new ChatGenerationChunk({
        text: word,
        message: new AIMessageChunk({ content: word, id: message.id }),
      });
      yield chunk;
      await run?.handleLLMNewToken(word, undefined, undefined, undefined, undefined, { chunk });
    }
    // The text has index 0. A tool call with the same index would be merged into it.
    for (const [at, call] of (message.tool_calls ?? []).entries()) {
      const part = {
        name: call.name,
        args: JSON.stringify(call.args),
        id: call.id,
        index: at + 1,
        type: 'tool_call_chunk' as const,
      };
      const chunk = new ChatGenerationChunk({
        text: '',
        message: new AIMessageChunk({ content: '', id: message.id, tool_call_chunks: [part] }),
      });
      yield chunk;
      await run?.handleLLMNewToken('', undefined, undefined, undefined, undefined, { chunk });
    }
  }
}
