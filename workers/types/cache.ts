import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../../src/base/json/json.js';
import { VERSION } from '../../src/base/version.js';
import type { NamedSchemas } from '../../src/wire/user-code/graph-types.js';

interface Entry {
  /** Hash of every file that the schemas came of; null for one that was not there. */
  files: Record<string, string | null>;
  schemas: NamedSchemas;
}

/** What says, beside the sources, which types there are: in the folder of langgraph.json. */
const BESIDE = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json', 'tsconfig.json'];

/**
 * Schemas found in types, by the content of the files that they came of: a file per graph in the data folder's cache. Files of
 * packages are told by their package.json, which has the version.
 */
export class TypesCache {
  readonly #root: string;
  readonly #folder: string;

  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  get(file: string, exportName: string): NamedSchemas | null {
    try {
      const entry = JSON.parse(readFileSync(this.#place(file, exportName), 'utf8')) as Entry;
      return isObject(entry.schemas) && Object.entries(entry.files).every(([path, hash]) => hashOf(path) === hash)
        ? entry.schemas
        : null;
    } catch {
      // None, or a damaged one: it is made anew.
      return null;
    }
  }

  put(file: string, exportName: string, schemas: NamedSchemas, read: readonly string[]): void {
    const paths = new Set([...BESIDE.map((name) => join(this.#root, name)), ...read.map(versionFile)]);
    const entry: Entry = { files: Object.fromEntries([...paths].map((path) => [path, hashOf(path)])), schemas };
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const place = this.#place(file, exportName);
    writeFileSync(`${place}.${process.pid}`, JSON.stringify(entry), { mode: 0o600 });
    renameSync(`${place}.${process.pid}`, place);
  }

  #place(file: string, exportName: string): string {
    return join(
      this.#folder,
      `types-${createHash('sha256')
        .update(JSON.stringify([VERSION, file, exportName]))
        .digest('hex')
        .slice(0, 24)}.json`,
    );
  }
}

/** A file of a package stands for its package.json. */
function versionFile(path: string): string {
  const at = path.lastIndexOf('/node_modules/');
  if (at === -1) return path;
  for (let folder = dirname(path); folder.length > at + '/node_modules'.length; folder = dirname(folder)) {
    const named = join(folder, 'package.json');
    if (existsSync(named) && (JSON.parse(readFileSync(named, 'utf8')) as { version?: unknown }).version !== undefined)
      return named;
  }
  return path;
}

function hashOf(path: string): string | null {
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 32) : null;
}
