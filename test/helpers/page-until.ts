import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** Some twenty seconds. */
const ROUNDS_MAX = 700;

/** Waits until an expression holds in a page whose policy lets nobody evaluate text there for longer than a moment. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let round = 0; (await page.evaluate(expression)) !== true; round += 1) {
    if (round > ROUNDS_MAX) throw new Error(`never came true: ${expression}`);
    await wait(30);
  }
}
