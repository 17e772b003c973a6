import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { Commit } from '../../src/store/store.js';
import { openStores } from '../../src/store/stores.js';
import { tab } from '../helpers/browser.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { incompressible } from '../helpers/incompressible.js';
import { sideways } from '../helpers/in-page.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

const DAY_MS = 24 * 3_600_000;
const config = configWith(t, 'chat', 'nested');

/** Profiles of the last 30 days, of a state that grew. */
async function fillProfiles(dataFolder: string, threadId: string): Promise<void> {
  const { store, stateProfiles } = openStores(dataFolder, undefined);
  const nowMs = Date.now();
  for (let day = 30; day > 0; day -= 1) {
    const commit = new Commit();
    const bytes = 150_000 - day * 4_000;
    stateProfiles.put(commit, {
      atMs: nowMs - day * DAY_MS,
      bytes,
      threads: 3,
      largest: [[threadId, bytes / 2]],
      owners: [['ada', bytes / 2]],
      graphs: [['chat', bytes]],
      channels: [['messages', bytes / 2]],
      namespaces: [['', bytes]],
    });
    await store.write(commit);
  }
  await store.close();
}

t.test('shows what takes the space, and what has grown', async (t) => {
  const dataFolder = temporaryFolder(t);
  const filled = await testServer(t, { config, dataFolder, clock: new FakeClock(Date.now() - 40 * DAY_MS) });
  const { threads, runs } = filled.client;
  const large = await threads.create({ metadata: { owner: 'ada', title: 'A long trip through Portugal' } });
  const text = (length: number): string => Array.from({ length }, (_, n) => `place ${n}`).join(' ');
  const say = (content: string): Record<string, unknown> => ({ messages: [{ role: 'user', content }] });
  for (let turn = 0; turn < 4; turn += 1)
    await runs.wait(large.thread_id, 'chat', { input: say(`${turn} ${incompressible(30_000)}`) });
  for (let n = 0; n < 12; n += 1) {
    const { thread_id: id } = await threads.create({ metadata: n % 3 === 0 ? {} : { owner: 'bob' } });
    await runs.wait(id, 'chat', { input: say(text(50 + n * 10)) });
  }
  const nested = await threads.create({ metadata: { owner: 'ada' } });
  await runs.wait(nested.thread_id, 'nested', { input: { question: 'why' } });
  await filled.close(0);
  await fillProfiles(dataFolder, large.thread_id);

  const budget = { thread_bytes: '100KB', on_exceed: 'refuse' };
  writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), state_budget: budget }));
  const server = await testServer(t, { config, dataFolder });
  const { page, open, accessible, picture, complaints } = await tab(t, server.url, { height: 1_900 });
  await open('/server?tab=storage');
  const state = page.getByRole('region', { name: 'State of threads' });
  await state.getByText(/^1 thread is over the budget of 97.7 KiB. New runs and updates of it are refused/).waitFor();
  await state.getByText(/KiB in 14 threads$/).waitFor();
  await state.getByText('97.7 KiB, then new runs are refused').waitFor();
  t.match(await state.getByText('Since yesterday').locator('..').innerText(), /\+[\d.]+ KiB compared with 24 h ago/);
  await state.getByRole('img', { name: /^Size of all states by day: 31 values/ }).waitFor();

  const largest = page.getByRole('region', { name: 'Largest threads' }).first();
  t.match(
    await largest.getByRole('row').nth(1).innerText(),
    /^A long trip through Portugal\s+Over budget\s+chat\s+ada/,
  );
  t.equal(await largest.getByRole('row').count(), 11);
  await largest.getByRole('button', { name: 'Show 14' }).click();
  t.equal(await largest.getByRole('row').count(), 15);

  const growing = page.getByRole('region', { name: 'Fastest growing threads' }).first();
  t.match(
    await growing.getByRole('row').nth(1).innerText(),
    /^A long trip through Portugal\s+\+[\d.]+ KiB\s+[\d.]+ KiB$/,
  );
  const ofDay = await growing.getByRole('row').nth(1).innerText();
  await growing.getByRole('button', { name: 'Since yesterday' }).click();
  await page.getByRole('option', { name: 'Since last week' }).click();
  t.not(await growing.getByRole('row').nth(1).innerText(), ofDay, 'it has grown by more in a week');

  await page.getByRole('row', { name: /^ada 2 [\d.]+ KiB \+[\d.]+ KiB$/ }).waitFor();
  await page.getByRole('row', { name: /^No owner 4 / }).waitFor();
  await page.getByRole('row', { name: /^messages 13 / }).waitFor();
  await page.getByRole('row', { name: /^Inputs of runs \(__start__\) 14 / }).waitFor();
  await page.getByRole('row', { name: /^inner 1 / }).waitFor();
  await page.getByRole('row', { name: /^Main graph 14 / }).waitFor();
  await page.getByRole('row', { name: /^States: checkpoints/ }).waitFor();
  await accessible('storage');
  await picture('server-storage');
  await page.getByRole('link', { name: 'A long trip through Portugal' }).first().click();
  await page.waitForURL(new RegExp(`/threads/${large.thread_id}`));
  t.same(complaints, []);

  const narrow = await tab(t, server.url, { width: 390, dark: true });
  await narrow.open('/server?tab=storage');
  await narrow.page.getByRole('row', { name: /^States: checkpoints/ }).waitFor();
  t.equal(await sideways(narrow.page), 0);
  await narrow.accessible('dark at 390 px');
  await narrow.picture('server-storage-narrow');
  t.same(narrow.complaints, []);
});

t.test('says what is not known on an empty server', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'chat') });
  const { page, open, accessible, complaints } = await tab(t, server.url);
  await open('/server?tab=storage');
  await page.getByText('No thread has a state yet').waitFor();
  await page.getByText('Not known yet').waitFor();
  await page.getByText('0 B in 0 threads').waitFor();
  await accessible('empty');
  t.same(complaints, []);
});
