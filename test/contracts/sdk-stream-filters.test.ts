import { randomUUID } from 'node:crypto';
import type { StreamMode } from '@langchain/langgraph-sdk';
import t from 'tap';
import { eventFilter } from '../../src/services/runs/stream-filter.js';
import { Empty } from '../helpers/empty.js';
import { collect, Reader, told, type Event } from '../helpers/events.js';
import { Gate } from '../helpers/gate.js';
import { EXAMPLES, temporaryFolder, testServer } from '../helpers/server.js';

const server = await testServer(t);
const examples = await testServer(t, { config: EXAMPLES });
const { threads, runs } = server.client;
const folder = temporaryFolder(t);
const newThread = async (): Promise<string> => (await threads.create()).thread_id;
const plain = (name: string): string => name.replace(/:[0-9a-f-]{36}/g, '');
const names = (events: readonly Event[]): string[] => events.map(({ event }) => plain(event));

t.test('matches a namespace and everything below, without subagents', (t) => {
  const all = [
    'metadata',
    'values',
    'values|a:1',
    'values|a:1|b:2',
    'values|a:12',
    'values|tools:3',
    'values|tools:3|m:4',
    'values|tools:3|tools:5',
    'error|a:1',
    'error',
  ];
  const passed = (namespaces: string[], modes: StreamMode[] = []): string[] =>
    all.filter(eventFilter(modes as never, namespaces) ?? (() => true));
  t.strictSame(passed([]), all);
  t.strictSame(passed(['']), [
    'metadata',
    'values',
    'values|a:1',
    'values|a:1|b:2',
    'values|a:12',
    'error|a:1',
    'error',
  ]);
  t.strictSame(passed(['a:1']), ['metadata', 'values|a:1', 'values|a:1|b:2', 'error|a:1', 'error'], 'whole segments');
  t.strictSame(
    passed(['a']),
    ['metadata', 'values|a:1', 'values|a:1|b:2', 'values|a:12', 'error|a:1', 'error'],
    'every task of a node',
  );
  t.strictSame(passed(['tools:3']), ['metadata', 'values|tools:3', 'values|tools:3|m:4', 'error']);
  t.strictSame(passed(['a:1|b:2', 'tools:3|tools:5']), [
    'metadata',
    'values|a:1|b:2',
    'values|tools:3|tools:5',
    'error',
  ]);
  t.strictSame(passed(['a:1'], ['updates']), ['metadata', 'error|a:1', 'error'], 'beside a mode both count');
  t.end();
});

t.test('applies streamNamespaces to a new run and to a join', async (t) => {
  const { client } = examples;
  const input = { topic: 'x' };
  const streamed = async (streamNamespaces?: string[]): Promise<string[]> =>
    names(
      await collect(
        client.runs.stream(null, 'research', {
          input,
          streamMode: ['updates'],
          streamSubgraphs: true as never,
          ...(streamNamespaces === undefined ? {} : { streamNamespaces }),
        }),
      ),
    );
  t.strictSame(await streamed(), ['metadata', 'updates|lookup', 'updates|lookup', 'updates', 'updates']);
  t.strictSame(await streamed(['lookup']), ['metadata', 'updates|lookup', 'updates|lookup']);
  t.strictSame(await streamed(['nowhere']), ['metadata']);
  t.strictSame(await streamed(['', 'lookup']), ['metadata', 'updates|lookup', 'updates|lookup', 'updates', 'updates']);

  const { thread_id: threadId } = await client.threads.create();
  const { run_id: runId } = await client.runs.create(threadId, 'research', {
    input,
    streamMode: ['updates', 'values'],
    streamSubgraphs: true,
    streamResumable: true,
  });
  await client.runs.join(threadId, runId);
  const join = async (options: object): Promise<Event[]> =>
    collect(client.runs.joinStream(threadId, runId, { lastEventId: '-1', ...options }));
  const whole = await join({});
  const one = whole.find(({ event }) => event.includes('|'))!.event.split('|')[1]!;
  t.strictSame(names(await join({ streamNamespaces: [one], streamMode: 'updates' })), [
    'metadata',
    'updates|lookup',
    'updates|lookup',
  ]);
  t.strictSame(await join({ checkpointId: randomUUID() }), whole, 'a checkpoint that is named is taken and not used');
  const raw = async (query: string): Promise<number> =>
    (
      await (
        await examples.get(`/threads/${threadId}/runs/${runId}/stream?${query}`, { headers: { 'last-event-id': '-1' } })
      ).text()
    ).split('event: ').length - 1;
  t.equal(await raw('namespace='), whole.length, 'empty is the root, with its subgraphs');
  t.equal(
    await raw(`namespace=${encodeURIComponent(JSON.stringify([one]))}`),
    names(await join({ streamNamespaces: [one] })).length,
    'as a list in JSON',
  );
  t.match(await (await examples.get('/info')).json(), { flags: { stream_namespaces: true, strict_resume: true } });
});

