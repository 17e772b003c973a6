import { setFlagsFromString } from 'node:v8';

const NODE_MAJOR = Number.parseInt(process.versions.node, 10);

/** V8 writes about flags that it does not know to the standard error. */
const KNOWN_UNTIL_NODE = 24;

const GARBAGE_COLLECTION = '--no-allocation-site-pretenuring --heap-growing-percent=150';

/**
 * Has V8 optimize functions after a quarter of the calls that it waits for by default, by the major version of Node. On
 * Node 20 it waits longest for large functions, and those of LangGraph's loop are large. Node 24 needs none: it has a
 * compiler that acts earlier (Maglev).
 */
const EARLIER_OPTIMIZATION: Readonly<Partial<Record<number, string>>> = {
  20: '--interrupt-budget=33792 --bytecode-size-allowance-per-tick=600',
  22: '--invocation-count-for-turbofan=750',
};

/**
 * V8 accepts code caches only of processes with the same flags. All: docs/decisions/0054-library-optimizations.md.
 *
 * - Without the first, V8 allocates objects of LangGraph's loop in the old generation, and with them all that they
 *   refer to survives until a full collection. V8 checks the flag for each new object and function.
 * - Without the second, a thread that was at rest collects its whole heap whenever that has grown by a third, for as
 *   long as it works. V8 checks the flag after each full collection.
 * - Without the others, runs take more CPU time for the first thousand of them. V8 checks them after some calls of each
 *   function.
 */
export const V8_FLAGS = `${GARBAGE_COLLECTION} ${EARLIER_OPTIMIZATION[NODE_MAJOR] ?? ''}`;

/**
 * Sets them for all threads of this process. Before anything else: V8 does not promise that they can be changed once
 * other threads run.
 */
export function setV8Flags(): void {
  if (NODE_MAJOR <= KNOWN_UNTIL_NODE) setFlagsFromString(V8_FLAGS);
}
