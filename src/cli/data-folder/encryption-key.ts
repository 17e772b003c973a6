import { findEncryptionKeySource, loadEncryptionKey } from '../../config/encryption.js';

/** The encryption key from flags or environment; null if none is set. Throws CONFIG_INVALID. */
export function configuredKey(flags: { encryptionKeyFile?: string; data: string }): Buffer | null {
  const source = findEncryptionKeySource(flags, process.env);
  return source === null ? null : loadEncryptionKey(source, flags.data, warn);
}

/** Loads the new key of a key change. Throws CONFIG_INVALID. */
export function loadNewKey(file: string, folder: string): Buffer {
  return loadEncryptionKey({ kind: 'file', name: '--new-key-file', value: file }, folder, warn);
}

function warn(text: string): void {
  process.stderr.write(`warning: ${text}\n`);
}
