import type { Page } from 'playwright-core';

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

/** Waits until the tables of the page have `count` body rows in total. */
export async function rows(page: Page, count: number): Promise<void> {
  const found = page.locator('tbody tr');
  await found.nth(count).waitFor({ state: 'detached' });
  if (count > 0) await found.nth(count - 1).waitFor();
}
