import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { Script } from 'node:vm';

/**
 * Loads scripts with V8's code cache. Part of the packages that are made for graphs (packaging/package-script.ts),
 * which copy this module, so it imports nothing of the program.
 */

/** What such a script adds to `exports`: for each module a function that returns its exports. */
export type Modules = Record<string, () => Record<string, unknown>>;

const scripts = new Map<string, Script>();

/** Path of the code cache of a script. */
export const codeCacheFile = (file: string): string => `${file}.cache`;

/**
 * Runs a script of ASCII characters whose parameters are `exports` and `require`. V8 does not use a cache of another
 * version of itself, and compiles the script then.
 */
export function loadScript(file: string): Modules {
  const cache = codeCacheFile(file);
  const script = new Script(readFileSync(file, 'latin1'), {
    // Without its folder: in stack traces V8 shows the path of the process that made the cache.
    filename: basename(file),
    ...(existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
  });
  scripts.set(file, script);
  const modules: Modules = {};
  (script.runInThisContext() as (exports: Modules, require: NodeJS.Require) => void)(modules, createRequire(file));
  return modules;
}

/** The code cache of a loaded script, with all functions that have run. */
export function createCodeCache(file: string): Buffer {
  return scripts.get(file)!.createCachedData();
}
