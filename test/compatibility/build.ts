/** Writes docs/compatibility.md (`npm run compatibility`). With `--check` it only fails if the page is out of date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../helpers/server.js';
import { PAGE, renderPage } from './page.js';

const file = join(ROOT, PAGE);
const page = renderPage();
if (!process.argv.includes('--check')) writeFileSync(file, page);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== page) {
  process.stderr.write(`${PAGE} is out of date. Run: npm run compatibility\n`);
  process.exitCode = 1;
}
