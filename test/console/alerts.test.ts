import t from 'tap';
import { addRun, createProject } from '../helpers/sent-runs.js';
import { alertWhen, createAlert, historyOf, listAlerts, patchAlert } from '../alerts/helpers.js';
import { tab } from '../helpers/browser.js';
import { sideways } from '../helpers/in-page.js';
import { until } from '../helpers/page-until.js';
import { LOOPBACK, receiver } from '../helpers/receiver.js';
import { configWith, testServer } from '../helpers/server.js';

t.test('alerts in the console', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo'), env: LOOPBACK });
  const hooks = await receiver(t);
  const projectId = await createProject(server, 'support');
  for (const [name, error] of [
    ['answer', undefined],
    ['answer', undefined],
    ['answer', undefined],
    ['refund', 'RangeError: no such order'],
  ] as const)
    await addRun(server, projectId, {
      startMs: Date.now() - 60_000,
      more: { name },
      ...(error === undefined ? {} : { error }),
    });

  await t.test('creates an alert in plain words, with the value that it has now', async (t) => {
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    await open('/alerts');
    await page.getByText('No alerts yet').waitFor();
    await accessible('no alerts');
    await page.getByRole('button', { name: 'New alert' }).click();
    const dialog = page.getByRole('dialog', { name: 'New alert' });
    const create = dialog.getByRole('button', { name: 'Create alert' });
    t.ok(await create.isDisabled(), 'an alert needs a name');
    await dialog.getByLabel('Name').fill('Support fails');
    await dialog.getByRole('button', { name: 'all assistants of' }).click();
    await page.getByRole('option', { name: 'support' }).click();
    await dialog.getByText('Error rate of support above 5 % over 15 minutes.').waitFor();
    await dialog.getByText('Now: 25 %, from 4 runs. It would fire.').waitFor();
    await dialog.getByText('Which runs count').click();
    await dialog.getByLabel('Only those that match').fill('eq(name');
    await dialog.getByText(/body\.filter: /).waitFor();
    await dialog.getByLabel('Only those that match').fill('eq(name, "answer")');
    await dialog.getByText('Now: 0 %, from 3 runs. It would not fire.').waitFor();
    await dialog.getByLabel('Only those that match').fill('');
    await dialog.getByText('Now: 25 %, from 4 runs. It would fire.').waitFor();
    await dialog.getByLabel('Call this webhook').fill('http://10.0.0.1/');
    await create.click();
    await dialog.getByText(/body\.webhook\.url: .*not a public address/).waitFor();
    await dialog.getByLabel('Call this webhook').fill(hooks.url);
    await until(page, `getComputedStyle(document.querySelector('[role=dialog] button[type=submit]')).opacity === '1'`);
    await accessible('the dialog');
    await dialog.getByLabel('Call this webhook').fill('https://hooks.example.com/pager');
    await picture('new-alert');
    await dialog.getByLabel('Call this webhook').fill(hooks.url);
    await dialog.getByRole('button', { name: 'Add header' }).click();
    t.ok(await create.isDisabled(), 'a header needs a name and a value');
    await dialog.getByLabel('Header', { exact: true }).fill('X-Token');
    await dialog.getByLabel('Value', { exact: true }).fill('first secret');
    await dialog.getByRole('button', { name: 'Add header' }).click();
    await dialog.getByRole('button', { name: 'Remove header 2' }).click();
    await accessible('headers');
    await create.click();
    await page.getByRole('heading', { level: 1, name: 'Support fails' }).waitFor();
    const call = await hooks.next();
    t.match(call.json, { state: 'firing', value: 0.25 });
    t.equal(call.headers['x-token'], 'first secret');
    t.match(await listAlerts(server), [{ name: 'Support fails', threshold: 0.05, window_seconds: 900 }]);
    t.strictSame(complaints, []);
  });

  await t.test('shows the state, its history and the traces that count', async (t) => {
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    const [alert] = await listAlerts(server);
    const { id } = alert!;
    await createAlert(server, { name: 'Slow answers', project_id: projectId, metric: 'latency_p95', threshold: 20 });
    const cost = await createAlert(server, {
      name: 'Cost of a day',
      metric: 'total_cost',
      threshold: 10,
      window_seconds: 86_400,
    });
    await patchAlert(server, cost.id, { is_enabled: false });
    await open('/alerts');
    const rows = page.getByRole('table', { name: 'Alerts' }).getByRole('row');
    await rows.nth(3).waitFor();
    t.match(await rows.allInnerTexts(), [
      /Alert/,
      /Firing[^]*Support fails[^]*25 %/,
      /Slow answers/,
      /Off[^]*Cost of a day/,
    ]);
    const nav = page.getByRole('navigation', { name: 'Console' });
    await nav.getByText('1 alert firing').waitFor();
    await alertWhen(server, id, ({ state }) => state === 'firing');
    await accessible('alerts');
    await picture('alerts');

    await page.getByRole('link', { name: 'Support fails' }).click();
    const history = page.getByRole('table', { name: 'History' });
    await history.getByText('Delivered').waitFor();
    await accessible('an alert');
    await picture('alert');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Call the webhook now' }).click();
    t.match((await hooks.next()).json, { type: 'alert.test', value: 0.25 });

    await page.getByRole('link', { name: 'Traces', exact: true }).last().click();
    await page.getByText('Only traces from').waitFor();
    await until(page, `document.querySelectorAll('table[aria-label=Traces] tbody tr').length === 1`);
    await accessible('the traces of an alert');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('Only traces from').waitFor({ state: 'detached' });
    t.strictSame(complaints, []);
  });

  await t.test('edits, disables and deletes an alert on a phone, where the count is beside the menu', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url, { width: 390, height: 844, dark: true });
    const { id } = (await listAlerts(server)).find(({ name }) => name === 'Support fails')!;
    await open('/threads');
    await page.getByRole('banner').getByText('1 alert firing').click();
    await page.getByRole('link', { name: 'Support fails' }).click();
    await page.getByRole('table', { name: 'History' }).waitFor();
    await accessible('an alert on a phone');
    t.equal(await sideways(page), 0, 'nothing scrolls sideways');
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit alert' });
    await dialog.getByLabel('Limit in %').fill('30');
    await page.keyboard.press('Tab');
    await dialog.getByText('It would not fire.').waitFor();
    await dialog.getByText('Sent with these headers: x-token.').waitFor();
    await dialog.getByRole('button', { name: 'Replace headers' }).click();
    t.equal(await dialog.getByLabel('Header', { exact: true }).inputValue(), 'x-token');
    await dialog.getByLabel('Value', { exact: true }).fill('second secret');
    await accessible('the dialog on a phone');
    t.equal(await sideways(page), 0, 'the dialog does not scroll sideways');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await alertWhen(server, id, ({ state }) => state === 'ok');
    t.match((await historyOf(server, id))[0], { state_before: 'firing', state: 'ok' });
    t.equal((await hooks.next()).headers['x-token'], 'second secret');
    await open('/server?tab=webhooks');
    const deliveries = page.getByRole('table', { name: 'Deliveries of webhooks' });
    await deliveries.getByText('Delivered').nth(2).waitFor();
    await accessible('the deliveries of an alert');
    await page.setViewportSize({ width: 1_280, height: 800 });
    await deliveries.getByRole('link', { name: 'Support fails' }).first().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await open(`/alerts/${id}`);
    await page.getByText('Enabled', { exact: true }).click();
    await page.getByText('Alert disabled.').waitFor();
    await page.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    t.notOk((await listAlerts(server)).some((alert) => alert.id === id));
    t.strictSame(complaints, []);
  });

  await t.test('makes an alert of the filters of the traces', async (t) => {
    const { page, open, complaints } = await tab(t, server.url);
    await open(`/traces?project=${projectId}&text=order&errors=only`);
    await page.getByRole('button', { name: 'New alert' }).click();
    const dialog = page.getByRole('dialog', { name: 'New alert' });
    await dialog.getByText('Number of errors of support above 0 over 15 minutes.').waitFor();
    await dialog.getByText('Now: 1, from 1 run. It would fire.').waitFor();
    t.equal(await dialog.getByLabel('Only in traces with a step that matches').inputValue(), 'search("order")');
    await dialog.getByLabel('Name').fill('Orders');
    await dialog.getByRole('button', { name: 'Create alert' }).click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    t.match(
      (await listAlerts(server)).find(({ name }) => name === 'Orders'),
      { metric: 'error_count', project_id: projectId, tree_filter: 'search("order")', filter: null },
    );
    t.strictSame(complaints, []);
  });
});
