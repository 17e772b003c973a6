import type { Route } from 'playwright-core';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { conversation, runOf, runServer, showAllFields, start, status } from '../helpers/console-run.js';
import { Gate } from '../helpers/gate.js';
import { temporaryFolder } from '../helpers/server.js';

const server = await runServer();

t.test('shows a conversation with tokens and tool calls, and sends the next message', async (t) => {
  const { page, open, accessible, picture, complaints } = await tab(t, server.url, { height: 900 });
  await open('/run');
  const message = page.getByLabel('Message', { exact: true });
  await message.waitFor();
  t.equal(
    await page.evaluate(
      () =>
        (globalThis as unknown as { document: { activeElement: { tagName: string } } }).document.activeElement.tagName,
    ),
    'TEXTAREA',
    'the message field has the focus',
  );
  await message.fill('What is the weather in Lisbon?');
  await page.keyboard.press('Enter');
  await status(page, 'Succeeded');
  const said = conversation(page);
  await said.getByRole('group', { name: 'Tool call get_weather: Succeeded' }).waitFor();
  await said.getByText('Done. 24 °C and sunny').waitFor();
  const roles = (): Promise<string[]> =>
    said
      .getByRole('article')
      .evaluateAll((all) => all.map((one) => (one as unknown as { ariaLabel: string }).ariaLabel));
  t.same(await roles(), ['user message', 'assistant message', 'assistant message'], 'tool calls are folded');
  await said.getByRole('button', { name: /get_weather/ }).click();
  await said.getByRole('tree', { name: 'Arguments of get_weather' }).waitFor();
  t.same(await roles(), ['user message', 'assistant message', 'tool message', 'assistant message']);
  await said.getByRole('button', { name: /get_weather/ }).click();
  t.same(
    await page
      .getByRole('list', { name: 'Steps' })
      .getByRole('listitem')
      .evaluateAll((all) => all.map((one) => (one as unknown as { ariaLabel: string }).ariaLabel)),
    ['model_request: Succeeded', 'tools: Succeeded', 'model_request: Succeeded'],
  );
  await page.getByRole('button', { name: /^tools/ }).click();
  await page.getByRole('tree', { name: 'Writes of tools' }).waitFor();
  await accessible('a finished run');
  await picture('run');
  const before = runOf(page);

  await page.getByLabel('Message', { exact: true }).fill('And in Berlin, the weather?');
  await page.keyboard.press('Enter');
  await said.getByText('Done. 12 °C and cloudy', { exact: true }).waitFor();
  await status(page, 'Succeeded');
  // The tool's message is folded when the run has ended.
  await said.getByRole('article').nth(6).waitFor({ state: 'detached' });
  t.equal(await said.getByRole('article').count(), 6, 'the conversation continues');
  const after = runOf(page);
  t.equal(after.thread, before.thread);
  t.not(after.run, before.run);

  const again = await tab(t, server.url);
  await again.open(page.url().slice(`${server.url}/console`.length));
  await status(again.page, 'Succeeded');
  await conversation(again.page).getByText('Done. 12 °C and cloudy', { exact: true }).waitFor();
  t.equal(await conversation(again.page).getByRole('article').count(), 6, 'a link shows the same run');
  await page.goBack();
  await said.getByText('Done. 24 °C and sunny').waitFor();
  t.equal(runOf(page).run, before.run, 'the back button returns to the previous run');
  t.same([...complaints, ...again.complaints], []);
});

t.test('shows subgraph steps below their node, custom events and the state', async (t) => {
  const { page, open, accessible, complaints } = await tab(t, server.url, { dark: true });
  await open('/run?assistant=research');
  await page.getByLabel('topic').fill('tides');
  await page.keyboard.press('Enter');
  await status(page, 'Succeeded');
  await page.getByRole('tree', { name: 'Graph state' }).getByText('"Report on tides: 2 notes."').waitFor();
  t.same(
    await page
      .getByRole('list', { name: 'Steps' })
      .getByRole('listitem')
      .evaluateAll((all) => all.map((one) => (one as unknown as { ariaLabel: string }).ariaLabel)),
    ['lookup: Succeeded', 'lookup › search: Succeeded', 'lookup › read: Succeeded', 'write: Succeeded'],
  );
  await page.getByRole('tab', { name: 'Custom 1' }).click();
  await page.getByText('{"progress":0.5,"reading":"tides"}').waitFor();
  t.equal(await page.getByRole('tab', { name: 'Graph' }).count(), 0, 'the graph is beside the steps');
  await page.getByText('lookup in read (done)', { exact: false }).first().waitFor({ state: 'attached' });
  await page.getByRole('tab', { name: /Events/ }).click();
  await page.getByRole('button', { name: /^1 metadata/ }).click();
  await page.getByRole('tree', { name: 'Event data' }).getByText('attempt').last().waitFor();
  await accessible('an event');
  t.same(complaints, []);
});

