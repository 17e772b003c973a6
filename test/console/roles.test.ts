import type { Page } from 'playwright-core';
import t from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { tab, type Tab } from '../helpers/browser.js';
import { identityProvider } from '../helpers/identity-provider.js';
import { sideways } from '../helpers/in-page.js';
import { temporaryFolder } from '../helpers/server.js';
import { signInServer } from '../helpers/sign-in.js';

type Test = Pick<typeof t, 'equal'>;
type Expected = 'allowed' | `Needs the ${'role' | 'scope'} ${string}`;

/** Fails unless the button is enabled, or disabled with this tooltip. */
async function checkButton(t: Test, page: Page, name: string | RegExp, expected: Expected): Promise<void> {
  const button = page
    .getByRole('main')
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first();
  await button.waitFor();
  // Everything is enabled until the server has said who uses the console.
  await button.and(page.getByRole('button', { disabled: expected !== 'allowed' })).waitFor();
  t.equal(await button.isEnabled(), expected === 'allowed', `${name} is ${expected}`);
  if (expected === 'allowed') return;
  await page.keyboard.press('Tab');
  // Tooltips close when the page scrolls.
  await button.scrollIntoViewIfNeeded();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await button.focus();
  await page.getByRole('tooltip', { name: expected }).waitFor();
  await page.keyboard.press('Enter');
  t.equal(await page.getByRole('dialog').or(page.getByRole('alertdialog')).count(), 0, `${name} does nothing`);
  await page.keyboard.press('Escape');
}

const menuNames = (page: Page): Promise<string[]> =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('link').allInnerTexts();

