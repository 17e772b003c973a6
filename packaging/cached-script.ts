import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { Script } from 'node:vm';

/**
 * Loads scripts with V8's code cache. A part of the bundles that a build writes (packaging/package-script.ts,
 * packaging/program-scripts.ts), so it imports nothing of the program.
 */

/**
 * Text around a CommonJS module that turns it into a script whose value is a function. A script has no `import()`, so
 * the function gets `importModule` instead.
 */
export const SCRIPT_START = '(function (exports, require, module, __filename, __dirname, importModule) {';
export const SCRIPT_END = '})';

/**
 * Stands before a spread at the beginning of an object literal and means nothing. V8 11 (Node 20) gives a copy by a
 * leading spread a hidden class of its own (a map). Each member that follows then makes another one, for every object
 * that this place creates, which takes twenty times as long as the copy. After this, all copies share their maps.
 */
export const SHARED_MAPS = '...null/**/,';
/** V8 12 and later share the maps of all copies, and copy four times faster if the literal begins with the spread. */
const needsSharedMaps = Number.parseInt(process.versions.v8, 10) < 12;

const scripts = new Map<string, Script>();

/** Path of the code cache of a script. */
export const codeCacheFile = (file: string): string => `${file}.cache`;

/**
 * Runs a script of ASCII characters between SCRIPT_START and SCRIPT_END, and returns its `module.exports`. V8 does not
 * use a cache of another version of itself, and compiles the script then.
 */
export function loadScript(file: string): unknown {
  const cache = codeCacheFile(file);
  const source = readFileSync(file, 'latin1');
  const script = new Script(needsSharedMaps ? source : source.replaceAll(SHARED_MAPS, ' '.repeat(SHARED_MAPS.length)), {
    // Without its folder: in stack traces V8 shows the path of the process that made the cache.
    filename: `threadmill:${basename(file)}`,
    ...(existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
  });
  scripts.set(file, script);
  const module: { exports: unknown } = { exports: {} };
  const importModule = (specifier: string): Promise<unknown> => import(specifier);
  const run = script.runInThisContext() as (...scope: unknown[]) => void;
  run(module.exports, createRequire(file), module, file, dirname(file), importModule);
  return module.exports;
}

/** The scripts that this thread has loaded. */
export const loadedScripts = (): string[] => [...scripts.keys()];

/** The code cache of a loaded script, with all functions that have run. */
export function createCodeCache(file: string): Buffer {
  return scripts.get(file)!.createCachedData();
}
