import { setTimeout } from 'node:timers/promises';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({ question: Annotation<string>, answer: Annotation<string> });

/** Adds numbers: "1 + 2". Fails without numbers. "slow" takes a while. */
export const graph = new StateGraph(State)
  .addNode('add', async ({ question }) => {
    if (question.startsWith('slow')) await setTimeout(300);
    const numbers = question.match(/\d+/g);
    if (numbers === null) throw new Error(`no numbers in "${question}"`);
    return { answer: String(numbers.reduce((sum, one) => sum + Number(one), 0)) };
  })
  .addEdge(START, 'add')
  .addEdge('add', END)
  .compile();
