import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({
  question: Annotation<string>,
  answer: Annotation<string>,
});

/** Adds the numbers in the question. The version with `configurable.careful: false` has a fault: it drops the carry. */
export const graph = new StateGraph(State)
  .addNode('add', ({ question }, config: LangGraphRunnableConfig) => {
    const sum = question.split('+').reduce((all, part) => all + Number(part), 0);
    return { answer: String(config.configurable?.['careful'] === false && sum >= 10 ? sum - 10 : sum) };
  })
  .addEdge(START, 'add')
  .addEdge('add', END)
  .compile();
