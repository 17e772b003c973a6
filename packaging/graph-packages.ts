/**
 * Writes dist/packages: bundled copies of the packages that graphs may import, for servers that start from the
 * repository. Does nothing if they were made from the same versions, for the same flags of V8, by the same code.
 */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLED_PACKAGES } from '../src/base/program-files.js';
import { V8_FLAGS } from '../src/base/v8-flags.js';
import { GRAPH_PACKAGES } from './packages.js';

const ROOT = join(import.meta.dirname, '..', '..');
const OUT = join(ROOT, BUNDLED_PACKAGES);
/** Names what the copies were made from. */
const STAMP = join(OUT, 'made-from.json');

/** Modules that make them, beside this one. */
const MADE_BY = [
  'bundle.js',
  'cached-script.js',
  'library/configs.js',
  'library/native-uuid5.js',
  'library/replace-modules.js',
  'library/streams.js',
  'optimize-script.js',
  'package-script.js',
  'packages.js',
  'write-code-cache.js',
];

const source = [
  readFileSync(join(ROOT, 'node_modules', '.package-lock.json'), 'utf8'),
  `${V8_FLAGS}\n`,
  ...MADE_BY.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')),
].join('');
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== source) {
  const { writeFiles } = await import('./bundle.js');
  const { bundlePackages } = await import('./package-script.js');
  const { files } = await bundlePackages(ROOT);
  rmSync(OUT, { recursive: true, force: true });
  writeFiles(OUT, files);
  for (const name of GRAPH_PACKAGES)
    cpSync(join(ROOT, 'node_modules', name, 'package.json'), join(OUT, 'node_modules', name, 'package.json'));
  writeFileSync(STAMP, source);
}
