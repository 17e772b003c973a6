import type { Page } from 'playwright-core';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { rowId } from '../helpers/console-experiments.js';
import { dismiss } from '../helpers/in-page.js';
import { until } from '../helpers/page-until.js';
import { configWith, testServer } from '../helpers/server.js';
import { sent, withStatistics, type Target } from '../helpers/uploads.js';

const ROWS = 40;
/** Whether a row is one of the `share` of rows that are evenly spread. */
const isAmong = (index: number, share: number): boolean => Math.floor((index + 1) * share) > Math.floor(index * share);
const half = (index: number): number => (index % 2 === 0 ? 1 : 0);
/** Value of each score in both experiments, in the order of the alphabet. */
const SCORES: Readonly<Record<string, [(index: number) => number, (index: number) => number]>> = {
  answered: [() => 1, () => 1],
  brevity: [half, (index) => (index === 0 ? 0 : half(index))],
  citations: [() => 0, (index) => (isAmong(index, 0.25) ? 1 : 0)],
  correct: [() => 0, (index) => (isAmong(index, 0.4) ? 1 : 0)],
  fluency: [half, half],
  grounded: [() => 1, (index) => (isAmong(index, 0.75) ? 0 : 1)],
  // The largest difference, but a small one for the range of this score.
  length: [(index) => index * 100, (index) => index * 100 + 20],
  politeness: [() => 1, (index) => (isAmong(index, 0.3) ? 0 : 1)],
};
const MOST_CHANGED = ['grounded', 'correct', 'politeness', 'citations'];
const BY_CHANGE = [...MOST_CHANGED, 'length', 'brevity', 'answered', 'fluency'];

async function manyScores(target: Target): Promise<string> {
  const uploads = await Promise.all(
    [0, 1].map((which) =>
      sent(target, {
        experiment_name: which === 0 ? 'before' : 'after',
        experiment_start_time: `2026-01-01T00:00:0${which}Z`,
        experiment_end_time: '2026-01-01T01:00:00Z',
        dataset_name: 'Many scores',
        results: Array.from({ length: ROWS }, (_, index) => ({
          row_id: rowId('many scores', index),
          inputs: { question: `Question ${index}` },
          actual_outputs: { answer: `Answer ${index} ${which}` },
          evaluation_scores: Object.entries(SCORES).map(([key, values]) => ({ key, score: values[which]!(index) })),
          start_time: '2026-01-01T00:00:01Z',
          end_time: '2026-01-01T00:00:02Z',
          run_name: 'agent',
        })),
      }),
    ),
  );
  const [before, after] = uploads.map(({ experiment: { id } }) => id);
  for (const id of [before!, after!]) await withStatistics(target, id);
  return `/datasets/${uploads[0]!.dataset.id}/compare?experiments=${before},${after}&baseline=${before}`;
}

const summary = (page: Page) => page.getByRole('region', { name: 'Summary' });
/** Waits until the summary has exactly these scores, in this order. */
const shows = (page: Page, scores: readonly string[]): Promise<void> =>
  until(
    page,
    `[...document.querySelectorAll('[aria-label="Summary"] thead button')].map((one) => one.textContent).join() === ${JSON.stringify(scores.join(','))}`,
  );
/** Waits until the examples are ranked by this score. */
const ranks = (page: Page, score: string): Promise<void> =>
  summary(page).getByRole('button', { name: score, pressed: true }).waitFor();
const search = (page: Page): string => decodeURIComponent(new URL(page.url()).search);
const openMenu = (page: Page): Promise<void> => page.getByRole('button', { name: 'Scores', exact: true }).click();
const box = (page: Page, score: string) =>
  page.getByRole('dialog', { name: 'Scores' }).getByText(score, { exact: true });

