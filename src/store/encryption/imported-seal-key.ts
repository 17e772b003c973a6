import { keys, type Key } from '../keys.js';
import type { Reader } from '../reader.js';
import { Seal } from './seal.js';

// The sealing key of a folder moves into the cluster with its data, because clients hold what was sealed with it:
// cursors, links to attachments and feedback tokens. The record has that key, sealed with the key of the cluster.

export const IMPORTED_SEAL_KEY: Key = keys.meta('seal');

const USE = 'imported sealing key';

/** The value of the record. */
export function sealImportedKey(key: Buffer, clusterKey: Buffer): Buffer {
  return Buffer.from(new Seal(clusterKey).sealText(key.toString('hex'), USE));
}

/** The key that seals in a store: the imported one, or `ownKey`, which is that of the cluster or folder. */
export function sealKeyOfStore(store: Reader, ownKey: Buffer): Buffer {
  const stored = store.get(IMPORTED_SEAL_KEY);
  if (stored === undefined) return ownKey;
  const key = new Seal(ownKey).openText(Buffer.from(stored).toString(), USE);
  // A backup of a node was restored to a folder with another key.
  return key === null ? ownKey : Buffer.from(key, 'hex');
}
