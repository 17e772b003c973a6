import { rmSync } from 'node:fs';
import { join } from 'node:path';

export function dataFile(folder: string): string {
  return join(folder, 'data.mdb');
}

/** File with the seal key, which is used when the environment has none. */
export function sealKeyFile(folder: string): string {
  return join(folder, 'seal.key');
}

/** File that `threadmill encrypt` writes before it replaces the data file. */
export function encryptingFile(folder: string): string {
  return `${dataFile(folder)}.encrypting`;
}

/** Removes the file and the lock file that LMDB creates beside it. */
export function removeDataFile(file: string): void {
  rmSync(file, { force: true });
  rmSync(`${file}-lock`, { force: true });
}
