import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

/** Remembers across threads: items belong to a guest, not to a conversation. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode('serve', async ({ messages }, config: LangGraphRunnableConfig) => {
    const namespace = ['guests', String(config.configurable?.['guest'] ?? 'somebody')];
    const said = messages.at(-1)?.text ?? '';
    const drink = /\bI (?:like|drink) (.+?)[.!]?$/i.exec(said)?.[1];
    if (drink !== undefined) {
      await config.store?.put(namespace, 'drink', { drink });
      return { messages: [new AIMessage(`I will remember: ${drink}.`)] };
    }
    const item = await config.store?.get(namespace, 'drink');
    return { messages: [new AIMessage(item ? `The usual, ${item.value['drink']}?` : 'What do you like?')] };
  })
  .addEdge(START, 'serve')
  .addEdge('serve', END)
  .compile();
