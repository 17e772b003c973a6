import { gunzipSync, inflateSync, brotliDecompressSync } from 'node:zlib';
import { freeMemory } from '../../src/base/free-memory.js';
import { fail } from '../../src/base/errors.js';
import { zstdDecompress } from '../../src/base/zstd.js';
import type { BodyMessage, EvaluationWorkerData } from '../../src/wire/evaluation/evaluation.js';
import { readWorkerData } from '../../src/wire/worker-data.js';

const { uploadBytesMax: bytesMax } = readWorkerData<EvaluationWorkerData>();

/** Receives a message that must be of this type. Throws REQUEST_ABORTED when the main thread has aborted. */
export async function receiveType<In extends { type: string }, T extends In['type']>(
  duplex: { receive(): Promise<In> },
  type: T,
): Promise<In & { type: T }> {
  const message = await duplex.receive();
  if (message.type === 'abort') throw fail('REQUEST_ABORTED', {});
  if (message.type !== type) throw new Error(`expected ${type}, got ${message.type}`);
  return message as In & { type: T };
}

/**
 * Receives the whole body and decompresses it. Throws BODY_TOO_LARGE when the decompressed body exceeds the
 * limit, UNSUPPORTED_ENCODING, MALFORMED_BODY.
 */
export async function receiveBody(
  duplex: { receive(): Promise<BodyMessage | { type: string }> },
  encoding: string,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const message = await duplex.receive();
    if (message.type === 'bodyEnd') break;
    if (message.type === 'abort') throw fail('REQUEST_ABORTED', {});
    if (message.type !== 'body') throw new Error(`expected a chunk of the body, got ${message.type}`);
    chunks.push((message as BodyMessage & { type: 'body' }).bytes);
  }
  const [first] = chunks;
  // Pieces of large bodies are in resizable buffers, which some of the functions that read a body refuse.
  const isOnePiece = chunks.length === 1 && !(first!.buffer as ArrayBuffer).resizable;
  return decompress(isOnePiece ? first! : concatAndFree(chunks), encoding.trim().toLowerCase());
}

/** Concatenates the chunks. Frees each one once it is copied, so that the body is never in memory twice. */
function concatAndFree(chunks: readonly Uint8Array[]): Buffer {
  // Memory of its own, which takes pages only as it is written.
  const body = Buffer.allocUnsafeSlow(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
    freeMemory(chunk);
  }
  return body;
}

function decompress(bytes: Uint8Array, encoding: string): Uint8Array {
  const options = { maxOutputLength: bytesMax };
  try {
    switch (encoding) {
      case '':
      case 'identity':
        return bytes;
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, options);
      case 'deflate':
        return inflateSync(bytes, options);
      case 'br':
        return brotliDecompressSync(bytes, options);
      case 'zstd':
        if (zstdDecompress === null) throw fail('UNSUPPORTED_ENCODING', { encoding });
        return zstdDecompress(bytes, options);
      default:
        throw fail('UNSUPPORTED_ENCODING', { encoding });
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw fail('BODY_TOO_LARGE', { bytesMax });
    if (error instanceof Error && 'errno' in error)
      throw fail('MALFORMED_BODY', { reason: `cannot be decompressed as ${encoding}: ${error.message}` });
    throw error;
  }
}
