import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The wall clock of a child process, which a test sets while it runs; timers and other monotonic clocks go on as they
 * are.
 */
export interface WallClock {
  env: Record<string, string>;
  /** So much ahead of the real time, or behind it: `+1d`, `-60s`. */
  set(offset: string): void;
}

/** Of Debian's libfaketime, which `make test` installs. */
export function wallClock(folder: string): WallClock {
  const library = readdirSync('/usr/lib')
    .map((name) => join('/usr/lib', name, 'faketime', 'libfaketimeMT.so.1'))
    .find(existsSync);
  if (library === undefined)
    throw new Error('The tests of clocks need libfaketime: apt-get install faketime, as root.');
  const file = join(folder, 'wall-clock');
  const set = (offset: string): void => writeFileSync(file, `${offset}\n`);
  set('+0s');
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
  };
}
