import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { ROOT } from './server.js';

/** Graphs that the console's room of runs is tried with, the examples among them. */
export const RUN_GRAPHS = join(ROOT, 'test', 'graphs', 'run.json');

export const conversation = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' });

/** Waits until the run has this status. */
export const status = (page: Page, text: string): Promise<void> =>
  page.getByRole('region', { name: 'The run' }).getByText(text, { exact: true }).first().waitFor();

export const start = (page: Page): Promise<void> => page.getByRole('button', { name: 'Start', exact: true }).click();

/** The run that the address names. */
export function runOf(page: Page): { thread: string; run: string } {
  const query = new URL(page.url()).searchParams;
  return { thread: query.get('thread')!, run: query.get('run')! };
}
