/** `make binary`: everything in one file, dist/threadmill-<system>-<machine>, which needs no Node (docs/decisions/0034-single-executable.md). */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { pack, type TreeFile } from './archive.js';
import { inject, strip } from './inject.js';
import { programTree } from './tree.js';

const ROOT = join(import.meta.dirname, '..', '..');

export const BINARY = `threadmill-${process.platform}-${process.arch}`;

/** Writes the executable and, beside it, THIRD-PARTY.txt. */
export async function buildBinary(file: string): Promise<void> {
  const tree = await programTree(ROOT);
  for (const [path, entry] of tree) if (path.endsWith('.node')) tree.set(path, stripped(path, entry));
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'dist/packaging/launcher/main.js')],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: `node${process.versions.node}`,
    logLevel: 'error',
  });
  await inject(file, outputFiles[0]!.text, pack(tree));
  writeFileSync(join(file, '..', 'THIRD-PARTY.txt'), tree.get('THIRD-PARTY.txt')!.bytes);
}

function stripped(path: string, { bytes, executable }: TreeFile): TreeFile {
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
