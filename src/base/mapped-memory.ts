import { freeMemory } from './free-memory.js';
import { KiB } from './limits.js';

/** A resizable buffer takes at least a page of memory and a mapping. Below this, an ordinary one costs less. */
export const MAPPED_BYTES_MIN = 64 * KiB;

/**
 * Moves bytes to memory that returns to the system as soon as it is freed: V8 maps a resizable buffer itself. An
 * ordinary one of a few megabytes or less comes from the C library, which keeps its memory for later ones. Returns the
 * same bytes if there are few. Otherwise `bytes` is empty afterwards. Some APIs refuse resizable buffers, so this is
 * for bytes that only pass through.
 */
export function moveToMappedMemory(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { byteLength } = bytes;
  if (byteLength < MAPPED_BYTES_MIN) return bytes;
  const mapped = new Uint8Array(new ArrayBuffer(byteLength, { maxByteLength: byteLength }), 0, byteLength);
  mapped.set(bytes);
  freeMemory(bytes);
  return mapped;
}
