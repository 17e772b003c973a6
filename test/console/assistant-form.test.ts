import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { runOf, status } from '../helpers/console-run.js';
import { sideways } from '../helpers/in-page.js';
import { schemaServer } from '../helpers/schema-server.js';
import { temporaryFolder, TEST_GRAPHS } from '../helpers/server.js';

const config = join(temporaryFolder(t), 'langgraph.json');
writeFileSync(config, JSON.stringify({ graphs: { tuned: join(dirname(TEST_GRAPHS), 'tuned.ts:graph') } }));
const { client, url } = await schemaServer(t, config);

t.test('an assistant is configured in a form from the schema of its graph', async (t) => {
  const { page, open, accessible, complaints } = await tab(t, url);
  await open('/assistants/tuned');
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  const context = dialog.getByRole('group', { name: 'Context', exact: true });
  await context.getByText('Model that answers · Default: small').waitFor();
  await context.getByLabel('temperature').fill('5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await context.getByText('must be at most 2', { exact: true }).waitFor();
  await context.getByText('is required', { exact: true }).waitFor();
  t.equal(await context.getByText('is required', { exact: true }).count(), 1, 'a default is enough');
  await context.getByLabel('temperature').fill('0.5');
  await context.getByLabel('tenant').fill('acme');
  await context.getByRole('button', { name: 'Add limits' }).click();
  await context.getByLabel('calls').fill('7');
  await context.getByRole('button', { name: 'Add entry to tools' }).click();
  await context.getByLabel('1', { exact: true }).fill('search');
  await accessible('the form');

  const wanted = { temperature: 0.5, tenant: 'acme', limits: { calls: 7 }, tools: ['search'] };
  await context.getByRole('button', { name: 'JSON' }).click();
  const json = context.getByLabel('Context as JSON');
  t.same(JSON.parse(await json.inputValue()), wanted, 'JSON has the values of the form');
  await json.fill(`${JSON.stringify({ ...wanted, model: 'large' })},`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').getByText('Context: Invalid JSON').waitFor();
  await json.fill(JSON.stringify({ ...wanted, model: 'large' }));
  await context.getByRole('button', { name: 'Form' }).click();
  t.match(await context.getByRole('button', { name: 'model' }).textContent(), 'large');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('v2', { exact: true }).waitFor();
  t.matchStrict((await client.assistants.get('tuned')).context, { ...wanted, model: 'large' });
  t.same(complaints, []);
});

t.test('a run is configured in a form from the schema of its graph', async (t) => {
  const { page, open, accessible, complaints } = await tab(t, url, { width: 390 });
  await open('/run?assistant=tuned');
  await page.getByRole('button', { name: 'Options', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Run options' });
  const context = dialog.getByRole('group', { name: 'Context', exact: true });
  await context.getByLabel('tenant').fill('acme');
  const configuration = dialog.getByRole('group', { name: 'Configuration', exact: true });
  await configuration.getByLabel('recursion_limit').fill('30');
  await configuration.getByRole('button', { name: 'Add entry to tags' }).click();
  await configuration.getByLabel('1', { exact: true }).fill('trial');
  await accessible('the options');
  t.equal(await sideways(page), 0, 'nothing scrolls sideways');

  await configuration.getByRole('button', { name: 'JSON' }).click();
  const json = configuration.getByLabel('Configuration as JSON');
  t.same(JSON.parse(await json.inputValue()), { recursion_limit: 30, tags: ['trial'] }, 'JSON has the same values');
  await json.fill('{"recursion_limit": 0,');
  const done = dialog.getByRole('button', { name: 'Done' });
  await done.click();
  await dialog.getByRole('alert').getByText('Configuration: Invalid JSON').waitFor();
  await json.fill('{"recursion_limit": 0}');
  await configuration.getByRole('button', { name: 'Form' }).click();
  await done.click();
  await dialog.getByText('This does not match the schema: Configuration › recursion_limit').waitFor();
  await configuration.getByLabel('recursion_limit').fill('40');
  await done.click();
  await page.getByRole('button', { name: 'Options (2 changed)' }).click();
  await dialog.getByRole('button', { name: 'Reset to defaults' }).click();
  t.equal(await configuration.getByLabel('recursion_limit').inputValue(), '', 'the forms are reset');
  await context.getByLabel('tenant').fill('acme');
  await configuration.getByLabel('recursion_limit').fill('41');
  await done.click();
  await page.getByRole('button', { name: 'Options (2 changed)' }).waitFor();

  await page.getByLabel('Message', { exact: true }).fill('Hello');
  await page.keyboard.press('Enter');
  await status(page, 'Succeeded');
  const { thread, run } = runOf(page);
  const { kwargs } = (await client.runs.get(thread, run)) as unknown as {
    kwargs: { context: unknown; config: { recursion_limit: number } };
  };
  t.match(kwargs, { context: { tenant: 'acme' }, config: { recursion_limit: 41 } });
  t.same(complaints, []);
});
