import { Annotation, END, START, StateGraph, interrupt } from '@langchain/langgraph';

const State = Annotation.Root({
  order: Annotation<string>,
  amount: Annotation<number>,
  outcome: Annotation<string>,
});

/** The answer of the person. */
interface Decision {
  approved: boolean;
  amount?: number;
}

/** Pays small refunds at once. For others the run stops at `interrupt` and continues when the answer arrives. */
export const graph = new StateGraph(State)
  .addNode('decide', ({ order, amount }) => {
    if (amount <= 20) return { outcome: `Order ${order}: ${amount} paid back.` };
    const { approved, amount: agreed = amount } = interrupt({
      question: `Pay ${amount} back for order ${order}?`,
    }) as Decision;
    return { outcome: approved ? `Order ${order}: ${agreed} paid back.` : `Order ${order}: nothing paid back.` };
  })
  .addEdge(START, 'decide')
  .addEdge('decide', END)
  .compile();
