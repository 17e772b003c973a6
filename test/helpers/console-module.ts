import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { atProcessEnd } from './process-end.js';
import { ROOT } from './server.js';

let folder: string | null = null;

/** A pure module of the console, bundled for the test because it is not compiled with the server. */
export async function consoleModule<T>(file: string): Promise<T> {
  folder ??= temporary();
  const outfile = join(folder, `${file.replaceAll('/', '-')}.mjs`);
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

function temporary(): string {
  const made = mkdtempSync(join(tmpdir(), 'threadmill-test-console-'));
  atProcessEnd(() => rmSync(made, { recursive: true, force: true }));
  return made;
}
