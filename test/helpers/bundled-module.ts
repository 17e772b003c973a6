import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUNDLED_PACKAGES } from '../../src/base/program-files.js';

/** A module of the packages that the build bundles for graphs. `path` is below `node_modules`. */
export async function importBundled<T>(path: string): Promise<T> {
  const file = join(import.meta.dirname, '../../..', BUNDLED_PACKAGES, 'node_modules', path);
  return (await import(pathToFileURL(file).href)) as T;
}
