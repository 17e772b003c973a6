import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../base/errors.js';
import { boundedText } from '../../base/thrown.js';

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
      const pid = readHolder(file);
      if (pid !== null) throw fail('STORE_LOCKED', { folder, pid, command: commandLine(pid) });
      rmSync(file, { force: true });
    }
  }
  throw fail('STORE_LOCKED', { folder, pid: null, command: null });
}

/** True if a process holds the folder. Does not take the lock. */
export function isLocked(folder: string): boolean {
  return readHolder(join(folder, 'lock')) !== null;
}

/** Id of the process that holds the lock; null if none does. */
function readHolder(file: string): number | null {
  let owner: string;
  try {
    owner = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  const pid = Number.parseInt(owner, 10);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return null;
  }
  return processName(pid) === owner ? pid : null;
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

const COMMAND_CHARS_MAX = 200;

/** As the system shows it, shortened. Null without /proc, or when this user may not read it. */
function commandLine(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .replace(/\p{Cc}+/gu, ' ')
      .trim();
    return text === '' ? null : boundedText(text, COMMAND_CHARS_MAX);
  } catch {
    return null;
  }
}
