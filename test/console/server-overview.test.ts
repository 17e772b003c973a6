import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { HISTOGRAM_BOUNDS } from '../../src/base/histogram.js';
import { Commit } from '../../src/store/store.js';
import { openStores } from '../../src/store/stores.js';
import { tab } from '../helpers/browser.js';
import { sideways } from '../helpers/in-page.js';
import { outcome, receiver, SOON } from '../helpers/receiver.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo');
const MINUTE_MS = 60_000;

/** Writes the history of a day: more runs at noon, and a few that fail. */
async function fillHistory(dataFolder: string): Promise<void> {
  const { store, history } = openStores(dataFolder, undefined);
  const nowMs = Date.now();
  const commit = new Commit();
  const counts = (bounds: readonly number[], share: (at: number) => number): number[] =>
    Array.from({ length: bounds.length + 1 }, (_, at) => Math.round(share(at)));
  for (let minute = 1; minute < 24 * 60; minute += 1) {
    const busy = 20 + 18 * Math.sin((minute / (24 * 60)) * 2 * Math.PI) + ((minute * 37) % 11);
    const failed = minute % 90 < 5 ? 2 : 0;
    history.add(commit, nowMs - minute * MINUTE_MS, {
      runsStarted: Math.round(busy),
      runsSucceeded: Math.round(busy) - failed,
      runsFailed: failed,
      runsInterrupted: 0,
      queueWaits: counts(HISTOGRAM_BOUNDS.queue, (at) => busy / (1 + Math.abs(at - 3) ** 2)),
      runDurations: counts(HISTOGRAM_BOUNDS.run, (at) => busy / (1 + Math.abs(at - 6) ** 2)),
      requests: Math.round(busy * 4),
      requestsFailed: 0,
      cpuSeconds: busy / 1.5,
      runsQueued: Math.max(0, Math.round(busy) - 35),
      runsRunning: Math.round(busy / 4),
      workers: 2,
      workersBusy: 2,
      memoryBytes: (300 + busy) * 2 ** 20,
      storageBytes: (80 - minute / 100) * 2 ** 20,
    });
  }
  await store.write(commit);
  await store.close();
}

t.test('the page of the server', async (t) => {
  const dataFolder = temporaryFolder(t);
  await fillHistory(dataFolder);
  const server = await testServer(t, { config, dataFolder, env: SOON });
  let isOpen = false;
  const hooks = await receiver(t, () => (isOpen ? 200 : 500));

  await t.test('says that all is well, with charts of the last day', async (t) => {
    const { page, open, accessible, picture, complaints } = await tab(t, server.url, { height: 1_100 });
    await open('/server');
    await page.getByRole('status').getByText('All is well.').waitFor();
    await page.getByText(/runs ended in the last hour/).waitFor();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByRole('img', { name: /^Runs that ended, each 20 minutes: [\d,]+, [\d.]+ % failed/ }).waitFor();
    await history.locator('canvas').nth(7).waitFor();
    await accessible('light');
    await picture('server');
    await history.getByRole('button', { name: 'Last 24 hours' }).click();
    await page.getByRole('option', { name: 'Last 7 days' }).click();
    await page.waitForURL(/time=week/);
    await history.getByRole('img', { name: /^Runs that ended, each 2 hours/ }).waitFor();
    t.same(complaints, []);

    const narrow = await tab(t, server.url, { width: 390, dark: true });
    await narrow.open('/server');
    await narrow.page.getByRole('region', { name: 'History' }).locator('canvas').nth(7).waitFor();
    t.equal(await sideways(narrow.page), 0);
    await narrow.accessible('dark at 390 px');
    t.same(narrow.complaints, []);
  });

  await t.test('makes a backup and shows when', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open('/server?tab=backups');
    await page.getByText('None yet').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Make a backup' }).click(),
    ]);
    t.match(download.suggestedFilename(), /^threadmill-\d{4}-\d\d-\d\d\.backup$/);
    await page.getByText('just now').waitFor();
    const { last } = (await (await server.get('/server/backup')).json()) as { last: { bytes: number } };
    t.equal(statSync(await download.path()).size, last.bytes);
    await accessible('backups');
    t.same(complaints, []);
  });

  await t.test('shows the schedule of backups and its files', async (t) => {
    const folder = temporaryFolder(t);
    const config = configWith(t, 'echo');
    const backups = { schedule: '30 4 * * *', timezone: 'Europe/Berlin', folder, keep: 3 };
    writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), backups }));
    const scheduled = await testServer(t, { config });
    const { page, open, accessible, picture, complaints } = await tab(t, scheduled.url);
    await open('/server?tab=backups');
    await page.getByText('04:30 (Europe/Berlin)').waitFor();
    await page.getByText('The newest 3').waitFor();
    await page.getByText(folder).waitFor();
    while (!readdirSync(folder).some((name) => name.endsWith('.backup'))) await setTimeout(20);
    await page.reload();
    await page.getByRole('rowheader', { name: readdirSync(folder)[0]! }).waitFor();
    t.match(await page.getByText('Next', { exact: true }).locator('..').innerText(), /in \d+ (min|h)|Being made now/);
    await accessible('schedule of backups');
    await picture('server-backups');
    t.same(complaints, []);
  });

  await t.test('leaves out what the key may not read', async (t) => {
    const { page, open, complaints } = await tab(t, server.url);
    for (const path of ['**/metrics?*', '**/server/history?*'])
      await page.route(path, (route) => route.fulfill({ status: 403, json: { detail: 'Not authorized: no scope' } }));
    await open('/server');
    await page.getByRole('alert').getByText('Not authorized: no scope').first().waitFor();
    t.equal(await page.getByText('All is well.').count(), 0);
    t.same(complaints, []);
  });

  await t.test('names what is wrong, and sends a failed webhook again', async (t) => {
    const { thread_id: threadId } = await server.client.threads.create();
    const url = `${hooks.url}/orders?<b>bold</b>`;
    const { run_id: runId } = await server.client.runs.create(threadId, 'echo', { input: { text: 'x' }, webhook: url });
    await outcome(server, threadId, runId);
    const { page, open, accessible, picture, complaints } = await tab(t, server.url);
    await open('/server');
    await page.getByRole('status').getByText('1 webhook could not be delivered in the last 24 hours.').waitFor();
    await page.getByRole('link', { name: 'Show the deliveries' }).click();
    const row = page.getByRole('row', { name: /Failed.*bold.*Last attempt: the answer was 500/ });
    await row.waitFor();
    await accessible('webhooks');
    await picture('server-webhooks');
    isOpen = true;
    await row.getByRole('button', { name: /^Send again/ }).click();
    await page.getByText('No delivery has this status').waitFor();
    await page.getByRole('button', { name: /^Failed/ }).click();
    await page.getByRole('option', { name: 'All' }).click();
    await page.getByRole('row', { name: /Delivered.*Answered 200/ }).waitFor();
    t.match(hooks.received.at(-1)!.json, { run_id: runId, values: { text: 'x' } });
    t.same(complaints, []);
  });
});
