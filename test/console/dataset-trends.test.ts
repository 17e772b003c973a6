import type { Page } from 'playwright-core';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { experiment } from '../helpers/console-experiments.js';
import { configWith, testServer } from '../helpers/server.js';
import { withStatistics, type Target } from '../helpers/uploads.js';

const VERSIONS = ['2026-09-01T08:00:00+00:00', '2026-09-04T08:00:00+00:00'];

/** Five experiments: two on each of two versions, and one that names no version. */
async function experimentsOnVersions(target: Target): Promise<string> {
  const passed = [4, 6, 7, 9, 10];
  let id = '';
  for (const [at, count] of passed.entries()) {
    const version = VERSIONS[Math.floor(at / 2)];
    const made = await experiment(target, {
      dataset: 'Versions',
      name: `nightly ${at}`,
      rows: 10,
      day: at,
      correct: (index) => (index < count ? 1 : 0),
      more: { experiment_metadata: version === undefined ? {} : { dataset_version: version } },
    });
    await withStatistics(target, made.experiment.id);
    id = made.dataset.id;
  }
  return id;
}

const chart = (page: Page, name: RegExp) => page.getByRole('img', { name });

t.test('trends of a dataset', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const datasetId = await experimentsOnVersions(server);

  await t.test('are drawn over time or over versions, and the address keeps the choice', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/datasets/${datasetId}`);
    await chart(page, /^correct over time: 5 values, from 0\.4 to 1, lowest 0\.4, highest 1$/).waitFor();
    await chart(page, /^Latency p50 over time: 5 values, from [\d.]+ s to /).waitFor();
    await chart(page, /^Error rate over time: 5 values, from 0 % to 0 %/).waitFor();
    await page.getByRole('button', { name: 'Over versions' }).click();
    await chart(page, /^correct over versions: 2 values, from 0\.5 to 0\.8, lowest 0\.5, highest 0\.8$/).waitFor();
    await page.getByText('Experiments that name no version are left out').waitFor();
    await accessible('trends over versions');
    const link = page.url();
    await page.goBack();
    await chart(page, /^correct over time/).waitFor();
    await page.goto(link);
    await chart(page, /^correct over versions/).waitFor();
    await page.getByRole('button', { name: 'Over time' }).click();
    await chart(page, /^correct over time/).waitFor();
    t.same(complaints, []);
  });

  await t.test('offer no choice without versions', async (t) => {
    for (const day of [1, 2]) {
      const made = await experiment(server, { dataset: 'No versions', name: `${day}`, rows: 3, day, correct: () => 1 });
      await withStatistics(server, made.experiment.id);
      if (day === 1) continue;
      const { page, open, complaints } = await tab(t, server.url);
      await open(`/datasets/${made.dataset.id}?trends=versions`);
      await chart(page, /^correct over time: 2 values/).waitFor();
      t.equal(await page.getByRole('button', { name: 'Over versions' }).count(), 0);
      t.same(complaints, []);
    }
  });

  await t.test('fit into dark and narrow windows', async (t) => {
    for (const [width, dark] of [
      [1_280, true],
      [390, false],
    ] as const) {
      const { page, open, accessible, complaints } = await tab(t, server.url, { width, dark });
      await open(`/datasets/${datasetId}?trends=versions`);
      await chart(page, /^correct over versions/).waitFor();
      await accessible(`${width} px`);
      t.ok(
        await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
        `${width} px: the page itself does not scroll sideways`,
      );
      t.same(complaints, []);
    }
  });
});
