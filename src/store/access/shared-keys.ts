import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pack, unpack } from '../../wire/codec.js';
import { keys } from '../keys.js';
import type { Reader } from '../reader.js';
import { Commit, type Store } from '../store.js';
import { keyFileNameOf, keyFileNames, keysFolder, makeKeysFolder, writeKeyFile, type KeyRecord } from './key-files.js';

// In a cluster, API keys are records like everything else, and the files in a node's folder are made from them.

/** Makes the key files of a folder those of the records. */
export function writeKeyFiles(store: Reader, dataFolder: string): void {
  const folder = keysFolder(dataFolder);
  makeKeysFolder(folder);
  const names = new Set<string>();
  for (const [, value] of store.entries({ prefix: keys.apiKeys() })) {
    const record = unpack<KeyRecord>(value);
    writeKeyFile(folder, record);
    names.add(keyFileNameOf(record.keyId));
  }
  for (const name of keyFileNames(folder)) if (!names.has(name)) rmSync(join(folder, name), { force: true });
}

/** Resolves when the record of a key is durable for all nodes. */
export async function storeKey(store: Store, record: KeyRecord): Promise<void> {
  const commit = new Commit();
  commit.put(keys.apiKey(record.keyId), pack(record));
  await store.write(commit);
}
