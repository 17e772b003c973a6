import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import t from 'tap';
import { configWith, ROOT, testServer } from '../helpers/server.js';
import { projectOf } from '../helpers/project.js';

const config = configWith(t, 'echo');
const FOLDER = join(ROOT, 'dist', 'static', 'console');

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** `fetch` decompresses by itself and normalizes paths. */
function get(url: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

const server = await testServer(t, { config });

t.test('loads its files from every URL, and the policy allows nothing else', async (t) => {
  const entrance = await get(server.url, '/console');
  t.equal(entrance.status, 302);
  t.equal(entrance.headers['location'], 'console/');
  const nonces = new Set<string>();
  for (const [path, base] of [
    ['/console/', './'],
    ['/console/threads', './'],
    ['/console/threads/', '../'],
    ['/console/datasets/1/compare?x=/a/b', '../../'],
    ['/console/x.js/y', '../'],
    ['/console/index.html', './'],
  ] as const) {
    const page = await get(server.url, path);
    t.equal(page.status, 200, path);
    t.match(page.headers['content-type'], /^text\/html/);
    t.match(page.body.toString(), `<base href="${base}">`);
    const policy = String(page.headers['content-security-policy']);
    t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/]{22}=='; /);
    t.notMatch(policy, /unsafe|http|\*/);
    const nonce = /'nonce-([^']+)'/.exec(policy)![1]!;
    t.match(page.body.toString(), `content="${nonce}"`);
    nonces.add(nonce);
    t.equal(page.headers['cache-control'], 'no-store');
    t.equal(page.headers['x-content-type-options'], 'nosniff');
  }
  t.equal(nonces.size, 6, 'no nonce comes twice');
});

t.test('serves compressed files that browsers cache by name', async (t) => {
  // Small files are not compressed.
  const script = readdirSync(FOLDER).find(
    (name) => /-\w{8}\.js$/.test(name) && existsSync(join(FOLDER, `${name}.br`)),
  )!;
  const bytes = readFileSync(join(FOLDER, script));
  for (const [accepted, coding, decode] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
    ['', undefined, (raw: Buffer) => raw],
    ['br;q=0.0', undefined, (raw: Buffer) => raw],
  ] as const) {
    const { status, headers, body } = await get(server.url, `/console/${script}`, { 'accept-encoding': accepted });
    t.equal(status, 200);
    t.equal(headers['content-encoding'], coding, `"${accepted}"`);
    t.ok(decode(body).equals(bytes));
    t.match(headers, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
  }
  const head = await get(server.url, `/console/${script}`, { 'accept-encoding': 'br' }, 'HEAD');
  t.equal(head.status, 200);
  t.equal(head.body.byteLength, 0);
  for (const path of [
    '/console/part-00000000.js',
    '/console/console.css',
    '/console/..%2fpackage.json.txt',
    '/console/%2e%2e.js',
    '/console/index.html.gz.js',
  ])
    t.equal((await get(server.url, path)).status, 404, path);
  for (const path of [
    '/console/../package.json',
    '/console/..',
    '/console/%2e%2e/%2e%2e/package.json',
    `/console/${'x/'.repeat(200)}`,
  ]) {
    const { status, body } = await get(server.url, path);
    t.ok(status === 404 || (status === 200 && body.toString().startsWith('<!doctype html>')), path);
    t.notMatch(body.toString(), '"dependencies"');
  }
});

t.test('serves the font itself, and the policy allows no other place', async (t) => {
  const page = await get(server.url, '/console/');
  t.match(page.headers['content-security-policy'], /font-src 'self';/);
  const font = /<link rel="preload" as="font" [^>]*href="([^"]+)"/.exec(page.body.toString())![1]!;
  t.match(font, /^inter-latin-wght-normal-\w{8}\.woff2$/);
  const { status, headers, body } = await get(server.url, `/console/${font}`, { 'accept-encoding': 'br' });
  t.equal(status, 200);
  t.equal(headers['content-type'], 'font/woff2');
  t.equal(headers['content-encoding'], undefined, 'a font is compressed already');
  t.match(headers['cache-control'], 'immutable');
  t.equal(body.subarray(0, 4).toString(), 'wOF2');
  t.match((await get(server.url, '/console/THIRD-PARTY.txt')).body.toString(), '@fontsource-variable/inter');
});

t.test('serves below a prefix and without a key, or not at all', async (t) => {
  const prefixed = await testServer(t, { config: projectOf(t, ['echo'], { http: { mount_prefix: '/tm' } }) });
  t.match((await get(prefixed.url, '/tm/console/threads/1')).body.toString(), '<base href="../">');
  const locked = await testServer(t, { config, env: { THREADMILL_API_KEYS: 'x'.repeat(30) } });
  t.equal((await get(locked.url, '/console/')).status, 200, 'the page asks for the key itself');
  t.equal((await get(locked.url, '/server/queue')).status, 401);
  const off = await testServer(t, { config: projectOf(t, ['echo'], { http: { disable_console: true } }) });
  t.equal((await get(off.url, '/console/')).status, 404);
});

t.test('loads the first view with less than 200 kB, without the font', (t) => {
  const page = readFileSync(join(FOLDER, 'index.html'), 'utf8');
  const files = [...page.matchAll(/(?:href|src)="([^"]+\.(?:js|css|svg))"/g)].map(([, name]) => name!);
  t.ok(files.length >= 3);
  const size = (name: string): number =>
    Math.min(
      ...[name, `${name}.br`]
        .filter((one) => readdirSync(FOLDER).includes(one))
        .map((one) => statSync(join(FOLDER, one)).size),
    );
  const total = files.reduce((sum, name) => sum + size(name), 0);
  t.ok(total < 200_000, `${total} bytes`);
  t.end();
});

t.test('has the gallery of components in the development build only', (t) => {
  const scripts = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
  t.notMatch(
    scripts.map((name) => readFileSync(join(FOLDER, name), 'utf8')).join('\n'),
    'Each component in its states',
  );
  t.end();
});

t.test('forbids framing and content sniffing of the API page', async (t) => {
  const page = await get(server.url, '/docs');
  t.match(page.headers['content-security-policy'], /frame-ancestors 'none'/);
  t.match(page.headers['content-security-policy'], /^default-src 'self'; /);
  t.notMatch(page.body.toString(), /http-equiv/, 'a page cannot say itself who may frame it');
  for (const path of ['/docs', '/docs/page.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'])
    t.match(
      (await get(server.url, path)).headers,
      { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' },
      path,
    );
});
