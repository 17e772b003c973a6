import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { until } from '../helpers/page-until.js';
import { dismiss } from '../helpers/in-page.js';
import { sideways } from '../helpers/in-page.js';
import { configWith, testServer } from '../helpers/server.js';

interface Example {
  id: string;
  inputs: unknown;
  outputs: unknown;
  metadata: Record<string, unknown>;
}

const UPLOAD_BYTES_MAX = 300_000;

/** Drags a file over the page, and other empty ones. Returns what drops them. */
async function drag(
  page: Page,
  name: string,
  content: string | number[],
  others: readonly string[] = [],
): Promise<() => Promise<void>> {
  const source = typeof content === 'string' ? JSON.stringify(content) : `new Uint8Array(${JSON.stringify(content)})`;
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const data = new DataTransfer();
      data.items.add(new File([${source}], ${JSON.stringify(name)}));
      for (const other of ${JSON.stringify(others)}) data.items.add(new File([], other));
      return data;
    })()`,
  );
  // The page takes files when its dataset is loaded.
  const button = page.getByRole('button', { name: /^(Upload|Import) file$/ });
  await button.or(page.getByRole('dialog')).first().waitFor();
  await page.dispatchEvent('body', 'dragenter', { dataTransfer });
  return () => page.dispatchEvent('body', 'drop', { dataTransfer });
}

t.test('datasets are edited in the console', async (t) => {
  const server = await testServer(t, {
    config: configWith(t, 'echo'),
    env: { THREADMILL_MAX_UPLOAD_BYTES: String(UPLOAD_BYTES_MAX) },
  });
  const examplesOf = async (datasetId: string): Promise<Example[]> =>
    (await (
      await server.get(`/api/v1/examples?dataset=${datasetId}&order=recently_created&descending=false`)
    ).json()) as Example[];
  const created = async (name: string, more: object = {}): Promise<string> =>
    ((await (await server.post('/api/v1/datasets', { name, ...more })).json()) as { id: string }).id;

  await t.test('creates a dataset, and adds, edits and deletes an example', async (t) => {
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    await open('/datasets');
    await page.getByRole('button', { name: 'New dataset' }).click();
    const dialog = page.getByRole('dialog', { name: 'New dataset' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('refunds');
    await accessible('the dialog of a new dataset');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'refunds' }).waitFor();
    const datasetId = /datasets\/([\w-]+)/.exec(page.url())![1]!;

    await page.getByRole('button', { name: 'Add example' }).click();
    const adding = page.getByRole('dialog', { name: 'Add an example' });
    t.ok(await adding.getByRole('button', { name: 'Add', exact: true }).isDisabled(), 'without inputs');
    await adding.getByLabel('Inputs').fill('{"question": "Can I return it?"}');
    await adding.getByLabel('Reference outputs').fill('{"answer": "yes"');
    await adding.getByText(/Invalid JSON/).waitFor();
    await adding.getByLabel('Reference outputs').fill('{"answer": "yes"}');
    await adding.getByRole('textbox', { name: 'Splits' }).fill('test, hard');
    await until(page, `getComputedStyle(document.querySelector('[role=dialog] button[type=submit]')).opacity === '1'`);
    await accessible('the dialog of a new example');
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    const card = page.getByRole('article', { name: 'Example 1' });
    await card.getByText('hard').waitFor();

    await card.getByRole('button', { name: 'Edit' }).press('Enter');
    await until(page, `document.activeElement.value?.includes('Can I return it?') === true`);
    await page.keyboard.press('Escape');
    await until(page, `document.activeElement.textContent === 'Edit'`);
    await page.keyboard.press('Enter');
    await card.getByLabel('Reference outputs').fill('');
    await page.keyboard.press('Escape');
    await card.getByText('Outputs can be changed, not removed.').waitFor();
    await card.getByLabel('Reference outputs').fill('{"answer": "within 30 days"}');
    await card.getByLabel('Metadata').fill('{"reviewed": true}');
    await accessible('an example that is edited');
    await page.keyboard.press('Control+Enter');
    await card.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    await until(page, `document.activeElement.textContent === 'Edit'`);
    await card.getByText('within 30 days').waitFor();
    t.match(await examplesOf(datasetId), [
      {
        inputs: { question: 'Can I return it?' },
        outputs: { answer: 'within 30 days' },
        metadata: { reviewed: true, dataset_split: ['test', 'hard'] },
      },
    ]);
    await picture('examples');

    await card.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete 1 example?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No examples yet').waitFor();
    t.same(await examplesOf(datasetId), []);
    t.same(complaints, []);
  });

  await t.test('shows what the schema of the dataset refuses at its field', async (t) => {
    const datasetId = await created('with a schema');
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/datasets/${datasetId}?tab=about`);
    const schemas = page.getByRole('region', { name: 'Schemas' });
    await schemas.getByLabel('Schema of the inputs').fill('{"type": "objekt"}');
    await schemas.getByRole('button', { name: 'Save schemas' }).click();
    await schemas.getByText(/type: /).waitFor();
    await schemas
      .getByLabel('Schema of the inputs')
      .fill('{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}');
    await schemas.getByRole('button', { name: 'Save schemas' }).click();
    await page.getByText('The schemas are saved.').waitFor();
    await accessible('the schemas of a dataset');

    await page.getByRole('tab', { name: /Examples/ }).click();
    await page.getByRole('button', { name: 'Add example' }).click();
    const adding = page.getByRole('dialog', { name: 'Add an example' });
    await adding.getByLabel('Inputs').fill('{"n": "one"}');
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await adding.getByText('n: must be integer').waitFor();
    await accessible('an example that the schema refuses');
    await adding.getByLabel('Inputs').fill('{"n": 1}');
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('article', { name: 'Example 1' }).waitFor();
    await open(`/datasets/${datasetId}?tab=about`);
    await schemas.getByLabel('Schema of the inputs').fill('');
    await schemas.getByRole('button', { name: 'Save schemas' }).click();
    await page.getByText('The schemas are saved.').waitFor();
    t.match(await (await server.get(`/api/v1/datasets/${datasetId}`)).json(), { inputs_schema_definition: null });
    // The refused requests are in the log of the browser.
    t.ok(
      complaints.every((text) => text.includes('422')),
      complaints.join('\n'),
    );
  });

  await t.test('changes the split of selected examples, and deletes several', async (t) => {
    const datasetId = await created('many rows');
    await server.post(
      '/api/v1/examples/bulk',
      Array.from({ length: 25 }, (_, n) => ({ dataset_id: datasetId, inputs: { n } })),
    );
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/datasets/${datasetId}?tab=examples`);
    await page.getByRole('checkbox', { name: 'Select example 1', exact: true }).press(' ');
    await page.getByRole('checkbox', { name: 'Select example 2', exact: true }).press(' ');
    await page.getByText('2 examples selected').waitFor();
    await page.getByRole('button', { name: 'Change split' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the split of 2 examples' });
    await dialog.getByRole('textbox', { name: 'Split' }).fill('train');
    await accessible('the dialog of a split');
    await dialog.getByRole('button', { name: 'Add to split' }).click();
    await page.getByText('2 examples are in “train”.').waitFor();
    t.equal(
      (await examplesOf(datasetId)).filter(({ metadata }) => String(metadata['dataset_split']).includes('train'))
        .length,
      2,
    );
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.getByRole('checkbox', { name: 'Select this page' }).press(' ');
    await page.getByText('20 examples selected').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    t.equal(await sideways(page), 0, 'nothing scrolls sideways');
    await page.getByRole('button', { name: 'Delete selected' }).click();
    const question = page.getByRole('dialog', { name: 'Delete 20 examples?' });
    await dismiss(page, question);
    t.equal((await examplesOf(datasetId)).length, 25);
    await page.getByRole('button', { name: 'Delete selected' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 to 5 of 5').waitFor();
    await page.setViewportSize({ width: 1_280, height: 800 });
    t.equal((await examplesOf(datasetId)).length, 5);
    t.same(complaints, []);
  });

  await t.test('tags and downloads a version, and shows it without a way to change it', async (t) => {
    const datasetId = await created('with versions');
    const first = (await (
      await server.post('/api/v1/examples', { dataset_id: datasetId, inputs: { v: 1 } })
    ).json()) as Example;
    await server.post(`/api/v1/examples/${first.id}`, { inputs: { v: 2 } }, { method: 'PATCH' });
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    await open(`/datasets/${datasetId}?tab=versions`);
    const rows = page.getByRole('table', { name: 'Versions' }).getByRole('row');
    await rows.nth(2).waitFor();
    await rows.nth(2).getByRole('button', { name: /^Tag/ }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Tag' }).fill('release-1');
    await accessible('the dialog of a tag');
    await page.getByRole('dialog').getByRole('button', { name: 'Tag', exact: true }).click();
    await rows.nth(2).getByText('release-1').waitFor();
    await accessible('the versions of a dataset');
    await picture('dataset-versions');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      rows
        .nth(2)
        .getByRole('button', { name: /^Download/ })
        .click(),
    ]);
    t.match(readFileSync(await file.path(), 'utf8'), '"inputs":{"v":1}');
    await rows.nth(2).getByRole('link').click();
    await page.getByText(/It cannot be changed/).waitFor();
    await page.getByRole('article', { name: 'Example 1' }).waitFor();
    t.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0);
    await page.getByRole('button', { name: 'Show the latest version' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    t.same(complaints, []);
  });

  await t.test('imports CSV and JSON lines', async (t) => {
    const datasetId = await created('imported');
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/datasets/${datasetId}?tab=examples`);
    const dialog = page.getByRole('dialog', { name: 'Import examples from a file' });
    const choose = async (name: string, text: string): Promise<void> => {
      await page.getByRole('button', { name: 'Import file' }).click();
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        dialog.getByRole('button', { name: 'Choose a file' }).click(),
      ]);
      await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
      await dialog.getByText(name).waitFor();
    };
    await choose('questions.csv', '"the ""question""",expected answer,level\n2 + 2,4,easy\n3 + 3,6,easy\n');
    await dialog.getByRole('button', { name: /Use of level/ }).click();
    await page.getByRole('option', { name: 'Metadata' }).click();
    await accessible('the dialog of an import');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page.getByText('2 examples are imported.').waitFor();
    t.match(await examplesOf(datasetId), [
      { inputs: { 'the "question"': '2 + 2' }, outputs: { 'expected answer': '4' }, metadata: { level: 'easy' } },
      { inputs: { 'the "question"': '3 + 3' } },
    ]);
    await choose('more.jsonl', '{"inputs": {"q": 1}, "outputs": {"a": 2}}\n');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page.getByText('1 example is imported.').waitFor();
    t.equal((await examplesOf(datasetId)).length, 3);
    t.same(complaints, []);
  });

  await t.test('makes a dataset of a JSON list that is dropped on the page', async (t) => {
    await created('sums');
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    await open('/datasets');
    const dropped = await drag(
      page,
      'sums.json',
      `\uFEFF[{"sum": "[2 + 2], \\"please\\"", "answer": {"n": 4}, "tags": ["a"]},
        {"sum": 12345678901234567890, "answer": {"n": 6}}, {"sum": "no answer", "id": 7}]`,
      ['a.csv', 'b.csv'],
    );
    await page.getByText('Drop a file to make a dataset of it').waitFor();
    await dropped();
    await page.getByText('One file at a time: sums.json is used, 2 other files are not.').waitFor();
    const dialog = page.getByRole('dialog', { name: 'New dataset from a file' });
    await dialog.getByText('3 rows read, with 4 fields.').waitFor();
    t.equal(await page.getByText('Drop a file to make a dataset of it').count(), 0);
    const cells = await dialog.getByRole('table', { name: 'Preview' }).getByRole('row').allInnerTexts();
    t.match(cells[1], /sum\s+"\[2 \+ 2\], \\"please\\""\s+answer\s+\{"n":4\}\s+tags\s+\["a"\]/);
    t.notMatch(cells[3], /7/, 'the id is left out');
    await accessible('the dialog of an upload');
    await picture('upload-dataset');
    await page.setViewportSize({ width: 390, height: 844 });
    t.equal(await sideways(page), 0, 'nothing scrolls sideways');
    await page.setViewportSize({ width: 1_280, height: 800 });

    const name = dialog.getByRole('textbox', { name: 'Name of the dataset' });
    t.equal(await name.inputValue(), 'sums');
    await dialog.getByRole('button', { name: 'Create dataset' }).click();
    await dialog.getByText(/already exists/).waitFor();
    await name.fill('more sums');
    for (const use of ['Ignore', 'Inputs']) {
      await dialog.getByRole('button', { name: /Use of id/ }).click();
      await page.getByRole('option', { name: use }).click();
    }
    await dialog.getByRole('button', { name: 'Create dataset' }).click();
    await page.getByRole('heading', { level: 1, name: 'more sums' }).waitFor();
    await page.getByRole('article', { name: 'Example 3' }).waitFor();
    const id = /datasets\/([\w-]+)/.exec(page.url())![1]!;
    t.match(await examplesOf(id), [
      { inputs: { sum: '[2 + 2], "please"' }, outputs: { answer: { n: 4 } }, metadata: { tags: ['a'] } },
      { outputs: { answer: { n: 6 } } },
      { inputs: { sum: 'no answer', id: 7 }, outputs: null },
    ]);
    t.match(
      await (await server.get(`/api/v1/examples?dataset=${id}`)).text(),
      '"sum":12345678901234567890',
      'keeps large numbers',
    );
    t.same(complaints, []);
  });

  await t.test('lists the rows of a file that cannot be read, and imports the others', async (t) => {
    const datasetId = await created('with bad rows');
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    await open(`/datasets/${datasetId}`);
    const dialog = page.getByRole('dialog', { name: 'Import examples from a file' });
    const rows = dialog.getByRole('table', { name: 'Rows that cannot be read' }).getByRole('row');
    const send = dialog.getByRole('button', { name: /^Import \d/ });
    await (
      await drag(page, 'lines.jsonl', '{"q": 1, "answer": 2}\n\n{"q": \n[3]\n{"q": 4}')
    )();
    await dialog.getByText('2 rows read, with 2 fields. 2 rows cannot be read.').waitFor();
    t.match(await rows.allInnerTexts(), [/Row\s+Line\s+Reason/, /2\s+3\s+Invalid JSON/, /3\s+4\s+The row is not/]);

    await (
      await drag(page, 'latin.csv', [113, 44, 97, 10, 228, 44, 98])
    )();
    await dialog.getByText(/not text in UTF-8/).waitFor();
    await (
      await drag(page, 'object.json', '{\n"a": [1]\n}')
    )();
    await dialog.getByText(/JSON over several lines/).waitFor();
    await (
      await drag(page, 'open.json', '[{"q": 1}, {"q": 2')
    )();
    await dialog.getByText('The list has no end').waitFor();

    await (
      await drag(page, 'rows.csv', 'question;answer\n"1; 1";one\n2\n3;a "quote\n4;four\n5;"open')
    )();
    await dialog.getByText('2 rows read, with 2 columns. 3 rows cannot be read.').waitFor();
    t.match(await rows.allInnerTexts(), [
      /Row/,
      /2\s+3\s+The row has 1 cell, and the first line has 2/,
      /3\s+4\s+A quote is inside of a cell/,
      /5\s+6\s+A quoted cell has no end/,
    ]);
    t.equal(await send.count(), 0);
    await accessible('the dialog of a file with errors');
    await picture('upload-errors');
    await dialog.getByRole('checkbox', { name: /Import the other rows/ }).press(' ');
    await send.click();
    await page.getByText('2 examples are imported.').waitFor();
    t.match(await examplesOf(datasetId), [
      { inputs: { question: '1; 1' }, outputs: { answer: 'one' } },
      { inputs: { question: '4' }, outputs: { answer: 'four' } },
    ]);

    await (
      await drag(page, 'no inputs.jsonl', '{"q": 1}\n{"answer": 2}')
    )();
    await send.click();
    await dialog.getByText('The row has no inputs.').first().waitFor();
    await dialog.getByRole('table', { name: 'Rows that are refused' }).waitFor();
    await dialog.getByRole('checkbox', { name: /Import the other rows/ }).press(' ');
    t.ok(await dialog.getByRole('checkbox', { name: /Import the other rows/ }).isChecked(), 'it stays in sight');
    await send.click();
    await page.getByText('1 example is imported.').waitFor();
    t.equal((await examplesOf(datasetId)).length, 3);
    t.same(complaints, []);
  });

  await t.test('says which row the server refuses, and stores nothing', async (t) => {
    const datasetId = await created('strict', {
      inputs_schema_definition: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    });
    const { page, open } = await tab(t, server.url);
    await open(`/datasets/${datasetId}`);
    const dialog = page.getByRole('dialog', { name: 'Import examples from a file' });
    await (
      await drag(page, 'rows.csv', 'n,answer\n1,one\ntwo,two\n')
    )();
    await dialog.getByRole('button', { name: 'Import 2' }).click();
    const rows = dialog.getByRole('table', { name: 'Rows that are refused' }).getByRole('row');
    await rows.nth(1).waitFor();
    await dialog.getByText('Read numbers, lists and objects in cells').click();
    await rows.first().waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Import 2' }).click();
    await rows.nth(1).waitFor();
    t.match(await rows.allInnerTexts(), [/Row/, /^2\s+inputs\.n: must be integer$/]);
    t.same(await examplesOf(datasetId), []);

    await (
      await drag(page, 'large.json', JSON.stringify([{ n: 1, text: 'x'.repeat(UPLOAD_BYTES_MAX) }]))
    )();
    await dialog.getByText('1 row read').waitFor();
    await dialog.getByRole('button', { name: 'Import 1' }).click();
    await dialog.getByText(`The request body is over the limit of ${UPLOAD_BYTES_MAX} bytes.`).waitFor();

    await open('/datasets');
    await (
      await drag(page, 'too large.json', JSON.stringify([{ text: 'x'.repeat(UPLOAD_BYTES_MAX) }]))
    )();
    await page.getByRole('button', { name: 'Create dataset' }).click();
    await page.getByText('over the limit').waitFor();
    t.same(await (await server.get('/api/v1/datasets?name=too%20large')).json(), [], 'no empty dataset remains');
  });
});
