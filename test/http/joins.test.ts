import t from 'tap';
import { configWith, testServer, type TestServer } from '../helpers/server.js';

const config = configWith(t, 'echo', 'trouble');

/** A run nobody followed, on a thread that has had events; ended. */
async function quietRun(
  server: TestServer,
  input: Record<string, unknown>,
): Promise<{ threadId: string; runId: string }> {
  const { thread_id: threadId } = await server.client.threads.create();
  for await (const _ of server.client.runs.stream(threadId, 'trouble', { input: { do: 'sleep', n: 1 } })) {
    /* gives the thread its first events */
  }
  const { run_id: runId } = await server.client.runs.create(threadId, 'trouble', { input });
  await server.client.runs.join(threadId, runId);
  return { threadId, runId };
}

async function joined(server: TestServer, threadId: string, runId: string, lastEventId?: string): Promise<string> {
  return (
    await server.get(
      `/threads/${threadId}/runs/${runId}/stream`,
      lastEventId === undefined ? {} : { headers: { 'last-event-id': lastEventId } },
    )
  ).text();
}

const FAILED = 'event: error\ndata: {"error":"CustomError","message":"Boo!"}\n\n';

const server = await testServer(t, { config });

t.test('ends a stream from a cursor of a run without listeners', async (t) => {
  const { threadId, runId } = await quietRun(server, { do: 'sleep', n: 1 });
  for (const id of ['-1', '0', '100']) t.equal((await joined(server, threadId, runId, id)).trim(), '', `after ${id}`);
});

t.test('sends the error of a failed run to a late join, under its own event id', async (t) => {
  const { threadId, runId } = await quietRun(server, { do: 'throw' });
  t.equal(await joined(server, threadId, runId), FAILED);
  t.equal(await joined(server, threadId, runId, '-1'), FAILED);
});

t.test('reports missing events as a gap', async (t) => {
  const server = await testServer(t, { config });
  const { thread_id: threadId } = await server.client.threads.create();
  let runId = '';
  for await (const { event, data } of server.client.runs.stream(threadId, 'trouble', { input: { do: 'sleep', n: 1 } }))
    if (event === 'metadata') runId = (data as { run_id: string }).run_id;
  await server.close();
  const again = await testServer(t, { config, dataFolder: server.dataFolder });
  t.match(
    await joined(again, threadId, runId, '1'),
    /^event: error\ndata: \{"error":"StreamGap","message":"Events 2 to \d+ are no longer kept\.","from":2,"to":\d+\}\n\n$/,
  );
  t.equal((await joined(again, threadId, runId)).trim(), '', 'without a cursor nothing was promised');
});

t.test('replays a resumable run from the store after a restart, with the same ids', async (t) => {
  const server = await testServer(t, { config });
  const { thread_id: threadId } = await server.client.threads.create();
  const original: unknown[] = [];
  let runId = '';
  for await (const event of server.client.runs.stream(threadId, 'echo', {
    input: { text: 'x' },
    streamMode: ['values', 'updates'],
    streamResumable: true,
  })) {
    if (event.event === 'metadata') runId = (event.data as { run_id: string }).run_id;
    original.push(event);
  }
  await server.close();
  const again = await testServer(t, { config, dataFolder: server.dataFolder });
  const replay = async (lastEventId: string): Promise<unknown[]> => {
    const events: unknown[] = [];
    for await (const event of again.client.runs.joinStream(threadId, runId, { lastEventId })) events.push(event);
    return events;
  };
  t.strictSame(await replay('-1'), original);
  t.strictSame(await replay('2'), original.slice(2), 'ids begin at 1');
  t.strictSame(await replay('1000'), []);
});
