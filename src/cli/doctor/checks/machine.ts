import { existsSync, statSync } from 'node:fs';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { LIMITS, MiB } from '../../../base/limits.js';
import { createApp, openFilesMax } from '../../../http/transport/uws.js';
import { dataFile } from '../../../store/files/data-file.js';
import { ownPackage } from '../../packages.js';
import { sizeText } from '../../output/progress.js';
import { failed, messageOf, ok, warning, type Check } from './check.js';

export function node(): Check {
  const { engines } = ownPackage();
  const [, least, below] = /^>=(\S+) <(\S+)$/.exec(engines.node)!;
  const found = process.versions.node;
  if (found.localeCompare(least!, undefined, { numeric: true }) >= 0 && Number.parseInt(found, 10) < Number(below))
    return ok('node', found);
  return failed(
    'node',
    found,
    `Use a Node from ${least!} on and below ${below!}: the native add-ons are built for those.`,
  );
}

/** Those that the server cannot do without; each is loaded as the server does it. */
export async function addons(): Promise<Check> {
  const loads: [name: string, load: () => Promise<unknown>][] = [
    ['uWebSockets.js', async () => (await createApp(null)).close()],
    ['lmdb', () => import('../../../store/reader.js')],
  ];
  for (const [name, load] of loads) {
    try {
      await load();
    } catch (error) {
      return failed(
        'add-ons',
        `${name} does not load: ${messageOf(error)}`,
        `Install again on this machine (npm ci), on ${process.platform}-${process.arch} with a supported Node.`,
      );
    }
  }
  return ok('add-ons', loads.map(([name]) => name).join(', '));
}

const LITTLE_MEMORY_BYTES = 512 * MiB;

export function memory(): Check {
  // What a container is allowed, where that is less.
  const limit = process.constrainedMemory();
  const total = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const found = `${sizeText(total)}, ${sizeText(Math.min(total, freemem()))} free; ${availableParallelism()} cores`;
  if (total >= LITTLE_MEMORY_BYTES) return ok('memory', found);
  return warning('memory', found, 'Start with --workers 1 and set THREADMILL_WORKER_HEAP_MB, or give it more memory.');
}

export function files(): Check {
  const most = openFilesMax();
  const room = most === null ? Infinity : most - LIMITS.filesForOthers;
  if (room >= LIMITS.connectionsMax) return ok('open files', most === null ? 'no limit known' : String(most));
  return warning(
    'open files',
    `${most!}: room for ${Math.max(1, room)} connections`,
    `Raise the limit (ulimit -n ${LIMITS.connectionsMax + LIMITS.filesForOthers}) when more clients than that are to be connected.`,
  );
}

/** Nothing of ours was written before. */
const BORN = Date.parse('2026-01-01T00:00:00Z');
const SLACK_MS = 60_000;

/** Runs, crons and expiry go by it. */
export function clock(dataFolder: string): Check {
  const now = Date.now();
  const found = `${new Date(now).toISOString()}, ${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
  const set = 'Set the clock, best by NTP.';
  if (now < BORN) return failed('clock', `${found}: long ago`, set);
  const file = dataFile(dataFolder);
  const written = existsSync(file) ? statSync(file).mtimeMs : now;
  return written > now + SLACK_MS
    ? warning('clock', `${found}: before the last write, ${new Date(written).toISOString()}`, set)
    : ok('clock', found);
}
