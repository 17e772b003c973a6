import { setFlagsFromString } from 'node:v8';

/**
 * V8 accepts code caches only of processes with the same flags. Both: docs/decisions/0054-library-optimizations.md.
 *
 * - Without the first, V8 allocates objects of LangGraph's loop in the old generation, and with them all that they
 *   refer to survives until a full collection. V8 checks the flag for each new object and function.
 * - Without the second, a thread that was at rest collects its whole heap whenever that has grown by a third, for as
 *   long as it works. V8 checks the flag after each full collection.
 */
export const V8_FLAGS = '--no-allocation-site-pretenuring --heap-growing-percent=150';

/** V8 writes about flags that it does not know to the standard error. */
const KNOWN_UNTIL_NODE = 24;

/**
 * Sets them for all threads of this process. Before anything else: V8 does not promise that they can be changed once
 * other threads run.
 */
export function setV8Flags(): void {
  if (Number.parseInt(process.versions.node, 10) <= KNOWN_UNTIL_NODE) setFlagsFromString(V8_FLAGS);
}
