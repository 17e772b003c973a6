import { join } from 'node:path';
import type { Checkpoint, Interrupt, Message, ThreadState } from '@langchain/langgraph-sdk';
import { useStream as useStreamOf } from '@langchain/langgraph-sdk/react';
import t, { type Test } from 'tap';
import { Empty } from '../helpers/empty.js';
import { mountHook, type Mounted } from '../helpers/hook.js';
import { projectOf } from '../helpers/project.js';
import { temporaryFolder, testServer } from '../helpers/server.js';

/** What the hook returns, as far as it is looked at. */
interface Stream {
  values: Record<string, unknown>;
  messages: Message[];
  isLoading: boolean;
  error: unknown;
  interrupt: Interrupt | undefined;
  history: ThreadState[];
  submit(input: unknown, options?: Record<string, unknown>): Promise<void>;
  stop(): Promise<void>;
  joinStream(runId: string): Promise<void>;
  getMessagesMetadata(message: Message): { firstSeenState?: ThreadState; branchOptions?: string[] } | undefined;
}
const useStream = useStreamOf as unknown as (options: Record<string, unknown>) => Stream;

const server = await testServer(t, { config: projectOf(t, ['chat', 'approval', 'trouble', 'echo'], {}) });

function mount(t: Test, options: Record<string, unknown>): Mounted<Stream> & { threadId(): string | null } {
  let threadId: string | null = null;
  const { url } = server;
  const mounted = mountHook(t, () =>
    useStream({
      apiUrl: url,
      apiKey: null,
      onThreadId: (id: string) => {
        threadId = id;
      },
      ...options,
    }),
  );
  return { ...mounted, threadId: () => threadId };
}

const human = (content: string): { messages: object[] } => ({ messages: [{ type: 'human', content }] });
const contents = ({ messages }: Stream): unknown[] => messages.map(({ content }) => content);
const done = ({ isLoading }: Stream): boolean => !isLoading;

t.test('shows messages, thread, history and another branch of a conversation', async (t) => {
  const hook = mount(t, { assistantId: 'chat', fetchStateHistory: true });
  t.matchStrict(hook.now(), { isLoading: false, messages: Empty, error: undefined });
  await hook.now().submit(human('one'));
  const first = await hook.until((stream) => done(stream) && stream.messages.length === 2 && stream.history.length > 0);
  t.strictSame(contents(first), ['one', 'answer 1']);
  t.match(await server.client.threads.get(hook.threadId()!), { status: 'idle', metadata: { graph_id: 'chat' } });

  await hook.now().submit(human('two'));
  const second = await hook.until(
    (stream) => done(stream) && stream.messages.length === 4 && stream.history.length > first.history.length,
  );
  t.strictSame(contents(second), ['one', 'answer 1', 'two', 'answer 3']);
  t.equal(
    second.history.filter(({ metadata }) => metadata?.['source'] === 'input').length,
    2,
    'history has both turns',
  );

  const before = second.getMessagesMetadata(second.messages[2]!)?.firstSeenState?.parent_checkpoint as Checkpoint;
  t.ok(before.checkpoint_id);
  await hook.now().submit(human('other'), { checkpoint: before });
  const other = await hook.until(
    (stream) => done(stream) && contents(stream).includes('other') && stream.messages.length === 4,
  );
  t.strictSame(contents(other).slice(0, 3), ['one', 'answer 1', 'other']);
  t.equal(other.getMessagesMetadata(other.messages[2]!)?.branchOptions?.length, 2, 'both branches are there');
});

t.test('shows and answers an interrupt', async (t) => {
  const hook = mount(t, { assistantId: 'approval' });
  await hook.now().submit({});
  const asked = await hook.until((stream) => done(stream) && stream.interrupt !== undefined);
  t.match(asked.interrupt, { value: 'first question' });
  await hook.now().submit(undefined, { command: { resume: 'one' } });
  await hook.until((stream) => done(stream) && stream.interrupt?.value === 'second question');
  await hook.now().submit(undefined, { command: { resume: 'two' } });
  const answered = await hook.until((stream) => done(stream) && stream.interrupt === undefined);
  t.strictSame(answered.values, { answers: ['before', 'one', 'two', 'after'] });
});

t.test('shows an error of the graph and one of the request', async (t) => {
  const hook = mount(t, { assistantId: 'trouble' });
  await hook.now().submit({ do: 'throw' });
  t.match(await hook.until((stream) => done(stream) && stream.error !== undefined), { error: { message: /Boo!/ } });
  const stranger = mount(t, { assistantId: 'nobody' });
  await stranger.now().submit({});
  t.match(await stranger.until((stream) => done(stream) && stream.error !== undefined), {
    error: { message: /HTTP 404: .*No assistant found/ },
  });
});

t.test('stops a run from its page, and another page joins a running one', async (t) => {
  const never = join(temporaryFolder(t), 'never');
  let started: { run_id: string; thread_id: string } | null = null;
  const hook = mount(t, {
    assistantId: 'trouble',
    onCreated: (run: never) => {
      started = run;
    },
  });
  const stopped = hook.now().submit({ do: 'wait-for-file', file: never });
  await hook.until(({ isLoading }) => isLoading && started !== null);
  await hook.now().stop();
  await stopped;
  await hook.until(done);
  const { run_id: runId, thread_id: threadId } = started as unknown as { run_id: string; thread_id: string };
  await server.client.runs.join(threadId, runId).catch(() => undefined);
  t.equal((await server.client.runs.get(threadId, runId)).status, 'interrupted');

  const { thread_id: other } = await server.client.threads.create();
  const run = await server.client.runs.create(other, 'echo', {
    input: { text: 'x' },
    streamMode: ['values'],
    streamResumable: true,
  });
  const page = mount(t, { assistantId: 'echo', threadId: other });
  await page.now().joinStream(run.run_id);
  t.strictSame(
    (await page.until((stream) => done(stream) && (stream.values['steps'] as unknown[] | undefined)?.length === 2))
      .values,
    { text: 'x', steps: ['first x', 'second x'] },
  );
});