t.test('follows a run by its id alone', async (t) => {
  const gate = new Gate(folder);
  const held = new Reader(
    runs.stream(null, 'gate', { input: { label: 'x', gate: gate.file }, streamMode: ['custom', 'updates'] }),
  );
  const metadata = await held.until(({ event }) => event === 'metadata');
  await held.until(({ event }) => event === 'custom');
  const { run_id: runId } = metadata.data as { run_id: string };
  const joined = new Reader(runs.joinStream(null as never, runId, { lastEventId: '-1' }));
  await joined.until(({ event }) => event === 'custom');
  gate.open();
  const rest = await held.rest();
  await joined.rest();
  t.strictSame(joined.seen, held.seen);
  t.equal(rest.length, 3);
  t.strictSame(
    await collect(runs.joinStream(null as never, runId, { lastEventId: '-1' })),
    held.seen,
    'a moment after its end, too',
  );

  const threadId = await newThread();
  const { run_id: kept } = await runs.create(threadId, 'echo', { input: { text: 'x' }, streamResumable: true });
  await runs.join(threadId, kept);
  t.strictSame(
    await collect(runs.joinStream(null as never, kept, { lastEventId: '-1' })),
    await collect(runs.joinStream(threadId, kept, { lastEventId: '-1' })),
  );
  await t.rejects(collect(runs.joinStream(null as never, randomUUID())), /HTTP 404: .*Run not found/);
});

t.test('streams tools with their progress and failures', async (t) => {
  const tools = async (city: string, more: object = {}): Promise<[string, unknown][]> =>
    told(await collect(runs.stream(null, 'tools', { input: { city }, streamMode: ['tools'] as never, ...more })));
  const call = { toolCallId: 'call-1', name: 'forecast' };
  t.match(await tools('Berlin'), [
    ['tools', { event: 'on_tool_start', ...call, input: /Berlin/ }],
    ['tools', { event: 'on_tool_event', ...call, data: { asked: 'Berlin' } }],
    [
      'tools',
      { event: 'on_tool_end', ...call, output: { type: 'tool', content: 'fine in Berlin', tool_call_id: 'call-1' } },
    ],
  ]);
  const failed = await tools('nowhere');
  t.match(
    failed.map(([name, data]) => [name, (data as { event?: string }).event ?? data]),
    [
      ['tools', 'on_tool_start'],
      ['tools', 'on_tool_event'],
      ['tools', 'on_tool_error'],
      ['error', { error: 'RangeError' }],
    ],
  );
  t.strictSame((failed[2]![1] as { error: unknown }).error, { error: 'RangeError', message: 'There is no weather.' });
});

t.test('sends the failure of a task last', async (t) => {
  const events = told(
    await collect(
      runs.stream(await newThread(), 'trouble', { input: { do: 'throw' }, streamMode: ['tasks', 'debug'] }),
    ),
  );
  t.match(
    events.filter(([name]) => name === 'tasks').map(([, data]) => data),
    [{ name: 'misbehave', input: { do: 'throw' }, triggers: ['branch:to:misbehave'], interrupts: Empty }],
  );
  t.strictSame(events.at(-1), ['error', { error: 'CustomError', message: 'Boo!' }]);
});
