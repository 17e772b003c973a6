import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createHistogram } from 'node:perf_hooks';
import { KiB, MiB } from '../../../base/limits.js';
import { dataFile } from '../../../store/files/data-file.js';
import { isLocked } from '../../../store/files/folder-lock.js';
import { readableByOthers } from '../../../store/files/private-folder.js';
import { formatSize } from '../../output/progress.js';
import { failed, messageOf, ok, warning, type CheckResult } from './check.js';

/** The folder, or its nearest parent that exists. */
export function nearestExistingFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestExistingFolder(dirname(folder));
}

/** File systems on which LMDB or its data is not safe, by their type in statfs(2). */
const UNSUITABLE_FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0x01021994: 'tmpfs',
  0x6969: 'NFS',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB2',
};

export function checkDataFolder(folder: string): CheckResult {
  const at = nearestExistingFolder(folder);
  try {
    if (!statSync(at).isDirectory())
      return failed('data folder', `${at} is not a folder`, 'Name another folder with --data.');
    accessSync(at, constants.W_OK | constants.X_OK);
  } catch (error) {
    return failed('data folder', messageOf(error), `Let this user write to ${at}, or name another folder with --data.`);
  }
  const kind = UNSUITABLE_FILE_SYSTEMS[statfsSync(at).type];
  if (kind === 'tmpfs')
    return warning(
      'data folder',
      `${folder} is in memory (tmpfs)`,
      'The data is lost when the machine stops. Name a folder on a disk with --data.',
    );
  if (kind !== undefined)
    return failed(
      'data folder',
      `${folder} is on another machine (${kind})`,
      'LMDB maps its file into memory, which is safe only on local disks. Name another folder with --data.',
    );
  const exposed = at === folder ? readableByOthers(folder) : [];
  if (exposed.length > 0) {
    return warning(
      'data folder',
      `other users of this machine can read ${exposed.length === 1 ? exposed[0]! : `${exposed[0]!} and ${exposed.length - 1} more in it`}`,
      `Start the server as the owner of the folder, which removes their access, or run: chmod -R go-rwx ${folder}`,
    );
  }
  if (isLocked(folder)) return ok('data folder', `${folder}, in use by a running server`);
  return ok('data folder', at === folder ? folder : `${folder}, will be created`);
}

/** The server does not start with less free space (docs/operations.md, "A full disk"). */
const FREE_BYTES_MIN = 256 * KiB;
const FREE_BYTES_WARNING = 1_024 * MiB;

export function checkDiskSpace(folder: string): CheckResult {
  const { bavail, bsize } = statfsSync(nearestExistingFolder(folder));
  const free = bavail * bsize;
  const file = dataFile(folder);
  const used = existsSync(file) ? statSync(file).size : 0;
  const found = `${formatSize(free)} free${used === 0 ? '' : `, ${formatSize(used)} in use`}`;
  if (free < FREE_BYTES_MIN) return failed('disk', found, 'Free disk space: the server does not start with so little.');
  if (free < FREE_BYTES_WARNING)
    return warning('disk', found, 'Free disk space: the server rejects writes when the disk is full.');
  return free < used
    ? warning('disk', found, 'Free disk space: "threadmill compact" needs space for a second data file.')
    : ok('disk', found);
}

const BLOCK = Buffer.alloc(4 * KiB, 0x74);
const FLUSHES = 200;
/** Enough time to tell that a disk is slow. */
const FLUSHES_MS_MAX = 3_000;
const FLUSH_P99_MS_MAX = 20;

/** Measures small synced writes. Every commit waits for one. Calls `onProgress` after each. */
export function checkFlushes(folder: string, onProgress: (count: number, total: number) => void): CheckResult {
  const file = join(nearestExistingFolder(folder), `.threadmill-flush-${process.pid}`);
  const times = createHistogram();
  let fd: number;
  try {
    fd = openSync(file, 'wx', 0o600);
  } catch (error) {
    return failed('flush', messageOf(error), `Let this user write to ${nearestExistingFolder(folder)}.`);
  }
  try {
    const begun = performance.now();
    for (let count = 0; count < FLUSHES && performance.now() - begun < FLUSHES_MS_MAX; count += 1) {
      const from = process.hrtime.bigint();
      writeSync(fd, BLOCK);
      fdatasyncSync(fd);
      times.record(process.hrtime.bigint() - from);
      onProgress(count, FLUSHES);
    }
  } catch (error) {
    return failed('flush', messageOf(error), 'Free disk space, or check the disk for faults.');
  } finally {
    closeSync(fd);
    rmSync(file, { force: true });
  }
  const [p50, p99] = [times.percentile(50) / 1e6, times.percentile(99) / 1e6];
  const found = `${times.count} of 4 KiB: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
  return p99 <= FLUSH_P99_MS_MAX
    ? ok('flush', found)
    : warning('flush', found, 'Every write waits for the disk. Use a faster disk, or one that nothing else writes to.');
}
