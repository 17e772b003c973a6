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

/**
 * Pages live for a second or two: compiling their scripts with an optimizing compiler, and a process for each of their
 * addresses, take a quarter of the CPU time of the console's tests.
 */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--js-flags=--no-opt,--no-maglev',
  '--renderer-process-limit=1',
  '--disable-features=IsolateOrigins,site-per-process',
];

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

/** Returns the browser of the process. One is enough for all files. */
async function sharedBrowser(): Promise<Browser> {
  // A file may have ended with the crash of the browser. The next one gets another.
  if (launched !== null && !(await launched).isConnected()) launched = null;
  return (launched ??= launch());
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: headlessChromiumPath(),
    args: CHROMIUM_FLAGS,
  });
  atProcessEnd(() => browser.close());
  return browser;
}

interface TabOptions {
  width?: number;
  height?: number;
  dark?: boolean;
  /** For tests that change the session itself: its clock or its permissions, or with a second tab in it. */
  ownSession?: boolean;
}

/** Tabs that tests have finished with, by window. */
const freeTabs = new Map<string, Page[]>();
/** A page that does not answer within this time is not used again. */
const CLEAN_MS = 10_000;

/** Events that the helper and tests listen to. */
const LISTENED = ['console', 'dialog', 'pageerror', 'request'] as const;

async function openPage(t: Test, url: string, options: TabOptions): Promise<Page> {
  const { width = 1_280, height = 800, dark = false, ownSession = false } = options;
  const browser = await sharedBrowser();
  const window = JSON.stringify([width, height, dark]);
  const free = ownSession ? undefined : freeTabs.get(window)?.pop();
  if (free !== undefined && free.context().browser() === browser && !free.isClosed()) {
    // Its last test may have changed that.
    await free.setViewportSize({ width, height });
    t.teardown(() => release(free, url, window));
    return free;
  }
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  t.teardown(() => (ownSession ? context.close() : release(page, url, window)));
  return page;
}

/** Removes what a test left in a tab, for the next test that wants such a window. */
async function release(page: Page, url: string, window: string): Promise<void> {
  const context = page.context();
  try {
    for (const event of LISTENED) page.removeAllListeners(event);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // The storage of an origin can be cleared on its pages only.
    const isClearable = page.url().startsWith(`${url}/`);
    if (isClearable) await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await context.clearCookies();
    await page.goto('about:blank', { timeout: CLEAN_MS });
    if (isClearable) freeTabs.set(window, [...(freeTabs.get(window) ?? []), page]);
    else await context.close();
  } catch {
    // Its test has failed, or ended its server or the browser.
    await context.close();
  }
}

/**
 * Opens a tab with empty storage and no cookies. The default window is 1,280 px wide. A new session costs half a second
 * of CPU, so that tests take over tabs from each other.
 */
export async function tab(t: Test, url: string, options: TabOptions = {}): Promise<Tab> {
  const page = await openPage(t, url, options);
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
