import { randomUUID } from 'node:crypto';
import { chromium, type Browser, type Page } from 'playwright-core';
import { chromiumPath } from '../test/helpers/chromium.js';
import { atLeast, defineBench, verify, type Row } from './bench.js';
import { experimentBody } from './experiment-body.js';
import { sendJson } from './load.js';
import { quantile } from './measure.js';

/** Of the frames that an empty page of the same browser draws. */
const SHARE_MIN = 0.9;
/** Messages of one update of a thread. */
const UPDATE_MESSAGES = 500;
const SCROLL_PIXELS = 400;

interface Scroller {
  scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

// What the function that runs in the page uses of it.
declare const document: { scrollingElement: Scroller; querySelectorAll(selector: string): Iterable<Scroller> };
declare const getComputedStyle: (element: Scroller) => { overflowY: string };
declare const requestAnimationFrame: (callback: (ms: number) => void) => void;

interface Frames {
  perSecond: number;
  /** Milliseconds between two frames. */
  p95: number;
  longest: number;
  /** Pixels. */
  scrolled: number;
}

export default defineBench({
  name: 'console-frames',
  description: 'Frames of the console while tokens stream, and while long lists scroll',
  smoke: { seconds: 0.5, messages: 40, experiments: 3 },
  real: { seconds: 10, messages: 10_000, experiments: 1_000 },
  async run(bench, { seconds, messages, experiments }) {
    const { url } = await bench.startServer();
    const browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    bench.onClose(() => browser.close());
    const threadId = await fillThread(url, messages);
    await uploadExperiments(url, experiments);

    const scenes: [what: string, method: string, page: () => Promise<Page>, pixels: number][] = [
      [
        'frames while 200 tokens a second stream',
        'The page **Run** shows an answer in Markdown as it grows.',
        () => openStream(browser, url),
        0,
      ],
      [
        `frames while ${messages} messages scroll`,
        `The page of a thread scrolls ${SCROLL_PIXELS} pixels in each frame.`,
        () => openList(browser, `${url}/console/threads/${threadId}`, 'article'),
        SCROLL_PIXELS,
      ],
      [
        `frames while ${experiments} experiments scroll`,
        `The list of experiments scrolls ${SCROLL_PIXELS} pixels in each frame.`,
        () => openList(browser, `${url}/console/experiments`, 'row'),
        SCROLL_PIXELS,
      ],
    ];
    const rows: Row[] = [];
    for (const [what, method, open, pixels] of scenes) {
      const page = await open();
      const before = await page.getByRole('main').innerText();
      const ours = await measureFrames(page, seconds, pixels);
      const isOther = (await page.getByRole('main').innerText()) !== before;
      // The few rows of a test may not be enough to scroll.
      if (pixels === 0) verify(isOther, 'the answer has grown');
      else verify(bench.isSmoke || ours.scrolled > 0, 'the list has scrolled');
      await page.context().close();
      await cancelRuns(url);
      const empty = await (await browser.newContext()).newPage();
      await empty.goto(`${url}/ok`);
      const reference = await measureFrames(empty, seconds, 0);
      await empty.context().close();
      const share = ours.perSecond / reference.perSecond;
      rows.push({
        what,
        ours: `${ours.perSecond.toFixed(1)} a second`,
        reference: bench.isSmoke ? null : `${reference.perSecond.toFixed(1)} a second on a page without scripts`,
        ratio: bench.isSmoke ? null : share.toFixed(2),
        budget: `at least ${SHARE_MIN} of the other page`,
        missed: bench.isSmoke ? null : atLeast(share, SHARE_MIN),
        method: [
          `Chromium without a window, ${seconds} s of \`requestAnimationFrame\`. ${method}`,
          'Before the first frame is counted, the content is on screen; at the end, it has moved.',
        ],
        evidence: `p95 of the time between two frames: ${ours.p95.toFixed(1)} ms; the longest: ${ours.longest.toFixed(0)} ms.`,
      });
    }
    return rows;
  },
});

async function fillThread(url: string, count: number): Promise<string> {
  const { thread_id: threadId } = await sendJson<{ thread_id: string }>(url, 'POST', '/threads', {
    metadata: { graph_id: 'chat' },
    supersteps: [{ updates: [{ values: { messages: [] }, as_node: 'answer' }] }],
  });
  for (let made = 0; made < count; made += UPDATE_MESSAGES) {
    const messages = Array.from({ length: Math.min(UPDATE_MESSAGES, count - made) }, (_, at) => ({
      type: (made + at) % 2 === 0 ? 'human' : 'ai',
      id: `m${made + at}`,
      content: `Message ${made + at}: what a person asks and what a **model** answers, in a sentence or two.`,
    }));
    await sendJson(url, 'POST', `/threads/${threadId}/state`, { values: { messages }, as_node: 'answer' });
  }
  return threadId;
}

async function uploadExperiments(url: string, count: number): Promise<void> {
  const datasetId = randomUUID();
  for (let made = 0; made < count; made += 1) {
    const { bytes } = experimentBody({ rows: 1, datasetId, experimentName: `frames ${made}`, seed: made });
    const response = await fetch(`${url}/api/v1/datasets/upload-experiment`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bytes,
    });
    verify(response.ok, `experiment ${made} is uploaded (${response.status})`);
    await response.arrayBuffer();
  }
}

/** The answer that streams would go on for minutes. */
async function cancelRuns(url: string): Promise<void> {
  const response = await fetch(`${url}/runs/cancel`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'running' }),
  });
  verify(response.ok || response.status === 404, `runs are cancelled (${response.status})`);
}

async function openPage(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

async function openStream(browser: Browser, url: string): Promise<Page> {
  const page = await openPage(browser, `${url}/console/run?assistant=tokens`);
  await page.getByLabel('Message', { exact: true }).fill('Tell me everything');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('A heading').first().waitFor();
  return page;
}

async function openList(browser: Browser, address: string, role: 'article' | 'row'): Promise<Page> {
  const page = await openPage(browser, address);
  await page.getByRole(role).nth(1).waitFor();
  return page;
}

async function measureFrames(page: Page, seconds: number, pixels: number): Promise<Frames> {
  const { deltas, scrolled } = await page.evaluate(countFrames, { ms: seconds * 1_000, pixels });
  verify(deltas.length > 0, 'the page draws frames');
  return {
    perSecond: deltas.length / seconds,
    p95: quantile(deltas, 0.95),
    longest: Math.max(...deltas),
    scrolled,
  };
}

/** Runs in the page: milliseconds between frames. Scrolls what can be scrolled furthest, back and forth. */
async function countFrames({
  ms,
  pixels,
}: {
  ms: number;
  pixels: number;
}): Promise<{ deltas: number[]; scrolled: number }> {
  const height = (element: Scroller): number => element.scrollHeight - element.clientHeight;
  let scroller = document.scrollingElement;
  for (const element of document.querySelectorAll('*'))
    if (height(element) > height(scroller) && /auto|scroll/.test(getComputedStyle(element).overflowY))
      scroller = element;
  const deltas: number[] = [];
  let step = pixels;
  let scrolled = 0;
  const frame = (): Promise<number> =>
    new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });
  const begun = await frame();
  let last = begun;
  while (last - begun < ms) {
    const before = scroller.scrollTop;
    scroller.scrollTop += step;
    scrolled += Math.abs(scroller.scrollTop - before);
    if (step !== 0 && scroller.scrollTop === before) step = -step;
    const now = await frame();
    deltas.push(now - last);
    last = now;
  }
  return { deltas, scrolled };
}
