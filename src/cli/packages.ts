import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROGRAM_FOLDER } from '../base/program-files.js';

/** The package.json of Threadmill. */
export function ownPackage(): { engines: { node: string }; dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(PROGRAM_FOLDER, 'package.json'), 'utf8')) as ReturnType<typeof ownPackage>;
}

export interface FoundPackage {
  version: string;
  /** Null if the package is in no node_modules folder, but bundled with Threadmill. */
  folder: string | null;
}

/** The package that an import in `from` would load, else the one included in Threadmill; null if there is neither. */
export function findPackage(name: string, from: string): FoundPackage | null {
  return findInstalled(name, from) ?? findInstalled(name, PROGRAM_FOLDER) ?? findBundled(name);
}

function findInstalled(name: string, from: string): FoundPackage | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json')))
      return {
        version: (JSON.parse(readFileSync(join(found, 'package.json'), 'utf8')) as { version: string }).version,
        folder: found,
      };
    if (dirname(folder) === folder) return null;
  }
}

/** Versions in package.json are exact. `npm:other@1.2.3` is a package under another name. */
function findBundled(name: string): FoundPackage | null {
  const pinned = ownPackage().dependencies[name];
  return pinned === undefined ? null : { version: pinned.slice(pinned.lastIndexOf('@') + 1), folder: null };
}
