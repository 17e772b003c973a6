/**
 * `make binary`: builds one executable, dist/threadmill-<system>-<machine>, that needs no Node
 * (docs/decisions/0034-single-executable.md).
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { packArchive, type TreeFile } from './archive.js';
import { inject, strip } from './inject.js';
import { programTree } from './tree.js';

const ROOT = join(import.meta.dirname, '..', '..');

export const BINARY = `threadmill-${process.platform}-${process.arch}`;

/** Writes the executable, and THIRD-PARTY.txt next to it. */
export async function buildBinary(file: string): Promise<void> {
  const tree = await programTree(ROOT);
  for (const [path, entry] of tree) if (path.endsWith('.node')) tree.set(path, stripSymbols(path, entry));
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'dist/packaging/launcher/main.js')],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: `node${process.versions.node}`,
    logLevel: 'error',
  });
  await inject(file, outputFiles[0]!.text, packArchive(tree));
  writeFileSync(join(file, '..', 'THIRD-PARTY.txt'), tree.get('THIRD-PARTY.txt')!.bytes);
}

/** The native add-on without its debug symbols. */
function stripSymbols(path: string, { bytes, executable }: TreeFile): TreeFile {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-strip-'));
  try {
    const file = join(folder, basename(path));
    writeFileSync(file, bytes);
    strip(file);
    return { bytes: readFileSync(file), executable };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.filename === process.argv[1]) {
  const file = join(ROOT, 'dist', BINARY);
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  await buildBinary(file);
  process.stdout.write(`dist/${BINARY}: ${(statSync(file).size / 1e6).toFixed(1)} MB\n`);
}
