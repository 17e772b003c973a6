import { randomUUID } from 'node:crypto';
import { Client } from '@langchain/langgraph-sdk';
import t from 'tap';
import { createKey, revokeKey } from '../../src/store/access/api-keys.js';
import { collect, Reader, type Event } from '../helpers/events.js';
import { Gate } from '../helpers/gate.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const config = configWith(t, 'echo', 'trouble', 'gate');

const server = await testServer(t, { config });
const { threads, runs } = server.client;
const folder = temporaryFolder(t);

const newThread = async (): Promise<string> => (await threads.create()).thread_id;

/** A reader of a thread, let in by the server when this resolves. */
async function follow(
  threadId: string,
  options: Parameters<typeof threads.joinStream>[1] = {},
  { url }: { url: string } = server,
): Promise<Reader> {
  let answered = (): void => undefined;
  const joined = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const client = new Client({
    apiUrl: url,
    apiKey: null,
    callerOptions: {
      maxRetries: 0,
      fetch: async (...args: Parameters<typeof fetch>) => {
        const response = await fetch(...args);
        answered();
        return response;
      },
    },
  });
  const events = client.threads.joinStream(threadId, options)[Symbol.asyncIterator]();
  // Nothing is asked for before the first event is.
  let first: ReturnType<typeof events.next> | null = events.next();
  await joined;
  return new Reader({
    [Symbol.asyncIterator]: () => ({
      next: () => {
        const next = first ?? events.next();
        first = null;
        return next;
      },
    }),
  });
}
const done = ({ data }: Event): boolean => (data as { status?: string } | null)?.status === 'run_done';
/** What a reader gets until so many runs have ended. */
async function untilDone(reader: Reader, count = 1): Promise<Event[]> {
  const events: Event[] = [];
  for (let ended = 0; ended < count;) {
    const event = await reader.next();
    if (event === null) throw new Error(`The stream ended after ${JSON.stringify(events)}`);
    events.push(event);
    if (done(event)) ended += 1;
  }
  return events;
}
const stream = async (
  threadId: string,
  text: string,
  more: object = {},
): Promise<{ events: Event[]; runId: string }> => {
  let runId = '';
  const events = await collect(
    runs.stream(threadId, 'echo', {
      input: { text },
      streamMode: ['values', 'updates'],
      onRunCreated: (run) => {
        runId = run.run_id;
      },
      ...more,
    }),
  );
  return { events, runId };
};

t.test('run_modes, the default, sends the events and the end of every run', async (t) => {
  const threadId = await newThread();
  const reader = await follow(threadId);
  const first = await stream(threadId, 'one');
  const second = await stream(threadId, 'two');
  const background = await runs.create(threadId, 'echo', { input: { text: 'three' } });
  const heard = await untilDone(reader, 3);
  const ends = heard.filter(done).map(({ data }) => data);
  t.strictSame(
    ends,
    [first.runId, second.runId, background.run_id].map((id) => ({
      status: 'run_done',
      run_id: id,
      run_status: 'success',
    })),
  );
  const [one, two] = [heard.findIndex(done), heard.findIndex((event, at) => at > heard.findIndex(done) && done(event))];
  t.strictSame(heard.slice(0, one), first.events);
  t.strictSame(heard.slice(one + 1, two), second.events);
  t.strictSame(
    heard.slice(two + 1, -1).map(({ event }) => event),
    ['metadata', 'values', 'values', 'values'],
    'a run that nobody else follows is heard from its first event',
  );
  const ids = heard.map(({ id }) => Number(id));
  t.ok(
    ids.every((id, at) => at === 0 || id > ids[at - 1]!),
    `one counter over all runs: ${ids.join(' ')}`,
  );
});

t.test('lifecycle sends start and end of each run, state_update the state after it', async (t) => {
  const threadId = await newThread();
  const [lifecycle, states, both] = [
    await follow(threadId, { streamMode: 'lifecycle' }),
    await follow(threadId, { streamMode: 'state_update' }),
    await follow(threadId, { streamMode: ['lifecycle', 'state_update'] }),
  ];
  const { runId } = await stream(threadId, 'x');
  const start = { event: 'metadata', data: { run_id: runId, attempt: 1 } };
  const end = { event: 'metadata', data: { status: 'run_done', run_id: runId, run_status: 'success' } };
  t.match(await untilDone(lifecycle), [start, end]);
  const state = await threads.getState(threadId);
  const told = await states.next();
  t.strictSame([told!.event, told!.data], ['state_update', state]);
  t.match(
    [...(await untilDone(both)), await both.next()],
    [start, end, { event: 'state_update', data: state as object }],
  );

  const failing = runs.wait(threadId, 'trouble', { input: { do: 'throw' }, raiseError: false });
  t.match((await untilDone(lifecycle)).at(-1)!.data, { run_status: 'error' });
  await failing;
  const cancelled = await runs.create(threadId, 'trouble', { input: { do: 'sleep', n: 60_000 } });
  await lifecycle.until(({ data }) => (data as { run_id?: string }).run_id === cancelled.run_id);
  await runs.cancel(threadId, cancelled.run_id, true);
  t.match((await untilDone(lifecycle)).at(-1)!.data, { run_id: cancelled.run_id, run_status: 'interrupted' });
});

