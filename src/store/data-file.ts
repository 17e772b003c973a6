import { join } from 'node:path';

export function dataFile(folder: string): string {
  return join(folder, 'data.mdb');
}
