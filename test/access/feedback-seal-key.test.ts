import t from 'tap';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo');

t.test('a feedback URL is valid under the sealing key that it was made with', async (t) => {
  const dataFolder = temporaryFolder(t);
  const before = await testServer(t, { dataFolder, config });
  const { thread_id: threadId } = await before.client.threads.create();
  const run = await before.client.runs.create(threadId, 'echo', { input: { text: 'x' }, feedbackKeys: ['k'] } as never);
  const { __feedback__: addresses } = (await before.client.runs.join(threadId, run.run_id)) as {
    __feedback__: { k: string };
  };
  const { pathname } = new URL(addresses.k);
  t.equal((await before.post(pathname, { score: 1 })).status, 200);
  await before.close(0);

  const other = await testServer(t, { dataFolder, config, env: { THREADMILL_SEAL_KEY: 'another key' } });
  t.equal((await other.post(pathname, { score: 1 })).status, 404);
  t.strictSame(await (await other.get(`/api/v1/feedback/tokens?run_id=${run.run_id}`)).json(), []);
});