t.test('scores of a comparison', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const link = await manyScores(server);

  await t.test('opens on the score that changed most, and leaves the others out', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url, { height: 1_000 });
    await open(link);
    await shows(page, MOST_CHANGED);
    await ranks(page, 'grounded');
    t.match(
      await page.getByRole('grid').getByRole('row').nth(1).textContent(),
      /−1 worse/,
      'the examples are ranked by it',
    );
    t.match(search(page), /baseline=[^&]+$/, 'the address needs no choice');
    await page.getByText('4 of 8 scores, the one that changed most first').waitFor();

    await page.getByRole('grid').getByRole('gridcell').nth(1).press('Enter');
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('rowheader', { name: 'grounded' }).waitFor();
    t.equal(await sheet.getByRole('rowheader', { name: 'fluency' }).count(), 0, 'an open cell has the same scores');
    await sheet.getByRole('button', { name: '4 more scores' }).click();
    await sheet.getByRole('rowheader', { name: 'fluency' }).waitFor();
    await sheet.getByRole('button', { name: 'Fewer scores' }).click();
    await sheet.getByRole('rowheader', { name: 'fluency' }).waitFor({ state: 'detached' });
    await dismiss(page);
    await accessible('a comparison of many scores');
    t.same(complaints, []);
  });

  await t.test('keeps the score and the scores of the link', async (t) => {
    const { page, open, complaints } = await tab(t, server.url, { height: 1_000 });
    await open(`${link}&key=length`);
    await ranks(page, 'length');
    await shows(page, [...MOST_CHANGED, 'length']);
    await open(`${link}&score=length&score=citations&score=gone`);
    await shows(page, ['citations', 'length']);
    await ranks(page, 'citations');
    await open(`${link}&scores=all`);
    await shows(page, BY_CHANGE);
    await ranks(page, 'grounded');
    await open(`${link}&score=gone`);
    await shows(page, MOST_CHANGED);
    t.same(complaints, []);
  });

  await t.test('the menu hides latency and error rate', async (t) => {
    const { page, open, complaints } = await tab(t, server.url, { height: 1_000 });
    await open(link);
    await shows(page, MOST_CHANGED);
    const header = (name: string) => summary(page).getByRole('columnheader', { name });
    await header('Latency').waitFor();
    await openMenu(page);
    await box(page, 'Latency').click();
    await header('Latency').waitFor({ state: 'detached' });
    await box(page, 'Error rate').click();
    await header('Error rate').waitFor({ state: 'detached' });
    await shows(page, MOST_CHANGED);
    t.match(search(page), /&hide=latency&hide=errors$/);
    await page.reload();
    await shows(page, MOST_CHANGED);
    t.equal(await header('Latency').count(), 0, 'a link keeps the choice');
    await openMenu(page);
    await box(page, 'Latency').click();
    await header('Latency').waitFor();
    t.match(search(page), /&hide=errors$/);
    t.same(complaints, []);
  });

  await t.test('the menu chooses scores, and the back button undoes it', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url, { height: 1_000 });
    await open(link);
    await shows(page, MOST_CHANGED);
    await openMenu(page);
    await accessible('the menu of scores');
    await box(page, 'length').click();
    await shows(page, [...MOST_CHANGED, 'length']);
    await box(page, 'correct').click();
    await shows(page, ['grounded', 'politeness', 'citations', 'length']);
    await ranks(page, 'grounded');
    const chosen = page.url();
    await box(page, 'grounded').click();
    await shows(page, ['politeness', 'citations', 'length']);
    await ranks(page, 'politeness');
    await dismiss(page);

    await page.goBack();
    await shows(page, ['grounded', 'politeness', 'citations', 'length']);
    await ranks(page, 'grounded');
    t.equal(page.url(), chosen);
    await page.goBack();
    await shows(page, [...MOST_CHANGED, 'length']);
    await page.goBack();
    await shows(page, MOST_CHANGED);
    await page.goForward();
    await shows(page, [...MOST_CHANGED, 'length']);

    await page.goto(chosen);
    await shows(page, ['grounded', 'politeness', 'citations', 'length']);
    await page.getByRole('button', { name: '4 more scores' }).click();
    await shows(page, BY_CHANGE);
    await page.getByRole('button', { name: 'Fewer scores' }).click();
    await shows(page, ['grounded', 'politeness', 'citations', 'length']);
    await openMenu(page);
    await page.getByRole('button', { name: 'Reset scores' }).click();
    await shows(page, MOST_CHANGED);
    t.same(complaints, []);
  });

  await t.test('one score stays, and a score that is left out can rank the examples', async (t) => {
    const { page, open, complaints } = await tab(t, server.url, { height: 1_000 });
    await open(`${link}&score=correct`);
    await shows(page, ['correct']);
    await openMenu(page);
    const correct = page.getByRole('checkbox', { name: /^correct/ });
    t.ok(await correct.isDisabled(), 'the last score cannot be removed');
    await dismiss(page);
    await page.getByRole('button', { name: /Score$/ }).click();
    await page.getByRole('option', { name: 'brevity' }).click();
    await ranks(page, 'brevity');
    await shows(page, ['correct', 'brevity']);
    await page.getByRole('grid').getByRole('gridcell').first().press('K');
    await ranks(page, 'correct');
    await shows(page, ['correct']);
    t.same(complaints, []);
  });

  await t.test('is accessible in dark and narrow windows', async (t) => {
    for (const [width, dark] of [
      [1_280, true],
      [390, false],
    ] as const) {
      const { page, open, accessible, complaints } = await tab(t, server.url, { width, height: 1_000, dark });
      await open(link);
      await shows(page, MOST_CHANGED);
      await openMenu(page);
      await box(page, 'fluency').waitFor();
      await accessible(`the menu at ${width} px`);
      await dismiss(page);
      t.ok(
        await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
        `${width} px: the page itself does not scroll sideways`,
      );
      t.same(complaints, []);
    }
  });
});
