import type { Locator, Page } from 'playwright-core';
import { until } from './page-until.js';

/** Pixels by which the page is wider than its window. */
export function sideways(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Label or text of the focused element. Waits for a focus, which a closed dialog returns one frame later. */
export async function focused(page: Page): Promise<string> {
  await page.locator('body :focus').first().waitFor({ state: 'attached' });
  return page.evaluate(
    '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim()',
  );
}

/** Closes a dialog with Escape. The dialog receives the key only while it has the focus, shortly after it appears. */
export async function dismiss(page: Page, dialog: Locator = page.getByRole('dialog')): Promise<void> {
  await until(page, 'document.activeElement.closest("[role=dialog]") !== null');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

/** Waits until the page's content has the focus, as after navigation. */
export function mainFocused(page: Page): Promise<void> {
  return until(page, 'document.activeElement.id === "main"');
}

/** Waits until the tables of the page have `count` body rows in total. */
export async function rows(page: Page, count: number): Promise<void> {
  const found = page.locator('tbody tr');
  await found.nth(count).waitFor({ state: 'detached' });
  if (count > 0) await found.nth(count - 1).waitFor();
}
