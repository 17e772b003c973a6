import t from 'tap';
import { addRun, createProject } from '../helpers/sent-runs.js';
import { tab } from '../helpers/browser.js';
import { dismiss, focused } from '../helpers/in-page.js';
import { until } from '../helpers/page-until.js';
import { EXAMPLES, testServer } from '../helpers/server.js';

t.test('command palette and keys', async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  t.equal((await server.post('/server/sample', {})).status, 200);
  await server.client.assistants.create({ graphId: 'echo', name: 'Brief answers' });
  const projectId = await createProject(server, 'support line');
  const runId = await addRun(server, projectId, { startMs: Date.now() - 60_000, more: { name: 'refund' } });

  await t.test('finds records and pages with the keyboard alone, and lists recent ones first', async (t) => {
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    const find = async (text: string, result: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await palette.getByRole('searchbox').waitFor();
      await page.keyboard.type(text);
      await palette.getByRole('menuitem', { name: result, exact: true }).waitFor();
      // The focus moves to the first result once it is there.
      await until(
        page,
        `document.querySelector('[role=menuitem][data-focused]')?.textContent === ${JSON.stringify(result)}`,
      );
      await page.keyboard.press('Enter');
      await palette.waitFor({ state: 'detached' });
    };
    await open('/assistants');
    await find('mail that waits', 'Sample: a mail that waits for approval');
    await heading('Sample: a mail that waits for approval');
    await find('brief', 'Brief answers');
    await heading('Brief answers');
    await find('sample-city', 'sample-city-questions');
    await heading('sample-city-questions');
    await find('sample-prompt-2', 'sample-prompt-2');
    await heading('sample-prompt-2');
    await find(runId, `refund ${runId}`);
    await heading('refund');
    await find('support line', 'support line');
    await until(page, `new URLSearchParams(location.search).get('project') === ${JSON.stringify(projectId)}`);
    await find('api keys', 'Server: API keys');
    await until(page, `location.search === '?tab=keys'`);

    await page.keyboard.press('Control+k');
    await palette.waitFor();
    t.equal(
      await palette.getByRole('menuitem').first().innerText(),
      'Server: API keys\nPage',
      'the newest comes first',
    );
    await accessible('the palette');
    await page.keyboard.type('sample');
    await palette.getByRole('menuitem', { name: 'sample-prompt-1' }).waitFor();
    await accessible('results');
    await picture('palette');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('<img src=x onerror=alert(1)>');
    await palette.getByText('Nothing found for “<img src=x onerror=alert(1)>”.').waitFor();
    t.same(complaints, []);
  });

  await t.test('switches theme and density, and opens the dialog of a new dataset', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url, { width: 390, dark: true });
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await open('/threads');
    const command = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Search and commands' }).click();
      await palette.getByRole('searchbox').fill(name);
      await palette.getByRole('menuitem', { name }).click();
      await palette.waitFor({ state: 'detached' });
    };
    await page.getByRole('button', { name: 'Search and commands' }).click();
    await palette.waitFor();
    await accessible('the palette, dark at 390 px');
    await dismiss(page, palette);
    await command('Switch to light theme');
    await command('Switch to compact density');
    await accessible('compact');
    await page.reload();
    t.same(await page.evaluate('({ ...document.documentElement.dataset })'), { theme: 'light', density: 'compact' });
    await command('New dataset');
    await page.getByRole('dialog', { name: 'New dataset' }).waitFor();
    await dismiss(page);
    t.equal(new URL(page.url()).search, '', 'the address no longer opens the dialog');
    t.same(complaints, []);
  });

  await t.test('keys go to pages and move in lists, but are text in fields', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open('/threads');
    await page.getByRole('link', { name: 'Sample: weather in two cities' }).waitFor();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Annotation queues').waitFor();
    await accessible('the list of keys');
    await dismiss(page, sheet);
    await page.keyboard.press('/');
    await page.keyboard.type('g d');
    t.equal(await page.getByRole('searchbox').inputValue(), 'g d');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('j');
    const [first] = await page.locator('tbody tr > th a').allInnerTexts();
    t.equal(await focused(page), first);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    t.equal(await focused(page), first);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: first! }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { level: 1, name: 'Datasets' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    t.same(complaints, []);
  });

  await t.test('a row opens by a click anywhere on it, but not by selecting text or its checkbox', async (t) => {
    const { page, open, complaints } = await tab(t, server.url, { ownSession: true });
    await open('/threads');
    const row = page.getByRole('row').filter({ hasText: 'Sample: a graph with a subgraph' });
    const graph = row.getByText('research');
    await row.getByText('Select').locator('..').click();
    await page.getByRole('button', { name: 'Delete 1 thread' }).waitFor();
    const { x, y, width, height } = (await graph.boundingBox())!;
    await page.mouse.move(x + 1, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width, y + height / 2, { steps: 4 });
    await page.mouse.up();
    t.match(await page.evaluate('getSelection().toString()'), 'research');
    await page.getByRole('heading', { level: 1, name: 'Threads' }).click();
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      graph.click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await other.getByRole('heading', { level: 1, name: 'Sample: a graph with a subgraph' }).waitFor();
    t.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Threads');
    await graph.click();
    await page.getByRole('heading', { level: 1, name: 'Sample: a graph with a subgraph' }).waitFor();
    t.same(complaints, []);
  });
});
