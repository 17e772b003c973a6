import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { sideways } from '../helpers/in-page.js';
import { until as untilRead } from '../helpers/langsmith.js';
import { until } from '../helpers/page-until.js';
import { projectOf } from '../helpers/project.js';
import { testServer, WITHOUT_TYPES } from '../helpers/server.js';

/** Waits until the list of traces has so many. */
const tracesListed = (page: Page, count: number): Promise<void> =>
  until(page, `document.querySelectorAll('table[aria-label=Traces] tbody tr').length === ${count}`);

async function enterDataset(dialog: Locator, name: string): Promise<void> {
  const field = dialog.getByRole('combobox', { name: 'Dataset' });
  await field.fill(name);
  // Closes the list of datasets, which hides the rest of the dialog from the accessibility tree.
  await field.press('Tab');
}

t.test('traces in the console', async (t) => {
  const config = projectOf(t, ['librarian', 'tools', 'trouble', 'approval'], { traces: true });
  const server = await testServer(t, { config, env: WITHOUT_TYPES });
  const { client } = server;

  await t.test('says how to get traces', async (t) => {
    const { page, open, accessible } = await tab(t, server.url);
    await open('/traces');
    await page.getByText('No traces yet').waitFor();
    await page.getByText('"traces": true').waitFor();
    await accessible('no traces');
  });

  const { thread_id: threadId } = await client.threads.create();
  const messages = [{ role: 'user', content: 'Which books about whales do you know?' }];
  await client.runs.wait(threadId, 'librarian', { input: { messages, streams: true } });
  const [asked] = await client.runs.list(threadId);
  for (const city of ['Oslo', 'nowhere', 'Lima'])
    await client.runs.wait(null, 'tools', { input: { city }, raiseError: false });

  await t.test('finds a trace by its text, and shows its steps', async (t) => {
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    await open('/traces');
    const rows = page.getByRole('table', { name: 'Traces' }).getByRole('row');
    await page.getByRole('link', { name: /whales/ }).waitFor();
    // Traces are stored a little after their runs have ended.
    await tracesListed(page, 4);
    t.equal(await rows.count(), 5, 'a header and four runs');
    await accessible('traces');
    await picture('traces');

    await page.getByLabel('Text in any step').fill('about whales');
    await tracesListed(page, 1);
    await page.getByRole('link', { name: /whales/ }).click();
    const tree = page.getByRole('tree', { name: 'Steps' });
    await tree.getByText('BookModel').waitFor();
    const names = await tree.getByRole('treeitem').allInnerTexts();
    t.strictSame(
      names.map((text) => text.split('\n')[0]),
      ['librarian', 'think', 'BookModel', 'fetch', 'Shelf', 'lend'],
    );

    await tree.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const step = page.getByRole('region', { name: 'BookModel' });
    await step.getByText('library · books-1').waitFor();
    await step.getByText('12 in · 5 out').waitFor();
    await step.getByText('First token').waitFor();
    await step.getByRole('article', { name: 'user message' }).getByText('Which books about whales').waitFor();
    await accessible('a trace');
    await picture('trace');
    await step.getByRole('button', { name: 'Show JSON' }).first().click();
    await step.getByRole('tree', { name: 'Inputs' }).waitFor();

    await tree.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    await tree.getByText('BookModel').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await tree.getByText('BookModel').waitFor();
    t.match(page.url(), /step=/, 'the open step is part of the address');
    await page.getByRole('link', { name: 'Open the thread' }).click();
    await page.getByRole('tab', { name: /Runs/ }).click();
    await page.getByRole('button', { name: /^Run / }).first().click();
    await page.getByRole('menuitem', { name: 'Show trace' }).click();
    await tree.getByText('BookModel').waitFor();
    t.strictSame(complaints, []);
  });

  await t.test('keeps named filters in the browser', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url, { width: 390 });
    await open('/traces');
    await tracesListed(page, 4);
    const save = page.getByRole('button', { name: 'Save filters' });
    t.equal(await save.count(), 0, 'there are no filters to save');
    await page.getByText('Errors only').click();
    await tracesListed(page, 1);
    await save.click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Failed');
    await page.keyboard.press('Enter');
    const saved = page.getByRole('navigation', { name: 'Saved filters' });
    await saved.getByRole('link', { name: 'Failed' }).and(saved.locator('[aria-current]')).waitFor();
    t.equal(await save.count(), 0, 'they are saved');
    await accessible('saved filters');
    t.equal(await sideways(page), 0, 'nothing scrolls sideways');

    await saved.getByRole('link', { name: 'All traces' }).click();
    await tracesListed(page, 4);
    t.equal(await page.getByRole('switch', { name: 'Errors only' }).isChecked(), false);
    await open('/traces');
    await saved.getByRole('link', { name: 'Failed' }).click();
    await tracesListed(page, 1);
    t.equal(new URL(page.url()).searchParams.get('errors'), 'only');
    await page.getByRole('button', { name: 'Remove saved filter Failed' }).click();
    await saved.waitFor({ state: 'detached' });
    t.same(complaints, []);
  });

  await t.test('shows numbers over time', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open('/traces');
    const activity = page.getByRole('region', { name: 'Activity' });
    await activity.getByRole('img', { name: 'Traces: 4, 25 % failed' }).waitFor();
    await activity.getByRole('img', { name: /^Latency: .*, 95 % within/ }).waitFor();
    await activity.getByRole('img', { name: 'Tokens: 17, 5 of them output' }).waitFor();
    await activity.getByRole('button', { name: /Last 24 hours/ }).click();
    await page.getByRole('option', { name: 'Last hour' }).click();
    await activity.getByRole('button', { name: /Last hour/ }).waitFor();
    t.match(page.url(), /time=hour/, 'the time is part of the address');
    await page.getByText('Errors only').click();
    await activity.getByRole('img', { name: 'Traces: 1, 100 % failed' }).waitFor();
    await page.getByLabel('Text in any step').fill('in no step');
    await activity.getByText('No traces in this time').waitFor();
    await accessible('charts without traces');
    t.strictSame(complaints, []);
  });

  await t.test('opens the step that failed', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url, { width: 390, height: 844, dark: true });
    await open('/traces?errors=only');
    await page.getByRole('link', { name: 'nowhere' }).click();
    const step = page.getByRole('region', { name: 'forecast' });
    await step.getByText('RangeError: There is no weather.').waitFor();
    await step.getByRole('button', { name: 'Show full error' }).click();
    await page.getByRole('dialog').getByText('tools.ts').first().waitFor();
    await page.keyboard.press('Escape');
    await accessible('a failed trace on a phone');
    t.equal(await sideways(page), 0, 'nothing scrolls sideways');
    t.strictSame(complaints, []);
  });

  await t.test('runs a recorded input again, with changes', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open('/traces?text=Lima');
    await page.getByRole('link', { name: 'Lima' }).click();
    await page.getByRole('link', { name: 'Run again' }).click();
    const input = page.getByLabel('Input as JSON');
    await input.waitFor();
    t.strictSame(JSON.parse(await input.inputValue()), { city: 'Lima' });
    await input.fill('{"city": "Quito"}');
    await accessible('a recorded input');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('fine in Quito').first().waitFor();
    t.notMatch(page.url(), /again=/);
    t.strictSame(complaints, []);
  });

  await t.test('makes an example of a step, with corrected outputs', async (t) => {
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    await open('/traces?text=Lima');
    await page.getByRole('link', { name: 'Lima' }).click();
    const step = page.getByRole('region', { name: 'tools' });
    await step.getByRole('button', { name: 'Add to dataset' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to a dataset' });
    await dialog.getByRole('combobox', { name: 'Dataset' }).fill('weather');
    await dialog.getByText('This dataset is new.').waitFor();
    await dialog.getByLabel('Expected outputs').fill('[]');
    await dialog.getByText('Must be a JSON object.').waitFor();
    await accessible('the dialog');
    await dialog.getByLabel('Expected outputs').fill('{"said": "rain in Lima"}');
    await dialog.getByRole('button', { name: 'Create dataset and add' }).click();
    await page.getByText('The example is in the dataset “weather”.').waitFor();
    await dialog.waitFor({ state: 'detached' });

    await step.getByRole('button', { name: 'Add to dataset' }).click();
    await dialog.getByRole('combobox', { name: 'Dataset' }).fill('weath');
    await page.getByRole('option', { name: /weather/ }).click();
    await dialog.getByRole('textbox', { name: 'Place in the outputs' }).fill('nothing');
    await dialog.getByText('Nothing is there.').waitFor();
    await dialog.getByRole('textbox', { name: 'Place in the outputs' }).fill('said');
    t.equal(await dialog.getByLabel('Expected outputs').inputValue(), '{\n  "said": "fine in Lima"\n}');
    await dialog.getByRole('textbox', { name: 'Split' }).fill('reviewed');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('This run is in the dataset already.').waitFor();
    await accessible('a run that the dataset has');
    await picture('add-to-dataset');
    await dialog.getByText('Add it once more').click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const [dataset] = (await (await server.get('/api/v1/datasets?name=weather')).json()) as [{ id: string }];
    const examples = (await (await server.get(`/api/v1/examples?dataset=${dataset.id}`)).json()) as {
      inputs: unknown;
      outputs: unknown;
      source_run_id: string;
    }[];
    t.strictSame(
      new Set(examples.map(({ outputs }) => JSON.stringify(outputs))),
      new Set(['{"said":"rain in Lima"}', '{"said":"fine in Lima"}']),
    );
    for (const { inputs, source_run_id: source } of examples) {
      t.strictSame(inputs, { city: 'Lima' });
      t.match(page.url(), source, 'the example keeps where it came from');
    }
    t.strictSame(complaints, []);
  });

  await t.test('adds selected traces, the runs of a thread, and a run from its page to a dataset', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open('/traces');
    await page.getByRole('checkbox', { name: 'Select Lima' }).press(' ');
    await page.getByRole('checkbox', { name: 'Select Oslo' }).press(' ');
    await page.getByText('2 traces selected').waitFor();
    await accessible('selected traces');
    await page.getByRole('button', { name: 'Add to dataset' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add 2 runs to a dataset' });
    await enterDataset(dialog, 'cities');
    await dialog.getByRole('textbox', { name: 'Place in the outputs' }).fill('said');
    await accessible('the dialog of several runs');
    await dialog.getByRole('button', { name: 'Create dataset and add' }).click();
    await page.getByText('2 examples are added to “cities”.').waitFor();
    await page.getByText('Select traces to collect them').waitFor();

    await open(`/threads/${threadId}`);
    await page.getByRole('button', { name: 'Add to dataset' }).click();
    const ofThread = page.getByRole('dialog', { name: 'Add the runs of this thread to a dataset' });
    await enterDataset(ofThread, 'cities');
    await ofThread.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('1 example is added to “cities”.').waitFor();
    await page.getByRole('button', { name: 'Add to dataset' }).click();
    await enterDataset(ofThread, 'cities');
    await ofThread.getByRole('button', { name: 'Add', exact: true }).click();
    await ofThread.getByText('Left out: 1 run is in the dataset already.').waitFor();

    const [run] = await client.runs.list(threadId);
    await open(`/run?thread=${threadId}&run=${run!.run_id}`);
    await page.getByRole('link', { name: 'Trace', exact: true }).waitFor();
    await page.getByRole('region', { name: 'Run status' }).getByText('17 tokens').waitFor();
    await page.getByRole('button', { name: 'Add to dataset' }).click();
    await page.getByRole('dialog', { name: 'Add to a dataset' }).getByLabel('Inputs', { exact: true }).waitFor();
    t.strictSame(complaints, []);
  });

  await t.test('follows a run that executes', async (t) => {
    const { page, open } = await tab(t, server.url);
    const run = await client.runs.create(threadId, 'trouble', { input: { do: 'sleep', n: 60_000 } });
    await open('/traces');
    await page.getByRole('link', { name: /sleep/ }).click();
    await page.getByRole('treeitem', { name: /misbehave.*Running/ }).waitFor();
    await client.runs.cancel(threadId, run.run_id, true);
    await page.getByRole('treeitem', { name: /misbehave.*failed/ }).waitFor();
    t.pass('the end appears by itself');
  });

  await t.test('runs again from a step', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/traces/${asked!.run_id}`);
    const tree = page.getByRole('tree', { name: 'Steps' });
    await tree.getByText('librarian').click();
    await page.getByRole('region', { name: 'librarian' }).waitFor();
    t.equal(await page.getByRole('button', { name: 'Run from here' }).count(), 0, 'the run itself has no node');
    await tree.getByText('lend').click();
    await page.getByRole('region', { name: 'lend' }).getByRole('button', { name: 'Run from here' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run from fetch' });
    await dialog.getByText('A run starts with fetch, from the checkpoint before it.').waitFor();
    await accessible('run from a step');
    await dialog.getByRole('button', { name: 'Start run' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run' }).waitFor();
    await page.getByText('Succeeded').first().waitFor();
    const [again] = await client.runs.list(threadId);
    const updates = await client.threads.getHistory(threadId, { metadata: { run_id: again!.run_id } });
    t.strictSame(
      updates.map(({ next }) => next),
      [[], ['fetch']],
      'only the node of the step is run',
    );
    await page.getByLabel('Input as JSON').fill('{"messages": [{"role": "user", "content": "And about seals?"}]}');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('listitem', { name: 'think: Succeeded' }).getByText('17 tokens').waitFor();
    t.strictSame(complaints, []);
  });

  await t.test('answers the question of a run in an annotation queue', async (t) => {
    const { thread_id: waitingId } = await client.threads.create();
    await client.runs.wait(waitingId, 'approval', { input: {} });
    const [run] = await client.runs.list(waitingId);
    await untilRead(
      () => server.get(`/api/v1/runs/${run!.run_id}`),
      ({ status }) => status === 200,
    );
    const made = await server.post('/api/v1/annotation-queues', { name: 'approvals' });
    const { id } = (await made.json()) as { id: string };
    await server.post(`/api/v1/annotation-queues/${id}/runs`, [run!.run_id]);
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/queues/${id}`);
    const asks = page.getByRole('region', { name: 'Waiting for input' });
    await asks.getByText('first question').waitFor();
    await accessible('a question in a queue');
    await asks.getByLabel('Your answer').fill('yes');
    await asks.getByRole('button', { name: 'Answer', exact: true }).click();
    await asks.getByText('second question').waitFor();
    t.strictSame(complaints, []);
  });
});
