import { readFileSync } from 'node:fs';

/** Limit of open files of this process; null if the system does not provide it. */
export function openFilesMax(): number | null {
  try {
    const files = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return files === undefined ? null : Number(files);
  } catch {
    return null;
  }
}
