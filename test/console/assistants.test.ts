import t from 'tap';
import { tab } from '../helpers/browser.js';
import { dismiss, focused, rows, sideways } from '../helpers/in-page.js';
import { schemaServer } from '../helpers/schema-server.js';
import { EXAMPLES } from '../helpers/server.js';

const SCRIPT = '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>';
const RIGHT_TO_LEFT = '\u202Eمساعد يكتب من اليمين';

t.test('assistants page', async (t) => {
  const { client, url, get } = await schemaServer(t, EXAMPLES);

  await t.test('finds assistants by name, graph and metadata in pages; a link restores the search', async (t) => {
    for (let at = 0; at < 60; at += 1)
      await client.assistants.create({
        graphId: at % 2 === 0 ? 'echo' : 'research',
        name: `Digest ${at}`,
        metadata: { team: at < 5 ? 'blue' : 'green' },
      });
    const { page, open, accessible, complaints, picture } = await tab(t, url);
    await open('/assistants');
    const table = page.getByRole('table', { name: 'Assistants' });
    await page.getByText('1 to 25 of 63').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('26 to 50 of 63').waitFor();
    t.match(page.url(), /offset=25/);
    await page.reload();
    await page.getByText('26 to 50 of 63').waitFor();
    await page.goBack();
    await page.getByText('1 to 25 of 63').waitFor();

    await page.getByRole('textbox', { name: 'Metadata' }).fill('{"team": "blue"');
    await page.getByText(/Invalid JSON/).waitFor();
    await page.getByRole('textbox', { name: 'Metadata' }).fill('{"team": "blue"}');
    await page.getByLabel('Search by name').fill('DIGEST');
    await page.getByRole('button', { name: 'Graph' }).click();
    await page.getByRole('option', { name: 'research' }).click();
    await table.getByRole('row').nth(2).waitFor();
    await rows(page, 2);
    t.same(
      await table.getByRole('rowheader').allTextContents(),
      ['Digest 3', 'Digest 1'],
      'matches of all three filters',
    );
    await accessible('the list');
    await page.reload();
    await rows(page, 2);
    t.equal(await page.getByLabel('Search by name').inputValue(), 'DIGEST');
    await page.getByLabel('Search by name').fill('nobody');
    await page.getByText('No matching assistants').waitFor();

    await open('/assistants?metadata=%7B%22created_by%22%3A%22system%22%7D');
    await rows(page, 3);
    t.equal(await table.getByText('Default', { exact: true }).count(), 3, 'default assistants are marked');
    for (const [graphId, name, description] of [
      ['echo', 'Digest, every morning', 'What has come in since yesterday, in five lines.'],
      ['research', 'Research, German', 'Looks things up and writes in German.'],
      ['agent', 'Support, brief', 'Answers in two sentences; asks a person before it refunds.'],
    ] as const)
      await client.assistants.create({ graphId, name, description });
    await open('/assistants');
    await table.getByRole('link', { name: 'Support, brief' }).waitFor();
    await picture('assistants');
    t.same(complaints, []);
  });

  await t.test('creates, edits, compares, restores and deletes an assistant', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, url);
    await open('/assistants');
    await page.getByRole('button', { name: 'New assistant' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Graph' }).click();
    await page.getByRole('option', { name: 'agent' }).click();
    await dialog.getByText('the graph has no schema').first().waitFor();
    await dialog.getByLabel('Name').fill('Brief');
    await dialog.getByLabel('Description').fill('In two sentences.');
    await dialog.getByLabel('recursion_limit').fill('0');
    await dialog.getByLabel('Metadata').fill('{"team": "blue"}');
    await accessible('the form');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('recursion_limit must be at least 1').waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').getByText('body.config.recursion_limit').waitFor();
    await dialog.getByText('must be >= 1', { exact: true }).waitFor();
    t.notMatch(
      await dialog.getByRole('alert').textContent(),
      /HTTP 422|\{/,
      'the message of the server without its envelope',
    );
    await dialog.getByLabel('recursion_limit').fill('7');
    await dialog.getByLabel('configurable').fill('{"model": "large"}');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Brief' }).waitFor();
    await page.getByRole('tree', { name: 'Configuration' }).getByText('"large"').waitFor();
    await accessible('the overview');
    const id = new URL(page.url()).pathname.split('/').at(-1)!;

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Context').fill('{"tone": "calm"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('v2', { exact: true }).waitFor();
    t.match(await client.assistants.get(id), {
      version: 2,
      name: 'Brief',
      description: 'In two sentences.',
      context: { tone: 'calm' },
      metadata: { team: 'blue' },
    });

    await page.getByRole('tab', { name: 'Versions' }).click();
    const diff = page.getByRole('region', { name: 'Version 1 and Version 2' });
    await diff.getByText('calm').waitFor();
    await accessible('versions');
    await page.getByRole('button', { name: 'Make current: version 1' }).click();
    await accessible('the confirmation');
    await page.getByRole('dialog').getByRole('button', { name: 'Make current' }).click();
    await page.getByText('v1', { exact: true }).waitFor();
    t.equal((await client.assistants.get(id)).version, 1);

    await page.getByRole('link', { name: 'Threads' }).nth(1).waitFor();
    const threads = new URL(
      (await page.locator('main').getByRole('link', { name: 'Threads' }).getAttribute('href')) ?? '',
      url,
    );
    t.same(
      [threads.pathname, JSON.parse(threads.searchParams.get('metadata')!)],
      ['/console/threads', { assistant_id: id }],
    );
    const run = new URL(
      (await page.locator('main').getByRole('link', { name: 'Run' }).getAttribute('href')) ?? '',
      url,
    );
    t.same([run.pathname, run.searchParams.get('assistant')], ['/console/run', id]);

    const thread = await client.threads.create();
    await client.runs.wait(thread.thread_id, id, { input: { messages: [] } }).catch(() => undefined);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByText('Also delete threads whose last run used this assistant').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Assistants' }).waitFor();
    t.equal((await get(`/assistants/${id}`)).status, 404);
    t.equal((await get(`/threads/${thread.thread_id}`)).status, 404);
    t.same(complaints, []);
  });

  await t.test(
    'shows the graph with expanded subgraphs and schemas; a default assistant cannot be deleted',
    async (t) => {
      const { page, open, accessible, complaints, picture } = await tab(t, url);
      await open('/assistants/research?tab=graph');
      const nodes = page.getByRole('figure').getByRole('listitem');
      await nodes.filter({ hasText: 'lookup, then write' }).waitFor();
      await page.getByText('Expand subgraphs').click();
      await nodes.filter({ hasText: 'lookup in search' }).waitFor({ state: 'attached' });
      await page.getByRole('heading', { level: 3, name: 'lookup' }).waitFor();
      await accessible('the graph');
      await picture('assistant-graph');
      await page.getByRole('tab', { name: 'Schemas' }).click();
      await page.getByRole('tree', { name: 'Schema: Input' }).getByText('topic').first().waitFor();
      await accessible('schemas');
      await page.getByRole('tab', { name: 'Schemas' }).press('ArrowLeft');
      await page.getByRole('tab', { name: 'Graph', selected: true }).waitFor();
      t.equal(await page.getByRole('button', { name: 'More' }).count(), 0);
      await open('/assistants/00000000-0000-4000-8000-000000000000');
      await page
        .getByRole('alert')
        .getByText(/not found/i)
        .waitFor();
      t.ok(await page.getByRole('button', { name: 'Try again' }).isVisible());
      t.same(complaints, []);
    },
  );

  await t.test('shows hostile names and values as text at 390 and 2,560 px', async (t) => {
    const long = 'long'.repeat(500);
    const hostile = await client.assistants.create({
      graphId: 'echo',
      name: SCRIPT,
      description: RIGHT_TO_LEFT,
      context: { [SCRIPT]: 'javascript:alert(1)', long: 'x'.repeat(100_000) },
      metadata: { evil: true, long },
    });
    await client.assistants.create({ graphId: 'echo', name: long, metadata: { evil: true } });
    for (const [width, dark] of [
      [390, true],
      [2_560, false],
    ] as const) {
      const { page, open, accessible, complaints } = await tab(t, url, { width, dark });
      await open('/assistants?metadata=%7B%22evil%22%3Atrue%7D');
      await page.getByRole('link', { name: '<img src=x' }).waitFor();
      await accessible(`the list at ${width}`);
      t.equal(await sideways(page), 0, 'the page does not scroll sideways');
      await page.getByRole('link', { name: '<img src=x' }).click();
      await page.getByRole('tree', { name: 'Context' }).getByText('xxx').waitFor();
      await accessible(`one at ${width}`);
      t.equal(await sideways(page), 0);
      t.equal(await page.title(), `${SCRIPT} · Threadmill`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('dialog').getByLabel('Context').waitFor();
      await accessible(`the form at ${width}`);
      await dismiss(page);
      t.equal(await focused(page), 'Edit', 'the focus returns to the button');
      t.equal(await page.locator('main img, main script').count(), 0);
      t.same(complaints, []);
    }
    t.equal((await client.assistants.get(hostile.assistant_id)).version, 1);
  });
});
