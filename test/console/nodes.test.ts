import t from 'tap';
import { tab } from '../helpers/browser.js';
import { startTestNode, until } from '../helpers/cluster.js';
import { TestPostgres } from '../helpers/postgres.js';
import { configWith, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo');

t.test('shows the nodes of a cluster, drains one and puts it back', async (t) => {
  const postgres = await TestPostgres.start(t, ['fsync=on']);
  const url = await postgres.createDatabase();
  const start = (name: string) => startTestNode(t, { config, url, env: { THREADMILL_NODE_NAME: name } });
  const first = await start('node-1');
  await first.owner;
  await start('node-2');
  const third = await start('node-3');
  for (let count = 0; count < 3; count += 1) await third.client.threads.create();

  const { page, open, accessible, picture, complaints } = await tab(t, third.url, { width: 1_440, height: 900 });
  await open('/server');
  await page.getByRole('tab', { name: 'Nodes' }).click();
  await page.getByRole('heading', { name: '3 nodes' }).waitFor();
  await page.getByRole('row', { name: /^node-1 Owner Active 0 1 / }).waitFor();
  await page.getByRole('row', { name: /^node-2 Standby Active 0 1 Up to date just now / }).waitFor();
  await page.getByText('Answers all requests and stores all changes.').waitFor();
  await accessible('nodes');

  await page.getByRole('button', { name: 'Drain node-2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Drain node-2?' });
  await dialog.getByText('those that it executes go on until they end').waitFor();
  await accessible('drain');
  await dialog.getByRole('button', { name: 'Drain' }).click();
  await page.getByRole('row', { name: /^node-2 Standby Drained / }).waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await picture('server-nodes');
  for (const [width, dark] of [
    [390, false],
    [390, true],
    [1_440, true],
  ] as const) {
    const other = await tab(t, third.url, { width, height: 900, dark });
    await other.open('/server?tab=nodes');
    await other.page.getByRole('row', { name: /^node-2 Standby Drained / }).waitFor();
    await other.accessible(`${width} px, ${dark ? 'dark' : 'light'}`);
    const overflow = await other.page.evaluate('document.documentElement.scrollWidth - innerWidth');
    t.ok((overflow as number) <= 0, `${width} px wide is enough`);
    if (process.env['SCREENSHOTS'] === '1')
      await other.page.screenshot({ path: `/tmp/nodes-${width}-${dark ? 'dark' : 'light'}.png`, fullPage: true });
  }

  await page.getByRole('button', { name: 'Put back node-2' }).click();
  await page.getByRole('row', { name: /^node-2 Standby Active / }).waitFor();

  // The owner hands over, and the page goes on.
  await page.getByRole('button', { name: 'Drain node-1' }).click();
  const ofOwner = page.getByRole('dialog', { name: 'Drain node-1?' });
  await ofOwner.getByText('another node becomes the owner').waitFor();
  await ofOwner.getByRole('button', { name: 'Drain' }).click();
  await page.getByRole('row', { name: /^node-1 Standby Drained / }).waitFor();
  await until(() => !first.isOwner());
  t.same(complaints, []);
});

t.test('shows no buttons to a key without the scope, and no nodes without a cluster', async (t) => {
  const postgres = await TestPostgres.start(t);
  const url = await postgres.createDatabase();
  const node = await startTestNode(t, { config, url });
  await node.owner;
  const create = async (body: object, headers: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`${node.url}/server/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { key: string }).key;
  };
  const all = await create({ name: 'all' });
  const reader = await create({ name: 'reader', scopes: ['read'] }, { 'x-api-key': all });
  for (const [key, buttons] of [
    [all, 1],
    [reader, 0],
  ] as const) {
    const { page } = await tab(t, node.url);
    await page.goto(`${node.url}/console/server?tab=nodes`);
    await page.getByRole('dialog', { name: 'Authentication required' }).waitFor();
    await page.getByLabel('API key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: '1 node' }).waitFor();
    t.equal(await page.getByRole('button', { name: /^Drain / }).count(), buttons);
  }

  const server = await testServer(t, { config });
  const { page, open } = await tab(t, server.url);
  await open('/server');
  await page.getByText(/^Threadmill \d/).waitFor();
  t.equal(await page.getByRole('tab', { name: 'Nodes' }).count(), 0);
});
