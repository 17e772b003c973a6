import { LIMITS } from '../../src/base/limits.js';
import { primordials } from '../../src/wire/user-code/primordials.js';
import type { Graph } from './graph-host.js';
import type { Outbox } from './outbox.js';

/** What a graph streams, as the library's generator gives it. */
type Chunks = AsyncGenerator<unknown, unknown, undefined>;
type StreamIterator = (this: Graph, ...args: unknown[]) => Chunks;

/** Reading the clock costs a notable part of a small chunk, so it is read once for this many. */
const CHUNKS_PER_LOOK = 16;

/**
 * Makes a graph's stream let the loop of this thread turn. The library copies chunks from one queue into the next in
 * microtasks, as fast as it can. After a burst of some ten thousand chunks (a node that calls `writer` in a loop) no batch
 * would leave, no other run would go on and no beat would come for seconds, and the watchdog would end the worker.
 *
 * It replaces the generator that the library reads from. A release of the library without that method is left as it is.
 */
export function pace(lent: Graph, outbox: Outbox): void {
  const target = lent as unknown as { _streamIterator?: StreamIterator };
  const original = target._streamIterator;
  if (typeof original !== 'function') return;
  target._streamIterator = function paced(...args) {
    return pacedChunks(original.apply(this, args), outbox);
  };
}

/** The same generator. An object instead of a second generator: most chunks pass without a further promise. */
function pacedChunks(source: Chunks, outbox: Outbox): Chunks {
  let chunks = 0;
  let turnedAtMs = primordials.now();
  const turn = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      primordials.setImmediate(resolve);
    });
    turnedAtMs = primordials.now();
    if (outbox.isFull) await outbox.room();
  };
  const mustTurn = (): boolean => {
    if (outbox.isFull) return true;
    if (++chunks < CHUNKS_PER_LOOK) return false;
    chunks = 0;
    return primordials.now() - turnedAtMs >= LIMITS.chunkTurnMs;
  };
  return {
    next: (...args) => (mustTurn() ? turn().then(() => source.next(...args)) : source.next(...args)),
    return: (value) => source.return(value),
    throw: (error) => source.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
