import { chmodSync, lstatSync, mkdirSync, readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

/** Entries of a data folder. Other files in the folder do not belong to the server, and keep their mode. */
const DATA_FOLDER_ENTRY = /^(data\.mdb.*|lock|seal\.key|keys|cache|tail|before-(upgrade|restore)-.*)$/;
const OTHERS_BITS = 0o077;

/** Creates the folder if needed. Only its owner can enter it, whatever the umask. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  restrictAccess(folder);
}

/**
 * Removes the access of all other users: folders get mode 0700, files 0600. LMDB creates files with the umask, and so
 * did earlier releases with the folder. Returns paths that others can read and whose mode this user may not change.
 */
export function restrictAccess(folder: string): string[] {
  return readableByOthers(folder).filter((path) => {
    try {
      chmodSync(path, lstatSync(path).mode & ~OTHERS_BITS);
      return false;
    } catch (error) {
      // A file may disappear at any moment, such as the lock of a command that ends.
      return (error as NodeJS.ErrnoException).code !== 'ENOENT';
    }
  });
}

/** The folder and those of its files that other users can access. */
export function readableByOthers(folder: string): string[] {
  // Windows has no such mode bits.
  if (process.platform === 'win32') return [];
  return [...dataFolderPaths(folder)].filter(
    (path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS_BITS) !== 0,
  );
}

/** Empty for a folder that this user may not read: its files could not be changed either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function* dataFolderPaths(folder: string): Generator<string> {
  yield folder;
  for (const entry of entriesOf(folder)) {
    if (!DATA_FOLDER_ENTRY.test(entry.name)) continue;
    const path = join(folder, entry.name);
    // The cache has bundles of the project's code. It is enough that nobody else can enter it.
    if (entry.name === 'cache') yield path;
    else if (entry.isDirectory()) yield* pathsUnder(path);
    else if (entry.isFile()) yield path;
  }
}

function* pathsUnder(folder: string): Generator<string> {
  yield folder;
  for (const entry of entriesOf(folder)) {
    if (entry.isDirectory()) yield* pathsUnder(join(folder, entry.name));
    else if (entry.isFile()) yield join(folder, entry.name);
  }
}
