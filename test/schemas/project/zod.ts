import { Annotation, END, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { withLangGraph } from '@langchain/langgraph/zod';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';

const node = (): object => ({});

export const graph = new StateGraph(
  z.object({
    question: z.string().describe('What is asked'),
    words: withLangGraph(z.array(z.string()), {
      reducer: { schema: z.string(), fn: (all: string[], word: string) => [...all, word] },
      default: () => [],
    }),
  }),
  { context: z.object({ model: z.string() }) },
)
  .addNode('say', node)
  .addEdge(START, 'say')
  .addEdge('say', END)
  .compile();

export const third = new StateGraph(z3.object({ question: z3.string(), count: z3.number().optional() }))
  .addNode('say', node)
  .addEdge(START, 'say')
  .compile();

/** JSON Schema has no word for a date. */
export const odd = new StateGraph(z.object({ when: z.date(), question: z.string() }))
  .addNode('say', node)
  .addEdge(START, 'say')
  .compile();

export const standard = new StateGraph(new StateSchema({ messages: MessagesValue, count: z.number() }))
  .addNode('say', node)
  .addEdge(START, 'say')
  .compile();

/** The state is told by its types, the input by a schema of its own. */
export const mixed = new StateGraph({
  state: Annotation.Root({ a: Annotation<number>, b: Annotation<string> }),
  input: z.object({ a: z.number().int() }),
})
  .addNode('say', node)
  .addEdge(START, 'say')
  .compile();
