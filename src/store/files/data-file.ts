import { rmSync } from 'node:fs';
import { join } from 'node:path';

export function dataFile(folder: string): string {
  return join(folder, 'data.mdb');
}

/** Where the sealing key is when the environment does not say it. */
export function sealFile(folder: string): string {
  return join(folder, 'seal.key');
}

/** What `threadmill encrypt` writes before it takes the place of the data file. */
export function encryptingFile(folder: string): string {
  return `${dataFile(folder)}.encrypting`;
}

/** With the lock file that LMDB makes beside it. */
export function removeDataFile(file: string): void {
  rmSync(file, { force: true });
  rmSync(`${file}-lock`, { force: true });
}
