import { encryptionKeySource, loadEncryptionKey } from '../../config/encryption.js';

/** The key that flags and environment give, for commands on a data folder; null: none. Throws CONFIG_INVALID. */
export function givenKey(flags: { encryptionKeyFile?: string; data: string }): Buffer | null {
  const source = encryptionKeySource(flags, process.env);
  return source === null ? null : loadEncryptionKey(source, flags.data, warn);
}

/** The key that a rotation goes to. Throws CONFIG_INVALID. */
export function newKey(file: string, folder: string): Buffer {
  return loadEncryptionKey({ kind: 'file', name: '--new-key-file', value: file }, folder, warn);
}

function warn(text: string): void {
  process.stderr.write(`warning: ${text}\n`);
}
