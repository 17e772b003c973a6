import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { ROOT } from './server.js';

/** Graphs for tests of the run page, including the examples. */
export const RUN_GRAPHS = join(ROOT, 'test', 'graphs', 'run.json');

export const conversation = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' });

/** Waits until the run has the status with this display name. */
export const status = (page: Page, text: string): Promise<void> =>
  page.getByRole('region', { name: 'Run status' }).getByText(text, { exact: true }).first().waitFor();

export const start = (page: Page): Promise<void> => page.getByRole('button', { name: 'Start', exact: true }).click();

/** The run in the URL. */
export function runOf(page: Page): { thread: string; run: string } {
  const query = new URL(page.url()).searchParams;
  return { thread: query.get('thread')!, run: query.get('run')! };
}
