import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { configWith, EXAMPLES, testServer } from '../helpers/server.js';

t.test('an empty list of threads offers a chat, code that works when pasted, and the sample', async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  const { page, open, accessible, picture, complaints } = await tab(t, server.url, { ownSession: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open('/threads');
  await page.getByText('No threads yet').waitFor();
  const button = page.getByRole('button', { name: 'Load sample data' });
  await button.waitFor();
  t.match(await page.getByRole('link', { name: 'Start a chat' }).getAttribute('href'), /\/console\/run$/);
  await accessible('empty threads');
  await picture('first-steps');

  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  const curl = (await page.evaluate('navigator.clipboard.readText()')) as string;
  const { stdout } = await promisify(execFile)('sh', ['-c', curl]);
  t.match(stdout, /event: values\n/);
  const [thread] = await server.client.threads.search();
  await server.client.threads.delete(thread!.thread_id);
  for (const [language, text] of [
    ['JavaScript', "from '@langchain/langgraph-sdk'"],
    ['Python', 'get_sync_client'],
  ] as const) {
    await page.getByRole('tab', { name: language }).click();
    await page
      .getByRole('region', { name: `${language} code` })
      .getByText(text)
      .waitFor();
    await accessible(language);
  }

  await open('/threads');
  // The list shows the first threads while the sample is still loading.
  const loaded = page.waitForResponse(
    (response) => response.url().endsWith('/server/sample') && response.request().method() === 'POST',
  );
  await button.click();
  t.equal((await loaded).status(), 200);
  const table = page.getByRole('table', { name: 'Threads' });
  await table.getByRole('link', { name: 'Sample: a mail that waits for approval' }).waitFor();
  t.equal(await table.getByText('Waiting for input').count(), 1);
  await open('/experiments');
  await page.getByRole('link', { name: 'sample-prompt-2' }).waitFor();
  t.same(complaints, []);
});

t.test('empty lists of evaluation results offer code that works when pasted, and the sample', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const { page, open, accessible, complaints } = await tab(t, server.url, { width: 420, dark: true });
  for (const path of ['/threads', '/datasets', '/experiments']) {
    await open(path);
    await page.getByText(/^No \w+ yet$/).waitFor();
    await accessible(`empty ${path}`);
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} fits a narrow window`);
  }
  const curl = await page.getByRole('region', { name: 'curl code' }).innerText();
  const { stdout } = await promisify(execFile)('sh', ['-c', curl.replace(/^curl /, 'curl -s ')]);
  t.match(JSON.parse(stdout), { experiment: { name: 'first' } });
  await page.getByRole('searchbox').fill('nothing like this');
  await page.getByText('No matching experiments').waitFor();
  t.same(complaints, []);
});

t.test('the sample is not offered where it adds nothing, or to callers who may not read the server', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const { page, open } = await tab(t, server.url);
  await open('/threads');
  await page.getByText('No threads yet').waitFor();
  await page.waitForLoadState('networkidle');
  t.equal(await page.getByRole('button', { name: 'Load sample data' }).count(), 0, 'it has no threads for this server');
  await open('/datasets');
  await page.getByRole('button', { name: 'Load sample data' }).click();
  await page.getByRole('link', { name: 'sample-city-questions' }).waitFor();
});
