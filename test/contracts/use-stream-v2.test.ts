import { useStream as useStreamOf } from '@langchain/react';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { Gate } from '../helpers/gate.js';
import { mountHook, type Mounted } from '../helpers/hook.js';
import { projectOf } from '../helpers/project.js';
import { temporaryFolder, testServer } from '../helpers/server.js';

/** What the hook of `@langchain/react`, which speaks the second event protocol, returns, as far as it is looked at. */
interface Stream {
  values: Record<string, unknown>;
  messages: { content: unknown }[];
  interrupt: { id?: string; value: unknown } | undefined;
  isLoading: boolean;
  error: unknown;
  threadId: string | null;
  submit(input: unknown, options?: Record<string, unknown>): Promise<void>;
  respond(response: unknown, options?: Record<string, unknown>): Promise<void>;
  stop(): Promise<void>;
}
const useStream = useStreamOf as unknown as (options: Record<string, unknown>) => Stream;

const server = await testServer(t, { config: projectOf(t, ['chat', 'approval', 'trouble', 'ticker'], {}) });

const folder = temporaryFolder(t);

/** A page takes one of the two transports. */
const SSE = {};
const WEB_SOCKET = { transport: 'websocket', webSocketFactory: (url: string) => new WebSocket(url) };
const done = ({ isLoading }: Stream): boolean => !isLoading;
// A block of text is what a model says; a text, what a person does.
const contents = ({ messages }: Stream): unknown[] =>
  messages.map(({ content }) =>
    Array.isArray(content) ? (content as { text: string }[]).map(({ text }) => text).join('') : content,
  );

function mount(t: Test, transport: object, options: Record<string, unknown>): Mounted<Stream> {
  // The hook begins anew when its address changes.
  const { url } = server;
  return mountHook(t, () => useStream({ apiUrl: url, apiKey: null, ...transport, ...options }));
}

async function conversation(t: Test, transport: object): Promise<void> {
  const page = mount(t, transport, { assistantId: 'chat' });
  await page.now().submit({ messages: [{ type: 'human', content: 'one' }] });
  await page.until((stream) => done(stream) && stream.messages.length === 2);
  await page.now().submit({ messages: [{ type: 'human', content: 'two' }] });
  const second = await page.until((stream) => done(stream) && stream.messages.length === 4);
  t.strictSame(contents(second), ['one', 'answer 1', 'two', 'answer 3']);
  t.match(await server.client.threads.get(second.threadId!), { status: 'idle', metadata: { graph_id: 'chat' } });
  const other = mount(t, transport, { assistantId: 'chat', threadId: second.threadId });
  t.strictSame(contents(await other.until(({ messages }) => messages.length === 4)), contents(second));
}

async function interrupt(t: Test, transport: object): Promise<void> {
  const page = mount(t, transport, { assistantId: 'approval' });
  await page.now().submit({});
  const asked = await page.until((stream) => done(stream) && stream.interrupt !== undefined);
  t.equal(asked.interrupt!.value, 'first question');
  await page.now().respond('one');
  await page.until((stream) => stream.interrupt?.value === 'second question' && done(stream));
  await page.now().respond('two');
  const answered = await page.until(
    (stream) => done(stream) && stream.interrupt === undefined && (stream.values['answers'] as unknown[]).length === 4,
  );
  t.strictSame(answered.values['answers'], ['before', 'one', 'two', 'after']);
}

async function endings(t: Test, transport: object): Promise<void> {
  const failing = mount(t, transport, { assistantId: 'trouble' });
  await failing.now().submit({ do: 'throw' });
  t.match(await failing.until((stream) => done(stream) && stream.error !== undefined), { error: { message: /Boo!/ } });

  const gate = new Gate(folder);
  // The page knows its run by then: before, it could not say which one is to be stopped.
  let onCreated: (runId: string) => void;
  const created = new Promise<string>((resolve) => {
    onCreated = resolve;
  });
  const page = mount(t, transport, {
    assistantId: 'ticker',
    onCreated: (run: { runId: string }) => onCreated(run.runId),
  });
  void page.now().submit({ gate: gate.file });
  await gate.reached();
  const runId = await created;
  const { threadId } = page.now();
  await page.now().stop();
  await page.until(done);
  await server.client.runs.join(threadId!, runId);
  t.equal((await server.client.runs.get(threadId!, runId)).status, 'interrupted');
}

t.test('SSE: a conversation of two turns, and another page that opens its thread', (t) => conversation(t, SSE));
t.test('SSE: an interrupt is shown and answered', (t) => interrupt(t, SSE));
t.test('SSE: an error of the graph is shown, and a run is stopped by its page', (t) => endings(t, SSE));
t.test('WebSocket: a conversation of two turns, and another page that opens its thread', (t) =>
  conversation(t, WEB_SOCKET),
);
t.test('WebSocket: an interrupt is shown and answered', (t) => interrupt(t, WEB_SOCKET));
t.test('WebSocket: an error of the graph is shown, and a run is stopped by its page', (t) => endings(t, WEB_SOCKET));
