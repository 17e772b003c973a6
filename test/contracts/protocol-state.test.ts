import { randomUUID } from 'node:crypto';
import t from 'tap';
import { Empty } from '../helpers/empty.js';
import { Gate, untilStarted } from '../helpers/gate.js';
import { isEnd, readEvents } from '../helpers/protocol.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

/**
 * Commands of the second event protocol that read and fork, and refused answers (streaming-protocol-v2.md, sections 5
 * and 6).
 */
const server = await testServer(t, {
  config: configWith(t, 'echo', 'questions', 'nested', 'gate', 'stone'),
  workers: 2,
});
const { client } = server;
const folder = temporaryFolder(t);

interface Answer {
  type: string;
  result?: Record<string, unknown>;
}

const command = async (threadId: string, method: string, params: object = {}): Promise<Answer> =>
  (await server.post(`/threads/${threadId}/commands`, { id: 7, method, params })).json() as Promise<Answer>;
const start = async (threadId: string, assistantId: string, input: object): Promise<string> =>
  (await command(threadId, 'run.start', { assistant_id: assistantId, input })).result!['run_id'] as string;
const ended = (threadId: string, runId: string): Promise<unknown> =>
  readEvents(
    server.url,
    threadId,
    { channels: ['lifecycle'], namespaces: [[]], depth: 0 },
    (event) => isEnd(event) && event.event_id.includes(runId),
  );

t.test('state.get: returns the values of a graph, all or by keys, at the root and below', async (t) => {
  const threadId = randomUUID();
  t.match(await command(threadId, 'state.get'), { type: 'error', error: 'no_such_run' });
  await client.threads.create({ threadId });
  t.strictSame((await command(threadId, 'state.get')).result, { values: {} }, 'nothing is stored yet');
  await ended(threadId, await start(threadId, 'nested', { question: 'sure?' }));
  const state = await client.threads.getState(threadId, undefined, { subgraphs: true });
  t.strictSame((await command(threadId, 'state.get', { namespace: [] })).result, {
    values: state.values,
    checkpoint: { id: state.checkpoint.checkpoint_id },
  });
  t.strictSame((await command(threadId, 'state.get', { namespace: [], keys: ['words', 'none'] })).result!['values'], {
    words: (state.values as { words: string[] }).words,
  });
  const below = state.tasks[0]!.state!;
  const ns = below.checkpoint.checkpoint_ns;
  t.strictSame((await command(threadId, 'state.get', { namespace: ns.split('|') })).result, {
    values: below.values,
    checkpoint: { id: below.checkpoint.checkpoint_id, ns },
  });
  t.match(await command(threadId, 'state.get', { namespace: ['nowhere:1'] }), { error: 'no_such_namespace' });
  for (const params of [{ namespace: 'x' }, { namespace: [1] }, { keys: 'words' }, { keys: [1] }])
    t.match(await command(threadId, 'state.get', params), { error: 'invalid_argument', message: /namespace|keys/ });
});

t.test('state.listCheckpoints: returns pages, newest first', async (t) => {
  const threadId = randomUUID();
  await ended(threadId, await start(threadId, 'echo', { text: 'x' }));
  const history = await client.threads.getHistory(threadId, { limit: 100 });
  const { checkpoints } = (await command(threadId, 'state.listCheckpoints')).result as {
    checkpoints: { id: string }[];
  };
  t.strictSame(
    checkpoints,
    history.map(({ checkpoint, created_at: timestamp, metadata }) => ({
      id: checkpoint.checkpoint_id,
      timestamp,
      step: metadata!['step'],
      metadata,
    })),
  );
  const pages: { id: string }[] = [];
  for (;;) {
    const page = (
      await command(threadId, 'state.listCheckpoints', {
        limit: 2,
        ...(pages.length === 0 ? {} : { before: pages.at(-1)!.id }),
      })
    ).result!['checkpoints'] as { id: string }[];
    pages.push(...page);
    if (page.length < 2) break;
  }
  t.strictSame(pages, checkpoints);
  t.match(await command(threadId, 'state.listCheckpoints', { before: randomUUID() }), { error: 'no_such_checkpoint' });
  t.match(await command(threadId, 'state.listCheckpoints', { namespace: ['x:1'] }), { error: 'no_such_namespace' });
  for (const params of [{ limit: 0 }, { limit: 1_001 }, { limit: 1.5 }, { limit: '1' }, { before: 1 }])
    t.match(await command(threadId, 'state.listCheckpoints', params), {
      error: 'invalid_argument',
      message: /limit|before/,
    });
});

