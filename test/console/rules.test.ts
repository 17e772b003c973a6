import { randomUUID } from 'node:crypto';
import t from 'tap';
import { addRun, createProject, send } from '../helpers/sent-runs.js';
import { tab } from '../helpers/browser.js';
import { sideways } from '../helpers/in-page.js';
import { until as untilTrue } from '../helpers/langsmith.js';
import { until } from '../helpers/page-until.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, testServer, WITHOUT_TYPES } from '../helpers/server.js';

interface ShownRule {
  id: string;
  is_enabled: boolean;
  acted_count: number;
}

t.test('rules in the console', async (t) => {
  const config = projectOf(t, ['echo'], {
    evaluators: { polite: `${ROOT}/test/graphs/evaluators.ts:correct` },
    traces: { evaluate: [{ evaluators: ['polite'], assistants: ['echo'], sample_rate: 0.1 }] },
  });
  const server = await testServer(t, { config, env: WITHOUT_TYPES });
  const projectId = await createProject(server, 'support');
  const queue = await send<{ id: string }>(server, 'POST', '/annotation-queues', { name: 'Bad answers' });
  const rules = async (): Promise<ShownRule[]> => (await send<ShownRule[]>(server, 'GET', '/runs/rules')).body;

  await t.test('makes a rule of the filters on the page of traces', async (t) => {
    await addRun(server, projectId, { startMs: Date.now(), error: 'RangeError: no such order' });
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    await open(`/traces?project=${projectId}&errors=only`);
    await page.getByText('no such order').waitFor();
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    const create = dialog.getByRole('button', { name: 'Create rule' });
    await dialog.getByLabel('Name').fill('Failed runs');
    t.ok(await create.isDisabled(), 'a rule needs an action');
    t.equal(await dialog.getByLabel('Only those that match').inputValue(), 'eq(status, "error")');
    await dialog.getByRole('button', { name: 'support For each run of' }).waitFor();
    await dialog.getByText('Add it to a dataset').click();
    await dialog.getByRole('combobox', { name: 'Dataset' }).fill('failures');
    await dialog.getByText('This dataset is new.').waitFor();
    await dialog.getByText('Take the correction of its feedback').click();
    await dialog.getByText('Add it to an annotation queue').click();
    const queueField = dialog.getByRole('combobox', { name: 'Queue' });
    // The dialog scrolls to the field. A list that is open would close with that.
    await queueField.click();
    await queueField.fill('Bad');
    await page.getByRole('option', { name: /Bad answers/ }).click();
    await dialog.getByLabel('Only those that match').fill('eq(status');
    await create.click();
    await dialog.getByText(/body\.filter: /).waitFor();
    await dialog.getByLabel('Only those that match').fill('eq(status, "error")');
    await until(page, `getComputedStyle(document.querySelector('[role=dialog] button[type=submit]')).opacity === '1'`);
    await accessible('the dialog');
    await picture('new-rule');
    await create.click();
    await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
    await page.getByText('dataset failures').waitFor();
    t.match((await rules())[1], {
      display_name: 'Failed runs',
      session_id: projectId,
      filter: 'eq(status, "error")',
      add_to_dataset_prefer_correction: true,
      add_to_annotation_queue_id: queue.body.id,
    });
    t.strictSame(complaints, []);
  });

  await t.test('shows what rules have done, and changes, disables and deletes them', async (t) => {
    await addRun(server, projectId, { startMs: Date.now(), error: 'RangeError: no such order' });
    await untilTrue(rules, (found) => found[1]!.acted_count === 1);
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    await open('/rules');
    const rows = page.getByRole('table', { name: 'Rules' }).getByRole('row');
    await rows.nth(2).waitFor();
    t.match(await rows.allInnerTexts(), [
      /Rule/,
      /traces\.evaluate\.0[^]*langgraph\.json[^]*10 % of the runs of echo[^]*scores: polite/,
      /Failed runs[^]*Each run of support, when it has ended[^]*dataset failures[^]*queue Bad answers/,
    ]);
    t.equal(await page.getByRole('switch').count(), 1, 'that of langgraph.json has none');
    await accessible('rules');
    await picture('rules');

    await page.getByRole('button', { name: 'More: Failed runs' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit rule' });
    t.equal(await dialog.getByRole('combobox', { name: 'Dataset' }).inputValue(), 'failures');
    await dialog.getByText('Add it to an annotation queue').click();
    await dialog.getByLabel('Share of them, in %').fill('50');
    await dialog.getByText('polite').click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('50 % of the runs of support').waitFor();
    t.match((await rules())[1], { sampling_rate: 0.5, add_to_annotation_queue_id: null, evaluators: ['polite'] });

    await page.getByText('Enabled: Failed runs').locator('..').click();
    await page.getByText('Rule disabled.').waitFor();
    t.match((await rules())[1], { is_enabled: false });

    await page.getByRole('button', { name: 'More: Failed runs' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete Failed runs?' }).getByRole('button', { name: 'Delete' }).click();
    await rows.nth(2).waitFor({ state: 'detached' });
    t.equal((await rules()).length, 1);
    t.strictSame(complaints, []);
  });

  await t.test('fits on a phone and shows why a rule cannot act', async (t) => {
    const dataset = await send<{ id: string }>(server, 'POST', '/datasets', { name: `gone ${randomUUID()}` });
    await send(server, 'POST', '/runs/rules', {
      display_name: 'Into a deleted dataset',
      session_id: projectId,
      add_to_dataset_id: dataset.body.id,
    });
    await send(server, 'DELETE', `/datasets/${dataset.body.id}`);
    await addRun(server, projectId, { startMs: Date.now() });
    const { page, open, accessible, complaints } = await tab(t, server.url, { width: 390, height: 844, dark: true });
    await open('/rules');
    await page.getByText('Dataset not found').waitFor();
    await page.getByText('a dataset that is deleted or hidden').waitFor();
    t.equal(await sideways(page), 0);
    await accessible('rules on a phone');
    t.strictSame(complaints, []);
  });
});
