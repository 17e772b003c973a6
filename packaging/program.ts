/**
 * Writes dist/program: the program and its threads as few files, which start faster than hundreds. `threadmill` uses
 * them unless something was compiled since. Does nothing if nothing was.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUNDLED_PROGRAM, bundledProgramModule } from '../src/base/program-files.js';

const ROOT = join(import.meta.dirname, '..', '..');
const OUT = join(ROOT, BUNDLED_PROGRAM);

if (bundledProgramModule('cli/program.js') === null) {
  const { bundleModules, THREAD_ENTRIES } = await import('./bundle.js');
  const entries = ['dist/src/cli/program.js', ...THREAD_ENTRIES];
  const { files } = await bundleModules(ROOT, entries, 'dist');
  rmSync(OUT, { recursive: true, force: true });
  for (const [path, contents] of files) {
    mkdirSync(dirname(join(OUT, path)), { recursive: true });
    writeFileSync(join(OUT, path), contents);
  }
}
