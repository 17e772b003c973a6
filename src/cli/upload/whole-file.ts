import { closeSync, existsSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { syncPath } from '../../store/files/offline-store.js';
import { CommandError } from '../client.js';

/**
 * Writes a file that is there whole or not at all, and that only its owner reads. `onPiece` sees every piece; `check` may
 * throw before the file gets its name. Returns its bytes. Throws CommandError when there is one of this name already.
 */
export async function writeFileAtomically(
  file: string,
  force: boolean,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onPiece: (piece: Uint8Array) => void,
  check: () => void,
): Promise<number> {
  if (existsSync(file) && !force)
    throw new CommandError(`${file}: there is such a file already. Choose another name, or say --force to replace it.`);
  if (!existsSync(dirname(resolve(file)))) throw new CommandError(`${dirname(file)}: there is no such folder.`);
  const part = `${file}.part`;
  const fd = openSync(part, 'w', 0o600);
  // One that a killed command left may have another mode.
  fchmodSync(fd, 0o600);
  let isOpen = true;
  try {
    let bytes = 0;
    for await (const piece of pieces) {
      for (let at = 0; at < piece.byteLength;) at += writeSync(fd, piece, at);
      bytes += piece.byteLength;
      onPiece(piece);
    }
    check();
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
