import { setFlagsFromString } from 'node:v8';

/**
 * Without it, V8 allocates objects of LangGraph's loop in the old generation, and with them all that they refer to
 * survives until a full collection (docs/decisions/0054-library-optimizations.md). V8 checks it for each new object and
 * function, and accepts code caches only of processes with the same flags.
 */
export const V8_FLAGS = '--no-allocation-site-pretenuring';

/** V8 writes about flags that it does not know to the standard error. */
const KNOWN_UNTIL_NODE = 24;

/**
 * Sets them for all threads of this process. Before anything else: V8 does not promise that they can be changed once
 * other threads run.
 */
export function setV8Flags(): void {
  if (Number.parseInt(process.versions.node, 10) <= KNOWN_UNTIL_NODE) setFlagsFromString(V8_FLAGS);
}
