import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({
  topic: Annotation<string>,
  tone: Annotation<'calm' | 'lively'>,
  pages: Annotation<number>,
  urgent: Annotation<boolean>,
  sources: Annotation<string[]>,
  reader: Annotation<{ name: string; age?: number }>,
  labels: Annotation<Record<string, number>>,
  limit: Annotation<number | string>,
});

/** An input of many kinds of fields; it does nothing with them. */
export const graph = new StateGraph(State)
  .addNode('read', () => ({}))
  .addEdge(START, 'read')
  .addEdge('read', END)
  .compile();