t.test('accepts both names and every format of the parameter', async (t) => {
  const threadId = await newThread();
  for (const query of [
    'stream_mode=lifecycle&stream_mode=state_update',
    'stream_modes=lifecycle&stream_mode=state_update',
    `stream_modes=${encodeURIComponent('["lifecycle","state_update"]')}`,
    'stream_mode=lifecycle,state_update',
  ]) {
    const gone = new AbortController();
    const answer = await server.get(`/threads/${threadId}/stream?${query}`, { signal: gone.signal });
    t.equal(answer.headers.get('content-type'), 'text/event-stream', query);
    t.equal(answer.headers.get('location'), `/threads/${threadId}/stream?${query}`, 'where to go on');
    const text = (async () => {
      let seen = '';
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
        seen += chunk;
        if (seen.includes('event: state_update')) return seen;
      }
      return seen;
    })();
    await stream(threadId, 'x');
    t.strictSame(
      [...(await text).matchAll(/^event: (.*)$/gm)].map(([, name]) => name),
      ['metadata', 'metadata', 'state_update'],
      query,
    );
    gone.abort();
  }
  const empty = await follow(threadId, { streamMode: [] });
  await stream(threadId, 'x');
  t.ok(
    (await untilDone(empty)).some(({ event }) => event === 'values'),
    'none is run_modes',
  );
  t.equal((await server.get(`/threads/${threadId}/stream?stream_mode=everything`)).status, 422);
  t.equal((await server.get(`/threads/${randomUUID()}/stream`)).status, 404);
});

t.test('continues over runs from a cursor, each event once', async (t) => {
  const threadId = await newThread();
  const reader = await follow(threadId);
  await stream(threadId, 'one');
  await stream(threadId, 'two');
  const all = await untilDone(reader, 2);
  for (const at of [0, 3, all.findIndex(done), all.length - 2]) {
    const later = await follow(threadId, { lastEventId: all[at]!.id! });
    t.strictSame(await untilDone(later, all.slice(at + 1).filter(done).length), all.slice(at + 1), `after ${at}`);
  }
  for (const from of ['-', '-1'])
    t.strictSame(await untilDone(await follow(threadId, { lastEventId: from }), 2), all, from);
});

t.test('sends the rest of a run to a client that joins in the middle', async (t) => {
  const threadId = await newThread();
  const gate = new Gate(folder);
  const run = new Reader(
    runs.stream(threadId, 'gate', { input: { label: 'x', gate: gate.file }, streamMode: ['values', 'custom'] }),
  );
  await run.until(({ event }) => event === 'custom');
  const before = [...run.seen];
  const [fresh, whole] = [await follow(threadId), await follow(threadId, { lastEventId: '-' })];
  gate.open();
  const rest = await run.rest();
  t.strictSame((await untilDone(fresh)).slice(0, -1), rest, 'hears what comes');
  t.strictSame((await untilDone(whole)).slice(0, -1), [...before, ...rest], 'with a cursor what was before, too');
});

t.test('sends kept events after a restart, and a gap for the others', async (t) => {
  const first = await testServer(t, { config });
  const { client } = first;
  const { thread_id: threadId } = await client.threads.create();
  const run = async (text: string, streamResumable: boolean): Promise<Event[]> =>
    collect(client.runs.stream(threadId, 'echo', { input: { text }, streamMode: 'updates', streamResumable }));
  const one = await run('one', true);
  const two = await run('two', false);
  const three = await run('three', true);
  await first.close();
  const again: TestServer = await testServer(t, { config, dataFolder: first.dataFolder });
  const replayed = async (lastEventId: string, count: number): Promise<Event[]> => {
    const reader = await follow(threadId, { lastEventId }, again);
    const events: Event[] = [];
    while (events.length < count) events.push((await reader.next())!);
    return events;
  };
  const gap = { event: 'error', data: { error: 'StreamGap', from: Number(two[0]!.id), to: Number(two.at(-1)!.id) } };
  t.match(await replayed('-', one.length + 1 + three.length), [...one, gap, ...three]);
  t.match(
    await replayed(one[1]!.id!, one.length - 2 + 1 + three.length),
    [...one.slice(2), gap, ...three],
    'and goes on behind it',
  );
});

t.test('ends only when its thread is deleted', async (t) => {
  const threadId = await newThread();
  const reader = await follow(threadId, { streamMode: ['run_modes', 'state_update'] });
  const { run_id: runId } = await runs.create(threadId, 'trouble', { input: { do: 'sleep', n: 60_000 } });
  await reader.until(({ event }) => event === 'metadata');
  await threads.delete(threadId);
  t.match((await reader.rest()).filter(done), [{ data: { run_id: runId, run_status: 'interrupted' } }]);
});

t.test('ends with the key that opened it', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text } = createKey(dataFolder, { name: 'reader' });
  createKey(dataFolder, { name: 'other' });
  const locked = await testServer(t, { config, dataFolder });
  const headers = { 'x-api-key': text };
  const { thread_id: threadId } = (await (
    await locked.post('/threads', undefined, { headers, body: '{}' })
  ).json()) as { thread_id: string };
  const answer = await locked.get(`/threads/${threadId}/stream`, { headers });
  t.equal(answer.status, 200);
  revokeKey(dataFolder, 'reader');
  await t.rejects(answer.text(), 'it breaks off');
});
