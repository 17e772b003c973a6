import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { EXAMPLES, ROOT, temporaryFolder, testServer } from '../helpers/server.js';

/** Creates a key with the CLI. */
function keysCreate(dataFolder: string, ...more: string[]): string {
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(ROOT, 'dist', 'src', 'main.js'), 'keys', 'create', '--data', dataFolder, ...more],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error('keys create has failed');
  return stdout.trim();
}

t.test('requests an API key, reports a wrong one, and keeps the key only in its tab', async (t) => {
  const dataFolder = temporaryFolder(t);
  const key = keysCreate(dataFolder, '--name', 'ada');
  const server = await testServer(t, { config: EXAMPLES, dataFolder });

  for (const [width, dark] of [
    [1_280, false],
    [390, true],
  ] as const) {
    const { page, open, accessible, complaints } = await tab(t, server.url, { width, dark, ownSession: true });
    await open('/assistants');
    const dialog = page.getByRole('dialog', { name: 'Authentication required' });
    await dialog.getByText(/Not authenticated/).waitFor();
    await accessible(`the dialog at ${width}`);
    await page.keyboard.press('Escape');
    t.ok(await dialog.isVisible(), 'Escape does not close it');
    const field = dialog.getByLabel('API key', { exact: true });
    t.equal(await field.getAttribute('type'), 'password');
    await page.keyboard.type('tm_wrong');
    t.equal(await field.inputValue(), 'tm_wrong', 'the field has the focus');
    await page.keyboard.press('Enter');
    await dialog.getByText('The server rejected this credential', { exact: false }).waitFor();
    await accessible(`the rejection at ${width}`);
    await dialog.getByLabel('API key', { exact: true }).fill(`  ${key}\n`);
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'Assistants' }).getByRole('link', { name: 'echo' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    t.equal(await page.getByRole('alert').count(), 0, 'rejected requests are repeated');

    t.match(await page.evaluate('JSON.stringify(sessionStorage)'), key);
    t.notMatch(
      await page.evaluate(
        'JSON.stringify(localStorage) + document.cookie + location.href + document.documentElement.outerHTML',
      ),
      key,
    );
    await page.reload();
    await page.getByRole('table', { name: 'Assistants' }).getByRole('link', { name: 'echo' }).waitFor();
    t.equal(await dialog.count(), 0, 'the tab keeps the key');

    const other = await page.context().newPage();
    await other.goto(`${server.url}/console/assistants`);
    await other.getByRole('dialog', { name: 'Authentication required' }).waitFor();
    t.pass('another tab has no key');

    await page.getByRole(width < 760 ? 'button' : 'heading', { name: width < 760 ? 'Menu' : 'Assistants' }).click();
    await page.getByRole('button', { name: 'Forget credential' }).click();
    await dialog.waitFor();
    t.equal(await page.evaluate('sessionStorage.length'), 0, 'the key can be removed');
    t.same(complaints, []);
  }
});

t.test('shows a 403 response as an error without requesting another key', async (t) => {
  const dataFolder = temporaryFolder(t);
  const key = keysCreate(dataFolder, '--name', 'reader', '--scope', 'read');
  const server = await testServer(t, { config: EXAMPLES, dataFolder });
  const { page, open, complaints } = await tab(t, server.url);
  // As for users of an auth handler, whose permissions the console does not know.
  await page.route('**/server/session', (route) => route.fulfill({ json: { sign_in: null, caller: null } }));
  await open('/store');
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.getByText('No items').waitFor();
  await page.getByRole('button', { name: 'New item' }).click();
  await page.getByRole('dialog').getByLabel('Namespace').fill('a');
  await page.getByRole('dialog').getByLabel('Key', { exact: true }).fill('b');
  await page.getByRole('dialog').getByRole('button', { name: 'JSON', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Value as JSON').fill('{}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  t.equal(await page.getByRole('dialog', { name: 'Authentication required' }).count(), 0);
  t.same(complaints, []);
});
