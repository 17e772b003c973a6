import { webcrypto } from 'node:crypto';

const POOL_BYTES = 8_192;
/** Larger requests are rare, and their own call costs them little. */
const POOLED_BYTES_MAX = 64;

/**
 * Lets `crypto.getRandomValues` take small arrays from a pool of random bytes. LangChain requests 16 bytes for each of
 * the ids of a run, and each request is a call into the system's generator. Used bytes are erased.
 */
export function poolRandomValues(): void {
  const prototype = Object.getPrototypeOf(webcrypto) as typeof webcrypto;
  const original = Object.getOwnPropertyDescriptor(prototype, 'getRandomValues');
  if (original === undefined || typeof original.value !== 'function') return;
  const fill = original.value as typeof webcrypto.getRandomValues;
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;

  function getRandomValues<T extends ArrayBufferView | null>(this: typeof webcrypto, array: T): T {
    if (!(array instanceof Uint8Array) || array.length > POOLED_BYTES_MAX || this !== webcrypto)
      return fill.call(this, array as never) as unknown as T;
    if (used + array.length > POOL_BYTES) {
      fill.call(webcrypto, pool);
      used = 0;
    }
    for (let at = 0; at < array.length; at += 1) {
      array[at] = pool[used]!;
      pool[used] = 0;
      used += 1;
    }
    return array;
  }
  Object.defineProperty(prototype, 'getRandomValues', { ...original, value: getRandomValues });
}
