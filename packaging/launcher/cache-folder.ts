import { existsSync, lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** Folders to unpack to, the best first. One that was asked for is the only one. */
export function candidates(env: NodeJS.ProcessEnv): string[] {
  const { THREADMILL_CACHE: asked = '', XDG_CACHE_HOME: xdg = '', HOME: home = '' } = env;
  if (asked !== '') return [asked];
  return [
    // Relative ones are to be ignored (XDG Base Directory Specification).
    ...(isAbsolute(xdg) ? [join(xdg, 'threadmill')] : []),
    // A home that is not there is none: accounts of services name one that nobody is to make.
    ...(isAbsolute(home) && existsSync(home) ? [join(home, '.cache', 'threadmill')] : []),
    join(tmpdir(), `threadmill-${process.getuid!()}`),
  ];
}

/** The folder itself, made where it is missing. Throws when somebody else could put files there, which this program would then run. */
export function usable(folder: string): string {
  make(folder);
  const real = realpathSync(folder);
  const stats = lstatSync(real);
  if (!stats.isDirectory()) throw new Error('is no folder');
  checkOwn(stats);
  for (let above = dirname(real); ; above = dirname(above)) {
    const { uid, mode } = lstatSync(above);
    // Whoever may rename what is in a folder above could put another in its place; in one with the sticky bit only its owner may.
    if (uid !== 0 && uid !== process.getuid!()) throw new Error(`${above} belongs to user ${uid}`);
    if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0) throw new Error(`${above} may be written by everyone`);
    if (above === dirname(above)) return real;
  }
}

/** With those above it. Node's own way never ends where no folder can be made, as below /proc (seen with 20.20). */
function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw error;
    make(dirname(folder));
    make(folder);
  }
}

/** Throws unless it is ours, and nobody else's to write. */
export function checkOwn({ uid, mode }: Stats): void {
  if (uid !== process.getuid!()) throw new Error(`belongs to user ${uid}, not to ${process.getuid!()}`);
  if ((mode & 0o022) !== 0) throw new Error(`may be written by others (its mode is ${(mode & 0o777).toString(8)})`);
}
