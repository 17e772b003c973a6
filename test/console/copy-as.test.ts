import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { runServer } from '../helpers/console-run.js';

const server = await runServer();

t.test('copies the run of the form and the search of a list as code that works', async (t) => {
  const { page, open, accessible, complaints } = await tab(t, server.url, { ownSession: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copyAs = async (language: string): Promise<string> => {
    await page.getByRole('button', { name: 'Copy as…' }).click();
    const item = page.getByRole('menuitem', { name: language });
    await item.waitFor();
    await accessible(`the menu with ${language}`);
    await item.click();
    await page.getByText(`Copied as ${language}.`).waitFor();
    return (await page.evaluate('navigator.clipboard.readText()')) as string;
  };
  await open('/run?assistant=agent');
  const message = page.getByLabel('Message', { exact: true });
  await message.waitFor();
  t.equal(await page.getByRole('button', { name: 'Copy as…' }).isDisabled(), true, 'there is no message yet');
  await message.fill(`What's the "weather" in Lisbon?`);
  const { stdout } = await promisify(execFile)('sh', ['-c', await copyAs('curl')]);
  t.match(stdout, /event: messages\n/);
  const [thread] = await server.client.threads.search({ sortBy: 'created_at', limit: 1 });
  const { values } = await server.client.threads.getState<{ messages: { content: string }[] }>(thread!.thread_id);
  t.equal(values.messages[0]!.content, `What's the "weather" in Lisbon?`);

  await open('/threads?status=idle&metadata=team%3Dsupport');
  t.match(
    await copyAs('Python'),
    /client\.threads\.search\(\n {4}status="idle",\n {4}metadata=\{"team": "support"\},\n {4}sort_by="updated_at"/,
  );
  t.same(complaints, []);
});
