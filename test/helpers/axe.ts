import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds in a page. It comes in by the debugger's way, which a Content-Security-Policy does not stop. */
export async function axeIn(page: Page): Promise<AxeResults> {
  await page.evaluate(SOURCE);
  return page.evaluate(() => (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run());
}
