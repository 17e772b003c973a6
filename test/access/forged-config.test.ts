import { randomUUID } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RemoteGraph } from '@langchain/langgraph/remote';
import t from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { createCron, firings } from '../crons/helpers.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { projectOf } from '../helpers/project.js';
import { isEnd, readEvents } from '../helpers/protocol.js';
import { temporaryFolder, testServer, type TestServer, WITHOUT_TYPES } from '../helpers/server.js';

t.setTimeout(120_000);

/** Names that only the server or the library may set, each with a value that the graph looks for. */
const NAMES = [
  'graph_auth_user',
  'langgraph_auth_user',
  'langgraph_auth_user_id',
  'langgraph_auth_permissions',
  'langgraph_auth_x',
  'langgraph_request_id',
  'authorization',
  'Authorization',
  'cookie',
  'x-api-key',
  '__pregel_stream',
  '__pregel_checkpointer',
  '__pregel_store',
  '__anything',
  'thread_id',
  'run_id',
  'graph_id',
  'assistant_id',
];
const FORGED: Record<string, unknown> = Object.fromEntries(
  NAMES.map((name) => [name, name.endsWith('_user') ? { identity: `FORGED-${name}` } : `FORGED-${name}`]),
);
const METADATA = { ...FORGED, langgraph_api_url: 'FORGED', langgraph_version: 'FORGED', run_attempt: 'FORGED' };
/** LangGraph reads these from the config itself. */
const MEMBERS = {
  serverInfo: { user: { identity: 'FORGED' } },
  executionInfo: { runId: 'FORGED' },
  store: { forged: 'FORGED' },
  callbacks: ['FORGED'],
  run_id: 'FORGED',
  runId: 'FORGED',
};
const CONFIG = { ...MEMBERS, configurable: FORGED, metadata: METADATA };
const RUN = { input: {}, config: CONFIG, metadata: METADATA };

const folder = temporaryFolder(t);
const seenFile = join(folder, 'seen');
writeFileSync(seenFile, '');
const config = projectOf(t, ['witness'], {
  env: { WITNESS_FILE: seenFile },
  http: { configurable_headers: { includes: ['*'] } },
});
const clock = new FakeClock('2026-03-10T08:00:30Z');
const server = await testServer(t, { config, clock, env: WITHOUT_TYPES });

interface Seen {
  place: string;
  found: string[];
  user: string | null;
}

/** What the graph wrote down since the last call. */
function seen(): Seen[] {
  const lines = readFileSync(seenFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Seen);
  truncateSync(seenFile);
  return lines;
}

async function ok(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
}

const newThread = async (on: TestServer = server): Promise<string> => (await on.client.threads.create()).thread_id;

/** Checks that the way leads to the graph, at the places that are named, and that nothing forged went along. */
function way(name: string, places: string[], go: () => Promise<unknown>): void {
  t.test(name, async (t) => {
    seen();
    await go();
    const calls = seen();
    t.strictSame([...new Set(calls.map(({ place }) => place))].toSorted(), places.toSorted(), 'the graph was reached');
    t.strictSame(
      calls.flatMap(({ found }) => found),
      [],
    );
    t.ok(
      calls.every(({ user }) => user === null),
      'nobody has authenticated, so there is no user',
    );
  });
}

const RAN = ['factory', 'node', 'edge'];

