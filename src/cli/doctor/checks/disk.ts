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
import { sizeText } from '../../output/progress.js';
import { failed, messageOf, ok, warning, type Check } from './check.js';

/** The folder, or the one that it would be made in. */
export function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

/** Kinds of file systems that LMDB, or what is kept in it, does not outlive (statfs(2)). */
const KINDS: Readonly<Record<number, string>> = {
  0x01021994: 'tmpfs',
  0x6969: 'NFS',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB2',
};

export function dataFolder(folder: string): Check {
  const at = existing(folder);
  try {
    if (!statSync(at).isDirectory())
      return failed('data folder', `${at} is no folder`, 'Name another one with --data.');
    accessSync(at, constants.W_OK | constants.X_OK);
  } catch (error) {
    return failed('data folder', messageOf(error), `Let this user write to ${at}, or name another folder with --data.`);
  }
  const kind = KINDS[statfsSync(at).type];
  if (kind === 'tmpfs')
    return warning(
      'data folder',
      `${folder} is in memory (tmpfs)`,
      'All is gone when the machine ends. Name a folder on a disk with --data.',
    );
  if (kind !== undefined)
    return failed(
      'data folder',
      `${folder} is on another machine (${kind})`,
      'LMDB maps its file into memory, which is safe on local disks only. Name another folder with --data.',
    );
  const exposed = at === folder ? readableByOthers(folder) : [];
  if (exposed.length > 0) {
    return warning(
      'data folder',
      `other users of this machine can read ${exposed.length === 1 ? exposed[0]! : `${exposed[0]!} and ${exposed.length - 1} more in it`}`,
      `Start the server as the owner of the folder, which takes their access away, or run: chmod -R go-rwx ${folder}`,
    );
  }
  if (isLocked(folder)) return ok('data folder', `${folder}, in use by a server that runs now`);
  return ok('data folder', at === folder ? folder : `${folder}, to be made`);
}

/** A server does not start with less (docs/operations.md, "A full disk"). */
const LEAST_BYTES = 256 * KiB;
const LITTLE_BYTES = 1_024 * MiB;

export function room(folder: string): Check {
  const { bavail, bsize } = statfsSync(existing(folder));
  const free = bavail * bsize;
  const file = dataFile(folder);
  const used = existsSync(file) ? statSync(file).size : 0;
  const found = `${sizeText(free)} free${used === 0 ? '' : `, ${sizeText(used)} in use`}`;
  if (free < LEAST_BYTES) return failed('disk', found, 'Make room: a server does not start with so little.');
  if (free < LITTLE_BYTES) return warning('disk', found, 'Make room: when the disk is full nothing more is accepted.');
  return free < used
    ? warning('disk', found, '"threadmill compact" needs room for a second data file.')
    : ok('disk', found);
}

const PIECE = Buffer.alloc(4 * KiB, 0x74);
const FLUSHES = 200;
/** A slow disk is known as one by then. */
const FLUSH_MOST_MS = 3_000;
const SLOW_MS = 20;

/** Every commit waits for one of these. `done` is told how many of how many. */
export function flushes(folder: string, done: (count: number, of: number) => void): Check {
  const file = join(existing(folder), `.threadmill-flush-${process.pid}`);
  const times = createHistogram();
  let fd: number;
  try {
    fd = openSync(file, 'wx', 0o600);
  } catch (error) {
    return failed('flush', messageOf(error), `Let this user write to ${existing(folder)}.`);
  }
  try {
    const begun = performance.now();
    for (let count = 0; count < FLUSHES && performance.now() - begun < FLUSH_MOST_MS; count += 1) {
      const from = process.hrtime.bigint();
      writeSync(fd, PIECE);
      fdatasyncSync(fd);
      times.record(process.hrtime.bigint() - from);
      done(count, FLUSHES);
    }
  } catch (error) {
    return failed('flush', messageOf(error), 'Make room on the disk, or look at it.');
  } finally {
    closeSync(fd);
    rmSync(file, { force: true });
  }
  const [p50, p99] = [times.percentile(50) / 1e6, times.percentile(99) / 1e6];
  const found = `${times.count} of 4 KiB: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
  return p99 <= SLOW_MS
    ? ok('flush', found)
    : warning(
        'flush',
        found,
        'Every answered write waits for the disk: take a faster one, or one that nothing else writes to.',
      );
}
