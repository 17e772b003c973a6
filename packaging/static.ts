/** Puts the files that browsers ask for into dist/static, so that the npm package does not depend on the packages they are from. */
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { STATIC } from './packages.js';

const ROOT = join(import.meta.dirname, '..', '..');

for (const [name, files] of Object.entries(STATIC)) {
  for (const file of files) {
    const place = join(ROOT, 'dist', 'static', name, file);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(ROOT, 'node_modules', name, file), place);
  }
}
