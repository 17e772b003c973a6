import t from 'tap';
import { tab } from '../helpers/browser.js';
import { configWith, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo', 'trouble');

t.test('shows load, queue and storage, and cancels a run', async (t) => {
  const server = await testServer(t, { config });
  const thread = await server.client.threads.create();
  const input = { input: { do: 'sleep', n: 60_000 } };
  const running = await server.client.runs.create(thread.thread_id, 'trouble', input);
  const waiting = await server.client.runs.create(thread.thread_id, 'trouble', {
    ...input,
    multitaskStrategy: 'enqueue',
  });
  const delayed = await server.client.runs.create((await server.client.threads.create()).thread_id, 'echo', {
    input: {},
    afterSeconds: 3_600,
  });
  const { page, open, accessible, picture, complaints } = await tab(t, server.url, { ownSession: true });

  await page.clock.install();
  await open('/server?details=open');
  await page.getByRole('row', { name: /^trouble 1 0 1/ }).waitFor();
  await page.getByText('front', { exact: true }).waitFor();
  // Lines appear with the second sample, two seconds after the first.
  await page.clock.fastForward(2_000);
  await page.locator('canvas').first().waitFor();
  await page.getByRole('img', { name: /^Requests per second: [2-9] values/ }).waitFor();
  await accessible('load');

  await page.getByRole('tab', { name: 'Queue' }).click();
  await page.getByRole('heading', { name: 'Queued: 2' }).waitFor();
  await page
    .getByRole('row', {
      name: new RegExp(`^${waiting.run_id} trouble Run ${running.run_id} of the same thread is executing`),
    })
    .waitFor();
  await page.getByRole('row', { name: new RegExp(`^${delayed.run_id} echo The run is delayed`) }).waitFor();
  await accessible('queue');
  await picture('server-queue');
  await page
    .getByRole('row', { name: new RegExp(`^${running.run_id} trouble graph-0`) })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
  await page.getByRole('row', { name: new RegExp(`^${waiting.run_id} trouble graph-0`) }).waitFor();
  t.equal((await server.client.runs.get(thread.thread_id, running.run_id)).status, 'interrupted');

  await page.getByRole('tab', { name: 'Storage' }).click();
  await page.getByRole('row', { name: /^Threads and their indexes/ }).waitFor();
  await accessible('storage');
  t.same(complaints, []);
});

t.test('creates and revokes API keys; the page uses the first key itself', async (t) => {
  const server = await testServer(t, { config });
  const { page, open, accessible, picture, complaints } = await tab(t, server.url);
  await open('/server?tab=keys');
  await page.getByText('No API keys').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('<script>document.title = "hostile"</script>');
  await accessible('new key');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const first = (await dialog.locator('code').textContent())!;
  t.match(first, /^tm_/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: /hostile.*Valid All/ }).waitFor();
  t.not(await page.title(), 'hostile');
  t.equal((await server.get('/server/keys')).status, 401, 'requests without a key are rejected');
  t.equal((await server.get('/server/keys', { headers: { 'x-api-key': first } })).status, 200);

  await page.getByRole('button', { name: 'New key' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('dashboard');
  await dialog.getByRole('button', { name: /Access/ }).click();
  await page.getByRole('option', { name: 'Read only' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  const second = (await dialog.locator('code').textContent())!;
  await dialog.getByRole('button', { name: 'Done' }).click();
  const own = { headers: { 'x-api-key': second } };
  t.equal((await server.get('/server/queue', own)).status, 200, 'the key can read');
  t.equal((await server.get('/server/keys', own)).status, 403, 'but not create keys');
  await picture('server-keys');

  await page.getByRole('button', { name: 'Revoke dashboard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row', { name: /dashboard Revoked/ }).waitFor();
  t.equal((await server.get('/server/queue', own)).status, 401);

  await page.reload();
  await page.getByRole('row', { name: /dashboard Revoked/ }).waitFor();
  const otherTab = await tab(t, server.url);
  await otherTab.page.goto(`${server.url}/console/server?tab=keys`);
  await otherTab.page.getByRole('dialog', { name: 'Authentication required' }).waitFor();
  await otherTab.accessible('authentication dialog');
  await otherTab.page.getByLabel('API key', { exact: true }).fill(first);
  await otherTab.page.getByRole('button', { name: 'Continue' }).click();
  await otherTab.page.getByRole('row', { name: /dashboard Revoked/ }).waitFor();
  t.same([...complaints, ...otherTab.complaints], []);
});
