import t from 'tap';
import { tab } from '../helpers/browser.js';
import { sideways } from '../helpers/in-page.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, testServer, WITHOUT_TYPES } from '../helpers/server.js';

t.test('experiments that the server runs, in the console', async (t) => {
  const config = projectOf(t, ['sums'], {
    evaluators: { correct: `${ROOT}/test/graphs/evaluators.ts:correct` },
    traces: true,
  });
  const server = await testServer(t, { config, env: WITHOUT_TYPES });
  const { id: datasetId } = (await (await server.post('/datasets', { name: 'sums' })).json()) as { id: string };
  const add = (questions: readonly string[]): Promise<Response> =>
    server.post(
      '/examples/bulk',
      questions.map((question) => ({ dataset_id: datasetId, inputs: { question }, outputs: { answer: '3' } })),
    );
  await add(['1 + 2', '2 + 2', 'no sum']);

  await t.test('starts one, and shows its scores and the steps of a run', async (t) => {
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    await open(`/datasets/${datasetId}`);
    await page.getByRole('button', { name: 'Run experiment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run an experiment' });
    await dialog.getByRole('combobox', { name: 'Assistant' }).fill('sums');
    await page.getByRole('option', { name: /sums/ }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('from the console');
    await dialog.getByText('correct', { exact: true }).click();
    await dialog.getByText('exact_match').click();
    await dialog.getByRole('textbox', { name: 'Place in the outputs' }).fill('answer');
    await dialog.getByRole('textbox', { name: 'Place in the reference outputs' }).fill('answer');
    await dialog.getByText('3 runs: 3 examples, 1 × each.').waitFor();
    await accessible('the dialog of an experiment');
    await picture('run-experiment');
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();

    await page.getByRole('heading', { level: 1, name: 'from the console' }).waitFor();
    const scores = page.getByRole('region', { name: 'Feedback on runs' });
    await scores.getByText('exact_match').waitFor();
    await page.getByRole('region', { name: 'Statistics' }).getByText('33.3 %').waitFor();
    await accessible('an experiment of the server');
    await page
      .getByRole('row', { name: /2 \+ 2/ })
      .getByRole('button')
      .first()
      .click();
    await page.getByRole('link', { name: 'Show trace' }).click();
    await page.getByRole('tree', { name: 'Steps' }).getByText('add').waitFor();
    t.same(complaints, []);
  });

  await t.test('shows the progress, and cancels', async (t) => {
    await add(Array.from({ length: 40 }, (_, at) => `slow ${at}`));
    const body = { dataset: datasetId, assistant_id: 'sums', name: 'slow', max_concurrency: 1, repetitions: 10 };
    const { experiment_id: id } = (await (await server.post('/experiments', body)).json()) as { experiment_id: string };
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/experiments/${id}`);
    const running = page.getByRole('region', { name: 'Running' });
    await running.getByText(/\d+ of 430 runs are done/).waitFor();
    await running.getByRole('progressbar', { name: 'Runs that are done' }).waitFor();
    await accessible('an experiment that is running');
    await page.setViewportSize({ width: 390, height: 800 });
    t.equal(await sideways(page), 0, 'nothing scrolls sideways');
    await running.getByRole('button', { name: 'Cancel experiment' }).click();
    await page
      .getByRole('region', { name: 'Cancelled' })
      .getByText(/of 430 runs are done/)
      .waitFor();
    t.same(complaints, []);
  });
});
