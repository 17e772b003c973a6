import t from 'tap';
import { alertWhen, createAlert } from '../alerts/helpers.js';
import { tab } from '../helpers/browser.js';
import { comparedExperiments } from '../helpers/console-experiments.js';
import { sideways } from '../helpers/in-page.js';
import { addRun, createProject, sent } from '../helpers/sent-runs.js';
import { EXAMPLES, testServer } from '../helpers/server.js';

const HOUR_MS = 3_600_000;

t.test('the home page', async (t) => {
  const server = await testServer(t, { config: EXAMPLES });

  await t.test('of an empty server offers a chat, code to copy, and the sample', async (t) => {
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    await open('/');
    await page.getByRole('heading', { name: 'Call it from your code' }).waitFor();
    t.match(await page.getByRole('link', { name: 'Start a chat' }).getAttribute('href'), /\/console\/run$/);
    await page.getByRole('region', { name: 'curl code' }).getByText('/runs/stream').waitFor();
    const load = page.getByRole('button', { name: 'Load sample data' });
    await load.waitFor();
    await accessible('an empty server');
    await picture('home-empty');
    await load.click();
    const threads = page.getByRole('table', { name: 'Recent threads' });
    await threads.getByRole('link', { name: 'Sample: a mail that waits for approval' }).waitFor();
    // Without traces there are the counters of the server.
    await page.getByRole('group', { name: 'Runs since the server was started' }).getByText('Median duration').waitFor();
    await page.getByRole('table', { name: 'Recent experiments' }).getByText('Not enough evidence').first().waitFor();
    t.same(complaints, []);
  });

  await t.test('shows runs, charts, verdicts and alerts, with links to the pages that show more', async (t) => {
    const projectId = await createProject(server, 'support');
    for (let hour = 1; hour <= 20; hour += 1)
      await addRun(server, projectId, {
        startMs: Date.now() - hour * HOUR_MS,
        tookMs: 600 + ((hour * 37) % 50) * 20,
        more: {
          run_type: 'llm',
          extra: { metadata: { ls_provider: 'openai', ls_model_name: 'gpt-4o-mini' } },
          outputs: { usage_metadata: { input_tokens: 900, output_tokens: 40 * hour, total_tokens: 900 + 40 * hour } },
        },
        ...(hour % 6 === 0 ? { error: 'RangeError: no such order' } : {}),
      });
    const { id: alertId } = await createAlert(server, {
      name: 'Support fails',
      project_id: projectId,
      metric: 'error_count',
      threshold: 1,
      window_seconds: 86_400,
    });
    await alertWhen(server, alertId, ({ state }) => state === 'firing');
    const { datasetId, main, better } = await comparedExperiments(server);
    await sent(server, 'PATCH', `/datasets/${datasetId}`, { baseline_experiment_id: main });

    const { page, open, accessible, complaints, picture } = await tab(t, server.url, { height: 1_000 });
    await open('/');
    const now = page.getByRole('group', { name: 'Now' });
    await now.getByRole('link', { name: 'Firing alerts 1' }).waitFor();
    const href = (name: string): Promise<string | null> => now.getByRole('link', { name }).getAttribute('href');
    t.match(await href('Running'), /\/console\/server\?tab=queue$/);
    t.match(await href('Interrupted threads 1'), /\/console\/threads\?status=interrupted$/);
    await page.getByRole('region', { name: 'Firing alerts' }).getByRole('link', { name: 'Support fails' }).waitFor();
    const activity = page.getByRole('region', { name: 'Activity' });
    await activity.getByText('15 % failed').waitFor();
    t.match(
      await activity.getByRole('link', { name: '15 % failed' }).getAttribute('href'),
      /\/console\/traces\?time=day&errors=only$/,
    );
    const experiments = page.getByRole('table', { name: 'Recent experiments' });
    // A verdict links to the comparison.
    const comparison = `/datasets/${datasetId}/compare?experiments=${main}%2C${better}`;
    await experiments.locator(`a[href*="${comparison}"]`).getByText('Better').first().waitFor();
    await accessible('light');
    await picture('home');
    await activity.getByRole('button', { name: 'Last 24 hours' }).click();
    await page.getByRole('option', { name: 'Last 7 days' }).click();
    await page.waitForURL(/\?time=week$/);
    await activity.getByRole('link', { name: 'Latency' }).click();
    await page.waitForURL(/\/traces\?time=week$/);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    t.same(complaints, []);

    const narrow = await tab(t, server.url, { width: 390, dark: true });
    await narrow.open('/');
    await narrow.page.getByRole('table', { name: 'Recent experiments' }).getByText('Better').first().waitFor();
    t.equal(await sideways(narrow.page), 0);
    await narrow.accessible('dark at 390 px');
    t.same(narrow.complaints, []);
  });

  await t.test('leaves out what the key may not read', async (t) => {
    const created = await server.post('/server/keys', { name: 'threads only', scopes: ['threads'] });
    const { key } = (await created.json()) as { key: string };
    const { page, open, accessible, complaints } = await tab(t, server.url, { ownSession: true });
    const credential = JSON.stringify({ form: 'x-api-key', secret: key });
    await page.addInitScript(`sessionStorage.setItem('threadmill.key', ${JSON.stringify(credential)})`);
    await open('/');
    await page.getByRole('group', { name: 'Now' }).getByRole('link', { name: 'Busy threads 0' }).waitFor();
    await page.getByRole('table', { name: 'Recent threads' }).waitFor();
    await page.waitForLoadState('networkidle');
    t.same(await page.getByRole('heading', { level: 2 }).allInnerTexts(), ['Recent threads']);
    t.equal(await page.getByRole('alert').count(), 0);
    await accessible('few scopes');
    t.same(complaints, []);
  });
});
