import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, ThreadState } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import { childServer } from '../helpers/child-server.js';
import { cli } from '../helpers/cli.js';
import { ROOT, temporaryFolder } from '../helpers/server.js';
import { wallClock } from '../helpers/wall-clock.js';

type Said = { messages: { content: string }[] };

const questions = ({ values }: ThreadState): string[] =>
  (values as Said).messages.map(({ content }) => content).filter((content) => !content.startsWith('answer'));

async function say(client: Client, threadId: string, content: string): Promise<void> {
  await client.runs.wait(threadId, 'chat', { input: { messages: [{ role: 'user', content }] }, raiseError: true });
}

/** What was said, as every way to read it has it. */
async function heard(t: Test, client: Client, threadId: string): Promise<string[]> {
  const state = await client.threads.getState(threadId);
  const [newest] = await client.threads.getHistory(threadId, { limit: 1 });
  const thread = await client.threads.get(threadId);
  t.equal(newest!.checkpoint.checkpoint_id, state.checkpoint.checkpoint_id);
  t.strictSame((thread.values as Said).messages.length, (state.values as Said).messages.length);
  return questions(state);
}

for (const [jump, back] of [
  ['+60s', '+0s'],
  ['+1d', '+0s'],
  ['+0s', '-1d'],
] as const) {
  t.test(
    `state written at ${jump} is not hidden, and hides nothing, at ${back}: in one life of the server and over a restart`,
    async (t) => {
      const dataFolder = temporaryFolder(t);
      const clock = wallClock(dataFolder);
      const start = (): ReturnType<typeof childServer> => childServer(t, { dataFolder, env: clock.env });
      clock.set(jump);
      let server = await start();
      const { thread_id: threadId } = await server.client.threads.create();
      await say(server.client, threadId, 'before');
      clock.set(back);
      await say(server.client, threadId, 'after');
      t.strictSame(await heard(t, server.client, threadId), ['before', 'after'], 'a warm worker');
      clock.set(jump);
      await say(server.client, threadId, 'forwards');
      await server.kill('SIGTERM');

      clock.set(back);
      server = await start();
      const { client } = server;
      t.strictSame(await heard(t, client, threadId), ['before', 'after', 'forwards']);
      await say(client, threadId, 'restarted');
      await client.threads.updateState(threadId, { values: { messages: [{ role: 'user', content: 'updated' }] } });
      t.strictSame(await heard(t, client, threadId), ['before', 'after', 'forwards', 'restarted', 'updated']);

      // History has them in the order in which they were made, and every page of it goes on where the last one ended.
      const history = await client.threads.getHistory(threadId, { limit: 100 });
      const paged: ThreadState[] = [];
      for (let before: ThreadState['checkpoint'] | undefined; ;) {
        const page = await client.threads.getHistory(threadId, {
          limit: 2,
          ...(before === undefined ? {} : { before: { configurable: before } }),
        });
        paged.push(...page);
        if (page.length < 2) break;
        before = page.at(-1)!.checkpoint;
      }
      t.strictSame(
        paged.map(({ checkpoint }) => checkpoint),
        history.map(({ checkpoint }) => checkpoint),
      );
      for (const [at, { parent_checkpoint: parent }] of history.entries())
        t.equal(
          parent?.checkpoint_id,
          history[at + 1]?.checkpoint.checkpoint_id,
          'a parent comes right behind its child',
        );

      // A fork from an old state, made at the wrong time, is the newest state too.
      const first = history.find((state) => questions(state).join() === 'before')!;
      await client.runs.wait(threadId, 'chat', {
        input: { messages: [{ role: 'user', content: 'forked' }] },
        checkpoint: first.checkpoint,
        raiseError: true,
      });
      t.strictSame(await heard(t, client, threadId), ['before', 'forked']);
      const state = await client.threads.getState(threadId, history[0]!.checkpoint);
      t.strictSame(
        questions(state),
        ['before', 'after', 'forwards', 'restarted', 'updated'],
        'an old state is found by its id',
      );

      // What copies, thins, exports and checks the thread goes by the same order.
      const copy = (await client.threads.copy(threadId)) as unknown as { thread_id: string };
      t.strictSame(await heard(t, client, copy.thread_id), ['before', 'forked']);
      await client.threads.prune([copy.thread_id], { strategy: 'keep_latest' });
      t.strictSame(await heard(t, client, copy.thread_id), ['before', 'forked']);
      t.equal((await client.threads.getHistory(copy.thread_id)).length, 1);
      const exported = await (await fetch(`${server.url}/threads/${threadId}/export`)).text();
      const imported = await fetch(`${server.url}/threads/import?new_id=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: exported,
      });
      t.equal(imported.status, 200, await imported.clone().text());
      t.strictSame(await heard(t, client, ((await imported.json()) as { thread_id: string }).thread_id), [
        'before',
        'forked',
      ]);
      await server.kill('SIGTERM');
      const looked = await cli(['doctor', '--store', '--data', dataFolder, '--json']);
      t.match(JSON.parse(looked.stdout), { problems: 0 });
    },
  );
}

t.test('repairs a folder of an earlier release whose states a clock has hidden', async (t) => {
  // Release 0.2.0: "before" was said at +60 s, "one" and "two" after a restart at the right time. Both were answered
  // with 200.
  const saved = join(ROOT, 'test', 'store', 'skewed-clock');
  const dataFolder = temporaryFolder(t);
  for (const name of ['data.mdb', 'seal.key']) cpSync(join(saved, name), join(dataFolder, name));
  chmodSync(join(dataFolder, 'seal.key'), 0o600);
  const threadId = readFileSync(join(saved, 'thread-id.txt'), 'utf8').trim();
  const server = await childServer(t, { dataFolder });
  t.strictSame(await heard(t, server.client, threadId), ['before', 'two'], 'the last acknowledged state is the newest');
  const history = await server.client.threads.getHistory(threadId, { limit: 100 });
  t.ok(
    history.some((state) => questions(state).join() === 'before,one'),
    'and the other one is in the history',
  );
  await say(server.client, threadId, 'three');
  t.strictSame(await heard(t, server.client, threadId), ['before', 'two', 'three']);
  await server.kill('SIGTERM');
  const looked = await cli(['doctor', '--store', '--data', dataFolder, '--json']);
  t.match(JSON.parse(looked.stdout), { problems: 0 });
});

t.test('keeps the order of states when the clock jumps during a run', async (t) => {
  const dataFolder = temporaryFolder(t);
  const clock = wallClock(dataFolder);
  const { client, kill } = await childServer(t, { dataFolder, env: clock.env });
  for (const [at, jump] of ['-1d', '+60s', '+1d', '-60s'].entries()) {
    clock.set('+0s');
    const gate = join(dataFolder, `gate-${at}`);
    const { thread_id: threadId } = await client.threads.create();
    const run = await client.runs.create(threadId, 'ticker', { input: { gate } });
    while (!existsSync(`${gate}.reached`))
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    clock.set(jump);
    writeFileSync(gate, '');
    await client.runs.join(threadId, run.run_id);
    const state = await client.threads.getState(threadId);
    t.equal(typeof (state.values as { ticks?: number }).ticks, 'number', `${jump}: the state is that after the jump`);
    t.strictSame(state.next, []);
    const history = await client.threads.getHistory(threadId);
    t.strictSame(
      history.map(({ metadata }) => (metadata as { step: number }).step),
      [1, 0, -1],
    );
    t.match(await client.runs.get(threadId, run.run_id), { status: 'success' });
    t.match(await client.threads.get(threadId), { status: 'idle' });
  }
  await kill('SIGTERM');
});

t.test('applies changes after the clock went back by a day: items, feedback, examples, assistants', async (t) => {
  const dataFolder = temporaryFolder(t);
  const clock = wallClock(dataFolder);
  clock.set('+1d');
  const first = await childServer(t, { dataFolder, env: clock.env });
  const asker =
    (url: string) =>
    async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
      const init =
        body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const answer = await fetch(`${url}${path}`, { method, ...init });
      const text = await answer.text();
      t.ok(answer.ok, `${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
      return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    };
  let ask = asker(first.url);
  await ask('PUT', '/store/items', { namespace: ['a'], key: 'k', value: { n: 1 } });
  const dataset = await ask('POST', '/api/v1/datasets', { name: 'd' });
  const example = await ask('POST', '/api/v1/examples', { dataset_id: dataset['id'], inputs: { n: 1 } });
  const upload = await ask('POST', '/api/v1/datasets/upload-experiment', {
    experiment_name: 'e',
    dataset_name: 'other',
    experiment_start_time: '2026-01-01T00:00:00Z',
    experiment_end_time: '2026-01-01T00:01:00Z',
    results: [
      {
        row_id: '8f1c6b9e-3d0a-4a57-9e51-0c8a35f7d201',
        inputs: {},
        actual_outputs: {},
        start_time: '2026-01-01T00:00:01Z',
        end_time: '2026-01-01T00:00:02Z',
      },
    ],
  });
  const feedback = await ask('POST', '/api/v1/feedback', {
    session_id: (upload['experiment'] as { id: string }).id,
    key: 'tone',
    score: 0,
  });
  const assistant = await ask('POST', '/assistants', { graph_id: 'chat', name: 'one' });
  await first.kill('SIGTERM');

  clock.set('+0s');
  const second = await childServer(t, { dataFolder, env: clock.env });
  ask = asker(second.url);
  await ask('PUT', '/store/items', { namespace: ['a'], key: 'k', value: { n: 2 } });
  t.match(await ask('GET', '/store/items?namespace=a&key=k'), { value: { n: 2 } });
  t.match(await ask('POST', '/store/items/search', { namespace_prefix: ['a'] }), { items: [{ value: { n: 2 } }] });
  await ask('PATCH', `/api/v1/examples/${String(example['id'])}`, { inputs: { n: 2 } });
  t.match(await ask('GET', `/api/v1/examples/${String(example['id'])}`), { inputs: { n: 2 } });
  t.match(await ask('GET', `/api/v1/examples?dataset=${String(dataset['id'])}`), [{ inputs: { n: 2 } }]);
  await ask('PATCH', `/api/v1/feedback/${String(feedback['id'])}`, { score: 1 });
  t.match(await ask('GET', `/api/v1/feedback/${String(feedback['id'])}`), { score: 1 });
  await ask('PATCH', `/assistants/${String(assistant['assistant_id'])}`, { name: 'two' });
  t.match(await ask('GET', `/assistants/${String(assistant['assistant_id'])}`), { name: 'two', version: 2 });
  await second.kill('SIGTERM');
  const looked = await cli(['doctor', '--store', '--data', dataFolder, '--json']);
  t.match(JSON.parse(looked.stdout), { problems: 0 });
});
