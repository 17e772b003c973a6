import { existsSync, lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** Folders to unpack to, best first. THREADMILL_CACHE is the only one if it is set. */
export function candidateFolders(env: NodeJS.ProcessEnv): string[] {
  const { THREADMILL_CACHE: configured = '', XDG_CACHE_HOME: xdg = '', HOME: home = '' } = env;
  if (configured !== '') return [configured];
  return [
    // Relative paths must be ignored (XDG Base Directory Specification).
    ...(isAbsolute(xdg) ? [join(xdg, 'threadmill')] : []),
    // A home that does not exist is ignored: service accounts have one that must not be created.
    ...(isAbsolute(home) && existsSync(home) ? [join(home, '.cache', 'threadmill')] : []),
    join(tmpdir(), `threadmill-${process.getuid!()}`),
  ];
}

/**
 * Creates the folder if it is missing, and returns its real path. Throws if another user could put files there, because
 * this program would run them.
 */
export function prepareFolder(folder: string): string {
  makeFolder(folder);
  const real = realpathSync(folder);
  const stats = lstatSync(real);
  if (!stats.isDirectory()) throw new Error('is not a folder');
  checkOwner(stats);
  for (let above = dirname(real); ; above = dirname(above)) {
    const { uid, mode } = lstatSync(above);
    // A user who may write to a parent folder could replace this one, except in folders with the sticky bit.
    if (uid !== 0 && uid !== process.getuid!()) throw new Error(`${above} belongs to user ${uid}`);
    if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0) throw new Error(`every user can write to ${above}`);
    if (above === dirname(above)) return real;
  }
}

/** Creates the folder and its parents. Node's recursive mkdir never returns below /proc (seen with 20.20). */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw error;
    makeFolder(dirname(folder));
    makeFolder(folder);
  }
}

/** Throws unless this user owns the file and no other user can write to it. */
export function checkOwner({ uid, mode }: Stats): void {
  if (uid !== process.getuid!()) throw new Error(`belongs to user ${uid}, not to ${process.getuid!()}`);
  if ((mode & 0o022) !== 0) throw new Error(`other users can write to it (its mode is ${(mode & 0o777).toString(8)})`);
}
