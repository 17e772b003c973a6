import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { LIMITS } from '../base/limits.js';
import { COMPRESSION_DICTIONARY } from './compression-dictionary.js';

/** First byte of compressed values. No msgpack value and no JSON begins with it. */
const MARKER = 0xc1;
/** The marker, and the number of bytes before compression as an unsigned 24-bit integer, little endian. */
const HEAD_BYTES = 4;

/** The smallest output buffer that zlib accepts. */
const OUTPUT_BYTES_MIN = 64;
/** Up to here a window of 4 KB holds dictionary and value, and takes less time to set up than the full one. */
const SMALL_BYTES_MAX = 2_048;
const SMALL = { windowBits: 12, memLevel: 4 };
const LARGE = { windowBits: 15, memLevel: 8 };

/**
 * Compresses msgpack or JSON. Returns `bytes` itself if it is shorter than LIMITS.compressedBytesMin, longer than
 * `bytesMax` (at most LIMITS.compressedBytesMax), or hardly gets smaller.
 */
export function compress(bytes: Uint8Array, bytesMax: number = LIMITS.compressedBytesMax): Uint8Array {
  const length = bytes.byteLength;
  if (length < LIMITS.compressedBytesMin || length > bytesMax) return bytes;
  const body = deflateRawSync(bytes, {
    ...(length <= SMALL_BYTES_MAX ? SMALL : LARGE),
    level: 1,
    chunkSize: length,
    dictionary: COMPRESSION_DICTIONARY,
  });
  const compressedBytes = HEAD_BYTES + body.byteLength;
  if (compressedBytes > length * LIMITS.compressedShareMax) return bytes;
  const compressed = Buffer.allocUnsafe(compressedBytes);
  compressed[0] = MARKER;
  compressed.writeUIntLE(length, 1, HEAD_BYTES - 1);
  compressed.set(body, HEAD_BYTES);
  return compressed;
}

export function isCompressed(bytes: Uint8Array): boolean {
  return bytes[0] === MARKER;
}

/**
 * What was passed to `compress`. Throws when the bytes cannot be decompressed, or have more than
 * LIMITS.compressedBytesMax then.
 */
export function decompress(bytes: Uint8Array): Uint8Array {
  if (!isCompressed(bytes)) return bytes;
  const length = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readUIntLE(1, HEAD_BYTES - 1);
  if (length > LIMITS.compressedBytesMax) throw new Error(`The value has ${length} bytes before compression.`);
  // One byte more than is needed: zlib then knows that the output is complete.
  const outputBytes = Math.max(OUTPUT_BYTES_MIN, length + 1);
  return inflateRawSync(bytes.subarray(HEAD_BYTES), {
    windowBits: (length <= SMALL_BYTES_MAX ? SMALL : LARGE).windowBits,
    chunkSize: outputBytes,
    maxOutputLength: outputBytes,
    dictionary: COMPRESSION_DICTIONARY,
  });
}
