import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** The same browser without windows. Tests take a fifth less time with it. */
const HEADLESS = '/usr/bin/chromium-headless-shell';

/** The browser of tests. */
export function headlessChromiumPath(): string {
  return firstOf([HEADLESS, ...PLACES]);
}

/** The browser that people use, for the benchmark. Its test runs where only the other one is installed. */
export function chromiumPath(): string {
  return firstOf([...PLACES, HEADLESS]);
}

/** Debian has both; `make test` installs the first. Throws when there is none. */
function firstOf(places: readonly string[]): string {
  const found = places.find((path) => existsSync(path));
  if (found === undefined) throw new Error('There is no Chromium. Install it with: apt-get install chromium');
  return found;
}
