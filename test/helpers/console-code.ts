import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT, temporaryFolder } from './server.js';

/**
 * Loads code that imports files of the console, bundled for the test because they are not compiled with the server.
 * `code` is the text of a module in console/src.
 */
export async function consoleCode<T>(t: { teardown(callback: () => unknown): unknown }, code: string): Promise<T> {
  const outfile = join(temporaryFolder(t), 'module.cjs');
  await build({
    stdin: { contents: code, resolveDir: join(ROOT, 'console', 'src'), loader: 'tsx' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    jsx: 'automatic',
    outfile,
    logLevel: 'silent',
    tsconfigRaw: {},
  });
  return ((await import(pathToFileURL(outfile).href)) as { default: T }).default;
}