t.test('state.fork: continues from an older state', async (t) => {
  const threadId = randomUUID();
  t.match(await command(threadId, 'state.fork', { checkpoint_id: randomUUID() }), { error: 'no_such_run' });
  await ended(threadId, await start(threadId, 'echo', { text: 'x' }));
  const history = await client.threads.getHistory<{ steps: string[] }>(threadId, { limit: 100 });
  const before = history.find(({ next }) => next.includes('second'))!;
  const { result } = await command(threadId, 'state.fork', { checkpoint_id: before.checkpoint.checkpoint_id });
  t.match(result, { run_id: String, thread_id: threadId });
  await ended(threadId, result!['run_id'] as string);
  const head = await client.threads.getState<{ steps: string[] }>(threadId);
  t.strictSame(head.values.steps, ['first x', 'second x']);
  const all = await client.threads.getHistory(threadId, { limit: 100 });
  const parentOf = (id: string): string | undefined =>
    all.find(({ checkpoint }) => checkpoint.checkpoint_id === id)?.parent_checkpoint?.checkpoint_id ?? undefined;
  const line: string[] = [];
  for (let id: string | undefined = head.checkpoint.checkpoint_id!; id !== undefined; id = parentOf(id)) line.push(id);
  t.ok(line.includes(before.checkpoint.checkpoint_id!), 'it comes from the one that was named');
  t.notOk(line.includes(history[0]!.checkpoint.checkpoint_id!), 'and not from what came after that');
  t.not(head.checkpoint.checkpoint_id, history[0]!.checkpoint.checkpoint_id);

  const again = await command(threadId, 'state.fork', {
    checkpoint_id: before.checkpoint.checkpoint_id,
    input: { text: 'y' },
    config: { recursion_limit: 9, configurable: { colour: 'red' } },
  });
  await ended(threadId, again.result!['run_id'] as string);
  t.match(await client.threads.getState(threadId), {
    values: { text: 'y', steps: ['first x', 'first y', 'second y'] },
  });
  t.match(await command(threadId, 'state.fork', { checkpoint_id: randomUUID() }), { error: 'no_such_checkpoint' });
  t.match(await command(threadId, 'state.fork', {}), { error: 'invalid_argument', message: /checkpoint_id/ });
});

t.test('agent.getTree: returns the graphs of a run, during and after it', async (t) => {
  const threadId = randomUUID();
  t.match(await command(threadId, 'agent.getTree'), { error: 'no_such_run' });
  const runId = await start(threadId, 'nested', { question: 'sure?' });
  await ended(threadId, runId);
  const { tree } = (await command(threadId, 'agent.getTree', { run_id: runId })).result as {
    tree: {
      status: string;
      graph_name: string;
      namespace: string[];
      children: { namespace: string[]; status: string }[];
    };
  };
  t.match(tree, { namespace: Empty, status: 'interrupted', graph_name: 'nested' });
  t.ok(
    tree.children.some(({ namespace }) => namespace.length === 1 && namespace[0]!.startsWith('inner:')),
    'with what is below',
  );
  t.ok(tree.children.every(({ status }) => ['completed', 'failed', 'interrupted'].includes(status)));

  const gate = new Gate(folder);
  const other = randomUUID();
  const held = await start(other, 'gate', { label: 'a', gate: gate.file });
  await gate.reached();
  await untilStarted(client, other, held);
  t.match(await command(other, 'agent.getTree'), { result: { tree: { status: 'running', graph_name: 'gate' } } });
  gate.open();
  t.match(
    await command(other, 'agent.getTree', { run_id: runId }),
    { error: 'no_such_run' },
    'a run of another thread',
  );
  t.match(await command(other, 'agent.getTree', { run_id: 5 }), { error: 'no_such_run' });

  const third = randomUUID();
  await client.runs.wait((await client.threads.create({ threadId: third })).thread_id, 'echo', {
    input: { text: 'x' },
  });
  t.strictSame(
    (await command(third, 'agent.getTree')).result,
    { tree: { namespace: [], status: 'completed', graph_name: 'echo' } },
    'a run of the first protocol has no such events',
  );
});

t.test('strict_resume: ends the run with the open questions when an answer fits none', async (t) => {
  const threadId = randomUUID();
  await ended(threadId, await start(threadId, 'questions', {}));
  const events = await readEvents(server.url, threadId, { channels: ['input', 'lifecycle'] }, isEnd);
  const open = events
    .filter(({ method }) => method === 'input.requested')
    .map(({ params }) => params.data['interrupt_id'] as string)
    .sort();
  const unknown = '0'.repeat(32);
  await command(threadId, 'input.respond', { interrupt_id: unknown, response: 1, strict_resume: true });
  const after = await readEvents(server.url, threadId, { channels: ['lifecycle'], since: events.at(-1)!.seq }, isEnd);
  t.match(after.at(-1), {
    params: {
      data: {
        event: 'failed',
        reason: 'not_pending',
        interrupt_ids: [unknown],
        pending_ids: open,
        error: /Unknown or already-consumed interrupt/,
      },
    },
  });
  t.match(await client.threads.getState(threadId), { values: { answers: Empty } }, 'nothing was done');
  await command(threadId, 'input.respond', {
    responses: open.map((id) => ({ interrupt_id: id, response: 'yes' })),
    strict_resume: true,
  });
  await readEvents(server.url, threadId, { channels: ['lifecycle'], since: after.at(-1)!.seq }, isEnd);
  t.strictSame((await client.threads.getState<{ answers: string[] }>(threadId)).values.answers.at(-1), 'end');
});
