import { chmodSync, lstatSync, mkdirSync, readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

/** What a data folder consists of. Anything else in it is not ours, and keeps its mode. */
const OURS = /^(data\.mdb.*|lock|seal\.key|keys|cache|before-(upgrade|restore)-.*)$/;
const OTHERS_BITS = 0o077;

/** Makes the folder when there is none. Only its owner can enter it, whatever the umask. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  tightenFolder(folder);
}

/**
 * Takes the folder and its files away from every other user: folders 0700, files 0600. LMDB makes its files with the umask,
 * and earlier versions made the folder so. Returns what this user may not change, and others can still read.
 */
export function tightenFolder(folder: string): string[] {
  return readableByOthers(folder).filter((path) => {
    try {
      chmodSync(path, lstatSync(path).mode & ~OTHERS_BITS);
      return false;
    } catch (error) {
      // A file may go at any moment, such as the lock of a command that ends.
      return (error as NodeJS.ErrnoException).code !== 'ENOENT';
    }
  });
}

/** The folder and those of its files that other users have any access to. */
export function readableByOthers(folder: string): string[] {
  // Windows has no such bits.
  if (process.platform === 'win32') return [];
  return [...pathsOf(folder)].filter(
    (path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS_BITS) !== 0,
  );
}

/** None of a folder that this user may not read: nothing in it can be changed either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function* pathsOf(folder: string): Generator<string> {
  yield folder;
  for (const entry of entriesOf(folder)) {
    if (!OURS.test(entry.name)) continue;
    const path = join(folder, entry.name);
    // The cache has bundles of the project's code: that nobody can enter it is enough.
    if (entry.name === 'cache') yield path;
    else if (entry.isDirectory()) yield* allOf(path);
    else if (entry.isFile()) yield path;
  }
}

function* allOf(folder: string): Generator<string> {
  yield folder;
  for (const entry of entriesOf(folder)) {
    if (entry.isDirectory()) yield* allOf(join(folder, entry.name));
    else if (entry.isFile()) yield join(folder, entry.name);
  }
}
