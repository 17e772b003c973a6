/**
 * `node --import record-code-caches.js dist/src/main.js …`: each thread of the program writes the code caches of the
 * scripts that it has loaded, again and again, so that they contain the functions that have run until then. V8 must not
 * have compiled the scripts before, so the caches must not exist.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { BUNDLED_PROGRAM, PROGRAM_FOLDER } from '../src/base/program-files.js';
import type * as CachedScript from './cached-script.js';
import { SCRIPT_LOADER } from './program-scripts.js';

export const RECORD_INTERVAL_MS = 250;

const { codeCacheFile, createCodeCache, loadedScripts } = createRequire(import.meta.url)(
  join(PROGRAM_FOLDER, BUNDLED_PROGRAM, SCRIPT_LOADER),
) as typeof CachedScript;

setInterval(() => {
  for (const script of loadedScripts()) {
    const partial = `${codeCacheFile(script)}.${threadId}`;
    writeFileSync(partial, createCodeCache(script));
    renameSync(partial, codeCacheFile(script));
  }
}, RECORD_INTERVAL_MS).unref();
