import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

/** The user that `authenticate` in auth.ts returns. */
interface User {
  identity: string;
  display_name: string;
  permissions: string[];
}

/** Greets the user of the token. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode('greet', (_state, config: LangGraphRunnableConfig) => {
    const user = config.configurable?.['graph_auth_user'] as User;
    const may = user.permissions.length === 0 ? 'nothing in particular' : user.permissions.join(', ');
    return { messages: [new AIMessage(`Hello ${user.display_name}. You may: ${may}.`)] };
  })
  .addEdge(START, 'greet')
  .addEdge('greet', END)
  .compile();
