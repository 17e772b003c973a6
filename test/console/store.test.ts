import { join } from 'node:path';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { dismiss, focused, rows, sideways } from '../helpers/in-page.js';
import { projectOf } from '../helpers/project.js';
import { EXAMPLES, ROOT, testServer } from '../helpers/server.js';

const SCRIPT = '<img src=x onerror="document.title=\'taken\'">';
const RIGHT_TO_LEFT = 'يحب التين';

t.test('memory page', async (t) => {
  const {
    client: { store },
    url,
    get,
  } = await testServer(t, { config: EXAMPLES });

  await t.test('browses namespaces in pages and filters items; a link restores the view', async (t) => {
    for (const user of ['ada', 'bob'])
      for (const key of ['food', 'city'])
        await store.putItem(['users', user], key, { likes: 'figs', score: user === 'ada' ? 7 : 3 });
    for (let at = 0; at < 45; at += 1) await store.putItem(['docs', 'handbook'], `page-${at}`, { title: `Page ${at}` });
    for (let at = 0; at < 120; at += 1) await store.putItem(['many', `n${String(at).padStart(3, '0')}`], 'k', {});
    const { page, open, accessible, complaints, picture } = await tab(t, url);
    await open('/store');
    await page.getByRole('link', { name: 'docs', exact: true }).click();
    await page.getByText('1 to 20', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('21 to 40', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await rows(page, 5);
    t.ok(await page.getByRole('button', { name: 'Next' }).isDisabled(), 'there is no page after the last');
    await page.reload();
    await rows(page, 5);
    await page.getByRole('navigation', { name: 'Namespace' }).getByRole('link', { name: 'All namespaces' }).click();
    await page.getByRole('link', { name: 'many', exact: true }).click();
    await page.getByRole('link', { name: 'n099' }).waitFor();
    t.equal(await page.getByRole('link', { name: 'n100' }).count(), 0);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: 'n119' }).waitFor();

    await page.getByRole('navigation', { name: 'Namespace' }).getByRole('link', { name: 'All namespaces' }).click();
    await page.getByRole('link', { name: 'users', exact: true }).click();
    await rows(page, 4);
    await page.getByLabel('Filter as JSON').fill('{"score": {"$gt": 5');
    await page.getByText(/Invalid JSON/).waitFor();
    await page.getByLabel('Filter as JSON').fill('{"score": {"$gt": 5}}');
    await page.getByLabel('Filter as JSON').press('Enter');
    await rows(page, 2);
    await accessible('the list');
    await page.getByLabel('Filter as JSON').fill('{"score": {"$near": 5}}');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/\$near/)
      .waitFor();
    await page.goBack();
    await rows(page, 2);
    await page.getByLabel('Semantic search').fill('what do they eat');
    await page.getByLabel('Semantic search').press('Enter');
    await page.getByText('no index for semantic search').waitFor();
    await open('/store?ns=users');
    await rows(page, 4);
    await picture('memory');
    t.same(complaints, []);
  });

  await t.test('creates, shows, edits and deletes an item', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, url);
    await open('/store?ns=users.ada');
    await page.getByRole('button', { name: 'New item' }).click();
    const dialog = page.getByRole('dialog');
    t.equal(await dialog.getByLabel('Namespace').inputValue(), 'users.ada', 'the current namespace');
    const key = 'a/key with %2F, & = and #';
    await dialog.getByLabel('Key', { exact: true }).fill(key);
    await dialog.getByLabel('likes').fill('dates');
    await dialog.getByLabel('score').fill('5');
    await dialog.getByRole('button', { name: 'JSON', exact: true }).click();
    const json = dialog.getByLabel('Value as JSON');
    t.same(JSON.parse(await json.inputValue()), { likes: 'dates', score: 5 }, 'the fields of other items');
    await json.fill('[1]');
    await dialog.getByText('Enter a JSON object').waitFor();
    await json.fill('{"big": 1234567890123456, "nested": {"list": [1, null]}}');
    await dialog.getByRole('button', { name: 'Time to live' }).click();
    await page.getByRole('option', { name: 'Expires after minutes' }).click();
    await dialog.getByRole('textbox', { name: 'Minutes' }).fill('90');
    await accessible('the form');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const tree = page.getByRole('tree', { name: 'Value' });
    await tree.getByText('1234567890123456').waitFor();
    await accessible('the item');
    await page.reload();
    await tree.getByText('1234567890123456').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
    t.equal(await dialog.getByLabel('big').inputValue(), '1234567890123456');
    await accessible('the edit form');
    await dialog.getByRole('button', { name: 'JSON', exact: true }).click();
    await json.fill((await json.inputValue()).replace('null', '"two"'));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await tree.getByText('[2]').waitFor();
    await tree.press('End');
    await tree.press('Enter');
    await tree.getByText('"two"').waitFor();
    t.match(
      await (await get(`/store/items?namespace=users.ada&key=${encodeURIComponent(key)}`)).text(),
      '"big":1234567890123456',
    );

    await page.getByRole('button', { name: 'Delete…' }).click();
    await accessible('the confirmation');
    await page.getByRole('dialog', { name: 'Delete this item?' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'Delete this item?' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page
      .getByRole('dialog', { name: 'Delete this item?' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await rows(page, 2);
    t.equal(await (await get(`/store/items?namespace=users.ada&key=${encodeURIComponent(key)}`)).text(), 'null');
    await open(`/store?ns=users.ada&in=users.ada&key=${encodeURIComponent(key)}`);
    await page.getByText('Item not found').waitFor();
    t.same(complaints, []);
  });

  await t.test('shows hostile and large content as text at 390 and 2,560 px', async (t) => {
    await store.putItem(['evil', SCRIPT.replace('.', ' ')], SCRIPT, {
      [SCRIPT]: RIGHT_TO_LEFT,
      megabyte: 'z'.repeat(1_000_000),
      lines: 'one\ntwo',
    });
    await store.putItem(['evil', RIGHT_TO_LEFT], 'k'.repeat(1_200), {
      many: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`name-${at}`, at])),
    });
    for (const [width, dark] of [
      [390, true],
      [2_560, false],
    ] as const) {
      const { page, open, accessible, complaints } = await tab(t, url, { width, dark });
      await open('/store?ns=evil');
      await rows(page, 2);
      await page.getByRole('link', { name: 'kkk' }).waitFor();
      await accessible(`the list at ${width}`);
      t.equal(await sideways(page), 0);
      await page.getByRole('table').getByRole('link', { name: '<img' }).click();
      const tree = page.getByRole('tree', { name: 'Value' });
      await tree.getByText('zzz').waitFor();
      await accessible(`the item at ${width}`);
      await tree.focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await tree.press(key);
      const whole = page.getByRole('dialog', { name: 'Text' });
      await whole.getByText('977 KiB').waitFor();
      await whole.getByRole('button', { name: 'Show more' }).click();
      await accessible(`the whole text at ${width}`);
      await dismiss(page, whole);
      t.equal(await focused(page).then((text) => text.slice(0, 5)), 'Value', 'the focus returns to the tree');
      await dismiss(page);
      t.equal(await page.locator('main img').count(), 0);
      await page.getByRole('link', { name: 'kkk' }).click();
      await tree.press('ArrowDown');
      await tree.press('ArrowRight');
      await tree.press('End');
      await tree.getByText('name-19999').waitFor();
      await accessible(`twenty thousand names at ${width}`);
      t.same(complaints, []);
    }
  });
});

t.test('semantic search shows scores if there is an index', async (t) => {
  const {
    client: { store },
    url,
  } = await testServer(t, {
    config: projectOf(t, ['keeper'], {
      store: { index: { dims: 26, embed: `${join(ROOT, 'test', 'graphs', 'letters.ts')}:embed` } },
    }),
  });
  await store.putItem(['notes'], 'figs', { text: 'She likes figs and dates.' });
  await store.putItem(['notes'], 'trains', { text: 'The night train to Turin.' });
  const { page, open, complaints } = await tab(t, url);
  await open('/store?q=figs+and+dates');
  await page.getByRole('columnheader', { name: 'Score' }).waitFor();
  t.match(await page.getByRole('rowheader').first().textContent(), 'figs');
  t.same(complaints, []);
});
