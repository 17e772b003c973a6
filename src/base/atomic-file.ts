import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

export interface AtomicWriteHooks {
  /** Called for each written chunk. */
  onChunk?(this: void, chunk: Uint8Array): void;
  /** Called before the file gets its name. If it throws, no file is left. */
  verify?(this: void): void;
}

/**
 * Writes a file that only its owner can read, and replaces an existing one. It has the name with `.part` until it is
 * complete and on disk; nothing is left of one that fails. Returns the size in bytes.
 */
export async function writeAtomically(
  file: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { onChunk, verify }: AtomicWriteHooks = {},
): Promise<number> {
  const part = `${file}.part`;
  const handle = await open(part, 'w', 0o600);
  try {
    let bytes = 0;
    try {
      // A file left by a killed process may have another mode.
      await handle.chmod(0o600);
      for await (const chunk of chunks) {
        await handle.writeFile(chunk);
        bytes += chunk.byteLength;
        onChunk?.(chunk);
      }
      verify?.();
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
    await syncFolder(dirname(resolve(file)));
    return bytes;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Flushes the names in a folder to disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
