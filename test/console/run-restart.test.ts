import { join } from 'node:path';
import t from 'tap';
import type { Page } from 'playwright-core';
import { tab } from '../helpers/browser.js';
import { showAllFields } from '../helpers/console-run.js';
import { childServer } from '../helpers/child-server.js';
import { Gate } from '../helpers/gate.js';
import { freePort } from '../helpers/ports.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

const GRAPHS = join(ROOT, 'test', 'graphs', 'run.json');
const words = (letter: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${letter}${at} `)
    .join('')
    .trim();
const said = (page: Page): Promise<string[]> =>
  page
    .getByRole('log', { name: 'Conversation' })
    .getByRole('article')
    .evaluateAll((all) =>
      all.map((one) =>
        (one as unknown as { lastElementChild: { textContent: string } }).lastElementChild.textContent.trim(),
      ),
    );

t.test('resumes the stream after a server crash without missing or duplicate messages', async (t) => {
  const dataFolder = temporaryFolder(t);
  const args = ['--port', String(await freePort())];
  const before = await childServer(t, { dataFolder, config: GRAPHS, args });
  const { page, open, accessible, complaints } = await tab(t, before.url);
  await open('/run?assistant=speaker');
  await showAllFields(page);
  const gate = new Gate(temporaryFolder(t));
  await page.getByLabel('words').fill('60');
  await page.getByRole('textbox', { name: 'gate' }).fill(gate.file);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await gate.reached();
  // Half of the second message is visible.
  await page.getByText(/b28 b29/).waitFor();
  await before.kill();
  await page.getByText('The connection to the server was lost.', { exact: false }).waitFor();
  await accessible('a lost connection');

  const after = await childServer(t, { dataFolder, config: GRAPHS, args });
  t.equal(after.url, before.url);
  await page.getByText('Attempt 2', { exact: true }).first().waitFor();
  gate.open();
  await page.getByRole('region', { name: 'Run status' }).getByText('Succeeded', { exact: true }).first().waitFor();
  t.same(await said(page), [words('a', 60), words('b', 60)], 'no message is missing, duplicated or out of order');
  t.same(
    await page
      .getByRole('list', { name: 'Steps' })
      .getByRole('listitem')
      .evaluateAll((all) => all.map((one) => (one as unknown as { ariaLabel: string }).ariaLabel)),
    ['first: Succeeded', 'second: Succeeded'],
  );
  await page.reload();
  await page.getByRole('region', { name: 'Run status' }).getByText('Succeeded', { exact: true }).first().waitFor();
  await page.getByText(/b58 b59/).waitFor();
  t.same(await said(page), [words('a', 60), words('b', 60)], 'a reload shows the same');
  t.same(complaints, []);
});

t.test('stays responsive with twenty thousand events', async (t) => {
  const server = await testServer(t, { config: GRAPHS });
  const { page, open, complaints } = await tab(t, server.url);
  await open('/run?assistant=speaker');
  await showAllFields(page);
  await page.getByLabel('words').fill('10000');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('region', { name: 'Run status' }).getByText('Running', { exact: true }).first().waitFor();
  // The page stays usable while the events arrive.
  await page.getByRole('tab', { name: /Events/ }).click();
  await page.getByRole('region', { name: 'Events' }).waitFor();
  await page.getByLabel('opening').fill('typed meanwhile');
  await page.getByRole('tab', { name: /Steps/ }).click();
  await page
    .getByRole('region', { name: 'Run status' })
    .getByText('Succeeded', { exact: true })
    .first()
    .waitFor({ timeout: 60_000 });
  t.equal(await page.getByLabel('opening').inputValue(), 'typed meanwhile');
  t.match(await page.getByRole('region', { name: 'Run status' }).innerText(), /20,0\d\d events/);
  const log = page.getByRole('log', { name: 'Conversation' });
  const pixelsToEnd = (): Promise<number> =>
    log.evaluate((box) => {
      const { scrollHeight, scrollTop, clientHeight } = box as unknown as Record<string, number>;
      return scrollHeight! - scrollTop! - clientHeight!;
    });
  t.ok((await pixelsToEnd()) < 2, 'the view has followed the end');
  await log.evaluate((box) => {
    (box as unknown as { scrollTop: number }).scrollTop = 0;
  });
  await page.getByRole('button', { name: 'Jump to the end' }).click();
  await page.getByRole('button', { name: 'Jump to the end' }).waitFor({ state: 'detached' });
  t.ok((await pixelsToEnd()) < 2);
  const thread = new URL(page.url()).searchParams.get('thread')!;
  const { values } = await server.client.threads.getState<{ messages: { content: string }[] }>(thread);
  await page.getByRole('log', { name: 'Conversation' }).getByRole('button', { name: 'Show full text' }).last().click();
  await page.getByRole('dialog').getByText('b0 b1 b2', { exact: false }).waitFor();
  t.equal((await page.getByRole('dialog').locator('pre').innerText()).trim(), values.messages.at(-1)!.content.trim());
  t.same(complaints, []);
});
