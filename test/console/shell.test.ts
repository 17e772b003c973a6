import t from 'tap';
import { tab } from '../helpers/browser.js';
import { configWith, testServer } from '../helpers/server.js';

t.test('lists all sections in the menu', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  for (const [width, dark] of [
    [1_280, false],
    [390, true],
  ] as const) {
    const { page, open, accessible, complaints } = await tab(t, server.url, { width, dark });
    await open('/server');
    if (width < 760) await page.getByRole('button', { name: 'Menu' }).click();
    const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
    await links.nth(12).waitFor();
    t.equal(await links.count(), 13, 'the menu has the home page and all sections');
    await accessible(`${width} px`);
    t.same(complaints, []);
  }
});
