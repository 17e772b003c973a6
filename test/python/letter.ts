import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { Annotation, END, interrupt, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  /** A file: `post` waits until it exists, and creates `<file>.reached` while it waits. */
  gate: Annotation<string>,
  /** A question to ask before the letter is posted. */
  question: Annotation<string>,
  posted: Annotation<string>,
});

const model = new FakeListChatModel({ responses: ['Dear Ada'] });

async function post({ gate }: typeof State.State): Promise<{ posted: string }> {
  if (gate) {
    writeFileSync(`${gate}.reached`, '');
    while (!existsSync(gate)) await setTimeout(5);
  }
  return { posted: 'by air' };
}

/** A node that streams messages, and so has lifecycle events of its own, before one that takes its time. */
export const graph = new StateGraph(State)
  .addNode('write', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode('ask', ({ question }) => (question ? { question: `answered ${String(interrupt(question))}` } : {}))
  .addNode('post', post)
  .addEdge(START, 'write')
  .addEdge('write', 'ask')
  .addEdge('ask', 'post')
  .addEdge('post', END)
  .compile();
