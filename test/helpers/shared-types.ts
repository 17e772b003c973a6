import { linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reading the schemas of a graph from its TypeScript takes a server 1 to 4 s of CPU, once for each data folder. Servers
 * of one `make test` therefore share what they have read: in this folder, which is new for each run. Null for a file
 * that runs alone.
 */
const folder = process.env['THREADMILL_TEST_TYPES'] ?? null;

const isSchemas = (name: string): boolean => /^types-\w+\.json$/.test(name);

/** Gives a server with a new data folder what others have read. */
export function takeSharedTypes(dataFolder: string): void {
  if (folder === null) return;
  const cache = join(dataFolder, 'cache');
  mkdirSync(cache, { mode: 0o700 });
  for (const name of readdirSync(folder)) linkSync(join(folder, name), join(cache, name));
}

/** Shares what the server has read. */
export function shareTypes(dataFolder: string): void {
  if (folder === null) return;
  const shared = new Set(readdirSync(folder));
  for (const name of readdirSync(join(dataFolder, 'cache')).filter(isSchemas)) {
    if (shared.has(name)) continue;
    try {
      linkSync(join(dataFolder, 'cache', name), join(folder, name));
    } catch (error) {
      // Another process was first.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
