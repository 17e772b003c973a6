/** Copies files for browsers to dist/static, so that the npm package does not depend on their packages. */
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BROWSER_FILES } from './packages.js';

const ROOT = join(import.meta.dirname, '..', '..');

for (const [name, files] of Object.entries(BROWSER_FILES)) {
  for (const file of files) {
    const place = join(ROOT, 'dist', 'static', name, file);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(ROOT, 'node_modules', name, file), place);
  }
}
