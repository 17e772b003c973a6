import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { EXAMPLES, ROOT, testServer } from '../helpers/server.js';

const FOLDER = join(ROOT, 'dist', 'static', 'console');
const FILES = new Set(readdirSync(FOLDER));

/** Bytes of each file that the browser loads with a page, compressed, the font included. */
const BYTES_MAX: readonly (readonly [what: string, path: string, bytes: number])[] = [
  ['the home page', '/', 200_000],
  ['the home page without data', '/', 200_000],
  ['the threads', '/threads', 200_000],
];

const empty = await testServer(t, { config: EXAMPLES });
const server = await testServer(t, { config: EXAMPLES });
const sample = await fetch(`${server.url}/server/sample`, { method: 'POST' });
t.ok(sample.ok, 'the sample is loaded');

for (const [what, path, bytesMax] of BYTES_MAX)
  t.test(`loads ${what} with less than ${bytesMax / 1_000} kB of code, styles and fonts`, async (t) => {
    const { url } = what.endsWith('without data') ? empty : server;
    const { page, open, complaints } = await tab(t, url, { ownSession: true });
    const names = new Set<string>();
    page.on('request', (request) => {
      const name = basename(new URL(request.url()).pathname);
      if (FILES.has(name)) names.add(name);
    });
    await open(path);
    await page.waitForLoadState('networkidle');
    t.ok(
      [...names].some((name) => name.endsWith('.woff2')),
      'with the font',
    );
    const total = [...names].reduce((sum, name) => sum + sizeOf(name), 0);
    t.comment(`${total} bytes in ${names.size} files`);
    t.ok(total < bytesMax, `${total} bytes`);
    t.same(complaints, []);
  });

t.test('has no code of LangSmith and no texts of React Aria in other languages', (t) => {
  const scripts = [...FILES].filter((name) => name.endsWith('.js'));
  const code = scripts.map((name) => readFileSync(join(FOLDER, name), 'utf8')).join('\n');
  t.match(code, /listboxLabel:"Suggestions"/, 'the English texts are there');
  t.notMatch(code, /listboxLabel:"Empfehlungen"/);
  t.notMatch(code, /LANGSMITH_/);
  t.end();
});

function sizeOf(name: string): number {
  const compressed = `${name}.br`;
  return statSync(join(FOLDER, FILES.has(compressed) ? compressed : name)).size;
}