for (const [what, body] of [
  ['config', RUN],
  ['checkpoint', { input: {}, checkpoint: FORGED }],
  ['checkpoint_map', { input: {}, checkpoint: { ...FORGED, checkpoint_ns: '' } }],
] as const) {
  way(`a run of a thread, forged in ${what}`, RAN, async () =>
    ok(server.post(`/threads/${await newThread()}/runs/wait`, { assistant_id: 'witness', ...body })),
  );
  way(`a stream without a thread, forged in ${what}`, RAN, () =>
    ok(server.post('/runs/stream', { assistant_id: 'witness', ...body })),
  );
  way(`a background run, forged in ${what}`, RAN, async () => {
    const threadId = await newThread();
    const { run_id: runId } = (await ok(
      server.post(`/threads/${threadId}/runs`, { assistant_id: 'witness', ...body }),
    )) as { run_id: string };
    await server.client.runs.join(threadId, runId);
  });
  way(`a batch of runs, forged in ${what}`, RAN, async () => {
    const [run] = (await ok(
      server.post('/runs/batch', [{ assistant_id: 'witness', on_completion: 'keep', ...body }]),
    )) as { run_id: string; thread_id: string }[];
    await server.client.runs.join(run!.thread_id, run!.run_id);
  });
}

way('request headers', RAN, () =>
  ok(
    fetch(`${server.url}/runs/wait`, {
      method: 'POST',
      body: JSON.stringify({ assistant_id: 'witness', input: {} }),
      headers: {
        'content-type': 'application/json',
        ...Object.fromEntries(
          NAMES.filter((name) => name !== 'langgraph_request_id').map((name) => [name, `FORGED-${name}`]),
        ),
      },
    }),
  ),
);

way('a cron', RAN, async () => {
  const cron = await createCron(server, 'witness', {
    schedule: '0 * * * *',
    on_run_completed: 'keep',
    ...RUN,
    checkpoint: FORGED,
  });
  clock.set('2026-03-10T09:00:00Z');
  await firings(server, cron.cron_id, 1);
  await ok(fetch(`${server.url}/runs/crons/${cron.cron_id}`, { method: 'DELETE' }));
});

way('an assistant: its runs, its schemas and a change of state', RAN, async () => {
  const { assistant_id: id } = (await ok(
    server.post('/assistants', { graph_id: 'witness', config: CONFIG, metadata: METADATA }),
  )) as { assistant_id: string };
  const threadId = await newThread();
  await ok(server.post(`/threads/${threadId}/runs/wait`, { assistant_id: id, input: {} }));
  await ok(server.get(`/assistants/${id}/schemas`));
  await ok(server.get(`/assistants/${id}/graph`));
  await ok(server.post(`/threads/${threadId}/state`, { values: { messages: [] }, as_node: 'look' }));
});

way('a change of state, forged in its checkpoint', ['factory', 'edge'], async () => {
  const threadId = await newThread();
  await ok(server.post(`/threads/${threadId}/runs/wait`, { assistant_id: 'witness', input: {} }));
  seen();
  await ok(
    server.post(`/threads/${threadId}/state`, {
      values: { messages: [] },
      as_node: 'look',
      checkpoint: FORGED,
      config: CONFIG,
      ...FORGED,
    }),
  );
});

way('a thread that begins with a history', ['factory', 'edge'], () =>
  ok(
    server.post('/threads', {
      metadata: { ...METADATA, graph_id: 'witness', assistant_id: 'witness' },
      supersteps: [{ updates: [{ values: { messages: [] }, as_node: 'look' }] }],
    }),
  ),
);

way('reads of state at a checkpoint', [], async () => {
  const threadId = await newThread();
  await ok(server.post(`/threads/${threadId}/runs/wait`, { assistant_id: 'witness', input: {} }));
  seen();
  const { checkpoint } = await server.client.threads.getState(threadId);
  const state = await ok(
    server.post(`/threads/${threadId}/state/checkpoint`, { checkpoint: { ...FORGED, ...checkpoint }, subgraphs: true }),
  );
  const history = await ok(
    server.post(`/threads/${threadId}/history`, {
      before: { configurable: { ...FORGED, checkpoint_id: checkpoint.checkpoint_id } },
      checkpoint: { ...FORGED, checkpoint_ns: '' },
    }),
  );
  if (JSON.stringify([state, history]).includes('FORGED')) throw new Error('what was forged is shown');
});

