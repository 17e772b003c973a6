import { readFileSync } from 'node:fs';
import { fail } from '../../base/errors.js';

const GIB = 1024 ** 3;

/** Address space only: the file grows as it is used (reference/runtime-notes.md, section 4). */
const WANTED_BYTES = 1024 * GIB;

/** A smaller map would be full before the data folder is of much use. */
const LEAST_BYTES = GIB;

/** The part of a limited address space that the data file gets; heaps and libraries of all threads need the rest. */
const SHARE = 1 / 4;

/**
 * How much address space LMDB reserves for the data file, in bytes; the same on every thread. Less where the address space of
 * the process is limited (`ulimit -v`): lmdb ends the process with SIGSEGV when the system refuses the map (lmdb 3.5.6). Throws
 * STORE_FAILED when that is too little.
 */
export function mapBytes(): number {
  const limit = addressSpaceMax();
  const bytes = Math.min(WANTED_BYTES, Math.floor(limit * SHARE));
  if (bytes >= LEAST_BYTES) return bytes;
  const reason =
    `the address space of this process is limited to ${Math.round(limit / 2 ** 20)} MiB (ulimit -v). ` +
    `The server needs ${LEAST_BYTES / SHARE / 2 ** 20} MiB of it. To limit the memory in use, set MemoryMax of systemd or --memory of Docker instead`;
  throw fail('STORE_FAILED', { reason });
}

function addressSpaceMax(): number {
  const limit = /^Max address space\s+(\d+|unlimited)/m.exec(limits())?.[1];
  return limit === undefined || limit === 'unlimited' ? Infinity : Number(limit);
}

/** Empty on a system that does not have the file. */
function limits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
