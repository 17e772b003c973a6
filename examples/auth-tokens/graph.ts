import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { secretOf } from './secret-store.js';

/** The user that `authenticate` in auth.ts returns. */
interface User {
  identity: string;
  mail_secret: string;
}

/** Replaces a mail service that identifies people by their keys. */
const MAILBOXES: Record<string, string[]> = {
  'key-of-adas-mailbox': ['Lunch on Friday?', 'Your invoice'],
  'key-of-bobs-mailbox': [],
};

/** Reads the mailbox of the user with the user's key. The key appears in no state, event or response. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode('read', async (_state, config: LangGraphRunnableConfig) => {
    const user = config.configurable?.['graph_auth_user'] as User;
    const key = await secretOf(user.mail_secret);
    const mails = MAILBOXES[key] ?? [];
    return {
      messages: [new AIMessage(`Mails to ${user.identity}: ${mails.length === 0 ? 'none' : mails.join(', ')}`)],
    };
  })
  .addEdge(START, 'read')
  .addEdge('read', END)
  .compile();
