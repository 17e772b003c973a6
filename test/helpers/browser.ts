import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { axeIn } from './axe.js';
import { chromiumPath } from './chromium.js';
import { ROOT } from './server.js';

interface Test {
  teardown(callback: () => unknown): void;
  same(found: unknown, wanted: unknown, ...[message]: [string]): boolean;
}

/** Where the pictures of the documentation are; they are made anew with `SCREENSHOTS=1`. */
const PICTURES = join(ROOT, 'docs', 'console');

export interface Tab {
  page: Page;
  /** All that the browser complained of: scripts that threw, what the policy kept from running, what was not found. */
  complaints: string[];
  /** Opens a page of the console by its path and waits until it has its heading. */
  open(path: string): Promise<void>;
  /** Fails with everything that axe finds serious or critical. */
  accessible(what: string): Promise<void>;
  /** Writes a picture for the documentation, when pictures are asked for. */
  picture(name: string): Promise<void>;
}

/** A browser for a test file; one is enough. */
export async function browserFor(t: Test): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  t.teardown(() => browser.close());
  return browser;
}

/** A tab at the console of a server, of its own session. A person's window is 1,280 px wide unless the test says another. */
export async function tab(
  t: Test,
  browser: Browser,
  url: string,
  { width = 1_280, height = 800, dark = false }: { width?: number; height?: number; dark?: boolean } = {},
): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  context.setDefaultTimeout(30_000);
  t.teardown(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`threw: ${error.message}`));
  page.on('console', (message) => {
    // An answer that refuses is no fault of the page; whether it should have asked is the test's to say.
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
      const { violations } = await axeIn(page);
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      t.same(
        serious.map(
          ({ id, nodes }) =>
            `${id}: ${nodes
              .slice(0, 3)
              .map(({ html }) => html.slice(0, 200))
              .join(' | ')}`,
        ),
        [],
        `${what}: axe has no serious finding`,
      );
    },
    async picture(name) {
      if (process.env['SCREENSHOTS'] === '1') await page.screenshot({ path: join(PICTURES, `${name}.png`) });
    },
  };
}
