import t from 'tap';
import { tab } from '../helpers/browser.js';
import { chooseThread, conversation, runOf, runServer, start, status } from '../helpers/console-run.js';

const server = await runServer();

t.test('answers an interrupt and continues the run', async (t) => {
  const { page, open, accessible, complaints } = await tab(t, server.url);
  await open('/run?assistant=agent');
  await page.getByLabel('Message', { exact: true }).fill('Send a mail');
  await page.keyboard.press('Enter');
  await page.getByText('Send this mail to ada@example.org?', { exact: true }).waitFor();
  const asked = page.url();
  await page.getByLabel('Your answer').fill('yes');
  await page.keyboard.press('Control+Enter');
  await conversation(page).getByText('Done. Mail to ada@example.org was sent.', { exact: true }).waitFor();
  await status(page, 'Succeeded');
  await page.getByText('Send this mail to ada@example.org?', { exact: true }).waitFor({ state: 'detached' });
  await page.goto(asked);
  await page.getByText('A later run has answered it.').waitFor();

  const {
    page: narrow,
    open: go,
    picture,
    accessible: fine,
    complaints: more,
  } = await tab(t, server.url, { width: 1_000, height: 900 });
  await go('/run?assistant=decide');
  await start(narrow);
  const answer = narrow.getByRole('button', { name: 'Answer', exact: true });
  await answer.waitFor();
  t.equal(await answer.isDisabled(), true, 'each action needs a decision');
  await narrow
    .getByRole('group', { name: 'Decision about delete_file' })
    .getByRole('button', { name: 'Reject' })
    .click();
  t.equal(
    await narrow.getByRole('group', { name: 'Decision about delete_file' }).getByRole('button').count(),
    2,
    'only allowed decisions',
  );
  await narrow.getByLabel('Reason').fill('Not these.');
  await narrow.getByRole('group', { name: 'Decision about send_mail' }).getByRole('button', { name: 'Edit' }).click();
  await fine('decisions');
  await picture('run-interrupt');
  await narrow.getByRole('textbox', { name: 'to', exact: true }).fill('grace@example.org');
  await answer.click();
  await status(narrow, 'Succeeded');
  const { thread } = runOf(narrow);
  await narrow.getByRole('tree', { name: 'Graph state' }).getByText('grace@example.org', { exact: false }).waitFor();
  const { values } = await server.client.threads.getState<{ decided: string }>(thread);
  t.same(JSON.parse(values.decided), {
    decisions: [
      { type: 'reject', message: 'Not these.' },
      { type: 'edit', editedAction: { name: 'send_mail', args: { to: 'grace@example.org' } } },
    ],
  });
  await accessible('an answered interrupt');
  t.same([...complaints, ...more], []);
});

t.test('answers with an offered option, and with a form from a schema', async (t) => {
  const { page, open, accessible, complaints } = await tab(t, server.url, { width: 390, dark: true });
  await open('/run?assistant=offers');
  await start(page);
  await page.getByText('Needs a permit.').waitFor();
  await accessible('options');
  await page.getByRole('button', { name: 'Very large' }).click();
  await page.getByText('Where to?').waitFor();
  await page.getByRole('textbox', { name: 'city' }).fill('Lima');
  const answer = page.getByRole('button', { name: 'Answer', exact: true });
  await answer.click();
  await page.getByText('is required').waitFor();
  await accessible('a form');
  await page.getByRole('textbox', { name: 'floor' }).fill('3');
  await answer.click();
  await status(page, 'Succeeded');
  const { values } = await server.client.threads.getState<{ answers: unknown[] }>(runOf(page).thread);
  t.same(values.answers, [{ size: 9 }, { city: 'Lima', floor: 3 }]);
  t.same(complaints, []);
});

t.test('a breakpoint stops the run, and Continue resumes it', async (t) => {
  const { page, open, accessible, complaints } = await tab(t, server.url);
  await open('/run?assistant=research');
  await page.getByLabel('topic').fill('tides');
  await page.getByRole('button', { name: 'Options', exact: true }).click();
  await page.getByLabel('Interrupt before nodes').fill('write');
  await accessible('the options');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Options (1 changed)' }).waitFor();
  await start(page);
  await page.getByText('Stopped before write.').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('tree', { name: 'Graph state' }).getByText('"Report on tides: 2 notes."').waitFor();
  t.same(complaints, []);
});

t.test('shows a stateless run to its end, and reports one that no longer exists', async (t) => {
  const { page, open, complaints } = await tab(t, server.url);
  await open('/run?assistant=agent');
  await chooseThread(page, 'No thread');
  await page.getByLabel('Message', { exact: true }).fill('Hello');
  await page.keyboard.press('Enter');
  await conversation(page).getByText('Hello! Ask me about the weather', { exact: false }).waitFor();
  await status(page, 'Succeeded');
  t.equal(runOf(page).thread, null);
  await open('/run?run=00000000-0000-4000-8000-000000000000');
  await page.getByText('Stateless run not found', { exact: false }).waitFor();
  t.same(complaints, []);
});

t.test('shows the state of a run with expired events, and answers its interrupt', async (t) => {
  const { thread_id: thread } = await server.client.threads.create();
  await server.client.runs.wait(thread, 'agent', { input: { messages: [{ role: 'user', content: 'Send a mail' }] } });
  const [run] = await server.client.runs.list(thread);
  const { page, open, complaints } = await tab(t, server.url);
  await open(`/run?thread=${thread}&run=${run!.run_id}`);
  await page
    .getByText('This is the state of its thread at the end of the run.')
    .or(page.getByRole('list', { name: 'Steps' }))
    .first()
    .waitFor();
  await page.getByLabel('Your answer').fill('no');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await conversation(page).getByText('Done. Mail to ada@example.org was not sent.', { exact: true }).waitFor();
  await status(page, 'Succeeded');
  t.same(complaints, []);
});
