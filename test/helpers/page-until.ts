import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const WAIT_MS = 60_000;
const POLL_MS = 30;

/** Waits until an expression is true. Polls from outside, because the page's CSP blocks `waitForFunction`. */
export async function until(page: Page, expression: string): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while ((await page.evaluate(expression)) !== true) {
    if (performance.now() > deadline) throw new Error(`timed out waiting for: ${expression}`);
    await wait(POLL_MS);
  }
}
