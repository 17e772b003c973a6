import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../base/errors.js';

export interface FolderLock {
  release(): void;
}

/**
 * Allows one process per folder. The lock file has the id and start time of the process. A lock that a killed process
 * left behind is therefore recognized, even if its process id is in use again.
 */
export function lockFolder(folder: string): FolderLock {
  const file = join(folder, 'lock');
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      const fd = openSync(file, 'wx', 0o600);
      writeSync(fd, processName(process.pid));
      closeSync(fd);
      return { release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (isHeld(file)) throw fail('STORE_LOCKED', { folder });
      rmSync(file, { force: true });
    }
  }
  throw fail('STORE_LOCKED', { folder });
}

/** True if a process holds the folder. Does not take the lock. */
export function isLocked(folder: string): boolean {
  return isHeld(join(folder, 'lock'));
}

function isHeld(file: string): boolean {
  let owner: string;
  try {
    owner = readFileSync(file, 'utf8');
  } catch {
    return false;
  }
  const pid = Number.parseInt(owner, 10);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return processName(pid) === owner;
}

function processName(pid: number): string {
  return `${pid} ${startTime(pid)}`;
}

/** Field 22 of /proc/PID/stat, in clock ticks since boot. Empty without /proc; then the process id alone decides. */
function startTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