way('RemoteGraph', RAN, async () => {
  const remote = new RemoteGraph({ graphId: 'witness', url: server.url });
  const { thread_id: _own, ...configurable } = FORGED;
  await remote.invoke({}, { configurable: { ...configurable, thread_id: randomUUID() }, metadata: METADATA });
  await remote.updateState(
    { configurable: { ...configurable, thread_id: await newThreadThatRan() } } as never,
    { messages: [] },
    'look',
  );
});

async function newThreadThatRan(): Promise<string> {
  const threadId = await newThread();
  await ok(server.post(`/threads/${threadId}/runs/wait`, { assistant_id: 'witness', input: {} }));
  return threadId;
}

way('a tool call of MCP', RAN, () =>
  ok(
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'witness',
          arguments: { config: CONFIG, ...FORGED },
          config: CONFIG,
          metadata: METADATA,
          checkpoint: FORGED,
          _meta: METADATA,
        },
      }),
    }),
  ),
);

way('a message of A2A', RAN, () =>
  ok(
    fetch(`${server.url}/a2a/witness`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: {
          message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'hello' }], metadata: METADATA },
          metadata: METADATA,
          config: CONFIG,
          checkpoint: FORGED,
          configuration: { ...FORGED },
        },
      }),
    }),
  ),
);

way('commands of the event protocol', RAN, async () => {
  const threadId = await newThread();
  const command = (id: number, method: string, params: unknown): Promise<unknown> =>
    ok(server.post(`/threads/${threadId}/commands`, { id, method, params }));
  const end = async (since: number): Promise<number> =>
    (await readEvents(server.url, threadId, { channels: ['lifecycle'], since }, isEnd)).at(-1)!.seq;
  const more = { config: CONFIG, metadata: METADATA, checkpoint: FORGED };
  await command(1, 'run.start', { assistant_id: 'witness', input: { ask: true }, ...more });
  const asked = await end(0);
  const { checkpoint, tasks } = await server.client.threads.getState(threadId);
  await command(2, 'input.respond', { interrupt_id: tasks[0]!.interrupts[0]!.id, response: 'yes', ...more });
  const answered = await end(asked);
  await command(3, 'state.fork', { checkpoint_id: checkpoint.checkpoint_id, input: {}, ...more });
  await end(answered);
});

t.test('passes documented checkpoint fields and custom names of configurable to the graph', async (t) => {
  const mirror = await testServer(t, { config: projectOf(t, ['mirror'], {}) });
  const threadId = await newThread(mirror);
  await mirror.client.runs.wait(threadId, 'mirror', { input: {} });
  const { checkpoint } = await mirror.client.threads.getState(threadId);
  const { seen } = (await mirror.client.runs.wait(threadId, 'mirror', {
    input: {},
    checkpoint,
    config: { configurable: { model: 'small' }, tags: ['a'], recursion_limit: 9 },
    metadata: { team: 'blue' },
  })) as unknown as { seen: Record<string, unknown> };
  t.match(seen, { configurable: { model: 'small' }, tags: ['a'], recursionLimit: 9, metadata: { team: 'blue' } });
  const { parent_checkpoint: parent } = (await mirror.client.threads.getHistory(threadId, { limit: 10 })).find(
    ({ metadata }) => (metadata as { source?: string } | null)?.source === 'input',
  )!;
  t.equal(parent?.checkpoint_id, checkpoint.checkpoint_id, 'the run began at the checkpoint that was named');
});

t.test('shows the graph the holder of the key, whatever the client sends', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { key, text } = createKey(dataFolder, { name: 'tests' });
  const secured = await testServer(t, { config, dataFolder, env: WITHOUT_TYPES });
  seen();
  const headers = { 'content-type': 'application/json', 'x-api-key': text };
  await ok(
    fetch(`${secured.url}/runs/wait`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ assistant_id: 'witness', ...RUN, checkpoint: FORGED }),
    }),
  );
  const calls = seen();
  t.strictSame(
    calls.flatMap(({ found }) => found),
    [],
  );
  t.ok(calls.length > 0 && calls.every(({ user }) => user === `key:${key.keyId}`));
});
