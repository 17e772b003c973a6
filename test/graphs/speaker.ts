import { existsSync, writeFileSync } from 'node:fs';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { Annotation, END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  /** How many words each of the two says. */
  words: Annotation<number>,
  /** Milliseconds between words of the second. */
  pause: Annotation<number>,
  /** Stands before the first word, as it is. */
  opening: Annotation<string>,
  /** A file: the second waits in its middle until it exists, and says that it waits by making `<file>.reached`. */
  gate: Annotation<string>,
});

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Says words one by one, under an id that is the same whenever it says them again. */
class Speaker extends BaseChatModel {
  readonly #words: string[];
  readonly #id: string;
  readonly #before: (at: number) => Promise<void>;

  constructor(id: string, words: string[], before: (at: number) => Promise<void>) {
    super({});
    this.#id = id;
    this.#words = words;
    this.#before = before;
  }

  override _llmType(): string {
    return 'speaker';
  }

  override _generate(): Promise<ChatResult> {
    const text = this.#words.join('');
    return Promise.resolve({ generations: [{ text, message: new AIMessage({ id: this.#id, content: text }) }] });
  }

  override async *_streamResponseChunks(
    _messages: BaseMessage[],
    _options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for (const [at, word] of this.#words.entries()) {
      // A model waits for its network: without such a moment the worker would be taken for a silent one.
      if (at % 20 === 0)
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      await this.#before(at);
      const chunk = new ChatGenerationChunk({
        text: word,
        message: new AIMessageChunk({ content: word, id: this.#id }),
      });
      yield chunk;
      await run?.handleLLMNewToken(word, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

const wordsOf = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${letter}${at} `);

/** Two speakers, one after the other. */
export const graph = new StateGraph(State)
  .addNode('first', async ({ words = 5, opening }) => ({
    messages: [
      await new Speaker('said-first', [...(opening ? [opening, ' '] : []), ...wordsOf('a', words)], () =>
        Promise.resolve(),
      ).invoke('speak'),
    ],
  }))
  .addNode('second', async ({ words = 5, pause = 0, gate }) => {
    const before = async (at: number): Promise<void> => {
      if (pause > 0) await sleep(pause);
      if (!gate || at !== Math.floor(words / 2)) return;
      writeFileSync(`${gate}.reached`, '');
      while (!existsSync(gate)) await sleep(5);
    };
    return { messages: [await new Speaker('said-second', wordsOf('b', words), before).invoke('speak')] };
  })
  .addEdge(START, 'first')
  .addEdge('first', 'second')
  .addEdge('second', END)
  .compile();
