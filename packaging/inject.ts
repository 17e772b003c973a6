import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ArchiveIndex } from './archive.js';

/** The marker by which Node detects an embedded program (Node documentation, "Single executable applications"). */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Writes a copy of this Node with the embedded launcher and archive. The copy replaces `file` when it is complete. */
export async function inject(
  file: string,
  launcher: string,
  archive: { index: ArchiveIndex; bytes: Buffer },
): Promise<void> {
  // In the folder of the file, so that it can be renamed.
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

/** Removes debug symbols. Without binutils the file stays larger and works too. */
export function strip(file: string): void {
  try {
    execFileSync('strip', [file], { stdio: 'ignore' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
