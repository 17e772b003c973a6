import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { LIMITS, MiB } from '../../src/base/limits.js';
import { TestSocket } from '../helpers/sockets.js';
import { temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const list = (bytes: number, part: (at: number) => string, [open, close]: string = '[]'): string => {
  const parts: string[] = [];
  for (let at = 0, length = 0; length < bytes; at += 1) length += parts[parts.push(part(at)) - 1]!.length + 1;
  return `${open}${parts.join(',')}${close}`;
};
const names = (bytes: number): string => list(bytes, (at) => `"k${at}":1`, '{}');

/** Its answer has the size and the ends of what it was given, so that nothing large comes back. */
const GRAPH = `
  import { StateGraph, Annotation, START, END } from '@langchain/langgraph';
  const State = Annotation.Root({ large: Annotation(), told: Annotation() });
  export const graph = new StateGraph(State).addNode('measure', ({ large }) => {
    const text = JSON.stringify(large);
    return { large: null, told: { length: text.length, start: text.slice(0, 40), end: text.slice(-40) } };
  }).addEdge(START, 'measure').addEdge('measure', END).compile();
`;

async function server(t: Test): Promise<TestServer> {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'graph.mjs'), GRAPH);
  writeFileSync(join(folder, 'langgraph.json'), JSON.stringify({ graphs: { agent: './graph.mjs:graph' } }));
  return testServer(t, { config: join(folder, 'langgraph.json') });
}

async function send(server: TestServer, path: string, body: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers: JSON_TYPE, body });
  return { status: answer.status, text: await answer.text() };
}

const workersLost = async (server: TestServer): Promise<string | undefined> =>
  /threadmill_workers_lost_total (\d+)/.exec(await (await server.get('/metrics')).text())?.[1];

t.test(
  'refuses bodies with too many keys and elements on every path, without losing a worker',
  { timeout: 120_000 },
  async (t) => {
    const one = await server(t);
    const { thread_id: threadId } = await one.client.threads.create();
    const refused = { status: 422, text: /more than \d+ names and elements/ };
    t.match(
      await send(one, '/runs/wait', `{"assistant_id":"agent","input":${list(8 * MiB, () => '{}')}}`),
      refused,
      'runs',
    );
    t.match(
      await send(one, '/runs/wait', `{"assistant_id":"agent","input":{},"metadata":${names(4 * MiB)}}`),
      refused,
      'metadata of a run',
    );
    t.match(await send(one, '/threads', `{"metadata":"${'x'.repeat(30 * MiB)}"}`), { status: 413 }, 'threads, by size');
    t.match(await send(one, '/threads', `{"metadata":${names(8 * MiB)},"supersteps":[]}`), refused, 'threads');
    t.match(await send(one, '/threads/search', `{"metadata":${names(3 * MiB)}}`), refused, 'searches');
    t.match(await send(one, `/threads/${threadId}/state`, `{"values":${names(8 * MiB)}}`), refused, 'state');
    t.match(
      await send(
        one,
        '/mcp',
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"agent","arguments":${names(8 * MiB)}}}`,
      ),
      { text: refused.text },
      'MCP',
    );
    const { assistant_id: assistantId } = (await one.client.assistants.search())[0]!;
    t.match(
      await send(
        one,
        `/a2a/${assistantId}`,
        `{"jsonrpc":"2.0","id":1,"method":"message/send","params":${names(8 * MiB)}}`,
      ),
      { text: refused.text },
      'A2A',
    );
    t.match(
      await send(one, `/threads/${threadId}/commands`, `{"id":1,"method":"run.start","params":${names(8 * MiB)}}`),
      { text: refused.text },
      'protocol v2',
    );
    t.match(
      await send(one, '/runs/wait', `{"assistant_id":"agent","input":${'['.repeat(5 * MiB)}`),
      { status: 422, text: /nested deeper/ },
      'depth',
    );
    const socket = await new TestSocket(one.url, threadId).open();
    t.teardown(() => socket.ws.terminate());
    socket.ws.send(`{"id":1,"method":"run.start","params":${names(3 * MiB)}}`);
    const [message] = (await once(socket.ws, 'message')) as [Buffer];
    t.match(JSON.parse(message.toString()), { type: 'error', message: refused.text }, 'WebSocket');
    t.equal(await workersLost(one), '0');
  },
);

t.test(
  'accepts large inputs: long texts, long chats, pretty JSON, and the maximum of members',
  { timeout: 120_000 },
  async (t) => {
    const one = await server(t);
    const chat = Array.from({ length: 10_000 }, (_, at) => ({
      role: 'user',
      content: `${at} ${'word '.repeat(100)}é😀`,
      id: `m${at}`,
      additional_kwargs: {},
      tool_calls: [],
    }));
    const values: Record<string, unknown> = {
      text: `${'lorem "ipsum" \\ \n'.repeat(200_000)}end`,
      chat,
      numbers: Array.from({ length: LIMITS.inputMembersMax - 100 }, (_, at) => at),
      names: Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, at])),
    };
    for (const [name, large] of Object.entries(values)) {
      for (const indent of [0, 1]) {
        const { status, text } = await send(
          one,
          '/runs/wait',
          JSON.stringify({ assistant_id: 'agent', input: { large } }, null, indent),
        );
        t.equal(status, 200, name);
        const expected = JSON.stringify(large);
        t.strictSame(
          (JSON.parse(text) as { told: unknown }).told,
          { length: expected.length, start: expected.slice(0, 40), end: expected.slice(-40) },
          `${name}, indented by ${indent}`,
        );
      }
    }
    t.equal(await workersLost(one), '0');
  },
);

t.test('stores a large input unchanged and returns it with the run', async (t) => {
  const one = await server(t);
  const { thread_id: threadId } = await one.client.threads.create();
  const large = Array.from({ length: 2_000 }, (_, at) => ({ at, text: 'x'.repeat(100) }));
  t.equal(
    (
      await send(
        one,
        `/threads/${threadId}/runs/wait`,
        JSON.stringify({ assistant_id: 'agent', input: { large }, metadata: { a: 1 } }, null, 2),
      )
    ).status,
    200,
  );
  const [run] = (await (await one.get(`/threads/${threadId}/runs`)).json()) as { kwargs: { input: unknown } }[];
  t.strictSame(run!.kwargs.input, { large });
});

t.test('receives the rest of a refused body, so that the client can read the refusal', async (t) => {
  const one = await server(t);
  const { port, hostname } = new URL(one.url);
  const request = async (declared: number, sent: number): Promise<string> => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString();
    });
    socket.on('error', () => undefined);
    const head = `POST /threads HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: ${declared}\r\n\r\n`);
    for (let left = sent; left > 0; left -= MiB) socket.write(Buffer.alloc(Math.min(left, MiB), 'x'));
    socket.end(`GET /ok HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
    await once(socket, 'close');
    return text;
  };
  const size = LIMITS.discardedBodyBytesMax;
  t.match(await request(size, size), /^HTTP\/1\.1 413 [^]*HTTP\/1\.1 200 OK[^]*\{"ok":true\}$/);
  const closed = await request(size + 1, MiB);
  t.match(closed, /^HTTP\/1\.1 413 /);
  t.notMatch(closed, /200 OK/, 'a longer one is not received');
});
