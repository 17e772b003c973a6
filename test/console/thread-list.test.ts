import t from 'tap';
import { tab } from '../helpers/browser.js';
import { focused, rows, sideways } from '../helpers/in-page.js';
import { until } from '../helpers/page-until.js';
import { Gate } from '../helpers/gate.js';
import { temporaryFolder, testServer, TEST_GRAPHS } from '../helpers/server.js';

t.test('the list of threads', async (t) => {
  const folder = temporaryFolder(t);
  const { client, url } = await testServer(t, { config: TEST_GRAPHS });
  const { threads, runs } = client;
  for (let at = 0; at < 6; at += 1)
    await threads.create({ metadata: { title: `Order ${at}`, team: at < 3 ? 'blue' : 'green' } });

  await t.test('keeps chosen columns and named filters in the browser', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, url);
    await open('/threads?metadata=team%3Dblue');
    await rows(page, 3);
    await page.getByRole('button', { name: 'Columns' }).click();
    const panel = page.getByRole('dialog', { name: 'Columns' });
    await panel.getByText('Owner').click();
    await panel.getByRole('textbox', { name: 'Column of metadata' }).fill('team');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'blue' }).nth(2).waitFor({ state: 'attached' });
    await accessible('the columns');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save filters' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Blue <b>team</b>');
    await page.keyboard.press('Enter');
    const saved = page.getByRole('navigation', { name: 'Saved filters' });
    await saved.getByRole('link', { name: 'Blue <b>team</b>' }).and(saved.locator('[aria-current]')).waitFor();
    t.equal(await page.getByRole('button', { name: 'Save filters' }).count(), 0, 'they are saved');

    await open('/threads');
    await rows(page, 6);
    t.same(await page.getByRole('columnheader').allInnerTexts(), [
      'Select all threads on this page\nThread',
      'Status',
      'Graph',
      'team',
      'Updated',
    ]);
    await saved.getByRole('link', { name: 'Blue <b>team</b>' }).click();
    await rows(page, 3);
    t.equal(new URL(page.url()).searchParams.get('metadata'), 'team=blue');
    await accessible('the list');
    await page.getByRole('button', { name: 'Remove saved filter Blue <b>team</b>' }).click();
    await saved.waitFor({ state: 'detached' });
    t.same(complaints, []);
  });

  await t.test('selects ranges with mouse and keys, and a double click selects a word', async (t) => {
    const { page, open, complaints } = await tab(t, url);
    await open('/threads?sort=created_at.asc');
    await rows(page, 6);
    const row = (at: number) => page.getByRole('row').filter({ hasText: `Order ${at}` });
    const selected = (count: number): Promise<void> => page.getByText(`${count} selected`, { exact: true }).waitFor();
    await row(1).locator('label').click();
    await row(4)
      .locator('label')
      .click({ modifiers: ['Shift'] });
    await selected(4);
    await row(5)
      .getByRole('cell')
      .nth(1)
      .click({ modifiers: ['Shift'] });
    await selected(5);
    t.equal(new URL(page.url()).pathname, '/console/threads', 'a click with Shift opens no row');
    await page.getByRole('button', { name: 'Clear selection' }).click();
    t.equal(await focused(page), '6 threads');
    for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
    await selected(3);
    await page.keyboard.press('x');
    await selected(2);

    await row(3).getByText('Idle').dblclick();
    await until(page, 'getSelection().toString().trim() === "Idle"');
    await page.evaluate('getSelection().removeAllRanges()');
    await row(3).getByText('Idle').click();
    await page.getByRole('heading', { level: 1, name: 'Order 3' }).waitFor();
    t.same(complaints, []);
  });

  await t.test('shows no time in the future if the clock of the browser is behind', async (t) => {
    const { page, open, complaints } = await tab(t, url, { ownSession: true });
    await page.clock.install({ time: Date.now() - 3_600_000 });
    await open('/threads');
    await rows(page, 6);
    await page
      .getByRole('cell', { name: / ago$|just now/ })
      .first()
      .waitFor();
    t.equal(await page.getByText(/^in \d/).count(), 0);
    t.same(complaints, []);
  });

  await t.test('cancels runs and deletes threads together, also at 390 px', async (t) => {
    const gates = [new Gate(folder), new Gate(folder)];
    for (const gate of gates) {
      const { thread_id: id } = await threads.create({ metadata: { title: 'Held' } });
      await runs.create(id, 'gate', { input: { gate: gate.file, label: 'one' } });
      await gate.reached();
      await runs.create(id, 'gate', { input: { label: 'two' } });
    }
    const { page, open, accessible, complaints } = await tab(t, url, { width: 390, dark: true });
    await open('/threads?text=held');
    await rows(page, 2);
    await page.getByRole('checkbox', { name: 'Select all threads' }).check({ force: true });
    await page.getByRole('button', { name: 'Cancel runs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel the runs of 2 threads?' });
    await accessible('the confirmation');
    await dialog.getByRole('button', { name: 'Cancel runs' }).click();
    await page.getByText('4 runs cancelled.').waitFor();
    await page.getByRole('table').getByText('Busy', { exact: true }).first().waitFor({ state: 'detached' });

    await page.getByRole('checkbox', { name: 'Select all threads' }).check({ force: true });
    await accessible('selected rows');
    t.equal(await sideways(page), 0);
    await page.getByRole('button', { name: 'Delete 2 threads' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 threads' }).click();
    await page.getByText('No matching threads').waitFor();
    t.equal((await threads.search({ metadata: { title: 'Held' } })).length, 0);
    t.same(complaints, []);
  });
});
