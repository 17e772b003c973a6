import { MessageChannel } from 'node:worker_threads';
import { KiB } from './limits.js';

/** A port whose other side is closed: what is transferred to it is freed. */
const { port1: nowhere, port2 } = new MessageChannel();
port2.close();

/** Less is not worth a call, and may be part of memory that others use. */
const FREED_BYTES_MIN = 64 * KiB;

/**
 * Frees the memory of these bytes now; they are empty afterwards. The garbage collector would do it much later, because
 * bytes outside of the heap put little pressure on it.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array | Uint32Array | Float64Array): void {
  if (buffer instanceof ArrayBuffer && byteLength >= FREED_BYTES_MIN && byteLength === buffer.byteLength)
    nowhere.postMessage(null, [buffer]);
}