t.test('the console disables what a role or key does not allow', async (t) => {
  const provider = await identityProvider(t);
  const dataFolder = temporaryFolder(t);
  const { text: adminKey } = createKey(dataFolder, { name: 'admin' });
  const { text: narrowKey } = createKey(dataFolder, { name: 'narrow', scopes: ['read', 'crons'] });
  const server = await signInServer(t, provider, { dataFolder });
  const create = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const { assistant_id: assistantId } = await create<{ assistant_id: string }>('/assistants', {
    graph_id: 'chat',
    name: 'Digest',
  });
  const { cron_id: cronId } = await create<{ cron_id: string }>('/runs/crons', {
    assistant_id: assistantId,
    schedule: '0 9 * * *',
    input: { messages: [] },
  });
  const { id: datasetId } = await create<{ id: string }>('/api/v1/datasets', { name: 'questions' });
  await create('/api/v1/examples', { dataset_id: datasetId, inputs: { question: 'why' }, outputs: {} });
  const { id: queueId } = await create<{ id: string }>('/api/v1/annotation-queues', { name: 'Answers' });
  const { id: projectId } = await create<{ id: string }>('/api/v1/sessions', { name: 'support' });
  const runId = crypto.randomUUID();
  const at = new Date().toISOString();
  const sentRun = { id: runId, name: 'answer', run_type: 'chain', session_id: projectId, inputs: { question: 'why' } };
  await create('/api/v1/runs', { ...sentRun, outputs: { answer: 'because' }, start_time: at, end_time: at });
  await create(`/api/v1/annotation-queues/${queueId}/runs`, [runId]);
  const { thread_id: threadId } = await create<{ thread_id: string }>('/threads', {
    metadata: { graph_id: 'chat', assistant_id: assistantId },
  });
  await create(`/threads/${threadId}/runs/wait`, {
    assistant_id: assistantId,
    input: { messages: [{ role: 'user', content: 'hello' }] },
  });

  const signedIn = async (groups: readonly string[], options: object = {}): Promise<Tab> => {
    provider.person = { sub: `ada ${groups.join()}`, name: 'Ada', groups };
    const opened = await tab(t, server.url, { ...options, ownSession: true });
    await opened.page.goto(`${server.url}/server/sign-in`);
    await opened.page.getByRole('heading', { level: 1 }).first().waitFor();
    await opened.open('/');
    return opened;
  };
  const buttonsOn = async (
    t: Test,
    opened: Tab,
    path: string,
    expected: readonly [string, Expected][],
  ): Promise<void> => {
    await opened.open(path);
    for (const [name, one] of expected) await checkButton(t, opened.page, name, one);
  };

  await t.test('a viewer reads everything, and changes nothing', async (t) => {
    const viewer = await signedIn([]);
    const { page, open, accessible, complaints } = viewer;
    const operator = 'Needs the role Operator';
    await page.getByText('Viewer', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Run', exact: true }).waitFor({ state: 'detached' });
    const names = await menuNames(page);
    t.notOk(names.includes('Run'), 'a page that only starts runs is left out');
    t.ok(['Threads', 'Crons', 'Rules', 'Server'].every((name) => names.includes(name)));
    await checkButton(t, page, 'Start a run', operator);

    await open('/threads');
    const boxes = page.getByRole('table', { name: 'Threads' }).getByRole('checkbox');
    await boxes.last().press('Space');
    await checkButton(t, page, 'Delete 1 thread', operator);
    await checkButton(t, page, 'Add to dataset', operator);
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    t.match(page.url(), /\/console\/threads$/, 'the key of a page that is left out does nothing');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    const search = palette.getByRole('searchbox');
    for (const [text, shown, hidden] of [
      ['server', 'Server: backups', 'Server: API keys'],
      ['r', 'Traces', 'Start a run'],
      ['data', 'Datasets', 'New dataset'],
    ] as const) {
      await search.fill(text);
      await palette.getByRole('menuitem', { name: shown, exact: true }).waitFor();
      t.equal(await palette.getByRole('menuitem', { name: hidden }).count(), 0, `${hidden} is left out`);
    }
    await page.keyboard.press('Escape');

    await buttonsOn(t, viewer, `/threads/${threadId}`, [
      ['Delete', operator],
      ['Copy thread', operator],
    ]);
    await page.getByText('You cannot send messages. This needs the role Operator.').waitFor();
    await accessible('a thread that cannot be changed');
    await page.mouse.move(600, 300);
    const place = (await page.getByRole('button', { name: 'Copy thread' }).boundingBox())!;
    await page.mouse.move(place.x + 20, place.y + 10, { steps: 5 });
    await page.getByRole('tooltip', { name: operator }).waitFor();
    t.pass('the mouse shows the tooltip too');
    await buttonsOn(t, viewer, `/threads/${threadId}?tab=state`, [['Edit state', operator]]);
    await open(`/threads/${threadId}?tab=runs`);
    await page.getByRole('button', { name: /^Run / }).click();
    const remove = page.getByRole('menuitem', { name: 'Delete' });
    t.equal(await remove.getAttribute('aria-disabled'), 'true');
    t.match(await remove.innerText(), /Needs the role Operator/, 'the menu says why');
    t.equal(await page.getByRole('menuitem', { name: 'Show details' }).getAttribute('aria-disabled'), null);
    await accessible('a menu with an action that is not allowed');
    await page.keyboard.press('Escape');

    await open(`/run?assistant=${assistantId}`);
    await page.getByText('You cannot start runs. This needs the role Operator.').waitFor();
    t.equal(await page.getByRole('button', { name: 'Send' }).count(), 0, 'the composer is left out');
    await accessible('the page of runs');

    await buttonsOn(t, viewer, '/assistants', [['New assistant', operator]]);
    await buttonsOn(t, viewer, `/assistants/${assistantId}`, [
      ['Run', operator],
      ['Edit', operator],
      ['Copy as…', 'allowed'],
    ]);
    await buttonsOn(t, viewer, '/crons', [['New cron', operator]]);
    const denied = page.getByRole('switch', { name: /^Enabled: .*Needs the role Operator$/ });
    const isOn = await denied.isChecked();
    t.equal(await denied.getAttribute('aria-readonly'), 'true');
    await denied.press('Space');
    t.equal(await denied.isChecked(), isOn, 'it has the focus, and stays as it is');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.getByRole('tooltip').getByText('Needs the role Operator').waitFor();
    await buttonsOn(t, viewer, `/crons/${cronId}`, [['Edit', operator]]);
    await buttonsOn(t, viewer, '/store', [['New item', operator]]);
    await buttonsOn(t, viewer, '/datasets?new=true', [['New dataset', operator]]);
    await buttonsOn(t, viewer, `/datasets/${datasetId}`, [['Run experiment', operator]]);
    await buttonsOn(t, viewer, `/datasets/${datasetId}?tab=examples`, [
      ['Add example', operator],
      ['Delete', operator],
    ]);
    await buttonsOn(t, viewer, `/datasets/${datasetId}?tab=about`, [
      ['Save', operator],
      ['Delete dataset', operator],
      ['JSON Lines', 'allowed'],
    ]);
    await page.getByLabel('Name', { exact: true }).press('Enter');
    t.equal(await page.getByRole('alert').count(), 0, 'Enter in a field saves nothing');
    await buttonsOn(t, viewer, '/queues', [['New queue', 'Needs the role Reviewer']]);
    await open(`/queues/${queueId}`);
    await page.getByText('You cannot review runs. This needs the role Reviewer.').waitFor();
    await checkButton(t, page, 'Skip', 'allowed');
    await buttonsOn(t, viewer, '/alerts', [['New alert', operator]]);
    await buttonsOn(t, viewer, '/rules', [['New rule', operator]]);
    await buttonsOn(t, viewer, `/traces/${runId}`, [
      ['Add to queue', 'Needs the role Reviewer'],
      ['Share', operator],
    ]);

    await open('/server?tab=keys');
    t.same(await page.getByRole('tab').allInnerTexts(), [
      'Overview',
      'Queue',
      'Storage',
      'Code',
      'Webhooks',
      'Backups',
    ]);
    await buttonsOn(t, viewer, '/server?tab=backups', [['Make a backup', 'Needs the role Administrator']]);
    await accessible('the tab of backups');
    t.same(complaints, []);
  });

  await t.test('a reviewer works with queues, and changes nothing else', async (t) => {
    const reviewer = await signedIn(['labels'], { width: 390, height: 844, dark: true });
    const { page, open, accessible, complaints } = reviewer;
    await buttonsOn(t, reviewer, '/threads', [['Columns', 'allowed']]);
    await buttonsOn(t, reviewer, `/threads/${threadId}`, [['Delete', 'Needs the role Operator']]);
    t.equal(await sideways(page), 0, 'nothing scrolls sideways on a phone');
    await buttonsOn(t, reviewer, '/run', [['Options', 'Needs the role Operator']]);
    await buttonsOn(t, reviewer, '/assistants', [['New assistant', 'Needs the role Operator']]);
    await buttonsOn(t, reviewer, '/crons', [['New cron', 'Needs the role Operator']]);
    await buttonsOn(t, reviewer, '/datasets', [['New dataset', 'Needs the role Operator']]);
    await buttonsOn(t, reviewer, '/server?tab=backups', [['Make a backup', 'Needs the role Administrator']]);
    await buttonsOn(t, reviewer, `/traces/${runId}`, [['Add to queue', 'allowed']]);
    await buttonsOn(t, reviewer, '/queues', [['New queue', 'allowed']]);
    await open(`/queues/${queueId}`);
    await checkButton(t, page, 'Edit', 'allowed');
    await accessible('a queue of a reviewer');
    await page.getByLabel('score').fill('1');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Nothing to review').waitFor();
    t.same(complaints, []);
  });

  await t.test('an operator lacks keys, the audit log and backups only', async (t) => {
    const operator = await signedIn(['ops']);
    await operator.open('/');
    t.ok((await menuNames(operator.page)).includes('Run'));
    await buttonsOn(t, operator, '/crons', [['New cron', 'allowed']]);
    await buttonsOn(t, operator, '/datasets', [['New dataset', 'allowed']]);
    await buttonsOn(t, operator, `/threads/${threadId}`, [['Delete', 'allowed']]);
    await buttonsOn(t, operator, '/server?tab=backups', [['Make a backup', 'Needs the role Administrator']]);
    t.equal(await operator.page.getByRole('tab', { name: 'API keys' }).count(), 0);
  });

  await t.test('an administrator sees everything', async (t) => {
    const admin = await signedIn(['platform']);
    for (const path of [
      '/threads',
      `/threads/${threadId}`,
      '/assistants',
      '/crons',
      '/datasets',
      '/queues',
      '/rules',
    ]) {
      await admin.open(path);
      await admin.page.getByRole('main').getByRole('button').first().waitFor();
      t.equal(await admin.page.locator('[data-denied]').count(), 0, path);
    }
    await buttonsOn(t, admin, '/server?tab=backups', [['Make a backup', 'allowed']]);
    await buttonsOn(t, admin, '/server?tab=keys', [['New key', 'allowed']]);
    await admin.open(`/run?assistant=${assistantId}`);
    await admin.page.getByRole('button', { name: 'Send' }).waitFor();
  });

  await t.test('for a key, the scope that is missing is named', async (t) => {
    const opened = await tab(t, server.url, { ownSession: true });
    const { page, open } = opened;
    await open('/threads');
    await page.getByRole('button', { name: 'Use an API key' }).click();
    await page.getByLabel('API key', { exact: true }).fill(narrowKey);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Run', exact: true }).waitFor({ state: 'detached' });
    await buttonsOn(t, opened, '/crons', [['New cron', 'Needs the scope threads:create_run']]);
    t.ok(await page.getByRole('switch', { name: /^Enabled: / }).isEnabled(), 'crons may be paused');
    await buttonsOn(t, opened, '/assistants', [['New assistant', 'Needs the scope assistants:create']]);
    await buttonsOn(t, opened, '/queues', [['New queue', 'Needs the scope reviews']]);
  });
});
