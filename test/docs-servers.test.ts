import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@langchain/langgraph-sdk';
import t from 'tap';
import { OWN, stepsOf } from './helpers/page-steps.js';
import { asShown, type RunOptions } from './helpers/pages.js';
import { ROOT, testServer } from './helpers/server.js';

const run = promisify(execFile);

t.test(
  'runs the commands of pages that start their own server, with the shown responses',
  { timeout: 280_000 },
  async (t) => {
    t.ok(
      OWN.includes('docs/quick-start.md') &&
        OWN.includes('docs/operations.md') &&
        OWN.includes('examples/human-in-the-loop/README.md'),
      OWN.join(', '),
    );
    const old = await testServer(t, { config: join(ROOT, 'examples', 'long-term-memory', 'langgraph.json') });
    const { thread_id: threadId } = await old.client.threads.create({ metadata: { topic: 'tea' } });
    await old.client.runs.wait(threadId, 'barista', {
      input: { messages: [{ role: 'user', content: 'I like tea.' }] },
    });
    const { id } = (await (await old.post('/api/v1/datasets', { name: 'capitals' })).json()) as { id: string };
    await old.post('/api/v1/examples/bulk', [
      { dataset_id: id, inputs: { country: 'Norway' }, outputs: { capital: 'Oslo' } },
      { dataset_id: id, inputs: { country: 'Portugal' }, outputs: { capital: 'Lisbon' } },
    ]);
    const options: RunOptions = { replace: { 'http://127.0.0.1:2024': old.url } };
    // Most of the time goes by while a server starts.
    t.jobs = 3;
    for (const page of OWN)
      void t.test(page, { buffered: true }, async (t) =>
        asShown(t, page, stepsOf(page), page.startsWith('examples/take-along') ? options : {}),
      );
  },
);

t.test('copies threads with their state, which continue', async (t) => {
  const config = join(ROOT, 'examples', 'long-term-memory', 'langgraph.json');
  const [from, to] = [await testServer(t, { config }), await testServer(t, { config })];
  const { thread_id: threadId } = await from.client.threads.create({ metadata: { topic: 'tea' } });
  await from.client.runs.wait(threadId, 'barista', { input: { messages: [{ role: 'user', content: 'I like tea.' }] } });
  await from.client.threads.create();
  const copy = async (): Promise<string> =>
    (
      await run(process.execPath, [join(ROOT, 'examples/take-along/copy-threads.mjs')], {
        env: { ...process.env, FROM: from.url, TO: to.url },
      })
    ).stdout;
  t.equal(await copy(), '2 threads copied, 0 left alone.\n');
  t.equal(await copy(), '0 threads copied, 0 left alone.\n', 'again: nothing is done twice');
  const texts = async (client: Client): Promise<string[]> =>
    (await client.threads.getState<{ messages: { content: string }[] }>(threadId)).values.messages.map(
      ({ content }) => content,
    );
  t.strictSame(await texts(to.client), await texts(from.client));
  t.match(await to.client.threads.get(threadId), { status: 'idle', metadata: { topic: 'tea', graph_id: 'barista' } });
  await to.client.runs.wait(threadId, 'barista', { input: { messages: [{ role: 'user', content: 'Good morning' }] } });
  t.strictSame((await texts(to.client)).slice(2), ['Good morning', 'What do you like?'], 'items are copied apart');
});
