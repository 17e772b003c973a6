import { request } from 'node:http';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({ url: Annotation<string>, answer: Annotation<string> });

/** Asks a server for two answers of a few kilobytes: one over `fetch`, as a model would, and one over node:http. */
export const graph = new StateGraph(State)
  .addNode('model', async ({ url }) => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ prompt: 'How is the weather?' }) });
    return { answer: String((await response.text()).length) };
  })
  .addNode('tool', ({ url, answer }) => {
    return new Promise<{ answer: string }>((resolve, reject) => {
      request(url, { method: 'POST' }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ answer: `${answer} and ${text.length} characters` }));
      })
        .on('error', reject)
        .end('{"city":"Oslo"}');
    });
  })
  .addEdge(START, 'model')
  .addEdge('model', 'tool')
  .addEdge('tool', END)
  .compile();
