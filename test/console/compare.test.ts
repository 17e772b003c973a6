import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import {
  comparedExperiments,
  experiment,
  HOSTILE,
  hostileExperiments,
  type Compared,
} from '../helpers/console-experiments.js';
import { dismiss } from '../helpers/in-page.js';
import { until } from '../helpers/page-until.js';
import { configWith, testServer } from '../helpers/server.js';
import { withStatistics } from '../helpers/uploads.js';

const linkTo = ({ datasetId, main, better, worse, chance }: Compared, more = ''): string =>
  `/datasets/${datasetId}/compare?experiments=${main},${chance},${worse},${better}&baseline=${main}${more}`;
const grid = (page: Page) => page.getByRole('grid');
const cells = (page: Page) => grid(page).getByRole('gridcell');
/** Where the focus is in the grid, as "row:column". */
const place = (page: Page): Promise<string | null> =>
  page.evaluate('document.activeElement?.getAttribute("data-place") ?? null');
const focusAt = (page: Page, cell: string) =>
  until(page, `document.activeElement?.getAttribute("data-place") === "${cell}"`);
const styleOf = (element: Locator, name: string): Promise<string> =>
  element.evaluate(
    (node, property) =>
      (globalThis as unknown as { getComputedStyle: (node: unknown) => Record<string, string> }).getComputedStyle(node)[
        property
      ]!,
    name,
  );
const query = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

