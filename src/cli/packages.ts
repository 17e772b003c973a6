import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OUR_FOLDER } from '../base/places.js';

/** Our package.json. */
export function ownPackage(): { engines: { node: string }; dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(OUR_FOLDER, 'package.json'), 'utf8')) as ReturnType<typeof ownPackage>;
}

export interface FoundPackage {
  version: string;
  /** Null: it is in no folder of packages, so it is the one that we were built with. */
  folder: string | null;
}

/** The package that an import in `from` would get, or the one that came along. Null when there is neither. */
export function findPackage(name: string, from: string): FoundPackage | null {
  return upwards(name, from) ?? upwards(name, OUR_FOLDER) ?? builtWith(name);
}

function upwards(name: string, from: string): FoundPackage | null {
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

/** Versions are pinned; `npm:other@1.2.3` stands for a package under another name. */
function builtWith(name: string): FoundPackage | null {
  const pinned = ownPackage().dependencies[name];
  return pinned === undefined ? null : { version: pinned.slice(pinned.lastIndexOf('@') + 1), folder: null };
}
