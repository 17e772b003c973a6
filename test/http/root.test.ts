import { join } from 'node:path';
import t from 'tap';
import { VERSION } from '../../src/base/version.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, configWith, testServer, type TestServer } from '../helpers/server.js';

/** Headers of a browser that opens a page. */
const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

/** Where a browser arrives, and with what content type. */
async function visit(server: TestServer, path: string): Promise<{ path: string; type: string | null; status: number }> {
  const first = await server.get(path, { headers: BROWSER, redirect: 'manual' });
  t.equal(first.status, 302);
  t.match(first.headers.get('vary'), /accept/);
  const response = await fetch(server.url + path, { headers: BROWSER });
  return { path: new URL(response.url).pathname, type: response.headers.get('content-type'), status: response.status };
}

t.test('redirects browsers to the console, and answers programs with version and links', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  t.match(await visit(server, '/'), { path: '/console/', type: /^text\/html/, status: 200 });
  for (const accept of ['*/*', 'application/json', '']) {
    const response = await server.get('/', { headers: { accept } });
    t.match(response.headers.get('vary'), /accept/);
    t.strictSame(await response.json(), {
      name: 'threadmill',
      version: VERSION,
      links: { console: '/console/', docs: '/docs', openapi: '/openapi.json', ok: '/ok' },
    });
  }
  t.equal((await server.get('/', { method: 'HEAD' })).status, 200);
  const wrong = await server.post('/', {});
  t.equal(wrong.status, 405);
  t.equal(wrong.headers.get('allow'), 'GET, HEAD');
});

t.test('serves the prefix with and without a final slash', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['echo'], { http: { mount_prefix: '/agents/v2' } }) });
  for (const path of ['', '/'])
    t.match(await visit(server, path), { path: '/agents/v2/console/', type: /^text\/html/, status: 200 }, path);
  const { links } = (await (await server.get('')).json()) as { links: Record<string, string> };
  for (const [name, link] of Object.entries(links))
    t.equal((await fetch(new URL(link, server.url))).status, 200, `${name}: ${link}`);
});

t.test('redirects browsers to the API page when the console is disabled', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['echo'], { http: { disable_console: true } }) });
  t.match(await visit(server, '/'), { path: '/docs', status: 200 });
  t.notOk('console' in ((await (await server.get('/')).json()) as { links: object }).links);
});

t.test('a route of the HTTP app of the project takes precedence', async (t) => {
  const server = await testServer(t, {
    config: projectOf(t, ['echo'], { http: { app: join(ROOT, 'test', 'apps', 'root.ts:app') } }),
  });
  t.equal(await (await server.get('/', { headers: BROWSER })).text(), 'the start page of the project');
});
