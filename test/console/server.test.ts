import t from 'tap';
import { browserFor, tab } from '../helpers/browser.js';
import { configWith, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo', 'trouble');
const browser = browserFor(t);

t.test('what the server does, and what waits for what', async (t) => {
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
  const { page, open, accessible, picture, complaints } = await tab(t, await browser, server.url);

  await open('/server');
  await page.getByRole('row', { name: /^trouble 1 0 1/ }).waitFor();
  await page.getByText('front', { exact: true }).waitFor();
  // The second look at the figures makes lines of them.
  await page.locator('canvas').first().waitFor();
  await page.getByRole('img', { name: /^Requests a second: [2-9] figures/ }).waitFor();
  await accessible('load');
  await picture('server');

  await page.getByRole('tab', { name: 'Queue' }).click();
  await page.getByRole('heading', { name: 'Waiting: 2' }).waitFor();
  await page
    .getByRole('row', { name: new RegExp(`^${waiting.run_id} trouble Run ${running.run_id} of its thread executes`) })
    .waitFor();
  await page.getByRole('row', { name: new RegExp(`^${delayed.run_id} echo The run is delayed`) }).waitFor();
  await accessible('queue');
  await picture('server-queue');
  await page
    .getByRole('row', { name: new RegExp(`^${running.run_id} trouble graph-0`) })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByRole('row', { name: new RegExp(`^${waiting.run_id} trouble graph-0`) }).waitFor();
  t.equal((await server.client.runs.get(thread.thread_id, running.run_id)).status, 'interrupted');

  await page.getByRole('tab', { name: 'Storage' }).click();
  await page.getByRole('row', { name: /^Threads, and how they are found/ }).waitFor();
  await accessible('storage');
  t.same(complaints, []);
});

t.test('keys: the first one shuts the door, and this page stays inside', async (t) => {
  const server = await testServer(t, { config });
  const { page, open, accessible, picture, complaints } = await tab(t, await browser, server.url);
  await open('/server?tab=keys');
  await page.getByText('There is no key.').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('<script>document.title = "hostile"</script>');
  await accessible('new key');
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  const first = (await dialog.locator('code').textContent())!;
  t.match(first, /^tm_/);
  await dialog.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('row', { name: /hostile.*valid everything/ }).waitFor();
  t.not(await page.title(), 'hostile');
  t.equal((await server.get('/server/keys')).status, 401, 'nobody is served without a key');
  t.equal((await server.get('/server/keys', { headers: { 'x-api-key': first } })).status, 200);

  await page.getByRole('button', { name: 'New key' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('dashboard');
  await dialog.getByRole('button', { name: /May do/ }).click();
  await page.getByRole('option', { name: 'Read everything, change nothing' }).click();
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  const second = (await dialog.locator('code').textContent())!;
  await dialog.getByRole('button', { name: 'I have it' }).click();
  const own = { headers: { 'x-api-key': second } };
  t.equal((await server.get('/server/queue', own)).status, 200, 'it reads');
  t.equal((await server.get('/server/keys', own)).status, 403, 'and makes no keys');
  await picture('server-keys');

  await page.getByRole('button', { name: 'Revoke dashboard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByRole('row', { name: /dashboard revoked/ }).waitFor();
  t.equal((await server.get('/server/queue', own)).status, 401);

  await page.reload();
  await page.getByRole('row', { name: /dashboard revoked/ }).waitFor();
  const stranger = await tab(t, await browser, server.url);
  await stranger.page.goto(`${server.url}/console/server?tab=keys`);
  await stranger.page.getByRole('dialog', { name: 'This server asks for a key' }).waitFor();
  await stranger.accessible('asked for a key');
  await stranger.page.getByLabel('API key', { exact: true }).fill(first);
  await stranger.page.getByRole('button', { name: 'Go on' }).click();
  await stranger.page.getByRole('row', { name: /dashboard revoked/ }).waitFor();
  t.same([...complaints, ...stranger.complaints], []);
});
