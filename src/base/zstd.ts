import * as zlib from 'node:zlib';

type Decompress = (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer;

/** Null in Node before 22.15, which has no zstd. */
export const zstdDecompress: Decompress | null =
  (zlib as { zstdDecompressSync?: Decompress }).zstdDecompressSync ?? null;