t.test('comparison page', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const made = await comparedExperiments(server);

  await t.test('shows verdicts by text, color and border', async (t) => {
    const { page, open, accessible, picture, complaints } = await tab(t, server.url, { height: 1_000 });
    await open(linkTo(made));
    const summary = page.getByRole('region', { name: 'Summary' });
    const appearanceOf = async (
      name: string,
    ): Promise<{ text: string; colour: string; border: string; bar: string }> => {
      const cell = summary.getByRole('row', { name }).getByRole('cell').first();
      const mark = cell.getByText(/^(Better|Worse|Not enough evidence)$/);
      return {
        text: (await mark.textContent())!,
        colour: await styleOf(mark, 'color'),
        border: await styleOf(mark, 'borderTopStyle'),
        bar: await styleOf(cell.locator('svg rect'), 'fill'),
      };
    };
    await summary.getByText('Not enough evidence').first().waitFor();
    const [better, worse, chance] = [
      await appearanceOf('prompt 14, with sources'),
      await appearanceOf('prompt 13, small model'),
      await appearanceOf('prompt 13, shorter'),
    ];
    t.same([better.text, worse.text, chance.text], ['Better', 'Worse', 'Not enough evidence']);
    t.equal(new Set([better.colour, worse.colour, chance.colour]).size, 3, 'three colors');
    t.equal(new Set([better.bar, worse.bar, chance.bar]).size, 3, 'three bar colors');
    t.equal(chance.border, 'dashed', 'insufficient evidence is dashed');
    const channels = /(\d+), (\d+), (\d+)/.exec(chance.colour)!.slice(1).map(Number);
    t.ok(Math.max(...channels) - Math.min(...channels) < 20, `and gray: ${chance.colour}`);
    t.match(
      await summary
        .getByRole('row', { name: 'prompt 13, shorter' })
        .getByRole('img')
        .first()
        .getAttribute('aria-label'),
      /95 % interval from −.* to \+.*, with 0 inside/,
    );
    t.match(
      await summary.getByRole('row', { name: 'prompt 13, small model' }).textContent(),
      /0 better, 30 worse, 90 unchanged of 120 pairs/,
    );

    t.match(await grid(page).getByRole('row').nth(1).textContent(), /−1 worse/, 'regressions come first');
    t.match(
      await grid(page).getByRole('row').nth(1).getByRole('gridcell').nth(0).textContent(),
      /^1/,
      'the baseline has no difference, only its score',
    );
    await accessible('the comparison');
    await picture('comparison');
    t.same(complaints, []);
  });

  await t.test('works with the keyboard only, and the URL follows the view', async (t) => {
    const { page, open, accessible, picture, complaints } = await tab(t, server.url, { height: 1_000 });
    await open(linkTo(made));
    await cells(page).first().waitFor();
    for (let presses = 0; (await place(page)) === null; presses += 1) {
      if (presses > 60) throw new Error('Tab does not reach the grid');
      await page.keyboard.press('Tab');
    }
    t.equal(await place(page), '0:1', 'Tab reaches one cell of the grid');
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
    await focusAt(page, '1:3');
    t.equal(await grid(page).locator('[tabindex="0"]').count(), 1, 'the grid has one tab stop');

    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog');
    await sheet.getByText('Row 2 of 120').waitFor();
    t.match(await sheet.getByRole('table').first().textContent(), /correct10−1 worse/, 'the scores of both runs');
    await sheet.getByRole('region', { name: /prompt 12 \(baseline\) and prompt 13, small model/ }).waitFor();
    await picture('comparison-cell');
    await accessible('an open cell');
    const second = query(page).get('row');
    await page.keyboard.press('n');
    await sheet.getByText('Row 3 of 120').waitFor();
    t.not(query(page).get('row'), second, 'the URL follows');
    await page.keyboard.press('p');
    await sheet.getByText('Row 2 of 120').waitFor();
    await page.keyboard.press('n');
    await sheet.getByText('Row 3 of 120').waitFor();
    const opened = page.url();

    const other = await tab(t, server.url, { height: 1_000 });
    await other.page.goto(opened);
    await other.page.getByRole('dialog').getByText('Row 3 of 120').waitFor();
    t.equal(
      await other.page.getByRole('dialog').getByRole('table').first().textContent(),
      await sheet.getByRole('table').first().textContent(),
      'the link opens the same cell',
    );
    t.same(other.complaints, []);

    await dismiss(page);
    await focusAt(page, '2:3');
    t.equal(query(page).get('row'), null, 'the URL has no open cell');

    await page.keyboard.press('k');
    await until(page, 'location.search.includes("key=helpfulness")');
    t.equal(await place(page), '2:3', 'the focus stays on the cell');
    await page.keyboard.press('K');
    await until(page, 'location.search.includes("key=correct")');
    await page.keyboard.press('f');
    await page
      .getByText('118 examples')
      .or(page.getByText(/examples: worse than the baseline/))
      .first()
      .waitFor();
    t.equal(query(page).get('only'), 'regressed');
    const regressed = await page.getByRole('status').filter({ hasText: 'worse than the baseline' }).textContent();
    const firstRow = await grid(page).getByRole('row').nth(1).textContent();
    const third = await tab(t, server.url, { height: 1_000 });
    await third.page.goto(page.url());
    await third.page.getByText(regressed!).waitFor();
    t.equal(
      await grid(third.page).getByRole('row').nth(1).textContent(),
      firstRow,
      'the link restores filter and order',
    );
    t.same(third.complaints, []);

    const focusedCell = await place(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await accessible('the list of shortcuts');
    await dismiss(page);
    await focusAt(page, focusedCell!);
    await page.keyboard.press('F');
    await page.getByText('120 examples').waitFor();
    await page.keyboard.press('Control+End');
    await focusAt(page, '119:4');
    await until(page, '/better|worse|same/.test(document.activeElement?.textContent ?? "")');
    await page.keyboard.press('Control+Home');
    await focusAt(page, '0:0');
    t.same(complaints, []);
  });

  await t.test('filters, searches, sorts and changes the baseline', async (t) => {
    const { page, open, complaints } = await tab(t, server.url);
    await open(linkTo(made));
    await cells(page).first().waitFor();
    const choose = async (label: string, name: string): Promise<void> => {
      await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
      await page.getByRole('option', { name }).click();
    };
    await choose('Show', 'With errors');
    await page.getByText('3 examples').waitFor();
    await grid(page).getByText('Timeout after 30 s').first().waitFor();
    await choose('Show', 'All examples');
    await page.getByRole('searchbox', { name: 'Search examples' }).fill('iceland');
    await page.getByText('12 examples').waitFor();
    t.match(await grid(page).getByRole('rowheader').first().textContent(), /Iceland/);
    await page.getByRole('searchbox', { name: 'Search examples' }).fill('');
    await page.getByText('120 examples').waitFor();
    await choose('Order', 'Improvements first');
    await until(page, '/\\+1 better/.test(document.querySelector("[role=grid]")?.textContent ?? "")');

    await choose('Baseline', 'prompt 13, small model');
    await page
      .getByRole('region', { name: 'Summary' })
      .getByRole('row', { name: /prompt 13, small model.*Baseline/ })
      .waitFor();
    t.equal(query(page).get('baseline'), made.worse);
    await until(
      page,
      'document.querySelectorAll("[role=columnheader]")[1]?.textContent?.startsWith("prompt 13, small model") === true',
    );
    t.match(
      await page.getByRole('region', { name: 'Summary' }).getByRole('row', { name: 'prompt 12' }).textContent(),
      /30 better, 0 worse/,
      'the direction of the difference is reversed',
    );
    await grid(page).getByRole('button', { name: 'Set as baseline' }).first().click();
    await until(page, `location.search.includes("baseline=${made.main}")`);
    t.same(complaints, []);
  });

  await t.test('opens a link to a distant row, and reports a row that does not exist', async (t) => {
    const { page, open, complaints } = await tab(t, server.url);
    const last = await server.post(`/api/v1/datasets/${made.datasetId}/comparison`, {
      experiment_ids: [made.main, made.chance, made.worse, made.better],
      baseline_id: made.main,
      sort_by: 'difference',
      offset: 110,
      limit: 1,
    });
    const { rows, offset } = (await last.json()) as { rows: { example: { id: string } }[]; offset: number };
    t.equal(offset, 110);
    await open(linkTo(made, `&row=${rows[0]!.example.id}&cell=${made.better}`));
    await page.getByRole('dialog').getByText('Row 111 of 120').waitFor();
    await dismiss(page);
    await focusAt(page, '110:4');
    await open(linkTo(made, '&row=00000000-0000-4000-8000-000000000000'));
    await page.getByText('The example of this link is not in these rows').waitFor();
    t.same(complaints, []);
  });

  await t.test('is accessible in dark, narrow and wide windows', async (t) => {
    for (const [width, dark, name] of [
      [1_280, true, 'comparison-dark'],
      [390, false, null],
      [2_560, true, null],
    ] as const) {
      const { page, open, accessible, picture, complaints } = await tab(t, server.url, {
        width,
        height: 1_000,
        dark,
      });
      await open(linkTo(made));
      await cells(page).first().waitFor();
      await accessible(`${width} px`);
      t.ok(
        await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
        `${width} px: the page itself does not scroll sideways`,
      );
      if (name !== null) await picture(name);
      t.same(complaints, []);
    }
  });

  await t.test('shows hostile content as text', async (t) => {
    const hostile = await hostileExperiments(server);
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(
      `/datasets/${hostile.datasetId}/compare?experiments=${hostile.ids.join(',')}&baseline=${hostile.ids[0]!}`,
    );
    await cells(page).first().waitFor();
    await grid(page).getByText(HOSTILE.script.slice(0, 40)).first().waitFor();
    await cells(page).nth(1).click();
    await page.getByRole('dialog').getByText('Row 1 of 6').waitFor();
    for (let row = 2; row <= 6; row += 1) {
      await page.keyboard.press('n');
      await page.getByRole('dialog').getByText(`Row ${row} of 6`).waitFor();
      await page.getByRole('dialog').getByRole('tab', { name: 'Values' }).click();
      await page.getByRole('dialog').getByRole('tree', { name: 'Inputs' }).waitFor();
      await page.getByRole('dialog').getByRole('tab', { name: 'Diff to baseline' }).click();
      await page.getByRole('dialog').getByRole('table').nth(1).waitFor();
    }
    await page.getByRole('dialog').getByRole('tab', { name: 'Feedback' }).click();
    await accessible('hostile content');
    t.equal(await page.evaluate('window.hacked ?? null'), null, 'no script has run');
    t.same(complaints, []);
  });

  await t.test('renders only visible cells of fifty experiments', async (t) => {
    const ids: string[] = [];
    for (let at = 0; at < 50; at += 1) {
      const {
        experiment: { id },
      } = await experiment(server, {
        dataset: 'wide',
        name: `wide ${String(at).padStart(2, '0')}`,
        rows: 60,
        day: at,
        correct: (index) => ((index + at) % 3 === 0 ? 0 : 1),
      });
      ids.push(id);
    }
    const { reference_dataset_id: datasetId } = await withStatistics(server, ids[0]!);
    const { page, open, complaints } = await tab(t, server.url);
    await open(`/datasets/${String(datasetId)}/compare?experiments=${ids.join(',')}`);
    await cells(page).first().waitFor();
    t.equal(await grid(page).getAttribute('aria-colcount'), '51');
    t.ok((await cells(page).count()) < 400, 'only visible cells are rendered');
    await cells(page).first().press('Control+ArrowRight');
    await focusAt(page, '0:50');
    t.ok(await grid(page).getByRole('columnheader', { name: 'wide 49' }).isVisible());
    t.ok(await grid(page).getByRole('rowheader').first().isVisible(), 'the example column stays visible');
    t.same(complaints, []);
  });
});
