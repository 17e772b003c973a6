import { LIMITS } from '../../src/base/limits.js';
import { primordials } from '../../src/wire/user-code/primordials.js';
import type { Graph } from './graph-host.js';
import type { Outbox } from './outbox.js';

/** The chunks that a graph streams, from the library's generator. */
type Chunks = AsyncGenerator<unknown, unknown, undefined>;
type StreamIterator = (this: Graph, ...args: unknown[]) => Chunks;

/** Reading the clock takes a relevant share of the time of a small chunk, so it is read once per this many. */
const CHUNKS_PER_CLOCK_READ = 16;

/**
 * Makes a graph's stream yield to the event loop. The library copies chunks between queues in microtasks, as
 * fast as it can. During a burst of ten thousand chunks (a node that calls `writer` in a loop), no batch would
 * be sent, no other run would continue and no heartbeat would be sent for seconds, and the watchdog would
 * terminate the worker.
 *
 * Replaces the generator that the library reads from. A release of the library without that method is left
 * unchanged.
 */
export function yieldBetweenChunks(graph: Graph, outbox: Outbox): void {
  const target = graph as unknown as { _streamIterator?: StreamIterator };
  const original = target._streamIterator;
  if (typeof original !== 'function') return;
  target._streamIterator = function paced(...args) {
    return yieldingChunks(original.apply(this, args), outbox);
  };
}

/**
 * Wraps the generator. It is an object and not a second generator, so that most chunks need no additional
 * promise.
 */
function yieldingChunks(source: Chunks, outbox: Outbox): Chunks {
  let chunks = 0;
  let yieldedAtMs = primordials.now();
  const yieldToEventLoop = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      primordials.setImmediate(resolve);
    });
    yieldedAtMs = primordials.now();
    if (outbox.isFull) await outbox.waitForCredit();
  };
  const mustYield = (): boolean => {
    if (outbox.isFull) return true;
    if (++chunks < CHUNKS_PER_CLOCK_READ) return false;
    chunks = 0;
    return primordials.now() - yieldedAtMs >= LIMITS.chunkSliceMs;
  };
  return {
    next: (...args) => (mustYield() ? yieldToEventLoop().then(() => source.next(...args)) : source.next(...args)),
    return: (value) => source.return(value),
    throw: (error) => source.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
