import { chromium, type Browser } from 'playwright-core';
import { chromiumPath } from '../test/helpers/chromium.js';
import { atMost, defineBench, verify } from './bench.js';
import { alternate, median, format } from './measure.js';

const PAINT_MS_MAX = 1_000;
const FIRST_VIEW_BYTES_MAX = 200_000;

interface View {
  paintMs: number;
  /** Until the list of threads is visible. */
  listMs: number;
  bytes: number;
}

export default defineBench({
  name: 'console',
  description: 'The console in a browser with an empty cache: first paint, first list, and bytes over the wire',
  smoke: { rounds: 1, threads: 1 },
  real: { rounds: 15, threads: 200 },
  async run(bench, { rounds, threads }) {
    const ours = await bench.startServer();
    for (let made = 0; made < threads; made += 1)
      verify(
        (
          await fetch(`${ours.url}/threads`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{}',
          })
        ).ok,
        'a thread is created',
      );
    const browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    bench.onClose(() => browser.close());
    const views: View[] = [];
    const visit = async (): Promise<number> => {
      const view = await openConsole(browser, `${ours.url}/console/threads`);
      views.push(view);
      return view.paintMs;
    };
    // Warm-up: the server has read its files, and the browser has started its processes.
    await visit();
    views.length = 0;
    const paired = await alternate(rounds, visit, bench.isSmoke ? null : () => measurePaint(browser, `${ours.url}/ok`));
    const paintMs = median(paired.ours);
    const bytes = Math.max(...views.map((view) => view.bytes));
    const method: [string, string] = [
      `\`/console/threads\` with ${threads} threads, opened ${rounds} times by Chromium with an empty cache, ` +
        `after one visit that is not counted; the reference is \`/ok\` in the same browser.`,
      'Each round waits for the first rows of the list.',
    ];
    return [
      {
        what: 'first paint of the console',
        ours: format.ms(paintMs),
        reference: bench.isSmoke ? null : `${format.ms(median(paired.reference))} a response of 11 bytes`,
        ratio: null,
        budget: `under ${PAINT_MS_MAX / 1_000} s`,
        missed: bench.isSmoke ? null : atMost(paintMs, PAINT_MS_MAX),
        method,
        evidence: `The list of threads is visible after ${format.ms(median(views.map((view) => view.listMs)))}.`,
      },
      {
        what: 'first view of the console over the wire',
        ours: `${(bytes / 1_000).toFixed(0)} kB`,
        reference: null,
        ratio: null,
        budget: `under ${FIRST_VIEW_BYTES_MAX / 1_000} kB`,
        missed: atMost(bytes, FIRST_VIEW_BYTES_MAX),
        method,
      },
    ];
  },
});

async function openConsole(browser: Browser, url: string): Promise<View> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    let bytes = 0;
    const sizes: Promise<void>[] = [];
    page.on('requestfinished', (request) => {
      sizes.push(
        request.sizes().then(({ responseBodySize, responseHeadersSize }) => {
          bytes += responseBodySize + responseHeadersSize;
        }),
      );
    });
    const begun = performance.now();
    await page.goto(url);
    await page.getByRole('table').getByRole('row').nth(1).waitFor();
    const listMs = performance.now() - begun;
    await page.waitForLoadState('networkidle');
    await Promise.all(sizes);
    return { paintMs: await page.evaluate(firstPaint), listMs, bytes };
  } finally {
    await context.close();
  }
}

async function measurePaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    return await page.evaluate(firstPaint);
  } finally {
    await context.close();
  }
}

/** Runs in the page: milliseconds from the navigation to the first paint of anything. */
async function firstPaint(): Promise<number> {
  for (;;) {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    if (paint !== undefined) return paint.startTime;
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}
