import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Page } from 'playwright-core';
import t from 'tap';
import { headlessChromiumPath } from '../helpers/chromium.js';
import { configWith, testServer } from '../helpers/server.js';

/** Pages of other origins in a real browser, whose own request headers the server's check relies on. */
const server = await testServer(t, { config: configWith(t, 'echo') });
const pages = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><title>${request.headers.host ?? ''}</title>`);
});
pages.listen(0, '127.0.0.1');
await once(pages, 'listening');
t.teardown(() => pages.close());
const { port } = pages.address() as AddressInfo;

// Two names of an attacker: one serves a page, the other resolves to the server (DNS rebinding).
const rules = `MAP evil.example:80 127.0.0.1:${port}, MAP rebound.example 127.0.0.1`;
const browser = await chromium.launch({
  executablePath: headlessChromiumPath(),
  args: ['--no-sandbox', '--disable-dev-shm-usage', `--host-resolver-rules=${rules}`],
});
t.teardown(() => browser.close());

async function pageAt(address: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(address);
  return page;
}

/** What a page can read of a response, or the error of the browser. */
function fetched(page: Page, path: string, init: RequestInit = {}): Promise<string> {
  return page.evaluate(
    async ([url, given]) => {
      try {
        const answer = await fetch(url, given);
        return `${answer.type} ${answer.status}`;
      } catch (error) {
        return (error as Error).name;
      }
    },
    [server.url + path, init] as const,
  );
}

const POST = (type: string, body = '{}'): RequestInit => ({ method: 'POST', headers: { 'content-type': type }, body });
const made = async (): Promise<number[]> => [
  (await server.client.threads.search()).length,
  ((await (await server.get('/server/keys')).json()) as unknown[]).length,
];

t.test('a page of another site cannot write or read', async (t) => {
  const page = await pageAt('http://evil.example/');
  t.equal(
    await fetched(page, '/threads', { ...POST('text/plain'), mode: 'no-cors' }),
    'opaque 0',
    'the browser sends the request',
  );
  t.equal(
    await fetched(page, '/server/keys', { ...POST('text/plain', '{"name":"mine"}'), mode: 'no-cors' }),
    'opaque 0',
  );
  for (const [path, init] of [
    ['/threads', POST('text/plain')],
    ['/threads', POST('application/json')],
    ['/server/keys', {}],
    ['/backup', {}],
    ['/info', {}],
    ['/threads', { method: 'DELETE' }],
  ] as [string, RequestInit][]) {
    t.equal(await fetched(page, path, init), 'TypeError', `${init.method ?? 'GET'} ${path}`);
  }
  const form = await pageAt('http://evil.example/');
  await form.setContent(
    `<form method="post" enctype="text/plain" action="${server.url}/threads"><input name='{"metadata":{"a":"' value='"}}'><button>Send</button></form>`,
  );
  const [answer] = await Promise.all([form.waitForResponse(`${server.url}/threads`), form.getByRole('button').click()]);
  t.equal(answer.status(), 403, 'a form');
  const code = await page.evaluate(
    (url) =>
      new Promise((resolve) => {
        new WebSocket(url).onclose = (event) => resolve(event.code);
      }),
    `${server.url.replace('http', 'ws')}/threads/01a20000-0000-7000-8000-000000000000/stream/events`,
  );
  t.equal(code, 4403);
  t.strictSame(await made(), [0, 0]);
});

t.test('a page on a rebound host name cannot read or write', async (t) => {
  const page = await pageAt(`http://rebound.example:${server.port}/ok`);
  const read = (path: string, init: RequestInit = {}): Promise<string> =>
    page.evaluate(
      async ([url, given]) => {
        const answer = await fetch(url, given);
        return `${answer.status} ${await answer.text()}`;
      },
      [path, init] as const,
    );
  for (const [path, init] of [
    ['/server/keys', {}],
    ['/threads', POST('application/json')],
    ['/backup', {}],
  ] as [string, RequestInit][])
    t.match(await read(path, init), /^403 .*The host name/, path);
  t.strictSame(await made(), [0, 0]);
});

t.test('a page on localhost can use the API, and links to the console work', async (t) => {
  const page = await pageAt(`http://localhost:${port}/`);
  t.equal(await fetched(page, '/threads', POST('application/json')), 'cors 200');
  t.equal(await fetched(page, '/server/keys'), 'cors 403');
  t.equal((await made())[0], 1);
  const evil = await pageAt('http://evil.example/');
  await evil.setContent(`<a href="${server.url}/console/">console</a>`);
  await evil.getByRole('link').click();
  await evil.getByRole('heading', { level: 1 }).first().waitFor();
  t.equal(new URL(evil.url()).origin, server.url);
});

t.test('the API page works and cannot be framed', async (t) => {
  const own = await browser.newPage();
  const consoleErrors: string[] = [];
  own.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  await own.goto(`${server.url}/docs`);
  await own.locator('.opblock').first().waitFor();
  t.strictSame(consoleErrors, []);
  t.match(await fetched(own, '/server/keys'), 'basic 200');
  const page = await pageAt(`http://127.0.0.1:${port}/`);
  const [message] = await Promise.all([
    page.waitForEvent('console', (message) => message.type() === 'error'),
    page.setContent(`<iframe src="${server.url}/docs"></iframe>`),
  ]);
  t.match(message.text(), /frame-ancestors 'none'/);
});
