import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import * as undici6 from 'undici';
import * as undici5 from 'undici-5';
import * as undici7 from 'undici-7';

const State = Annotation.Root({
  url: Annotation<string>,
  version: Annotation<string>,
  prompt: Annotation<string>,
  answers: Annotation<Record<string, unknown>>,
});

const PACKAGES = { '5': undici5, '6': undici6, '7': undici7 } as unknown as Record<string, typeof undici6>;

interface Asked {
  url: string;
  version: string;
  prompt: string;
}

/** Sends requests in the ways that the package has. */
async function ask({ url, version, prompt }: Asked): Promise<{ answers: Record<string, unknown> }> {
  const undici = PACKAGES[version]!;
  const body = JSON.stringify({ prompt });
  const answers: Record<string, unknown> = {};
  const { statusCode, headers, body: answer } = await undici.request(`${url}/request?key=k`, { method: 'POST', body });
  answers['request'] = [statusCode, headers['x-word'], headers['set-cookie'] === undefined, await answer.text()];
  // A dispatcher of this version, in place of the one of whatever was loaded first.
  undici.setGlobalDispatcher(new undici.Agent({ connections: 1 }));
  const fetched = await undici.fetch(`${url}/fetch`, { method: 'POST', body });
  answers['fetch'] = [fetched.status, fetched.headers.get('x-word'), await fetched.text()];
  answers['both'] = await Promise.all(
    ['left', 'right'].map(async (side) => {
      const one = await undici.request(`${url}/both`, { method: 'PUT', body: Buffer.from(`${prompt} ${side}`) });
      return one.body.text();
    }),
  );
  const pool = new undici.Pool(url, { connections: 1 });
  answers['pool'] = await Promise.all(
    ['left', 'right'].map(async (side) => {
      const one = await pool.request({ path: '/pool', method: 'POST', query: { side } });
      return one.body.text();
    }),
  );
  await pool.close();
  const own = await undici.request(`${url}/own`, { dispatcher: new undici.Client(url) } as never);
  answers['own'] = await own.body.text();
  let streamed = '';
  await undici.stream(`${url}/stream`, { method: 'POST', body: Readable.from([body]) } as never, () =>
    slow((piece) => (streamed += piece)),
  );
  answers['stream'] = streamed;
  answers['built-in'] = await (await fetch(`${url}/built-in`, { method: 'POST', body })).text();
  const controller = new AbortController();
  const aborted = await undici.request(`${url}/aborted`, { signal: controller.signal });
  answers['aborted'] = await aborted.body
    .once('data', () => controller.abort())
    .toArray()
    .catch((error: Error) => error.name);
  // It is not sent to its end before the run ends.
  const hung = { method: 'POST', body: endless(), signal: AbortSignal.timeout(100) };
  answers['hung'] = await undici.request(`${url}/hung`, hung as never).catch((error: Error) => error.name);
  const broken = await undici.request(`${url}/broken`);
  answers['broken'] = await broken.body.text().catch((error: Error) => error.message);
  answers['refused'] = await undici.request('http://127.0.0.1:1/').catch((error: Error) => error.message);
  if (version === '7') answers['dispatch'] = await dispatched(url);
  return { answers };
}

async function* endless(): AsyncGenerator<string> {
  yield 'begun';
  await new Promise(() => {});
}

/** A place to write to that takes a while for each piece. */
function slow(onPiece: (piece: string) => void): Writable {
  return new Writable({
    highWaterMark: 1,
    write(piece: Buffer, _encoding, done) {
      onPiece(piece.toString());
      void sleep(5).then(() => done());
    },
  });
}

/** The interface of handlers that version 7 has brought. It stops the answer after each piece. */
function dispatched(origin: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const seen: string[] = [];
    undici7.getGlobalDispatcher().dispatch(
      { origin, path: '/dispatch', method: 'GET' },
      {
        onRequestStart: (_controller, context) => seen.push(typeof context),
        onResponseStart: (_controller, status, headers) => seen.push(`${status} ${String(headers['x-word'])}`),
        onResponseData(controller, piece) {
          seen.push(piece.toString());
          controller.pause();
          setTimeout(() => controller.resume(), 5);
        },
        onResponseEnd: () => resolve(seen),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

export const graph = new StateGraph(State).addNode('ask', ask).addEdge(START, 'ask').addEdge('ask', END).compile();
