import { Annotation, END, START, StateGraph, interrupt } from '@langchain/langgraph';

const State = Annotation.Root({ task: Annotation<string>, decided: Annotation<string> });

/** Asks as LangChain's middleware for a person's decisions does: about two actions at once. */
export const graph = new StateGraph(State)
  .addNode('ask', () => ({
    decided: JSON.stringify(
      interrupt({
        actionRequests: [
          { name: 'delete_file', args: { path: '/tmp/notes' }, description: 'It cannot be taken back.' },
          { name: 'send_mail', args: { to: 'ada@example.org' } },
        ],
        reviewConfigs: [
          { actionName: 'delete_file', allowedDecisions: ['approve', 'reject'] },
          { actionName: 'send_mail', allowedDecisions: ['approve', 'edit', 'reject'] },
        ],
      }),
    ),
  }))
  .addEdge(START, 'ask')
  .addEdge('ask', END)
  .compile();
