import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import t from 'tap';
import { browserFor, tab } from '../helpers/browser.js';
import { EXAMPLES, ROOT, temporaryFolder, testServer } from '../helpers/server.js';

/** As a person makes one. */
function keysCreate(dataFolder: string, ...more: string[]): string {
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(ROOT, 'dist', 'src', 'main.js'), 'keys', 'create', '--data', dataFolder, ...more],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error('keys create has failed');
  return stdout.trim();
}

t.test(
  'a server with keys is asked with one: the page wants it, says when it is wrong, and keeps it in its tab alone',
  async (t) => {
    const dataFolder = temporaryFolder(t);
    const key = keysCreate(dataFolder, '--name', 'ada');
    const server = await testServer(t, { config: EXAMPLES, dataFolder });
    const browser = await browserFor(t);

    for (const [width, dark] of [
      [1_280, false],
      [390, true],
    ] as const) {
      const { page, open, accessible, complaints } = await tab(t, browser, server.url, { width, dark });
      await open('/assistants');
      const dialog = page.getByRole('dialog', { name: 'This server asks for a key' });
      await dialog.getByText(/Not authenticated/).waitFor();
      await accessible(`the question at ${width}`);
      await page.keyboard.press('Escape');
      t.ok(await dialog.isVisible(), 'it is not closed without an answer');
      const field = dialog.getByLabel('API key', { exact: true });
      t.equal(await field.getAttribute('type'), 'password');
      await page.keyboard.type('tm_wrong');
      t.equal(await field.inputValue(), 'tm_wrong', 'the field has the focus');
      await page.keyboard.press('Enter');
      await dialog.getByText('This key was not taken', { exact: false }).waitFor();
      await accessible(`the refusal at ${width}`);
      await dialog.getByLabel('API key', { exact: true }).fill(`  ${key}\n`);
      await page.keyboard.press('Enter');
      await page.getByRole('table', { name: 'Assistants' }).getByRole('link', { name: 'echo' }).waitFor();
      await dialog.waitFor({ state: 'detached' });
      t.equal(await page.getByRole('alert').count(), 0, 'what was refused before is asked for again');

      t.match(await page.evaluate('JSON.stringify(sessionStorage)'), key);
      t.notMatch(
        await page.evaluate(
          'JSON.stringify(localStorage) + document.cookie + location.href + document.documentElement.outerHTML',
        ),
        key,
      );
      await page.reload();
      await page.getByRole('table', { name: 'Assistants' }).getByRole('link', { name: 'echo' }).waitFor();
      t.equal(await dialog.count(), 0, 'the tab knows it still');

      const other = await page.context().newPage();
      await other.goto(`${server.url}/console/assistants`);
      await other.getByRole('dialog', { name: 'This server asks for a key' }).waitFor();
      t.pass('another tab is asked anew');

      await page.getByRole(width < 760 ? 'button' : 'heading', { name: width < 760 ? 'Menu' : 'Assistants' }).click();
      await page.getByRole('button', { name: 'Forget the key' }).click();
      await dialog.waitFor();
      t.equal(await page.evaluate('sessionStorage.length'), 0, 'a person can end it');
      t.same(complaints, []);
    }
  },
);

t.test('a key that may only read is told what it may not, and is not asked for another', async (t) => {
  const dataFolder = temporaryFolder(t);
  const key = keysCreate(dataFolder, '--name', 'reader', '--scope', 'read');
  const server = await testServer(t, { config: EXAMPLES, dataFolder });
  const { page, open, complaints } = await tab(t, await browserFor(t), server.url);
  await open('/store');
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.getByText('No items.').waitFor();
  await page.getByRole('button', { name: 'New item' }).click();
  await page.getByRole('dialog').getByLabel('Namespace').fill('a');
  await page.getByRole('dialog').getByLabel('Key').fill('b');
  await page.getByRole('dialog').getByLabel('Value').fill('{}');
  await page.getByRole('button', { name: 'Store it' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  t.equal(await page.getByRole('dialog', { name: 'This server asks for a key' }).count(), 0);
  t.same(complaints, []);
});
