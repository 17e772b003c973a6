import { randomUUID } from 'node:crypto';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { RemoteGraph } from '@langchain/langgraph/remote';
import { Client } from '@langchain/langgraph-sdk';

/** Made while the module is loaded: no server listens then. */
const early = new Client({ callerOptions: { maxRetries: 0 } });
const remote = new RemoteGraph({ graphId: 'echo' });

const State = Annotation.Root({
  do: Annotation<string>,
  text: Annotation<string>,
  target: Annotation<string>,
  apiKey: Annotation<string>,
  seen: Annotation<unknown>,
});

type Deeds = Record<string, (client: Client, state: typeof State.State) => Promise<unknown>>;

/** What its node does with the server that it runs on. */
const DEEDS: Deeds = {
  /** A thread, runs of another graph on it, and an item. */
  async round(client, { text }) {
    const { thread_id: threadId } = await client.threads.create({ metadata: { made: 'by a graph' } });
    const waited = await client.runs.wait(threadId, 'echo', { input: { text } });
    const streamed = [];
    for await (const { event, data } of client.runs.stream(threadId, 'echo', {
      input: { text: 'again' },
      streamMode: 'updates',
    }))
      if (event === 'updates') streamed.push(data);
    await client.store.putItem(['made'], 'by-a-graph', { text });
    const item = await client.store.getItem(['made'], 'by-a-graph');
    return { threadId, waited, streamed, item: item?.value };
  },
  /** A client without arguments; it takes its key from the environment, if anywhere. */
  async plain(_client, { target, text }) {
    return new Client().runs.wait(null, target ?? 'echo', { input: { text } });
  },
  async early(_client, { text }) {
    return early.runs.wait(null, 'echo', { input: { text } });
  },
  async remote(_client, { text }) {
    return remote.invoke({ text });
  },
  /** Itself, as often as `text` says. */
  async nested(client, { text }) {
    if (text === '0') return 'the end';
    return client.runs.wait(null, 'caller', { input: { do: 'nested', text: String(Number(text) - 1) } });
  },
  /** Waits for a run of another thread that waits for a file. */
  async file(client, { text }) {
    return client.runs.wait(null, 'trouble', { input: { do: 'wait-for-file', file: text } });
  },
  /** How long the text is that comes back of the one that it sends. */
  async large(client, { text }) {
    const { steps } = (await client.runs.wait(null, 'echo', { input: { text: 'x'.repeat(Number(text)) } })) as {
      steps: string[];
    };
    let streamed = 0;
    for await (const { data } of client.runs.stream(null, 'echo', {
      input: { text: 'x'.repeat(Number(text)) },
      streamMode: 'values',
    }))
      streamed += JSON.stringify(data).length;
    return { waited: steps[1]!.length, streamed: streamed > 2 * Number(text) };
  },
  async abort(client, { text }) {
    const { thread_id: threadId } = await client.threads.create();
    const stop = new AbortController();
    const said: string[] = [];
    try {
      for await (const { event } of client.runs.stream(threadId, 'trouble', {
        input: { do: 'wait-for-file', file: text },
        streamMode: 'values',
        onDisconnect: 'cancel',
        signal: stop.signal,
      })) {
        said.push(event);
        stop.abort();
      }
    } catch (error) {
      said.push((error as Error).name);
    }
    const [run] = await client.runs.list(threadId);
    await client.runs.join(threadId, run!.run_id).catch(() => undefined);
    const waiting = client.threads.get(threadId, { signal: AbortSignal.abort() });
    said.push(
      await waiting.then(
        () => 'answered',
        (error: Error) => error.name,
      ),
    );
    return { said, status: (await client.runs.get(threadId, run!.run_id)).status };
  },
  /** What `fetch` itself does: statuses, headers, bodies that stream, another server. */
  async fetch(_client, { target }) {
    const own = (globalThis as never)[Symbol.for('langgraph_api:fetch')] as typeof fetch;
    const address = (globalThis as never)[Symbol.for('langgraph_api:url')] as string;
    const id = randomUUID();
    const missing = await own(`${address}/threads/${id}`);
    const head = await own(
      new Request(`${address}/ok`, { method: 'HEAD', headers: { 'x-request-id': 'from-a-graph' } }),
    );
    const parts = ['{"thread_id":', `"${id}"`, '}'];
    const body = new ReadableStream({
      pull: (stream) => {
        const part = parts.shift();
        if (part === undefined) stream.close();
        else stream.enqueue(new TextEncoder().encode(part));
      },
    });
    const made = await own(`${address}/threads`, {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    } as RequestInit);
    const deleted = await own(`/threads/${id}`, { method: 'DELETE' });
    const other = await own(target).then(async (answer) => answer.text());
    return {
      missing: [missing.status, missing.headers.get('content-type'), await missing.json()],
      head: [head.status, head.headers.get('x-request-id'), await head.text()],
      made: ((await made.json()) as { thread_id: string }).thread_id === id,
      deleted: deleted.status,
      other,
    };
  },
  /** Ends the thread that runs it, the first time. */
  async die(client, { text }) {
    const [item] = (await client.store.searchItems(['deaths', text])).items;
    if (item !== undefined) return DEEDS['round']!(client, { text } as never);
    await client.store.putItem(['deaths', text], 'one', {});
    process.exit(1);
  },
};

/** Asks the very server that runs it. */
export const graph = new StateGraph(State)
  .addNode('ask', async (state) => {
    const client = new Client({ apiKey: state.apiKey ?? null, callerOptions: { maxRetries: 0 } });
    return { seen: await DEEDS[state.do]!(client, state) };
  })
  .addEdge(START, 'ask')
  .addEdge('ask', END)
  .compile();
