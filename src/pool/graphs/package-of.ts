import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An installed package. */
export interface InstalledPackage {
  name: string;
  version: string;
  folder: string;
}

/** The package that a file belongs to; null if it belongs to none. */
export function packageOf(file: string): InstalledPackage | null {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const found = packageIn(folder);
    if (found !== null) return found;
  }
  return null;
}

/** The package whose files are in this folder; null if there is none. */
export function packageIn(folder: string): InstalledPackage | null {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return null;
  const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as { name?: unknown; version?: unknown };
  // Some packages have further package.json files that only name the kind of their modules.
  return typeof name === 'string' && typeof version === 'string' ? { name, version, folder } : null;
}
