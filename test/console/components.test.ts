import t from 'tap';
import { tab } from '../helpers/browser.js';
import { dismiss, focused, mainFocused } from '../helpers/in-page.js';
import { schemaServer } from '../helpers/schema-server.js';
import { EXAMPLES } from '../helpers/server.js';

t.test('shell and components', async (t) => {
  const { client, url } = await schemaServer(t, EXAMPLES);
  const { assistant_id: id } = await client.assistants.create({
    graphId: 'echo',
    name: 'Brief',
    context: { one: { two: [1, 2] }, long: 'line\n'.repeat(200) },
  });

  await t.test('the first Tab reaches the skip link; navigation keeps the focus on the page', async (t) => {
    const { page, open, complaints } = await tab(t, url);
    await open('/assistants');
    await page.keyboard.press('Tab');
    t.equal(await focused(page), 'Skip to content');
    await page.keyboard.press('Enter');
    await mainFocused(page);
    await page.getByRole('link', { name: 'Brief' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Brief' }).waitFor();
    await mainFocused(page);
    t.equal(await page.title(), 'Brief · Threadmill');
    t.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
    t.equal(
      await page
        .getByRole('navigation', { name: 'Console' })
        .getByRole('link', { name: 'Assistants' })
        .getAttribute('aria-current'),
      'page',
    );
    t.same(complaints, []);
  });

  await t.test('navigation starts at the top of the page', async (t) => {
    const { page, open, complaints } = await tab(t, url, { height: 300 });
    await open('/assistants');
    await page.getByRole('link', { name: 'echo', exact: true }).waitFor();
    await page.evaluate('scrollTo(0, 10000)');
    t.ok((await page.evaluate<number>('scrollY')) > 0);
    await page.getByRole('link', { name: 'echo', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'echo' }).waitFor();
    t.equal(await page.evaluate('scrollY'), 0);
    t.same(complaints, []);
  });

  await t.test('at 390 px the menu opens and closes by keyboard, and navigation closes it', async (t) => {
    const { page, open, complaints } = await tab(t, url, { width: 390 });
    await open('/assistants');
    const menu = page.getByRole('navigation', { name: 'Console' });
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await menu.waitFor();
    await page.keyboard.press('Tab');
    t.equal(await focused(page), 'Home', 'the menu follows its button');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    t.equal(await focused(page), 'Menu');
    await page.keyboard.press('Enter');
    await menu.getByRole('link', { name: 'Memory' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();
    await menu.waitFor({ state: 'hidden' });
    await mainFocused(page);
    t.same(complaints, []);
  });

  await t.test('the theme can be changed and is remembered', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, url);
    await open('/assistants');
    await page.getByRole('button', { name: 'Theme: system. Switch' }).click();
    await page.getByRole('button', { name: 'Theme: light. Switch' }).press('Enter');
    await page.getByRole('button', { name: 'Theme: dark. Switch' }).waitFor();
    await accessible('dark by choice');
    await page.reload();
    t.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
    t.same(complaints, []);
  });

  await t.test('tree, menu, select and confirmation work with the keyboard only', async (t) => {
    const { page, open, complaints } = await tab(t, url);
    await open(`/assistants/${id}`);
    const tree = page.getByRole('tree', { name: 'Context' });
    const at = (): Promise<string> =>
      page.evaluate(
        'document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).textContent',
      );
    await tree.focus();
    t.equal(await at(), '{one, long}');
    await tree.press('End');
    t.match(await at(), /^long/);
    await tree.press('Enter');
    await page.getByRole('dialog', { name: 'Text' }).waitFor();
    await dismiss(page);
    await tree.press('Home');
    await tree.press('ArrowDown');
    t.equal(await at(), 'one{two}');
    await tree.press('ArrowRight');
    await tree.press('ArrowRight');
    t.equal(await at(), 'two[2]');
    await tree.press('ArrowLeft');
    await tree.press('ArrowLeft');
    t.equal(await at(), 'one{two}');
    await tree.press('ArrowLeft');
    t.equal(await tree.getByText('two', { exact: true }).count(), 0, 'closed');

    await page.getByRole('button', { name: 'More' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
    const confirmation = page.getByRole('dialog', { name: 'Delete Brief?' });
    await confirmation.waitFor();
    t.equal(await focused(page), 'Cancel', 'an extra Enter deletes nothing');
    await page.keyboard.press('Tab');
    t.equal(await focused(page), 'Delete');
    await page.keyboard.press('Tab');
    t.equal(await focused(page), 'Close', 'the focus stays inside');
    // The first Escape closes the tooltip of the close button.
    await page.getByRole('tooltip').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await dismiss(page, confirmation);
    t.equal(await focused(page), 'More');

    await page.getByRole('button', { name: 'Edit' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Graph' }).press('ArrowDown');
    await page.getByRole('option', { name: 'echo' }).press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'research' }).waitFor();
    t.same(complaints, []);
  });

  await t.test('reports an unreachable server and recovers when it is back', async (t) => {
    const { page, open, accessible } = await tab(t, url, { ownSession: true });
    await open('/assistants');
    await page.getByRole('link', { name: 'Brief' }).waitFor();
    await page.route('**/*', (route) => route.abort());
    await page.getByRole('link', { name: 'Memory' }).click();
    await page.getByRole('alert').getByText('could not be loaded').waitFor();
    await accessible('a section that failed to load');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('status').getByText('The server cannot be reached. Check that it is running.').waitFor();
    await page.unroute('**/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();

    await page.clock.install();
    await page.route('**/assistants/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Assistants' }).click();
    await page.getByLabel('Search by name').fill('bri');
    const unreachable = page
      .getByRole('alert')
      .getByText('The server cannot be reached. Check that it is running.')
      .first();
    // The page retries with pauses of up to four seconds before it reports the error.
    while (!(await unreachable.isVisible())) await page.clock.fastForward(1_000);
    await page.unroute('**/assistants/**');
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await page.getByRole('link', { name: 'Brief' }).waitFor();
    t.pass('the page recovers');
  });
});