t.test('highlights the running node, explains queued runs, and cancels only on request', async (t) => {
  const { page, open, accessible, picture, complaints } = await tab(t, server.url, { height: 900 });
  const gate = new Gate(temporaryFolder(t));
  await open('/run?assistant=gate&tab=graph');
  await page.getByLabel('label').fill('one');
  await page.getByRole('textbox', { name: 'gate' }).fill(gate.file);
  await start(page);
  await status(page, 'Running');
  await page.getByText('hold (running)', { exact: false }).first().waitFor({ state: 'attached' });
  await page.getByText('before (done)', { exact: false }).first().waitFor({ state: 'attached' });
  await accessible('a running run');
  await picture('run-graph');
  const first = runOf(page);

  // The same thread has one run at a time.
  await page.getByRole('textbox', { name: 'gate' }).fill('');
  await start(page);
  await page.getByText(/Queued\. Run .* of the same thread is executing/).waitFor();
  const second = runOf(page);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await status(page, 'Interrupted');
  t.equal((await server.client.runs.get(second.thread, second.run)).status, 'interrupted');

  await page.goBack();
  await status(page, 'Running');
  await page.getByRole('link', { name: 'Server' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  t.equal(
    (await server.client.runs.get(first.thread, first.run)).status,
    'running',
    'the run continues after leaving the page',
  );
  await page.goBack();
  await status(page, 'Running');
  gate.open();
  await status(page, 'Succeeded');
  await page.getByText('after (done)', { exact: false }).first().waitFor({ state: 'attached' });

  const other = new Gate(temporaryFolder(t));
  await page.getByRole('textbox', { name: 'gate' }).fill(other.file);
  await start(page);
  await other.reached();
  await page.getByRole('button', { name: 'Cancel and roll back' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel and roll back' }).click();
  await page.getByText('It was deleted or rolled back', { exact: false }).waitFor();
  t.same(complaints, []);
});

t.test('queues messages while a run executes, and each can be canceled', async (t) => {
  const { page, open, accessible, complaints } = await tab(t, server.url, { width: 390 });
  const gate = new Gate(temporaryFolder(t));
  await open('/run?assistant=speaker');
  await showAllFields(page);
  await page.getByRole('textbox', { name: 'gate' }).fill(gate.file);
  await page.getByLabel('Message', { exact: true }).fill('First');
  await page.keyboard.press('Enter');
  await gate.reached();
  // The server can be faster than the page.
  await page.waitForURL(/run=/);
  const first = runOf(page);
  await page.getByRole('button', { name: 'Only a message' }).click();
  const message = page.getByLabel('Message', { exact: true });
  const said = conversation(page);
  let answer = (): void => undefined;
  const hold = async (route: Route): Promise<void> => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    await route.continue();
  };
  await page.route('**/runs', hold, { times: 1 });
  await message.fill('Second');
  await page.keyboard.press('Enter');
  await said.getByText('Second').waitFor();
  await said.getByText('Sending').waitFor();
  t.equal(await message.inputValue(), '', 'the message is visible before the server has it');
  await message.fill('Third, ');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('of two lines');
  answer();
  await page.keyboard.press('Enter');
  const waiting = said.getByRole('group', { name: 'Waiting message' });
  await waiting.nth(1).waitFor();
  t.same(
    (await waiting.allInnerTexts()).map((text) => /Second|Third, \nof two lines/.exec(text)?.[0]),
    ['Second', 'Third, \nof two lines'],
    'they wait in the order in which they were sent',
  );
  t.equal(runOf(page).run, first.run, 'the page still shows the first run');
  await accessible('waiting messages');
  await waiting.nth(1).getByRole('button', { name: 'Cancel message' }).click();
  await waiting.nth(1).waitFor({ state: 'detached' });
  gate.open();
  await waiting.first().waitFor({ state: 'detached' });
  await page.waitForURL((url) => url.searchParams.get('run') !== first.run);
  await status(page, 'Succeeded');
  t.match(await said.innerText(), /First[^]*Second/);
  const { values } = await server.client.threads.getState<{ messages: { content: string }[] }>(first.thread);
  t.same(
    values.messages.filter(({ content }) => /First|Second|Third/.test(content)).map(({ content }) => content),
    ['First', 'Second'],
  );
  t.same(complaints, []);
});

t.test('does not show a run as waiting that has started since the list of waiting runs was read', async (t) => {
  const { thread_id: thread } = await server.client.threads.create();
  const input = { messages: [{ role: 'user', content: 'Hello?' }] };
  const { run_id: first } = await server.client.runs.create(thread, 'agent', { input });
  await server.client.runs.join(thread, first);
  const { page, open, complaints } = await tab(t, server.url);
  await page.route(/status=pending/, (route) => route.fulfill({ json: [{ run_id: first, kwargs: { input } }] }));
  const listed = page.waitForResponse(/status=pending/);
  await open(`/run?thread=${thread}&run=${first}`);
  await status(page, 'Succeeded');
  await listed;
  const said = conversation(page);
  await said.getByRole('button', { name: 'Run again from here' }).last().click();
  await page.waitForURL((url) => url.searchParams.get('run') !== first);
  await status(page, 'Succeeded');
  t.equal(await said.getByRole('group', { name: 'Waiting message' }).count(), 0);
  t.same(complaints, []);
});

t.test('edits a message and runs from there, from a message and from a step', async (t) => {
  const { thread_id: thread } = await server.client.threads.create();
  for (const content of ['The weather in Lisbon?', 'And in Berlin, the weather?'])
    await server.client.runs.wait(thread, 'agent', { input: { messages: [{ role: 'user', content }] } });
  const { page, open, accessible, complaints } = await tab(t, server.url);
  await open(`/run?assistant=agent&thread=${thread}`);
  const said = conversation(page);
  await said.getByText('Done. 12 °C and cloudy').waitFor();
  await said.getByRole('button', { name: 'Edit and run from here' }).last().click();
  await accessible('a message that is edited');
  await said.getByLabel('Message text').fill('Hello?');
  await page.keyboard.press('Enter');
  await said.getByText('Hello! Ask me about the weather').waitFor();
  await status(page, 'Succeeded');
  /** Beginnings of the messages after the run of the page, whose status can be that of the run before for a moment. */
  const texts = async (): Promise<string[]> => {
    const { messages } = (await server.client.runs.join(thread, runOf(page).run)) as {
      messages: { content: string }[];
    };
    return messages.map(({ content }) => content.slice(0, 10));
  };
  const edited = ['The weathe', 'Let me see', '24 °C and ', 'Done. 24 °', 'Hello?', 'Hello! Ask'];
  t.same(await texts(), edited, 'the state ends with the edited message');
  t.equal(await said.getByText('Berlin, the').count(), 0, 'the page shows the messages of the fork');

  const first = runOf(page);
  await said.getByRole('button', { name: 'Run again from here' }).last().click();
  await page.waitForURL((url) => url.searchParams.get('run') !== first.run);
  await status(page, 'Succeeded');
  t.same(await texts(), edited);
  const second = runOf(page);
  await page
    .getByRole('list', { name: 'Steps' })
    .getByRole('button', { name: /^model_request/ })
    .click();
  await page.getByRole('button', { name: 'Run from here', exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get('run') !== second.run);
  await status(page, 'Succeeded');
  t.same(await texts(), edited);
  for (const { run } of [second, runOf(page)]) {
    const history = await server.client.threads.getHistory(thread, { metadata: { run_id: run } });
    t.same(
      history.map(({ next }) => next),
      [[], ['model_request']],
      'only the node is run again',
    );
  }
  t.same(complaints, []);
});
