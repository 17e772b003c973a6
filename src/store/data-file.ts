import { join } from 'node:path';

export function dataFile(folder: string): string {
  return join(folder, 'data.mdb');
}

/** Where the sealing key is when the environment does not say it. */
export function sealFile(folder: string): string {
  return join(folder, 'seal.key');
}
