import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import { collect, told, type Event } from '../helpers/events.js';
import { Gate } from '../helpers/gate.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo', 'gate');

/** The stock client goes on by itself when its socket is dropped in the middle of an answer. */
const server = await testServer(t, { config });
const { threads, runs } = server.client;
const folder = temporaryFolder(t);
const newThread = async (): Promise<string> => (await threads.create()).thread_id;

interface Line {
  client: Client;
  /** First lines of the requests, with the cursor that came with them. */
  requests: string[];
}

/** A line to the server that breaks the first time that `until` is seen in an answer; `broken` is called then. */
async function breakingLine(t: Test, until: string, broken: () => void): Promise<Line> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let breaks = true;
  const proxy = createServer((near) => {
    const far = connect(server.port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (bytes) => {
      const text = bytes.toString();
      if (/^(GET|POST) /.test(text))
        requests.push(
          `${/^(.*) HTTP/.exec(text)![1]!}${/^last-event-id: (.*)\r$/im.exec(text)?.[1]?.replace(/^/, ' after ') ?? ''}`,
        );
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (!breaks || !bytes.toString().includes(until)) {
        near.write(bytes);
        return;
      }
      breaks = false;
      near.end(bytes, () => {
        near.destroy();
        broken();
      });
    });
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return {
    requests,
    client: new Client({
      apiUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      apiKey: null,
      callerOptions: { maxRetries: 0 },
    }),
  };
}

const STEPS: [string, unknown][] = [
  ['updates', { before: { steps: ['before x'] } }],
  ['custom', { waiting: 'x' }],
  ['custom', { passed: 'x' }],
  ['updates', { hold: { steps: ['held x'] } }],
  ['updates', { after: { steps: ['after x'] } }],
];
const rising = (events: readonly Event[]): boolean =>
  events.every(({ id }, at) => at === 0 || Number(id) > Number(events[at - 1]!.id));

t.test("resumes a stream of a thread's run, as useStream opens it", async (t) => {
  const threadId = await newThread();
  const gate = new Gate(folder);
  const { client, requests } = await breakingLine(t, 'waiting', () => gate.open());
  let runId = '';
  const events = await collect(
    client.runs.stream(threadId, 'gate', {
      input: { label: 'x', gate: gate.file },
      streamMode: ['updates', 'custom'],
      streamNamespaces: [''],
      streamResumable: true,
      onDisconnect: 'continue',
      onRunCreated: (run) => {
        runId = run.run_id;
      },
    }),
  );
  t.strictSame(told(events), STEPS, 'no event twice, none missing');
  t.ok(rising(events));
  // At the end it looks whether the run has ended, and believes it: the status was stored before the stream closed.
  t.strictSame(requests, [
    `POST /threads/${threadId}/runs/stream?namespace=`,
    `GET /threads/${threadId}/runs/${runId}/stream?namespace= after ${events[2]!.id}`,
    `GET /threads/${threadId}/runs/${runId}`,
  ]);
  t.equal((await runs.get(threadId, runId)).status, 'success');
});

t.test('resumes a stream of a stateless run whose thread is kept', async (t) => {
  const gate = new Gate(folder);
  const { client, requests } = await breakingLine(t, 'waiting', () => gate.open());
  const events = await collect(
    client.runs.stream(null, 'gate', {
      input: { label: 'x', gate: gate.file },
      streamMode: ['updates', 'custom'],
      streamResumable: true,
      onDisconnect: 'continue',
      ...{ onCompletion: 'keep' as 'complete' },
    }),
  );
  t.strictSame(told(events), STEPS);
  t.equal(requests.filter((one) => one.includes('/stream')).length, 2);
});

t.test('resumes a joined stream', async (t) => {
  const threadId = await newThread();
  const gate = new Gate(folder);
  const { run_id: runId } = await runs.create(threadId, 'gate', {
    input: { label: 'x', gate: gate.file },
    streamMode: ['updates', 'custom'],
    streamResumable: true,
  });
  const { client, requests } = await breakingLine(t, 'waiting', () => gate.open());
  const events = await collect(
    client.runs.joinStream(threadId, runId, { lastEventId: '-1', streamMode: ['updates', 'custom'] }),
  );
  t.strictSame(told(events), STEPS);
  t.ok(rising(events));
  t.match(requests[1], / after \d+$/);
  t.match(requests[1], /stream_mode=updates&stream_mode=custom after/, 'asks for the same, once');
});

t.test('resumes the stream of a thread', async (t) => {
  const threadId = await newThread();
  const gate = new Gate(folder);
  const { client, requests } = await breakingLine(t, 'waiting', () => gate.open());
  const events: Event[] = [];
  const asked = client.threads.joinStream(threadId, { streamMode: 'run_modes' });
  const first = asked.next();
  // The run begins when the reader is there: what it says before is nobody's.
  while (requests.length === 0)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  await server.get(`/threads/${threadId}`);
  const { run_id: runId } = await runs.create(threadId, 'gate', {
    input: { label: 'x', gate: gate.file },
    streamMode: ['custom'],
  });
  for (let next = await first; next.done !== true; next = await asked.next()) {
    events.push(next.value as Event);
    if ((next.value.data as { status?: string }).status === 'run_done') break;
  }
  await asked.return(undefined as never);
  t.match(events.at(-1), { data: { run_id: runId, run_status: 'success' } });
  t.strictSame(told(events), [
    ['custom', { waiting: 'x' }],
    ['custom', { passed: 'x' }],
  ]);
  t.ok(rising(events));
  t.equal(requests.length, 2);
});

t.test('[trap 17] offers to resume only streams that can be resumed', async (t) => {
  const threadId = await newThread();
  const run = { assistant_id: 'echo', input: { text: 'x' } };
  const location = async (path: string, body: object): Promise<string | null> => {
    const answer = await server.post(path, { ...run, ...body });
    await answer.text();
    const at = answer.headers.get('location');
    return at === null ? null : at.replace(answer.headers.get('content-location')!, '…');
  };
  const of = `/threads/${threadId}/runs`;
  t.equal(await location(`${of}/stream`, { stream_resumable: true }), '…/stream');
  t.equal(
    await location(`${of}/stream?namespace=a&namespace=`, { stream_resumable: true }),
    '…/stream?namespace=a&namespace=',
    'with what was asked for',
  );
  t.equal(await location(`${of}/stream`, {}), null, 'nothing is kept');
  t.equal(
    await location(`${of}/stream`, { stream_resumable: true, on_disconnect: 'cancel' }),
    null,
    'the run ends with the connection',
  );
  t.equal(await location(`${of}/wait`, {}), '…/join');
  t.equal(await location(`${of}/wait`, { on_disconnect: 'cancel' }), null);
  t.equal(await location('/runs/stream', { stream_resumable: true }), null, 'the run goes with its end');
  t.match(
    await location('/runs/stream', { stream_resumable: true, on_completion: 'keep' }),
    /^\/threads\/[0-9a-f-]{36}…\/stream$/,
  );
  t.equal(await location('/runs/wait', {}), null);
  t.match(await location('/runs/wait', { on_completion: 'keep' }), /^\/threads\/[0-9a-f-]{36}…\/join$/);

  const waited = await server.post(`${of}/wait`, run);
  const values = await waited.json();
  t.strictSame(
    await (await server.get(waited.headers.get('location')!)).json(),
    values,
    'what Python gets there when its wait broke off after the end',
  );
  const gate = new Gate(folder);
  const { run_id: runId } = await runs.create(threadId, 'gate', { input: { label: 'x', gate: gate.file } });
  await gate.reached();
  const joined = server.get(`${of}/${runId}/join?cancel_on_disconnect=0`);
  gate.open();
  const answer = await joined;
  await answer.text();
  t.ok([null, `${of}/${runId}/join?cancel_on_disconnect=0`].includes(answer.headers.get('location')));
});
