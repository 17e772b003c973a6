import { chromium, type Browser } from 'playwright-core';
import { chromiumPath } from '../test/helpers/chromium.js';
import { atMost, defineBench, verify } from './bench.js';
import { alternate, median, show } from './measure.js';

const PAINT_MS_MAX = 1_000;
const FIRST_VIEW_BYTES_MAX = 500_000;

interface View {
  paintMs: number;
  /** Until the list of threads stands there. */
  listMs: number;
  bytes: number;
}

export default defineBench({
  name: 'console',
  description:
    'The console: first paint and the first list in a browser that has nothing of it, and what goes over the wire',
  smoke: { rounds: 1, threads: 1 },
  real: { rounds: 15, threads: 200 },
  async run(bench, { rounds, threads }) {
    const ours = await bench.ours();
    for (let made = 0; made < threads; made += 1)
      verify(
        (
          await fetch(`${ours.url}/threads`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{}',
          })
        ).ok,
        'a thread is made',
      );
    const browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    bench.defer(() => browser.close());
    const views: View[] = [];
    const visit = async (): Promise<number> => {
      const view = await opened(browser, `${ours.url}/console/threads`);
      views.push(view);
      return view.paintMs;
    };
    // Warm: the server's files are read, the browser's processes are there.
    await visit();
    views.length = 0;
    const paired = await alternate(rounds, visit, bench.oursOnly ? null : () => paintOf(browser, `${ours.url}/ok`));
    const paintMs = median(paired.ours);
    const bytes = Math.max(...views.map((view) => view.bytes));
    const method: [string, string] = [
      `\`/console/threads\` with ${threads} threads, opened ${rounds} times by Chromium with an empty cache, after one not counted; the reference is \`/ok\` in the same browser.`,
      'The first rows of the list are waited for in each round.',
    ];
    return [
      {
        what: 'first paint of the console',
        ours: show.ms(paintMs),
        reference: bench.oursOnly ? null : `${show.ms(median(paired.reference))} an answer of 11 bytes`,
        ratio: null,
        budget: `under ${PAINT_MS_MAX / 1_000} s`,
        missed: bench.oursOnly ? null : atMost(paintMs, PAINT_MS_MAX),
        method,
        evidence: `The list of threads stands there after ${show.ms(median(views.map((view) => view.listMs)))}.`,
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

async function opened(browser: Browser, url: string): Promise<View> {
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

async function paintOf(browser: Browser, url: string): Promise<number> {
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
