import { readFileSync } from 'node:fs';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { comparedExperiments, HOSTILE, hostileExperiments, rowId } from '../helpers/console-experiments.js';
import { dismiss } from '../helpers/in-page.js';
import { until } from '../helpers/page-until.js';
import { configWith, testServer } from '../helpers/server.js';
import { row, sent, withStatistics } from '../helpers/uploads.js';

/** More than two pages, and than the trends show. */
const MANY = 130;
/** Parallel uploads. */
const UPLOADS_PARALLEL = 16;

t.test('datasets and experiments pages', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const made = await comparedExperiments(server);

  await t.test('finds a dataset, selects experiments and compares them', async (t) => {
    for (const name of ['capitals', 'arithmetic', 'contracts, long documents'])
      await server.post('/api/v1/datasets', { name, metadata: { team: name === 'capitals' ? 'geography' : 'search' } });
    const { page, open, accessible, picture, complaints } = await tab(t, server.url);
    await open('/datasets');
    const table = page.getByRole('table', { name: 'Datasets' });
    await table.getByRole('link', { name: 'Support questions' }).waitFor();
    t.match(
      await table.getByRole('row', { name: 'Support questions' }).textContent(),
      /1204/,
      'examples and experiments are counted',
    );
    await accessible('datasets');
    await picture('datasets');
    await page.getByRole('textbox', { name: 'Metadata' }).fill('team=geography');
    await until(page, 'document.querySelectorAll("tbody tr").length === 1');
    t.ok(await table.getByRole('link', { name: 'capitals' }).isVisible());
    await page.getByRole('textbox', { name: 'Metadata' }).fill('');
    await page.getByRole('searchbox', { name: 'Name' }).fill('SUPPORT');
    await until(page, 'document.querySelectorAll("tbody tr").length === 1');
    await table.getByRole('link', { name: 'Support questions' }).click();

    await page.getByRole('heading', { level: 1, name: 'Support questions' }).waitFor();
    const list = page.getByRole('table', { name: 'Experiments' });
    await list.getByRole('link', { name: 'prompt 14, with sources' }).waitFor();
    await page.getByRole('img', { name: /^correct over time: 4 values/ }).waitFor();
    t.match(await list.getByRole('row', { name: 'prompt 13, small model' }).textContent(), /120.*2\.5 %/);
    await list.getByRole('button', { name: /^correct/ }).click();
    await until(page, 'document.querySelector("tbody tr")?.textContent.includes("prompt 14") === true');
    await list.getByRole('button', { name: /^correct/ }).click();
    await until(page, 'document.querySelector("tbody tr")?.textContent.includes("small model") === true');

    await list.getByRole('checkbox', { name: 'Select prompt 12' }).press(' ');
    await page.getByRole('button', { name: 'Set as baseline' }).click();
    await list.getByRole('row', { name: 'prompt 12' }).getByText('Baseline').waitFor();
    await list.getByRole('checkbox', { name: 'Select prompt 14, with sources' }).press(' ');
    await page.getByText('2 experiments selected').waitFor();
    await accessible('experiments of a dataset');
    await picture('dataset-experiments');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('heading', { level: 1, name: 'Comparison' }).waitFor();
    t.equal(new URL(page.url()).searchParams.get('baseline'), made.main);
    await page.getByRole('grid').waitFor();
    t.same(complaints, []);
  });

  await t.test('shows examples in pages and searches them', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/datasets/${made.datasetId}?tab=examples`);
    await page.getByRole('article').first().waitFor();
    await page.getByText('1 to 20 of 120').waitFor();
    await accessible('examples');
    await page.getByRole('navigation', { name: 'Pages of examples' }).getByRole('button', { name: 'Next' }).click();
    await page.getByText('21 to 40 of 120').waitFor();
    await page.getByRole('searchbox', { name: 'Search examples' }).fill('student discount');
    await page.getByText('1 to 12 of 12').waitFor();
    t.equal(await page.getByRole('article').count(), 12);
    t.same(complaints, []);
  });

  await t.test('shows attachments of examples and runs, with images in small', async (t) => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const attachments = {
      'a picture': { mime_type: 'image/png', data: png },
      page: { mime_type: 'text/html', data: Buffer.from('<script>alert(1)</script>').toString('base64') },
    };
    const { experiment, dataset } = await sent(server, {
      experiment_name: 'with files',
      experiment_start_time: '2026-01-01T00:00:00Z',
      experiment_end_time: '2026-01-01T00:01:00Z',
      dataset_name: 'with files',
      results: [row({ start_time: '2026-01-01T00:00:01Z', end_time: '2026-01-01T00:00:02Z', attachments })],
    });
    const [example] = (await (await server.get(`/api/v1/examples?dataset=${dataset.id}`)).json()) as [{ id: string }];
    await server.post(`/api/v1/examples/${example.id}`, { attachments }, { method: 'PATCH' });
    const { page, open, accessible, complaints } = await tab(t, server.url);
    const links = async (): Promise<void> => {
      await page.getByRole('link', { name: 'page' }).waitFor();
      await page.getByRole('link', { name: 'a picture' }).waitFor();
      await until(page, 'document.querySelector("li img")?.naturalWidth === 1');
      t.equal(await page.locator('li img').count(), 1, 'only the picture is shown');
    };
    await open(`/datasets/${dataset.id}?tab=examples`);
    await links();
    await accessible('attachments of an example');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'page' }).click()]);
    t.equal(file.suggestedFilename(), 'page');
    await open(`/experiments/${experiment.id}`);
    await page.getByRole('table', { name: 'Runs', exact: true }).getByRole('button').first().click();
    await links();
    t.same(complaints, []);
  });

  await t.test('says how to allow public links where they are off', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/datasets/${made.datasetId}`);
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this dataset' });
    await dialog.getByText(/Public links are off on this server.*--public-shares/).waitFor();
    t.equal(await dialog.getByRole('button', { name: 'Create public link' }).count(), 0);
    await accessible('public links are off');
    await dismiss(page, dialog);
    t.same(complaints, []);
  });

  await t.test('renames, exports and deletes a dataset', async (t) => {
    const { dataset } = await sent(server, {
      experiment_name: 'short lived',
      experiment_start_time: '2026-01-01T00:00:00Z',
      experiment_end_time: '2026-01-01T00:01:00Z',
      dataset_name: 'to be renamed',
      results: [
        row({ start_time: '2026-01-01T00:00:01Z', end_time: '2026-01-01T00:00:02Z', inputs: { question: 'who' } }),
      ],
    });
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/datasets/${dataset.id}?tab=about`);
    await page.getByRole('textbox', { name: 'Name' }).fill('renamed');
    await page.getByRole('textbox', { name: 'Metadata' }).fill('{"owner": "me"}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'renamed' }).waitFor();
    await accessible('about a dataset');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON Lines' }).click(),
    ]);
    t.match(readFileSync(await file.path(), 'utf8'), '"question":"who"');
    t.equal(file.suggestedFilename(), 'renamed.jsonl');
    await page.getByRole('button', { name: 'Delete dataset' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Datasets' }).waitFor();
    t.equal((await server.get(`/api/v1/datasets/${dataset.id}`)).status, 404);
    t.same(complaints, []);
  });

  await t.test('shows an experiment and its runs', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open('/experiments?name=small');
    await page.getByRole('link', { name: 'prompt 13, small model' }).click();
    await page.getByRole('heading', { level: 1, name: 'prompt 13, small model' }).waitFor();
    const feedback = page.getByRole('table', { name: 'Feedback on runs' });
    t.match(
      await feedback.getByRole('row', { name: 'tone' }).textContent(),
      /friendly96 \(80 %\)cold24 \(20 %\)/,
      'frequencies of labels',
    );
    const runs = page.getByRole('table', { name: 'Runs', exact: true });
    await runs.getByRole('button').first().waitFor();
    t.equal(await runs.getByRole('row').count(), 51, 'a page of fifty');
    await accessible('an experiment');
    await page.getByRole('switch', { name: 'Errors only' }).click({ force: true });
    await page.getByText('3 runs on page 1').waitFor();
    await runs.getByRole('button').first().click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('Timeout after 30 s').waitFor();
    const opened = page.url();
    await sheet.getByRole('tab', { name: /Feedback/ }).click();
    await sheet.getByText('Sends the person away').waitFor();
    await accessible('an open run');
    await page.goto(opened);
    await sheet.getByText('Timeout after 30 s').waitFor();
    await dismiss(page);
    await page.getByRole('button', { name: 'Compare with baseline' }).click();
    await page.getByRole('heading', { level: 1, name: 'Comparison' }).waitFor();
    await page.getByRole('grid').waitFor();
    t.same(complaints, []);
  });

  await t.test('shows hostile content as text', async (t) => {
    const hostile = await hostileExperiments(server);
    const { page, open, accessible, complaints } = await tab(t, server.url, { width: 390, height: 844 });
    for (const path of [
      `/datasets`,
      `/datasets/${hostile.datasetId}`,
      `/datasets/${hostile.datasetId}?tab=examples`,
      `/datasets/${hostile.datasetId}?tab=about`,
      '/experiments',
      `/experiments/${hostile.ids[1]!}`,
    ]) {
      await open(path);
      await page.getByText(HOSTILE.script.slice(0, 30)).or(page.getByText('1 to 6 of 6')).first().waitFor();
      await accessible(path);
      t.equal(await page.evaluate('window.hacked ?? null'), null, `${path}: no script has run`);
      t.ok(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), `${path}: fits in 390 px`);
    }
    await page.getByRole('table', { name: 'Runs', exact: true }).getByRole('button').first().click();
    await page.getByRole('dialog').getByRole('tab', { name: 'Values' }).click();
    await page.getByRole('dialog').getByRole('tree').first().waitFor();
    t.equal(await page.evaluate('window.hacked ?? null'), null);
    t.same(complaints, []);
  });

  await t.test('pages through many experiments and compares across pages', async (t) => {
    let next = 0;
    let last = '';
    const results = (at: number) => [
      row({
        row_id: rowId('thousand', 0),
        inputs: { index: 0 },
        evaluation_scores: [{ key: 'correct', score: ((at * 7) % 10) / 10 }],
        start_time: '2026-01-01T00:00:00Z',
        end_time: '2026-01-01T00:00:01Z',
      }),
    ];
    const uploader = async (): Promise<void> => {
      while (next < MANY) {
        const at = next;
        next += 1;
        const { experiment } = await sent(server, {
          experiment_name: `nightly ${String(at).padStart(4, '0')}`,
          experiment_start_time: new Date(Date.UTC(2024, 0, 1 + (at % 700), at % 24, at % 60)).toISOString(),
          experiment_end_time: '2026-12-31T00:00:00Z',
          dataset_name: 'nightly',
          results: results(at),
        });
        last = experiment.id;
      }
    };
    await Promise.all(Array.from({ length: UPLOADS_PARALLEL }, uploader));
    const { reference_dataset_id: id } = await withStatistics(server, last);
    const { page, open, accessible, complaints } = await tab(t, server.url, { width: 2_560, height: 1_200 });
    await open(`/datasets/${String(id)}`);
    await page.getByText('1 to 50 of 130').waitFor();
    await page.getByRole('heading', { name: 'Trends over the last 100 experiments' }).waitFor();
    t.equal(await page.getByRole('table', { name: 'Experiments' }).getByRole('row').count(), 51);
    const firstRow = (): Promise<string | null> =>
      page.getByRole('table', { name: 'Experiments' }).getByRole('row').nth(1).textContent();
    const before = await firstRow();
    await page.getByRole('checkbox').first().press(' ');
    await page.getByText('1 experiment selected').waitFor();
    await page.getByRole('navigation', { name: 'Pages of experiments' }).getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 100 of 130').waitFor();
    // The rows of the first page stay visible until the second page is loaded.
    while ((await firstRow()) === before)
      await new Promise((resolve) => {
        setTimeout(resolve, 30);
      });
    await page.getByRole('checkbox').first().press(' ');
    await page.getByText('2 experiments selected').waitFor();
    await accessible('many experiments');
    await page.getByRole('searchbox', { name: 'Experiment name' }).fill('nightly 0077');
    await until(page, 'document.querySelectorAll("tbody tr").length === 1');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('grid').waitFor();
    t.equal(await page.getByRole('grid').getAttribute('aria-colcount'), '3', 'selected on two pages');
    t.same(complaints, []);
  });
});
