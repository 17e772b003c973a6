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
import type { ArchiveIndex } from '../archive.js';
import { checkOwner } from './cache-folder.js';

/** Folders left by a process that was killed while unpacking are removed when they are older than this. */
const LEFTOVER_AGE_MS_MIN = 3_600_000;

/** Unpacks the files of the program from the executable. */
export class Unpacker {
  readonly #index: ArchiveIndex;
  readonly #bytes: Buffer;

  constructor(index: ArchiveIndex, bytes: Buffer) {
    this.#index = index;
    this.#bytes = bytes;
  }

  /** Unpacks to a subfolder, unless it is there and intact. Returns its path. Throws errors of the system. */
  unpackTo(folder: string): string {
    const place = join(folder, this.#index.hash);
    if (!this.#isWhole(place)) {
      this.#write(folder, place);
      removeLeftovers(folder);
    }
    // A file system may be mounted with noexec.
    for (const { path, executable } of this.#index.files) if (executable) accessSync(join(place, path), constants.X_OK);
    return place;
  }

  /**
   * True if every file exists, belongs to this user and has the right bytes. A disk or a person may have changed it.
   */
  #isWhole(place: string): boolean {
    try {
      if (!lstatSync(place).isDirectory()) return false;
      checkOwner(lstatSync(place));
      for (const { path, bytes, executable } of this.#files()) {
        const file = join(place, path);
        const stats = lstatSync(file);
        if (!stats.isFile() || stats.size !== bytes.length || (stats.mode & 0o777) !== modeOf(executable)) return false;
        checkOwner(stats);
        if (!bytes.equals(readFileSync(file))) return false;
      }
      return true;
    } catch {
      return false;
    }
  }

  /** Writes to a temporary folder and renames it, so that another process finds all files or none. */
  #write(folder: string, place: string): void {
    const fresh = mkdtempSync(join(folder, '.new-'));
    const made = new Set<string>();
    for (const { path, bytes, executable } of this.#files()) {
      const file = join(fresh, path);
      if (!made.has(dirname(file))) {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        made.add(dirname(file));
      }
      // umask can only remove bits of the mode.
      writeFileSync(file, bytes, { mode: modeOf(executable) });
    }
    for (;;) {
      try {
        renameSync(fresh, place);
        return;
      } catch (error) {
        if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code!)) throw error;
      }
      // Another process was faster, or the folder is damaged. Processes that use a damaged one keep their open files.
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
    // Another process has already moved the damaged folder.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^\.(new|old)-/.test(name)) continue;
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > LEFTOVER_AGE_MS_MIN)
      rmSync(path, { recursive: true, force: true });
  }
}
