import type { Page } from 'playwright-core';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { dismiss, focused, sideways } from '../helpers/in-page.js';
import { until } from '../helpers/page-until.js';
import { configWith, testServer } from '../helpers/server.js';
import { row, sent, upload, type Json } from '../helpers/uploads.js';

const QUEUES = '/api/v1/annotation-queues';
const NARROW = { width: 390, height: 844, dark: true };

/** Waits until the button of the form is drawn as enabled, one frame after it is. */
const submitEnabled = (page: Page): Promise<void> =>
  until(page, `getComputedStyle(document.querySelector('[role=dialog] button[type=submit]')).opacity === '1'`);

t.test('annotation queues and share links in the console', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo'), flags: { publicShares: true } });
  const read = async <T>(path: string): Promise<T> => (await (await server.get(path)).json()) as T;
  const created = async (path: string, body: Json): Promise<Json & { id: string }> =>
    (await (await server.post(path, body)).json()) as Json & { id: string };
  /** An experiment with a run for each question. */
  const experimentOf = async (
    name: string,
    questions: readonly string[],
  ): Promise<{ id: string; datasetId: string }> => {
    const { experiment, dataset } = await sent(
      server,
      upload({
        dataset_name: name,
        experiment_name: name,
        results: questions.map((question, at) =>
          row({
            inputs: { question },
            expected_outputs: { answer: 'yes' },
            actual_outputs: { answer: 'no' },
            start_time: `2024-05-01T10:1${at}:00Z`,
            end_time: `2024-05-01T10:1${at}:01Z`,
          }),
        ),
      }),
    );
    return { id: experiment.id, datasetId: dataset.id };
  };
  const questionsIn = async (queueId: string): Promise<string[]> =>
    (await read<{ inputs: { question: string } }[]>(`${QUEUES}/${queueId}/runs`)).map(({ inputs }) => inputs.question);
  const queueNamed = async (name: string): Promise<Json & { id: string }> =>
    (await read<(Json & { id: string })[]>(`${QUEUES}?name=${encodeURIComponent(name)}`))[0]!;
  await server.post('/api/v1/feedback-configs', {
    feedback_key: 'correct',
    feedback_config: { type: 'continuous', min: 0, max: 1 },
  });

  await t.test('creates a queue with a rubric by keyboard', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url, NARROW);
    await open('/queues');
    await page.getByText('No annotation queues yet').waitFor();
    await accessible('no queues');
    await page.getByRole('button', { name: 'New queue' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New annotation queue' });
    await until(page, 'document.activeElement?.tagName === "INPUT"');
    const create = dialog.getByRole('button', { name: 'Create queue' });
    t.ok(await create.isDisabled(), 'a queue needs a name');
    await page.keyboard.type('weekly answers');
    await dialog.getByLabel('Description').fill('scored low');
    await dialog.getByLabel('Instructions').fill('Be fair.');

    const addKey = dialog.getByRole('button', { name: 'Add feedback key' });
    const item = (at: number) => dialog.getByRole('group', { name: `Feedback key ${at}` });
    await addKey.press('Enter');
    await until(page, 'document.activeElement?.getAttribute("role") === "combobox"');
    await page.keyboard.type('corr');
    await page.getByRole('option', { name: 'correct' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option').waitFor({ state: 'detached' });
    t.ok(await dialog.isVisible(), 'Escape closes the list, not the dialog');
    await page.keyboard.type('ect');
    await item(1).getByText('A number from 0 to 1.').waitFor();
    await page.keyboard.press('Tab');
    t.equal(
      await item(1)
        .getByRole('button', { name: /Answer/ })
        .count(),
      0,
      'the key is configured',
    );
    await item(1).getByRole('checkbox', { name: 'Required' }).press(' ');

    await addKey.press('Enter');
    await item(2).getByRole('combobox', { name: 'Feedback key' }).fill('correct');
    await item(2).getByText('This key is already in the rubric.').waitFor();
    await item(2).getByRole('combobox', { name: 'Feedback key' }).fill('tone');
    await page.keyboard.press('Tab');
    await item(2)
      .getByRole('button', { name: /Answer/ })
      .click();
    await page.getByRole('option', { name: 'Choice' }).click();
    t.ok(await create.isDisabled(), 'a choice needs its choices');
    await item(2).getByLabel('Choices').fill('rude, rude');
    await item(2).getByText('Each choice needs a name of its own.').waitFor();
    await item(2).getByLabel('Choices').fill('rude, kind');
    await item(2).getByLabel('Question for reviewers').fill('Is it kind?');

    await addKey.press('Enter');
    await item(3).getByRole('combobox', { name: 'Feedback key' }).fill('stars');
    await page.keyboard.press('Tab');
    await item(3).getByLabel('Lowest score').fill('5');
    await item(3).getByLabel('Highest score').fill('1');
    await item(3).getByLabel('Highest score').blur();
    await item(3).getByText('Must be more than the lowest score.').waitFor();
    await item(3).getByLabel('Lowest score').fill('1');
    await item(3).getByLabel('Highest score').fill('5');
    await item(3).getByLabel('Highest score').blur();
    await addKey.press('Enter');
    await item(4).getByRole('combobox', { name: 'Feedback key' }).fill('mistake');
    await page.keyboard.press('Tab');
    await item(4).getByRole('button', { name: 'Remove feedback key 4' }).click();
    await item(4).waitFor({ state: 'detached' });
    await submitEnabled(page);
    await accessible('a rubric');
    t.ok((await sideways(page)) <= 0, 'fits in 390 px');
    await create.click();

    await page.getByRole('heading', { level: 1, name: 'weekly answers' }).waitFor();
    await page.getByText('Nothing to review').waitFor();
    await accessible('an empty queue');
    const { id } = await queueNamed('weekly answers');
    t.match(await read(`${QUEUES}/${id}`), {
      description: 'scored low',
      rubric_instructions: 'Be fair.',
      rubric_items: [
        { feedback_key: 'correct', is_required: true },
        {
          feedback_key: 'tone',
          description: 'Is it kind?',
          is_required: false,
          feedback_config: {
            feedback_config: {
              type: 'categorical',
              categories: [
                { value: 0, label: 'rude' },
                { value: 1, label: 'kind' },
              ],
            },
          },
        },
        { feedback_key: 'stars', feedback_config: { feedback_config: { type: 'continuous', min: 1, max: 5 } } },
      ],
    });
    await page.getByRole('link', { name: 'Choose an experiment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Experiments' }).waitFor();
    t.same(complaints, []);
  });

  await t.test('edits and deletes a queue', async (t) => {
    const { id } = await created(QUEUES, {
      name: 'to be edited',
      description: 'old',
      rubric_items: [{ feedback_key: 'correct', value_descriptions: { high: 'right' } }, { feedback_key: 'gone' }],
    });
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/queues/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit annotation queue' });
    await dialog.getByLabel('Name').fill('edited');
    await dialog.getByLabel('Description').fill('');
    await dialog.getByRole('button', { name: 'Remove feedback key 2' }).click();
    await submitEnabled(page);
    await accessible('editing a queue');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'edited' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    t.equal(await focused(page), 'Edit');
    const edited = await read<{ rubric_items: unknown[] }>(`${QUEUES}/${id}`);
    t.match(edited, {
      name: 'edited',
      description: null,
      rubric_items: [{ feedback_key: 'correct', value_descriptions: { high: 'right' } }],
    });
    t.equal(edited.rubric_items.length, 1);

    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      await page.getByRole('dialog', { name: 'Delete edited?' }).waitFor();
    };
    await remove();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    t.equal((await server.get(`${QUEUES}/${id}`)).status, 200);
    await remove();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Annotation queues' }).waitFor();
    await page.getByRole('link', { name: 'weekly answers' }).waitFor();
    t.equal(await page.getByRole('link', { name: 'edited' }).count(), 0);
    t.equal((await server.get(`${QUEUES}/${id}`)).status, 404);
    t.same(complaints, []);
  });

  await t.test('adds selected runs to a queue, and one run to a new queue', async (t) => {
    const experiment = await experimentOf('queued', ['first', 'second', 'third']);
    const target = await created(QUEUES, { name: 'existing' });
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/experiments/${experiment.id}`);
    const runs = page.getByRole('table', { name: 'Runs', exact: true });
    await runs.getByRole('checkbox', { name: 'Select all runs on this page' }).press(' ');
    await page.getByText('3 runs selected').waitFor();
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
    t.equal(await focused(page), 'Select runs to review or collect them');
    for (const name of ['first', 'third']) await runs.getByRole('checkbox', { name: `Select ${name}` }).press(' ');
    await accessible('selected runs');
    await page.getByRole('button', { name: 'Add to queue' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add 2 runs to a queue' });
    const add = dialog.getByRole('button', { name: 'Add', exact: true });
    t.ok(await add.isDisabled(), 'no queue is selected');
    await dialog.getByRole('combobox', { name: 'Queue' }).fill('EXIST');
    await page.getByRole('option', { name: 'existing' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await submitEnabled(page);
    await accessible('choosing a queue');
    await add.click();
    await dialog.waitFor({ state: 'detached' });
    t.equal(await focused(page), 'Add to queue');
    t.same((await questionsIn(target.id)).toSorted(), ['first', 'third']);

    await runs.getByRole('button', { name: 'second' }).click();
    const sheet = page.getByRole('dialog', { name: 'second' });
    await sheet.getByRole('button', { name: 'Add to queue' }).click();
    const single = page.getByRole('dialog', { name: 'Add 1 run to a queue' });
    await single.getByRole('tab', { name: 'New queue' }).click();
    await single.getByLabel('Name').fill('made on the way');
    await submitEnabled(page);
    await accessible('a new queue for a run');
    // The queue is created, but adding the run fails once.
    let failures = 0;
    await page.route(/annotation-queues\/[^/]+\/runs$/, async (route) => {
      failures += 1;
      await (failures === 1 ? route.fulfill({ status: 503, json: { detail: 'Try again later.' } }) : route.continue());
    });
    await single.getByRole('button', { name: 'Create queue and add' }).click();
    await single.getByText('Try again later.').waitFor();
    await single.getByRole('button', { name: 'Create queue and add' }).click();
    await sheet.getByText('In the annotation queue').waitFor();
    t.same(await questionsIn((await queueNamed('made on the way')).id), ['second']);
    t.equal((await read<unknown[]>(`${QUEUES}?name=made%20on%20the%20way`)).length, 1, 'created once');
    await sheet.getByRole('link', { name: 'made on the way' }).click();
    await page.getByText('Run 1 of 1').waitFor();
    t.equal(await page.getByText('00000000').count(), 0, 'the short id tells runs apart');
    t.same(complaints, []);
  });

  await t.test('moves the focus to the next run, removes runs, and stores a review once', async (t) => {
    const experiment = await experimentOf('support answers', [
      'How do I reset my password?',
      'Where is my invoice for March?',
      'Do you ship to Iceland?',
    ]);
    const { id } = await created(QUEUES, {
      name: 'Support answers of this week',
      description: 'Answers that an evaluator scored low.',
      rubric_instructions: 'Compare the answer with the manual. A refusal counts as wrong.',
      rubric_items: [
        { feedback_key: 'right', description: 'Would this answer have helped?' },
        { feedback_key: 'tone', description: 'Is it kind?' },
      ],
    });
    const found = (await (
      await server.post('/api/v1/runs/query', { session: [experiment.id], order: 'asc' })
    ).json()) as { runs: { id: string; inputs: { question: string } }[] };
    await server.post(
      `${QUEUES}/${id}/runs`,
      found.runs.map((run) => run.id),
    );
    const { page, open, picture, complaints } = await tab(t, server.url);
    await open(`/queues/${id}`);
    await page.getByText('Run 1 of 3').waitFor();
    await picture('annotation-queue');
    await page.getByRole('button', { name: 'Skip' }).press('Enter');
    await page.getByText('Run 2 of 3').waitFor();
    t.equal(await focused(page), 'Run to review');
    await page.getByRole('button', { name: 'Remove from queue' }).press('Enter');
    await page.getByText('Run 2 of 2').waitFor();
    t.equal(await focused(page), 'Run to review');
    t.equal((await questionsIn(id)).length, 2);
    await page.route(/annotation-queues\/status\//, (route) => route.abort(), { times: 1 });
    const answer = page.getByLabel('right', { exact: true });
    await answer.fill('0.5');
    await answer.blur();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('alert').waitFor();
    await answer.fill('1');
    await answer.blur();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('End of the queue').waitFor();
    t.equal(await focused(page), 'Run to review');
    const feedback = await read<Json[]>(`/api/v1/feedback?session=${experiment.id}&limit=10`);
    t.match(feedback, [{ key: 'right', score: 1 }]);
    t.equal(feedback.length, 1, 'the second attempt changed the feedback of the first');
    t.same(complaints, []);
  });

  await t.test('shares a dataset with its experiments, and stops', async (t) => {
    const { datasetId } = await experimentOf('shared dataset', ['who']);
    const { page, open, accessible, complaints } = await tab(t, server.url, NARROW);
    await open(`/datasets/${datasetId}`);
    const badge = page.getByText('Public link', { exact: true });
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this dataset' });
    await dialog.getByText(/Everyone who has the link/).waitFor();
    await accessible('before sharing');
    t.equal(await focused(page), 'Cancel', 'an extra Enter makes nothing public');
    await dismiss(page, dialog);
    t.equal(await read(`/api/v1/datasets/${datasetId}/share`), null);
    t.equal(await badge.count(), 0);
    await page.getByRole('button', { name: 'Share' }).click();
    await dialog.getByRole('button', { name: 'Create public link' }).click();
    const link = dialog.getByRole('link');
    const url = (await link.getAttribute('href'))!;
    t.match(url, new RegExp(`^${server.url}/public/[0-9a-f-]{36}/d$`));
    t.equal(await focused(page), 'Copy link');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    t.equal(await page.evaluate('navigator.clipboard.readText()'), url);
    const checkbox = dialog.getByRole('checkbox', { name: /Also list its experiments/ });
    await checkbox.press(' ');
    await until(page, 'document.querySelector("[role=dialog] input[type=checkbox]").checked');
    await accessible('a public link');
    t.ok((await sideways(page)) <= 0, 'fits in 390 px');
    await dismiss(page, dialog);
    await badge.waitFor();
    await page.reload();
    await badge.waitFor();

    const visitor = await tab(t, server.url);
    await visitor.page.goto(url);
    await visitor.page.getByRole('heading', { level: 1, name: 'shared dataset' }).waitFor();
    await visitor.page
      .getByRole('table', { name: 'Experiments' })
      .getByRole('rowheader', { name: 'shared dataset' })
      .waitFor();
    await visitor.accessible('a shared dataset with experiments');

    await page.getByRole('button', { name: 'Share' }).click();
    t.ok(await checkbox.isChecked(), 'the choice is kept');
    await dialog.getByRole('button', { name: 'Stop sharing' }).click();
    const confirm = page.getByRole('dialog', { name: 'Stop sharing?' });
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    t.equal((await fetch(url.replace(/\/d$/, '/datasets'))).status, 200);
    await dialog.getByRole('button', { name: 'Stop sharing' }).click();
    await confirm.getByRole('button', { name: 'Stop sharing' }).click();
    await badge.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Create public link' }).waitFor();
    t.equal(await focused(page), 'Cancel');
    await dismiss(page, dialog);
    t.equal(await focused(page), 'Share');
    t.equal(await read(`/api/v1/datasets/${datasetId}/share`), null);
    t.equal((await fetch(url.replace(/\/d$/, '/datasets'))).status, 404);
    t.same([...complaints, ...visitor.complaints], []);
  });

  await t.test('shares a run, and stops', async (t) => {
    const { id } = await experimentOf('shared run', ['when']);
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/experiments/${id}`);
    await page.getByRole('table', { name: 'Runs', exact: true }).getByRole('button', { name: 'when' }).click();
    const sheet = page.getByRole('dialog', { name: 'when' });
    await sheet.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this run' });
    await dialog.getByRole('button', { name: 'Create public link' }).click();
    const url = (await dialog.getByRole('link').getAttribute('href'))!;
    t.match(url, /\/public\/[0-9a-f-]{36}\/r$/);
    t.match(await (await fetch(url.replace(/\/r$/, '/run'))).json(), { inputs: { question: 'when' } });
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await sheet.getByText('Public link', { exact: true }).waitFor();
    await accessible('a shared run');
    await sheet.getByRole('button', { name: 'Share' }).click();
    await dialog.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('dialog', { name: 'Stop sharing?' }).getByRole('button', { name: 'Stop sharing' }).click();
    await sheet.getByText('Public link', { exact: true }).waitFor({ state: 'detached' });
    t.equal((await fetch(url.replace(/\/r$/, '/run'))).status, 404);
    t.same(complaints, []);
  });
});
