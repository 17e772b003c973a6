import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Index } from './archive.js';

/** What Node looks for in itself, to see whether there is a program (its documentation, "Single executable applications"). */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Writes this very Node with the launcher and the archive in it. It takes the file's place when it is whole. */
export async function inject(file: string, launcher: string, archive: { index: Index; bytes: Buffer }): Promise<void> {
  // In the file's own folder: it is renamed there.
  const folder = mkdtempSync(join(dirname(file), '.build-'));
  const at = (name: string): string => join(folder, name);
  try {
    writeFileSync(at('launcher.cjs'), launcher);
    writeFileSync(at('index.json'), JSON.stringify(archive.index));
    writeFileSync(at('files'), archive.bytes);
    writeFileSync(
      at('sea.json'),
      JSON.stringify({
        main: at('launcher.cjs'),
        output: at('blob'),
        disableExperimentalSEAWarning: true,
        useSnapshot: false,
        useCodeCache: false,
        assets: { index: at('index.json'), files: at('files') },
      }),
    );
    execFileSync(process.execPath, ['--experimental-sea-config', at('sea.json')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    copyFileSync(process.execPath, at('node'));
    chmodSync(at('node'), 0o755);
    strip(at('node'));
    const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
    execFileSync(process.execPath, [postject, at('node'), 'NODE_SEA_BLOB', at('blob'), '--sentinel-fuse', FUSE], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(at('node'), file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes out what only debuggers read. Where binutils are missing the file is larger, and runs all the same. */
export function strip(file: string): void {
  try {
    execFileSync('strip', [file], { stdio: 'ignore' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
