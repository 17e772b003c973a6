import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { tab, type Tab } from '../helpers/browser.js';
import { cli } from '../helpers/cli.js';
import { comparedExperiments, HOSTILE, hostileExperiments } from '../helpers/console-experiments.js';
import { dismiss } from '../helpers/in-page.js';
import { until } from '../helpers/page-until.js';
import { configWith, ROOT, temporaryFolder, testServer } from '../helpers/server.js';

t.test('saved comparison', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const made = await comparedExperiments(server);
  const folder = temporaryFolder(t);
  /** Opens a file in a tab and records all its requests. */
  const alone = async (
    file: string,
    options: Parameters<typeof tab>[2] = {},
  ): Promise<Tab & { requests: string[] }> => {
    const opened = await tab(t, server.url, options);
    const requests: string[] = [];
    opened.page.on('request', (request) => {
      if (!request.url().startsWith('file:') && !request.url().startsWith('data:')) requests.push(request.url());
    });
    await opened.page.goto(`file://${file}`);
    await opened.page.getByRole('heading', { level: 1 }).waitFor();
    return { ...opened, requests };
  };

  await t.test('a file saved from the console shows the same comparison', async (t) => {
    const { page, open, complaints } = await tab(t, server.url);
    await open(
      `/datasets/${made.datasetId}/compare?experiments=${made.main},${made.worse},${made.better},${made.chance}&baseline=${made.main}&only=regressed`,
    );
    await page.getByRole('grid').waitFor();
    const summary = await page.getByRole('region', { name: 'Summary' }).textContent();
    const rows = await page.getByRole('grid').getByRole('row').allTextContents();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as HTML' }).click(),
    ]);
    t.equal(download.suggestedFilename(), 'Support-questions-comparison.html');
    const file = join(folder, 'saved.html');
    await download.saveAs(file);
    t.same(complaints, []);

    const saved = await alone(file);
    await saved.page.getByRole('grid').waitFor();
    t.equal(await saved.page.getByRole('region', { name: 'Summary' }).textContent(), summary, 'the summary');
    t.same(
      (await saved.page.getByRole('grid').getByRole('row').allTextContents()).slice(1),
      rows.slice(1),
      'the rows in the saved view',
    );
    await saved.accessible('a saved comparison');

    await saved.page.getByRole('grid').getByRole('gridcell').filter({ hasText: '−1 worse' }).first().press('Enter');
    await saved.page
      .getByRole('dialog')
      .getByRole('region', { name: /prompt 12 \(baseline\) and/ })
      .waitFor();
    await saved.page.keyboard.press('n');
    await saved.page
      .getByRole('dialog')
      .getByText(/Row 2 of/)
      .waitFor();
    await saved.accessible('a cell of a saved comparison');
    await saved.page
      .getByRole('dialog')
      .getByRole('tab', { name: /Feedback/ })
      .click();
    await saved.page
      .getByRole('dialog')
      .getByText(/Sends the person away|The same steps as expected/)
      .first()
      .waitFor();
    const link = saved.page.url();
    await saved.page.goto('about:blank');
    await saved.page.goto(link);
    await saved.page
      .getByRole('dialog')
      .getByText(/Row 2 of/)
      .waitFor();
    await dismiss(saved.page);
    await until(saved.page, 'document.activeElement.role === "gridcell"');
    await saved.page.keyboard.press('F');
    await saved.page.getByText('120 examples').waitFor();
    t.same(saved.requests, [], 'the file sends no requests');
    t.same(saved.complaints, []);

    await until(
      saved.page,
      '(window.dispatchEvent(new Event("beforeprint")), document.querySelectorAll("main > table tbody tr").length === 120)',
    );
    t.equal(await saved.page.getByRole('grid').count(), 0, 'print shows a table of all rows');
    await saved.page.evaluate('void window.dispatchEvent(new Event("afterprint"))');
    await saved.page.getByRole('grid').waitFor();
  });

  await t.test('filters and sort orders match those of the server', async (t) => {
    const body = {
      experiment_ids: [made.main, made.worse, made.better, made.chance],
      baseline_id: made.main,
      limit: 120,
    };
    const file = join(folder, 'orders.html');
    const result = await cli(['compare', made.main, made.worse, '--url', server.url, '--html', file]);
    t.equal(result.code, 0, result.stderr);
    const { page, complaints } = await alone(file);
    for (const [only, sort, order] of [
      ['regressed', 'difference', 'asc'],
      ['changed', 'latency', 'desc'],
      ['unchanged', 'example', 'asc'],
      ['errors', 'example', 'desc'],
      [null, 'latency', 'asc'],
    ] as const) {
      const answer = await server.post(`/api/v1/datasets/${made.datasetId}/comparison`, {
        ...body,
        experiment_ids: [made.main, made.worse],
        only,
        sort_by: sort,
        sort_order: order,
      });
      const { rows, total } = (await answer.json()) as {
        rows: { example: { inputs: { question: string } } }[];
        total: number;
      };
      await page.goto('about:blank');
      await page.goto(`file://${file}#sort=${sort}&order=${order}${only === null ? '' : `&only=${only}`}`);
      await page.getByText(new RegExp(`^${total} examples?`)).waitFor();
      const shown = (await page.getByRole('grid').getByRole('rowheader').allTextContents()).slice(0, 5);
      t.same(
        shown.map((text) => text.split('Expected')[0]),
        rows.slice(0, shown.length).map(({ example }) => example.inputs.question),
        `${only ?? 'all'}, ${sort} ${order}`,
      );
    }
    t.same(complaints, []);
  });

  await t.test('shows hostile content as text', async (t) => {
    const hostile = await hostileExperiments(server);
    const file = join(folder, 'hostile.html');
    const result = await cli(['compare', hostile.ids[0]!, hostile.ids[1]!, '--url', server.url, '--html', file]);
    t.equal(result.code, 0, result.stderr);
    const text = readFileSync(file, 'utf8');
    t.equal(text.split('</script>').length - 1, 2, 'only the data and the program element are closed');
    t.ok(text.length < 2_000_000, 'megabyte values are cut');
    const { page, complaints, requests, accessible } = await alone(file, { width: 390, height: 844 });
    await page.getByRole('grid').getByText(HOSTILE.script.slice(0, 40)).first().waitFor();
    await page.getByRole('grid').getByRole('gridcell').nth(1).click();
    await page.getByRole('dialog').getByText('Row 1 of 6').waitFor();
    for (const name of ['Diff to reference', 'Values', 'Feedback'])
      await page.getByRole('dialog').getByRole('tab', { name }).click();
    await accessible('hostile content');
    t.equal(await page.evaluate('window.hacked ?? null'), null, 'no script has run');
    t.same(requests, []);
    t.same(complaints, []);
  });

  await t.test('console and CLI use the same limits', (t) => {
    const bounds = (file: string): string[] =>
      [
        ...readFileSync(join(ROOT, file), 'utf8').matchAll(
          /const (?:SAVED_)?((?:ROWS|CHARS|VALUE_CHARS)_MAX) = ([\d_]+)/g,
        ),
      ]
        .map(([, name, value]) => `${name!} ${value!}`)
        .sort();
    t.same(bounds('src/cli/output/report.ts'), bounds('console/src/pages/datasets/compare/saved.ts'));
    t.equal(bounds('src/cli/output/report.ts').length, 3);
    t.end();
  });

  await t.test('fails if the file cannot be written', async (t) => {
    const result = await cli([
      'compare',
      made.main,
      made.worse,
      '--url',
      server.url,
      '--html',
      join(folder, 'no', 'such', 'folder.html'),
    ]);
    t.equal(result.code, 3);
    t.match(result.stderr, /--html: .* cannot be written/);
  });
});
