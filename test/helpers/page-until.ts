import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** About twenty seconds. */
const ROUNDS_MAX = 700;

/** Waits until an expression is true. Polls from outside, because the page's CSP blocks `waitForFunction`. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let round = 0; (await page.evaluate(expression)) !== true; round += 1) {
    if (round > ROUNDS_MAX) throw new Error(`timed out waiting for: ${expression}`);
    await wait(30);
  }
}
