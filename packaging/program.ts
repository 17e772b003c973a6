/**
 * Writes dist/program: the program and its threads as few scripts with their code caches, which start faster than
 * hundreds of modules. `threadmill` uses them unless something was compiled since. Does nothing if nothing was.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLED_PROGRAM, bundledProgramModule } from '../src/base/program-files.js';

const ROOT = join(import.meta.dirname, '..', '..');
const OUT = join(ROOT, BUNDLED_PROGRAM);

if (bundledProgramModule('cli/program') === null) {
  const { writeFiles } = await import('./bundle.js');
  const { bundleProgram } = await import('./program-scripts.js');
  const { files } = await bundleProgram(ROOT);
  rmSync(OUT, { recursive: true, force: true });
  writeFiles(OUT, files);
  const { writeCodeCaches } = await import('./code-caches.js');
  await writeCodeCaches(ROOT);
}
