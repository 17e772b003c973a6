import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { atProcessEnd } from './process-end.js';
import { schemaServer } from './schema-server.js';
import { ROOT, type TestServer } from './server.js';

/** Graphs for tests of the run page, including the examples. */
const RUN_GRAPHS = join(ROOT, 'test', 'graphs', 'run.json');

let started: Promise<TestServer> | null = null;

/**
 * Returns the server for tests of the run page. All files of the process share it, because reading the schemas of its
 * graphs takes 4 s of CPU.
 */
export function runServer(): Promise<TestServer> {
  return (started ??= schemaServer({ teardown: atProcessEnd }, RUN_GRAPHS));
}

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

/** Shows the form of the whole input in place of the composer of a chat. */
export const showAllFields = (page: Page): Promise<void> => page.getByRole('button', { name: 'All fields' }).click();

/** Chooses a thread in the options. */
export async function chooseThread(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Options', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Thread$/ })
    .click();
  await page.getByRole('option', { name }).click();
  await page.getByRole('button', { name: 'Done' }).click();
}
