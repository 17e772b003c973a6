import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writeAtomically, type AtomicWriteHooks } from '../../base/atomic-file.js';
import { CommandError } from '../client.js';

export interface AtomicFileOptions extends AtomicWriteHooks {
  /** Replace the file if it exists. */
  force: boolean;
}

/**
 * Writes a file that only its owner can read. The file gets its name only when it is complete and on disk. Returns
 * the size in bytes. Throws CommandError if the file exists and `force` is false, or if its folder does not exist.
 */
export async function writeFileAtomically(
  file: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { force, ...hooks }: AtomicFileOptions,
): Promise<number> {
  if (existsSync(file) && !force)
    throw new CommandError(`${file}: the file already exists. Choose another name, or add --force to overwrite it.`);
  if (!existsSync(dirname(resolve(file))))
    throw new CommandError(`${file}: the folder ${dirname(file)} does not exist. Create it first.`);
  return writeAtomically(file, chunks, hooks);
}
