import t from 'tap';
import { tab } from '../helpers/browser.js';
import { conversation, runOf, runServer, showAllFields, start, status } from '../helpers/console-run.js';

const server = await runServer();

t.test('edits the input as a generated form and as JSON', async (t) => {
  const { page, open, accessible, complaints } = await tab(t, server.url);
  await open('/run?assistant=brief');
  await page.getByLabel('topic').waitFor();
  const choose = async (label: string, name: string): Promise<void> => {
    await page.getByRole('button', { name: label }).last().click();
    await page.getByRole('option', { name, exact: true }).click();
  };
  await page.getByLabel('topic').fill('tides');
  await choose('tone', 'lively');
  await page.getByLabel('pages').fill('12x');
  await start(page);
  await page.getByText('The input is invalid. pages: must be a number').waitFor();
  await page.getByLabel('pages').fill('12');
  await choose('urgent', 'true');
  for (const [at, source] of ['almanac', 'charts'].entries()) {
    await page.getByRole('button', { name: 'Add entry to sources' }).click();
    await page.getByLabel(`${at + 1}`, { exact: true }).fill(source);
  }
  await page.getByRole('button', { name: 'Add reader (optional)' }).click();
  await page.getByLabel('name', { exact: true }).fill('Ada');
  await page.getByRole('button', { name: 'Add labels (optional)' }).click();
  await page.getByLabel('New key in labels').fill('weight');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('weight', { exact: true }).fill('1.5');
  await choose('Type of limit', 'number');
  await page.getByLabel('limit', { exact: true }).fill('3');
  await accessible('the form');
  const wanted = {
    topic: 'tides',
    tone: 'lively',
    pages: 12,
    urgent: true,
    sources: ['almanac', 'charts'],
    reader: { name: 'Ada' },
    labels: { weight: 1.5 },
    limit: 3,
  };

  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const json = page.getByLabel('Input as JSON');
  t.same(JSON.parse(await json.inputValue()), wanted, 'JSON has the values of the form');
  await json.fill(`${JSON.stringify({ ...wanted, more: 7 })},`);
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await page.getByText('Your text is kept.').waitFor();
  t.match(await json.inputValue(), /"more":7\},$/, 'invalid text is kept');
  await json.fill(JSON.stringify({ ...wanted, more: 7 }));
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  t.equal(await page.getByLabel('more as JSON').inputValue(), '7', 'the form contains properties outside the schema');
  await start(page);
  await status(page, 'Succeeded');
  const { thread, run } = runOf(page);
  const { kwargs } = (await server.client.runs.get(thread, run)) as unknown as { kwargs: { input: unknown } };
  t.same(kwargs.input, { ...wanted, more: 7 });
  t.same(complaints, []);
});

t.test('selects an assistant by typing right after loading', async (t) => {
  const { page, open, complaints } = await tab(t, server.url);
  const field = page.getByRole('combobox', { name: 'Assistant' });
  for (let round = 0; round < 8; round += 1) {
    await open(`/run?${round}`);
    await field.fill('bri');
    await page.getByRole('option', { name: 'brief' }).click();
    await page.getByLabel('topic').waitFor();
    t.equal(await field.inputValue(), 'brief');
  }
  const at = page.url();
  await field.fill('nobo');
  await page.getByText('No assistant matches').waitFor();
  await page.getByLabel('topic').click();
  t.equal(await field.inputValue(), 'brief', 'text without a match is discarded');
  await field.fill('bri');
  await page.getByRole('option', { name: 'brief' }).click();
  t.equal(await field.inputValue(), 'brief');
  t.equal(page.url(), at, 'selecting the same assistant changes nothing');
  await field.fill('speak');
  // Until the search returns, the list still has all assistants, and Enter selects none of them.
  await page.getByRole('option', { name: 'brief' }).waitFor({ state: 'hidden' });
  await page.getByRole('option', { name: 'speaker' }).waitFor();
  await field.press('Enter');
  await page.getByLabel('Message', { exact: true }).waitFor();
  t.equal(await field.inputValue(), 'speaker', 'Enter selects the first match');
  await field.fill('b');
  await field.press('Escape');
  await field.press('Tab');
  t.equal(await field.inputValue(), 'speaker');
  t.same(complaints, []);
});

t.test('shows hostile names as text at 390 px', async (t) => {
  const evil = '<img src=x onerror="document.title=1"><script>throw 1</script> \u202Eevil';
  const { assistant_id: id } = await server.client.assistants.create({
    graphId: 'speaker',
    name: evil,
    description: evil,
  });
  t.teardown(() => server.client.assistants.delete(id));
  for (const dark of [false, true]) {
    const { page, open, accessible, complaints } = await tab(t, server.url, { width: 390, dark });
    await open(`/run?assistant=${id}`);
    await showAllFields(page);
    await page.getByLabel('words').fill('3');
    await page.getByLabel('opening').fill(evil);
    await start(page);
    await status(page, 'Succeeded');
    await conversation(page).getByText(`${evil} a0 a1 a2`, { exact: false }).waitFor();
    await conversation(page).getByText('b0 b1 b2').waitFor();
    t.equal(await page.title(), 'Run · Threadmill');
    t.equal(await page.locator('main img').count(), 0);
    const across = await page.evaluate(() => {
      const { documentElement: all } = (
        globalThis as unknown as { document: { documentElement: { scrollWidth: number; clientWidth: number } } }
      ).document;
      return all.scrollWidth - all.clientWidth;
    });
    t.ok(across <= 0, 'the page does not scroll sideways');
    await accessible(`390 px${dark ? ', dark' : ''}`);
    t.same(complaints, []);
  }
});
