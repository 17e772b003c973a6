import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { seriousFindings } from './axe.js';
import { headlessChromiumPath } from './chromium.js';
import { atProcessEnd } from './process-end.js';
import { ROOT } from './server.js';

interface Test {
  teardown(callback: () => unknown): void;
  same(found: unknown, wanted: unknown, ...[message]: [string]): boolean;
}

/** Folder of the screenshots in the documentation. `SCREENSHOTS=1` updates them. */
const PICTURES = join(ROOT, 'docs', 'console');

/** How long actions wait for the page. Machines that run tests can be very busy. */
const WAIT_MS = 60_000;

export interface Tab {
  page: Page;
  /** Errors of the page: exceptions, policy violations and console errors. */
  complaints: string[];
  /** Opens a console path and waits for the heading. */
  open(path: string): Promise<void>;
  /** Fails if axe finds serious or critical problems. */
  accessible(what: string): Promise<void>;
  /** Takes a screenshot for the documentation if `SCREENSHOTS=1`. */
  picture(name: string): Promise<void>;
}

let launched: Promise<Browser> | null = null;

/** Returns the browser of the process. Tabs do not share cookies, storage or caches, so one is enough for all files. */
async function sharedBrowser(): Promise<Browser> {
  // A file may have ended with the crash of the browser. The next one gets another.
  if (launched !== null && !(await launched).isConnected()) launched = null;
  return (launched ??= launch());
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: headlessChromiumPath(),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  atProcessEnd(() => browser.close());
  return browser;
}

/** Opens a tab in its own session. The default window is 1,280 px wide. */
export async function tab(
  t: Test,
  url: string,
  { width = 1_280, height = 800, dark = false }: { width?: number; height?: number; dark?: boolean } = {},
): Promise<Tab> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  context.setDefaultTimeout(WAIT_MS);
  t.teardown(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`threw: ${error.message}`));
  page.on('console', (message) => {
    // Error responses are not errors of the page. Tests check them themselves.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  return {
    page,
    complaints,
    async open(path) {
      await page.goto(`${url}/console${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
    },
    async accessible(what) {
      t.same(await seriousFindings(page), [], `${what}: axe has no serious finding`);
    },
    async picture(name) {
      if (process.env['SCREENSHOTS'] === '1') await page.screenshot({ path: join(PICTURES, `${name}.png`) });
    },
  };
}
