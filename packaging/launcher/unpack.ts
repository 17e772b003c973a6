import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Index } from '../archive.js';
import { checkOwn } from './cache-folder.js';

/** What a start leaves that is killed while it unpacks is removed by later ones, when nobody can be at it any more. */
const LEFTOVER_MS = 3_600_000;

/** The program's files, on their way out of the executable. */
export class Unpacked {
  readonly #index: Index;
  readonly #bytes: Buffer;

  constructor(index: Index, bytes: Buffer) {
    this.#index = index;
    this.#bytes = bytes;
  }

  /** Where they lie below a folder; put there unless all of them are, as they should be. Throws the system's errors. */
  in(folder: string): string {
    const place = join(folder, this.#index.hash);
    if (!this.#isWhole(place)) {
      this.#put(folder, place);
      removeLeftovers(folder);
    }
    // A file system may be mounted so that nothing in it runs.
    for (const { path, executable } of this.#index.files) if (executable) accessSync(join(place, path), constants.X_OK);
    return place;
  }

  /** Whether every file is there, ours, and byte for byte what it should be: a disk or a hand may have changed it. */
  #isWhole(place: string): boolean {
    try {
      if (!lstatSync(place).isDirectory()) return false;
      checkOwn(lstatSync(place));
      for (const { path, bytes, executable } of this.#files()) {
        const file = join(place, path);
        const stats = lstatSync(file);
        if (!stats.isFile() || stats.size !== bytes.length || (stats.mode & 0o777) !== modeOf(executable)) return false;
        checkOwn(stats);
        if (!bytes.equals(readFileSync(file))) return false;
      }
      return true;
    } catch {
      return false;
    }
  }

  /** Into a folder of its own first, which then takes its name: another start finds all of it or nothing. */
  #put(folder: string, place: string): void {
    const fresh = mkdtempSync(join(folder, '.new-'));
    const made = new Set<string>();
    for (const { path, bytes, executable } of this.#files()) {
      const file = join(fresh, path);
      if (!made.has(dirname(file))) {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        made.add(dirname(file));
      }
      // umask may take bits of the mode away, and never adds any.
      writeFileSync(file, bytes, { mode: modeOf(executable) });
    }
    for (;;) {
      try {
        renameSync(fresh, place);
        return;
      } catch (error) {
        if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code!)) throw error;
      }
      // Another start was first; or it was damaged, and whoever still reads it keeps what it has open.
      if (this.#isWhole(place)) {
        rmSync(fresh, { recursive: true, force: true });
        return;
      }
      const old = mkdtempSync(join(folder, '.old-'));
      moveAway(place, join(old, 'tree'));
      rmSync(old, { recursive: true, force: true });
    }
  }

  *#files(): Generator<{ path: string; bytes: Buffer; executable: boolean }> {
    let at = 0;
    for (const { path, size, executable } of this.#index.files) {
      yield { path, bytes: this.#bytes.subarray(at, at + size), executable };
      at += size;
    }
  }
}

function modeOf(executable: boolean): number {
  return executable ? 0o700 : 0o600;
}

function moveAway(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // Another start has found the same damage, and was first.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^\.(new|old)-/.test(name)) continue;
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > LEFTOVER_MS) rmSync(path, { recursive: true, force: true });
  }
}
