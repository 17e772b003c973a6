import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as axeCore from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const NODES_SHOWN_MAX = 3;
const HTML_CHARS_MAX = 200;

/**
 * Runs axe-core in a page and returns its serious and critical findings. The debugger protocol injects it once per
 * document, which the Content-Security-Policy does not block.
 */
export async function seriousFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(SOURCE);
  // Results of passed rules are large. The page reduces them, because sending them takes longer than finding them.
  return page.evaluate(
    async ([nodesMax, charsMax]) => {
      const { axe } = globalThis as unknown as { axe: typeof axeCore };
      // With `preload`, axe would first load all stylesheets again, for a rule about audio and video only.
      const { violations } = await axe.run({ resultTypes: ['violations'], preload: false });
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(
          ({ id, nodes }) =>
            `${id}: ${nodes
              .slice(0, nodesMax)
              .map(({ html }) => html.slice(0, charsMax))
              .join(' | ')}`,
        );
    },
    [NODES_SHOWN_MAX, HTML_CHARS_MAX] as const,
  );
}
