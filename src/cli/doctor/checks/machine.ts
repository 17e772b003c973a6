import { existsSync, statSync } from 'node:fs';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { LIMITS, MiB } from '../../../base/limits.js';
import { readTransport } from '../../../config/http.js';
import { findTransport } from '../../../http/transport/create-app.js';
import { openFilesMax } from '../../../http/transport/open-files.js';
import { dataFile } from '../../../store/files/data-file.js';
import { ownPackage } from '../../packages.js';
import { formatSize } from '../../output/progress.js';
import { failed, messageOf, ok, warning, type CheckResult } from './check.js';

export function checkNode(): CheckResult {
  const { engines } = ownPackage();
  const [, least] = /^>=(\S+)$/.exec(engines.node)!;
  const found = process.versions.node;
  if (found.localeCompare(least!, undefined, { numeric: true }) >= 0) return ok('node', found);
  return failed('node', found, `Install Node ${least!} or later.`);
}

/** Loads the native add-on that the server cannot do without, in the same way as the server. */
export async function checkAddons(): Promise<CheckResult> {
  try {
    await import('../../../store/reader.js');
    return ok('add-ons', 'lmdb');
  } catch (error) {
    return failed(
      'add-ons',
      `lmdb does not load: ${messageOf(error)}`,
      `Install the packages again on this machine (${process.platform}-${process.arch}), with a supported version of Node.`,
    );
  }
}

/** Names the HTTP transport that a server would use here. */
export async function checkTransport(env: NodeJS.ProcessEnv): Promise<CheckResult> {
  try {
    const { name, problem } = await findTransport(readTransport(env));
    return ok(
      'transport',
      name === 'uws' ? 'uWebSockets.js' : problem === null ? 'node:http' : `node:http, because ${problem}`,
    );
  } catch (error) {
    return failed('transport', messageOf(error), 'Remove the variable, or set it to auto.');
  }
}

const MEMORY_BYTES_WARNING = 512 * MiB;

export function checkMemory(): CheckResult {
  // The limit of a container, if it is lower.
  const limit = process.constrainedMemory();
  const total = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const found = `${formatSize(total)}, ${formatSize(Math.min(total, freemem()))} free; ${availableParallelism()} cores`;
  if (total >= MEMORY_BYTES_WARNING) return ok('memory', found);
  return warning('memory', found, 'Use --workers 1 and set THREADMILL_WORKER_HEAP_MB, or add memory.');
}

export function checkOpenFiles(): CheckResult {
  const limit = openFilesMax();
  const connections = limit === null ? Infinity : limit - LIMITS.reservedFiles;
  if (connections >= LIMITS.connectionsMax) return ok('open files', limit === null ? 'no known limit' : String(limit));
  return warning(
    'open files',
    `${limit!}: enough for ${Math.max(1, connections)} connections`,
    `If you need more connections, raise the limit: ulimit -n ${LIMITS.connectionsMax + LIMITS.reservedFiles}`,
  );
}

/** No version of Threadmill existed before this time. */
const EARLIEST_PLAUSIBLE_MS = Date.parse('2026-01-01T00:00:00Z');
const CLOCK_TOLERANCE_MS = 60_000;

/** Checks the clock, on which runs, crons and expiry depend. */
export function checkClock(dataFolder: string): CheckResult {
  const now = Date.now();
  const found = `${new Date(now).toISOString()}, ${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
  const advice = 'Set the clock, ideally with NTP.';
  if (now < EARLIEST_PLAUSIBLE_MS) return failed('clock', `${found}: this is in the past`, advice);
  const file = dataFile(dataFolder);
  const written = existsSync(file) ? statSync(file).mtimeMs : now;
  return written > now + CLOCK_TOLERANCE_MS
    ? warning('clock', `${found}: before the last write, ${new Date(written).toISOString()}`, advice)
    : ok('clock', found);
}
