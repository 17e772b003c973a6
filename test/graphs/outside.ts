import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { Annotation, END, Send, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';

const State = Annotation.Root({
  url: Annotation<string>,
  prompts: Annotation<string[]>,
  fails: Annotation<boolean>,
  prompt: Annotation<string>,
  answers: Annotation<string[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  values: Annotation<Record<string, unknown>>,
});

/** Asks a model over `fetch`, which streams its answer. */
async function ask({ url, prompt }: { url: string; prompt: string }): Promise<{ answers: string[] }> {
  const response = await fetch(`${url}/v1/chat?key=${process.env['OUTSIDE_API_KEY'] ?? ''}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env['OUTSIDE_API_KEY'] ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt, api_key: process.env['OUTSIDE_API_KEY'] }),
  });
  let answer = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) answer += chunk;
  return { answers: [`${response.status} ${response.url.includes('/v1/chat')} ${answer}`] };
}

/** Looks something up with node:http. */
function lookUp({ url }: { url: string }): Promise<{ answers: string[] }> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/lookup`, { method: 'POST' }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ answers: [`${response.statusCode} ${text}`] }));
    });
    call.on('error', reject);
    call.write('{"look":');
    call.end('"up"}');
  });
}

/** Depends on the clock and on chance. */
async function draw(
  { fails }: { fails: boolean },
  { store }: LangGraphRunnableConfig,
): Promise<{ values: Record<string, unknown> }> {
  await store!.put(['outside'], 'drawn', { at: 'before' });
  const item = await store!.get(['outside'], 'seen');
  await store!.put(['outside'], 'seen', { times: Number(item?.value['times'] ?? 0) + 1 });
  if (fails) throw new Error('no luck');
  return {
    values: {
      now: new Date().toISOString(),
      isDate: new Date() instanceof Date,
      random: Math.random(),
      id: randomUUID(),
      bytes: randomBytes(8).toString('hex'),
      global: globalThis.crypto.randomUUID(),
      seen: item?.value ?? null,
    },
  };
}

/** Gets something from outside in every way: two requests at the same time, one after them, memory, time and chance. */
export const graph = new StateGraph(State)
  .addNode('ask', ask)
  .addNode('lookUp', lookUp)
  .addNode('draw', draw)
  .addConditionalEdges(START, ({ url, prompts }) => prompts.map((prompt) => new Send('ask', { url, prompt })), ['ask'])
  .addEdge('ask', 'lookUp')
  .addEdge('lookUp', 'draw')
  .addEdge('draw', END)
  .compile();
