import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { z } from 'zod';

const Context = z.object({
  model: z.enum(['small', 'large']).default('small').describe('Model that answers'),
  temperature: z.number().min(0).max(2).optional(),
  tenant: z.string(),
  limits: z.object({ calls: z.number().int(), budget: z.number().optional() }).optional(),
  tools: z.array(z.string()).optional(),
});

/** A graph whose context has a schema: a default, a required value, an object and a list. */
export const graph = new StateGraph(MessagesAnnotation, Context)
  .addNode('read', () => ({}))
  .addEdge(START, 'read')
  .addEdge('read', END)
  .compile();
