import t from 'tap';
import { browserFor, tab } from '../helpers/browser.js';
import { conversation, RUN_GRAPHS, runOf, start, status } from '../helpers/console-run.js';
import { Gate } from '../helpers/gate.js';
import { temporaryFolder, testServer } from '../helpers/server.js';

const server = await testServer(t, { config: RUN_GRAPHS });
const browser = await browserFor(t);

t.test('a conversation with an agent: tokens, calls of tools, and the next message', async (t) => {
  const { page, open, accessible, picture, complaints } = await tab(t, browser, server.url, { height: 900 });
  await open('/run');
  const message = page.getByLabel('Message', { exact: true });
  await message.waitFor();
  t.equal(
    await page.evaluate(
      () =>
        (globalThis as unknown as { document: { activeElement: { tagName: string } } }).document.activeElement.tagName,
    ),
    'TEXTAREA',
    'one can begin to write at once',
  );
  await message.fill('What is the weather in Lisbon?');
  await page.keyboard.press('Enter');
  await status(page, 'success');
  const said = conversation(page);
  await said.getByText('Calls get_weather').waitFor();
  await said.getByText('Done. 24 °C and sunny').waitFor();
  t.same(
    await said
      .getByRole('article')
      .evaluateAll((all) => all.map((one) => (one as unknown as { ariaLabel: string }).ariaLabel)),
    ['user message', 'assistant message', 'tool message', 'assistant message'],
  );
  t.same(
    await page
      .getByRole('list', { name: 'Steps' })
      .getByRole('listitem')
      .evaluateAll((all) => all.map((one) => (one as unknown as { ariaLabel: string }).ariaLabel)),
    ['model_request: done', 'tools: done', 'model_request: done'],
  );
  await page.getByRole('button', { name: /^tools/ }).click();
  await page.getByRole('tree', { name: 'What tools wrote' }).waitFor();
  await accessible('a run that has ended');
  await picture('run');
  const before = runOf(page);

  await page.getByLabel('Message', { exact: true }).fill('And in Berlin, the weather?');
  await page.keyboard.press('Enter');
  await said.getByText('12 °C and cloudy', { exact: true }).waitFor();
  await status(page, 'success');
  t.equal(await said.getByRole('article').count(), 8, 'the conversation goes on');
  const after = runOf(page);
  t.equal(after.thread, before.thread);
  t.not(after.run, before.run);

  const again = await tab(t, browser, server.url);
  await again.open(page.url().slice(`${server.url}/console`.length));
  await status(again.page, 'success');
  await conversation(again.page).getByText('12 °C and cloudy', { exact: true }).waitFor();
  t.equal(await conversation(again.page).getByRole('article').count(), 8, 'a link shows the same run');
  await page.goBack();
  await said.getByText('Done. 24 °C and sunny').waitFor();
  t.equal(runOf(page).run, before.run, 'the way back leads to the run before');
  t.same([...complaints, ...again.complaints], []);
});

t.test(
  'steps of subgraphs stand below the node that called them; what nodes say and the state are shown',
  async (t) => {
    const { page, open, accessible, complaints } = await tab(t, browser, server.url, { dark: true });
    await open('/run?assistant=research');
    await page.getByLabel('topic').fill('tides');
    await page.keyboard.press('Enter');
    await status(page, 'success');
    await page.getByRole('tree', { name: 'State of the graph' }).getByText('"Report on tides: 2 notes."').waitFor();
    t.same(
      await page
        .getByRole('list', { name: 'Steps' })
        .getByRole('listitem')
        .evaluateAll((all) => all.map((one) => (one as unknown as { ariaLabel: string }).ariaLabel)),
      ['lookup: done', 'lookup › search: done', 'lookup › read: done', 'write: done'],
    );
    await page.getByRole('tab', { name: 'Custom 1' }).click();
    await page.getByText('{"progress":0.5,"reading":"tides"}').waitFor();
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.getByText('lookup in read (done)', { exact: false }).first().waitFor({ state: 'attached' });
    await page.getByRole('tab', { name: /Events/ }).click();
    await page.getByRole('button', { name: /^0 metadata/ }).click();
    await page.getByRole('tree', { name: 'Data of the event' }).getByText('attempt').last().waitFor();
    await accessible('an event');
    t.same(complaints, []);
  },
);

t.test('while a run goes on: the node is lit, others wait and say why, leaving stops nothing, Stop does', async (t) => {
  const { page, open, accessible, picture, complaints } = await tab(t, browser, server.url, { height: 900 });
  const gate = new Gate(temporaryFolder(t));
  await open('/run?assistant=gate&tab=graph');
  await page.getByLabel('label').fill('one');
  await page.getByRole('textbox', { name: 'gate' }).fill(gate.file);
  await start(page);
  await status(page, 'running');
  await page.getByText('hold (running)', { exact: false }).first().waitFor({ state: 'attached' });
  await page.getByText('before (done)', { exact: false }).first().waitFor({ state: 'attached' });
  await accessible('a running run');
  await picture('run-graph');
  const first = runOf(page);

  // The same thread has one run at a time.
  await page.getByRole('textbox', { name: 'gate' }).fill('');
  await start(page);
  await page.getByText(/Waiting\. Run .* of its thread executes/).waitFor();
  const second = runOf(page);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await status(page, 'interrupted');
  t.equal((await server.client.runs.get(second.thread, second.run)).status, 'interrupted');

  await page.goBack();
  await status(page, 'running');
  await page.getByRole('link', { name: 'Server' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  t.equal(
    (await server.client.runs.get(first.thread, first.run)).status,
    'running',
    'the run goes on when nobody looks',
  );
  await page.goBack();
  await status(page, 'running');
  gate.open();
  await status(page, 'success');
  await page.getByText('after (done)', { exact: false }).first().waitFor({ state: 'attached' });

  const other = new Gate(temporaryFolder(t));
  await page.getByRole('textbox', { name: 'gate' }).fill(other.file);
  await start(page);
  await other.reached();
  await page.getByRole('button', { name: 'Stop and undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop and undo' }).click();
  await page.getByText('it was deleted, or rolled back', { exact: false }).waitFor();
  t.same(complaints, []);
});
