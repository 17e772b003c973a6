import { closeSync, existsSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { syncPath } from '../../store/files/offline-store.js';
import { CommandError } from '../client.js';

export interface AtomicFileOptions {
  /** Replace the file if it exists. */
  force: boolean;
  /** Called for each written chunk. */
  onChunk(this: void, chunk: Uint8Array): void;
  /** Called before the file gets its name. If it throws, no file is left. */
  verify(this: void): void;
}

/**
 * Writes a file that only its owner can read. The file gets its name only when it is complete and on disk. Returns
 * the size in bytes. Throws CommandError if the file exists and `force` is false, or if its folder does not exist.
 */
export async function writeFileAtomically(
  file: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { force, onChunk, verify }: AtomicFileOptions,
): Promise<number> {
  if (existsSync(file) && !force)
    throw new CommandError(`${file}: the file already exists. Choose another name, or add --force to overwrite it.`);
  if (!existsSync(dirname(resolve(file))))
    throw new CommandError(`${file}: the folder ${dirname(file)} does not exist. Create it first.`);
  const part = `${file}.part`;
  const fd = openSync(part, 'w', 0o600);
  // A file left by a killed command may have another mode.
  fchmodSync(fd, 0o600);
  let isOpen = true;
  try {
    let bytes = 0;
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.byteLength;) at += writeSync(fd, chunk, at);
      bytes += chunk.byteLength;
      onChunk(chunk);
    }
    verify();
    fsyncSync(fd);
    closeSync(fd);
    isOpen = false;
    renameSync(part, file);
    syncPath(dirname(resolve(file)));
    return bytes;
  } catch (error) {
    if (isOpen) closeSync(fd);
    rmSync(part, { force: true });
    throw error;
  }
}
