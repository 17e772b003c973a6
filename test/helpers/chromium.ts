import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Debian's; `make test` installs it. Throws where there is none. */
export function chromiumPath(): string {
  const found = PLACES.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error('There is no Chromium: apt-get install chromium, or make test, which does it.');
  return found;
}
