import { readFileSync } from 'node:fs';
import { fail } from '../../base/errors.js';

const GIB = 1024 ** 3;

/** Address space only: the file grows with use (reference/runtime-notes.md, section 4). */
const MAP_BYTES_MAX = 1024 * GIB;

/** A smaller map would soon be full. */
const MAP_BYTES_MIN = GIB;

/** Share of a limited address space for the data file. Heaps and libraries of all threads need the rest. */
const ADDRESS_SPACE_SHARE = 1 / 4;

/**
 * Bytes of address space that LMDB reserves for the data file; the same on every thread. Smaller when the address space
 * of the process is limited (`ulimit -v`), because lmdb ends the process with SIGSEGV when the system refuses the map
 * (lmdb 3.5.6). Throws STORE_FAILED when too little is available.
 */
export function mapBytes(): number {
  const limit = addressSpaceMax();
  const bytes = Math.min(MAP_BYTES_MAX, Math.floor(limit * ADDRESS_SPACE_SHARE));
  if (bytes >= MAP_BYTES_MIN) return bytes;
  const reason =
    `the address space of this process is limited to ${Math.round(limit / 2 ** 20)} MiB (ulimit -v). ` +
    `The server needs ${MAP_BYTES_MIN / ADDRESS_SPACE_SHARE / 2 ** 20} MiB. ` +
    'To limit memory use, set MemoryMax of systemd or --memory of Docker instead';
  throw fail('STORE_FAILED', { reason });
}

function addressSpaceMax(): number {
  const limit = /^Max address space\s+(\d+|unlimited)/m.exec(limits())?.[1];
  return limit === undefined || limit === 'unlimited' ? Infinity : Number(limit);
}

/** Empty on systems without this file. */
function limits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
