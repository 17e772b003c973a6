import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({
  question: Annotation<string>,
  answer: Annotation<string>,
});

/** Adds what stands in the question. `configurable.careful: false` is the version with a fault: it forgets what it carries. */
export const graph = new StateGraph(State)
  .addNode('add', ({ question }, config: LangGraphRunnableConfig) => {
    const sum = question.split('+').reduce((all, part) => all + Number(part), 0);
    return { answer: String(config.configurable?.['careful'] === false && sum >= 10 ? sum - 10 : sum) };
  })
  .addEdge(START, 'add')
  .addEdge('add', END)
  .compile();
