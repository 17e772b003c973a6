import { readFile } from 'node:fs/promises';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { identityProvider } from '../helpers/identity-provider.js';
import { signInServer } from '../helpers/sign-in.js';

t.test('a person signs in, sees the role, ends sessions of others, and signs out', async (t) => {
  const provider = await identityProvider(t);
  const server = await signInServer(t, provider, { oidc: { name: 'Example' } });

  provider.refusal = 'access_denied';
  const { page, open, accessible, complaints, picture } = await tab(t, server.url, { ownSession: true });
  await open('/threads?status=idle');
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  const button = dialog.getByRole('button', { name: 'Sign in with Example' });
  await button.waitFor();
  await accessible('the dialog');
  await picture('sign-in');
  await page.keyboard.press('Escape');
  t.ok(await dialog.isVisible(), 'Escape does not close it');
  // On a slow computer, React begins the first render of the dialog several times.
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 10 });
  await button.click();
  await dialog.getByText('The sign-in was cancelled.').waitFor();
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  t.notMatch(page.url(), 'sign_in_error', 'the reason is removed from the address');
  await accessible('the failure');

  provider.refusal = null;
  provider.person = { sub: 'grace-1', name: 'Grace Hopper', email: 'grace@example.com', groups: ['platform'] };
  await open('/threads?status=idle');
  await page.getByRole('button', { name: 'Sign in with Example' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Grace Hopper').waitFor();
  t.match(page.url(), /\/console\/threads\?status=idle$/, 'the same place');
  await page.getByText('Administrator').waitFor();
  const cookies = await page.evaluate(
    'document.cookie + JSON.stringify(sessionStorage) + JSON.stringify(localStorage)',
  );
  t.notMatch(cookies, 'tms_', 'scripts cannot read the session');

  provider.person = { sub: 'ada-1', name: '<b>Ada</b>', email: 'ada@example.com' };
  const phone = await tab(t, server.url, { width: 390, dark: true, ownSession: true });
  await phone.open('/store');
  await phone.accessible('the dialog on a phone');
  await phone.page.getByRole('button', { name: 'Sign in with Example' }).click();
  await phone.page.getByText('No items').waitFor();
  await phone.page.getByRole('button', { name: 'Menu' }).click();
  await phone.page.getByText('<b>Ada</b>').waitFor();
  await phone.accessible('the menu of a viewer');

  await open('/server?tab=keys');
  const people = page.getByRole('table', { name: 'People who are signed in' });
  await people.getByText('This browser').waitFor();
  await accessible('the list of sessions');
  await picture('server-sessions');
  await page.getByRole('tab', { name: 'Audit log' }).click();
  const log = page.getByRole('table', { name: 'Audit log' });
  await log.getByText('Refused (cancelled)').waitFor();
  await log.getByText('Grace Hopper').waitFor();
  await accessible('the audit log');
  await picture('server-audit');
  await page.getByLabel('Who').fill('Grace Hopper');
  await log.getByText('Refused (cancelled)').waitFor({ state: 'detached' });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  t.match(await readFile(await (await download).path(), 'utf8'), /^\{.*"name":"Grace Hopper".*\}\n$/);
  await open('/server?tab=keys');
  await people.getByRole('button', { name: 'Sign out <b>Ada</b>' }).click();
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Sign out' }).click();
  await people.getByText('<b>Ada</b>').waitFor({ state: 'detached' });
  await phone.open('/threads');
  await phone.page.getByRole('dialog', { name: 'Sign in' }).waitFor();

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Use an API key' }).click();
  await page.getByLabel('API key', { exact: true }).waitFor();
  await accessible('the form for a key');
  await page.getByRole('button', { name: 'Back' }).click();
  await button.waitFor();
  t.same([...complaints, ...phone.complaints], []);
});
