import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import t from 'tap';

/**
 * Every test file (or those whose paths begin as named), two at once, each a plain process. Given a file itself, tap would put module loaders
 * into its process, for coverage and mocks, which we use neither of: every thread and every child of a test would load
 * its modules through them too, and a server would take three times as long to start. `env` takes away what tap adds to
 * NODE_OPTIONS.
 */
const named = process.argv.slice(2);
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .map((file) => relative('', join(import.meta.dirname, file)))
  .filter((file) => file.endsWith('.test.js') && (named.length === 0 || named.some((name) => file.startsWith(name))))
  .sort();

t.jobs = 2;
// All together may take what they take; each file has what tap was told (.taprc, or --timeout of the long forms).
t.setTimeout(0);
const fileMs = Number(process.env['TAP_TIMEOUT'] ?? 300) * 1_000;

if (files.length === 0) t.fail(`no test file begins with ${named.join(', ')}`);
for (const file of files) {
  void t.spawn(
    'env',
    ['-u', 'NODE_OPTIONS', process.execPath, '--enable-source-maps', file],
    { buffered: true, timeout: fileMs },
    file,
  );
}
