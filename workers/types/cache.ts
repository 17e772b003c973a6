import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../../src/base/json/json.js';
import { VERSION } from '../../src/base/version.js';
import type { NamedSchemas } from '../../src/wire/user-code/graph-types.js';

interface Entry {
  /** Hash of every file that the schemas were read from; null for a file that did not exist. */
  files: Record<string, string | null>;
  schemas: NamedSchemas;
}

/** Files in the folder of langgraph.json that determine the types, in addition to the sources. */
const TYPE_FILES = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json', 'tsconfig.json'];

/**
 * Caches schemas that were read from types, keyed by the content of their files: one file per graph in the
 * cache of the data folder. Files of packages are represented by their package.json, which contains the
 * version.
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
      // Missing or damaged: build it again.
      return null;
    }
  }

  put(file: string, exportName: string, schemas: NamedSchemas, read: readonly string[]): void {
    const paths = new Set([...TYPE_FILES.map((name) => join(this.#root, name)), ...read.map(versionFile)]);
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

/** A package's file is represented by the package.json of its package. */
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
