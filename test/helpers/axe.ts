import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe-core in a page. The debugger protocol injects it, which the Content-Security-Policy does not block. */
export async function axeIn(page: Page): Promise<AxeResults> {
  await page.evaluate(SOURCE);
  return page.evaluate(() => (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run());
}
