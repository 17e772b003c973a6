import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A complete backup in the folder of scheduled backups. */
export interface BackupFile {
  name: string;
  /** The moment whose records it has. */
  madeAtMs: number;
  bytes: number;
}

/** `threadmill-2026-01-31T020000Z.backup`: sorted by name is sorted by time. */
const FILE_NAME = /^threadmill-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;

export function backupFileName(madeAtMs: number): string {
  const time = new Date(madeAtMs).toISOString();
  return `threadmill-${time.slice(0, 19).replaceAll(':', '')}Z.backup`;
}

/** Complete scheduled backups, newest first. Other files of the folder are left out. Throws if it cannot be read. */
export async function listBackups(folder: string): Promise<BackupFile[]> {
  const names = (await readdir(folder)).filter((name) => FILE_NAME.test(name)).toSorted();
  const files = await Promise.all(
    names.toReversed().map(async (name): Promise<BackupFile | null> => {
      // A file may be removed meanwhile.
      const stats = await stat(join(folder, name)).catch(() => null);
      return stats === null ? null : { name, madeAtMs: timeOf(name), bytes: stats.size };
    }),
  );
  return files.filter((file) => file !== null);
}

function timeOf(name: string): number {
  const [, day, hour, minute, second] = FILE_NAME.exec(name)!;
  return Date.parse(`${day!}T${hour!}:${minute!}:${second!}Z`);
}

/** Removes all but the newest backups, and parts that an earlier process left. */
export async function removeOldBackups(folder: string, keep: number): Promise<void> {
  const parts = (await readdir(folder)).filter((name) => name.endsWith('.part') && FILE_NAME.test(name.slice(0, -5)));
  const old = (await listBackups(folder)).slice(keep).map(({ name }) => name);
  for (const name of [...parts, ...old]) await rm(join(folder, name), { force: true });
}
