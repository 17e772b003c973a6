import { pack, unpack } from '../wire/codec.js';
import { keys } from './keys.js';
import type { Reader } from './reader.js';
import { Commit, type Store } from './store.js';

/** The last backup of the running server that was sent to its end. */
export interface LastBackup {
  /** The moment whose records it has. */
  madeAtMs: number;
  bytes: number;
}

const KEY = keys.meta('last backup');

/** Null if there was none. */
export function lastBackup(store: Reader): LastBackup | null {
  const bytes = store.get(KEY);
  return bytes === undefined ? null : unpack<LastBackup>(bytes);
}

/** Resolves when it is on disk. A store that takes no changes now keeps the one before; the backup is as good. */
export async function recordBackup(store: Store, backup: LastBackup): Promise<void> {
  const commit = new Commit();
  commit.put(KEY, pack(backup));
  try {
    store.checkReachable();
    await store.write(commit);
  } catch {
    // Its failure is reported where it happened.
  }
}
