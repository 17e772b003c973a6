import { join } from 'node:path';
import t, { type Test } from 'tap';
import { isEnd, readEvents } from '../helpers/protocol.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

t.setTimeout(300_000);

const config = configWith(t, 'trouble');
/**
 * Writing so many takes longer than the watchdog waits: without turns of the loop in between, every attempt loses its
 * worker.
 */
const EVENTS = 60_000;
const env = { THREADMILL_WATCHDOG_SECS: '1' };
/** So few that the worker has made all its events when it dies in the same turn. */
const LOST = 10;

interface Told {
  event: string;
  id: number | null;
  data: Record<string, unknown>;
}

/** The events of a stream as they are on the wire. */
function eventsOf(text: string): Told[] {
  return text
    .split('\n\n')
    .filter((frame) => frame.includes('event: '))
    .map((frame) => {
      const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1];
      const id = field('id');
      return {
        event: field('event')!,
        id: id === undefined ? null : Number(id),
        data: JSON.parse(field('data')!) as Record<string, unknown>,
      };
    });
}

const told = async (answer: Promise<Response>): Promise<Told[]> => eventsOf(await (await answer).text());

for (const mode of ['custom', 'events']) {
  t.test(
    `a burst of ${EVENTS} synchronous custom events arrives whole in the first attempt, mode ${mode}`,
    async (t) => {
      const server = await testServer(t, { config, env });
      const events = await told(
        server.post('/runs/stream', {
          assistant_id: 'trouble',
          input: { do: 'custom', n: EVENTS },
          stream_mode: mode === 'custom' ? ['custom'] : ['custom', 'events'],
        }),
      );
      t.strictSame(
        events.filter(({ event }) => event === 'metadata').map(({ data }) => data['attempt']),
        [1],
      );
      t.strictSame(
        events.filter(({ event }) => event === 'error'),
        [],
      );
      const numbers = events.filter(({ event }) => event === 'custom').map(({ data }) => data['i'] as number);
      t.equal(numbers.length, EVENTS);
      t.ok(
        numbers.every((number, at) => number === at),
        'in order',
      );
      t.ok(
        events.every(({ id }, at) => id === at + 1),
        'each with the next id',
      );
    },
  );
}

t.test('runs another run of the worker during such a burst', async (t) => {
  const server = await testServer(t, { config, env });
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, 'trouble', {
    input: { do: 'custom', n: EVENTS },
    streamMode: 'custom',
  });
  const burst = (await server.get(`/threads/${threadId}/runs/${runId}/stream`)).text();
  t.match(await server.client.runs.wait(null, 'trouble', { input: { do: 'sleep', n: 1 } }), {
    done: ['slept 1', 'after'],
  });
  t.equal((await server.client.runs.get(threadId, runId)).status, 'running', 'the burst is still being written');
  await burst;
  t.equal((await server.client.runs.get(threadId, runId)).status, 'success');
});

t.test('delivers such a burst over the event protocol in the first attempt', async (t) => {
  const server = await testServer(t, { config, env });
  const { thread_id: threadId } = await server.client.threads.create();
  await server.post(`/threads/${threadId}/commands`, {
    id: 1,
    method: 'run.start',
    params: { assistant_id: 'trouble', input: { do: 'custom', n: EVENTS } },
  });
  const lifecycle = await readEvents(server.url, threadId, { channels: ['lifecycle'] }, isEnd);
  t.strictSame(
    lifecycle.filter(({ params }) => params.namespace.length === 0).map(({ params }) => params.data.event),
    ['running', 'completed'],
  );
});

/** Starts a run whose worker dies in its first attempt, with events that it has made and not sent. */
async function loseEvents(
  server: TestServer,
  file: string,
  resumable: boolean,
): Promise<{ threadId: string; events: Told[]; path: string }> {
  const { thread_id: threadId } = await server.client.threads.create();
  const response = await server.post(`/threads/${threadId}/runs/stream`, {
    assistant_id: 'trouble',
    input: { do: 'write-and-exit-once', n: LOST, file },
    stream_mode: ['custom'],
    stream_resumable: resumable,
  });
  return { threadId, path: response.headers.get('content-location')!, events: eventsOf(await response.text()) };
}

function checkGap(t: Test, events: Told[]): void {
  const at = events.findIndex(({ event }) => event === 'error');
  const gap = events[at]!;
  const { from, to } = gap.data as { from: number; to: number };
  t.matchStrict(gap, {
    id: null,
    data: { error: 'StreamGap', message: `Events ${from} to ${to} were lost with the worker that made them.` },
  });
  const before = events.slice(0, at);
  t.equal(before.at(-1)!.id! + 1, from, 'the gap begins where the reader stands');
  t.equal(
    before.filter(({ event }) => event === 'custom').length + to - from + 1,
    LOST,
    'all events that the first attempt made are there or in the gap',
  );
  t.match(events[at + 1], { event: 'metadata', id: to + 1, data: { attempt: 2 } });
  t.strictSame(
    events
      .slice(at + 2)
      .filter(({ event }) => event === 'custom')
      .map(({ data }) => data['i']),
    Array.from({ length: LOST }, (_, i) => i),
    'the second attempt tells them again',
  );
}

t.test('reports lost events of a dead worker as a gap and continues the stream', async (t) => {
  const server = await testServer(t, { config });
  const { events } = await loseEvents(server, join(temporaryFolder(t), 'once'), false);
  checkGap(t, events);
});

t.test('stores the gap of a resumable run, also over a restart', async (t) => {
  const dataFolder = temporaryFolder(t);
  const server = await testServer(t, { config, dataFolder });
  const { events, path } = await loseEvents(server, join(temporaryFolder(t), 'once'), true);
  checkGap(t, events);
  const joined = (on: TestServer): Promise<Told[]> =>
    told(on.get(`${path}/stream`, { headers: { 'last-event-id': '-1' } }));
  t.strictSame(await joined(server), events);
  await server.close();
  t.strictSame(await joined(await testServer(t, { config, dataFolder })), events);
});

t.test('reports the same gap to readers of the thread', async (t) => {
  const server = await testServer(t, { config });
  const file = join(temporaryFolder(t), 'once');
  const { thread_id: threadId } = await server.client.threads.create();
  const leave = new AbortController();
  const response = await server.get(`/threads/${threadId}/stream?stream_modes=run_modes`, { signal: leave.signal });
  const running = told(
    server.post(`/threads/${threadId}/runs/stream`, {
      assistant_id: 'trouble',
      input: { do: 'write-and-exit-once', n: LOST, file },
      stream_mode: ['custom'],
    }),
  );
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (
      text.includes('run_done') ||
      ((await Promise.race([
        running.then(() => true),
        new Promise<boolean>((resolve) => {
          setImmediate(resolve, false);
        }),
      ])) &&
        text.includes(`"i":${LOST - 1}`))
    )
      break;
  }
  leave.abort();
  const seen = eventsOf(text.slice(0, text.lastIndexOf('\n\n')));
  checkGap(t, seen);
});
