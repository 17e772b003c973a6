import { chmodSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, ThreadState } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import { childServer } from '../helpers/child-server.js';
import { cli } from '../helpers/cli.js';
import { ROOT, temporaryFolder } from '../helpers/server.js';
import { wallClock } from '../helpers/wall-clock.js';

type Said = { messages: { content: string }[] };

const questions = ({ values }: ThreadState): string[] => (values as Said).messages.map(({ content }) => content).filter((content) => !content.startsWith('answer'));

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

for (const [jump, back] of [['+60s', '+0s'], ['+1d', '+0s'], ['+0s', '-1d']] as const) {
  t.test(`state written at ${jump} is not hidden, and hides nothing, at ${back}: in one life of the server and over a restart`, async (t) => {
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
      const page = await client.threads.getHistory(threadId, { limit: 2, ...(before === undefined ? {} : { before: { configurable: before } }) });
      paged.push(...page);
      if (page.length < 2) break;
      before = page.at(-1)!.checkpoint;
    }
    t.strictSame(paged.map(({ checkpoint }) => checkpoint), history.map(({ checkpoint }) => checkpoint));
    for (const [at, { parent_checkpoint: parent }] of history.entries()) t.equal(parent?.checkpoint_id, history[at + 1]?.checkpoint.checkpoint_id, 'a parent comes right behind its child');

    // A fork from an old state, made at the wrong time, is the newest state too.
    const first = history.find((state) => questions(state).join() === 'before')!;
    await client.runs.wait(threadId, 'chat', { input: { messages: [{ role: 'user', content: 'forked' }] }, checkpoint: first.checkpoint, raiseError: true });
    t.strictSame(await heard(t, client, threadId), ['before', 'forked']);
    const state = await client.threads.getState(threadId, history[0]!.checkpoint);
    t.strictSame(questions(state), ['before', 'after', 'forwards', 'restarted', 'updated'], 'an old state is found by its id');

    // What copies, thins, exports and checks the thread goes by the same order.
    const copy = await client.threads.copy(threadId) as unknown as { thread_id: string };
    t.strictSame(await heard(t, client, copy.thread_id), ['before', 'forked']);
    await client.threads.prune([copy.thread_id], { strategy: 'keep_latest' });
    t.strictSame(await heard(t, client, copy.thread_id), ['before', 'forked']);
    t.equal((await client.threads.getHistory(copy.thread_id)).length, 1);
    const exported = await (await fetch(`${server.url}/threads/${threadId}/export`)).text();
    const imported = await fetch(`${server.url}/threads/import?new_id=true`, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: exported });
    t.equal(imported.status, 200, await imported.clone().text());
    t.strictSame(await heard(t, client, ((await imported.json()) as { thread_id: string }).thread_id), ['before', 'forked']);
    await server.kill('SIGTERM');
    const looked = await cli(['doctor', '--store', '--data', dataFolder, '--json']);
    t.match(JSON.parse(looked.stdout), { problems: 0 });
  });
}

t.test('a folder of an earlier release, with state that a clock has hidden, is repaired by its upgrade', async (t) => {
  // Release 0.2.0: "before" was said at +60 s, "one" and "two" after a restart at the right time. Both were answered with 200.
  const saved = join(ROOT, 'test', 'store', 'skewed-clock');
  const dataFolder = temporaryFolder(t);
  for (const name of ['data.mdb', 'seal.key']) cpSync(join(saved, name), join(dataFolder, name));
  chmodSync(join(dataFolder, 'seal.key'), 0o600);
  const threadId = readFileSync(join(saved, 'thread-id.txt'), 'utf8').trim();
  const server = await childServer(t, { dataFolder });
  t.strictSame(await heard(t, server.client, threadId), ['before', 'two'], 'the last acknowledged state is the newest');
  const history = await server.client.threads.getHistory(threadId, { limit: 100 });
  t.ok(history.some((state) => questions(state).join() === 'before,one'), 'and the other one is in the history');
  await say(server.client, threadId, 'three');
  t.strictSame(await heard(t, server.client, threadId), ['before', 'two', 'three']);
  await server.kill('SIGTERM');
  const looked = await cli(['doctor', '--store', '--data', dataFolder, '--json']);
  t.match(JSON.parse(looked.stdout), { problems: 0 });
});
