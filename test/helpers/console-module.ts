import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT, temporaryFolder } from './server.js';

/** A pure module of the console, bundled for the test because it is not compiled with the server. */
export async function loadModule<T>(t: { teardown(callback: () => unknown): void }, file: string): Promise<T> {
  const outfile = join(temporaryFolder(t), 'module.mjs');
  await build({
    entryPoints: [join(ROOT, 'console', 'src', file)],
    bundle: true,
    format: 'esm',
    outfile,
    logLevel: 'silent',
    tsconfigRaw: {},
  });
  return (await import(pathToFileURL(outfile).href)) as T;
}
