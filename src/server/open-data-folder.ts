import type { Clock } from '../base/clock.js';
import type { Log, Logger } from '../base/log/log.js';
import type { Config } from '../config/config.js';
import { loadEncryptionKey } from '../config/encryption.js';
import { requireNoReplica } from '../store/cluster/replica.js';
import { checkEncryptionKey } from '../store/encryption/encryption.js';
import { upgradeFolder } from '../store/files/upgrade.js';
import { Store } from '../store/store.js';
import { storesFor, type Stores } from '../store/stores.js';
import type { Closers } from './closers.js';
import type { ClusterMember } from './cluster-member.js';

/**
 * Opens the data folder, after upgrading it from an earlier format where necessary. `member`: the owner of a cluster,
 * whose folder has a copy of the data.
 */
export async function openDataFolder(
  { config, member, clock, logs }: { config: Config; member: ClusterMember | null; clock: Clock; logs: Log },
  closers: Closers,
): Promise<Stores> {
  const { dataFolder, encryption, sealKey, project } = config;
  const log = logs.forModule('store');
  const loadKey = (): Uint8Array | null =>
    encryption === null
      ? null
      : loadEncryptionKey(encryption, dataFolder, (text) => logs.forModule('server').warn(text));
  const store = member === null ? await openOwnFolder(dataFolder, loadKey(), log) : await member.openStore();
  closers.add(() => store.close());
  const stores = storesFor(store, sealKey, { clock, ttl: project.store.ttl });
  closers.add(() => stores.remover.close());
  const { exposedFiles } = stores.store;
  if (exposedFiles.length > 0)
    log.warn(
      { paths: exposedFiles.slice(0, 10), count: exposedFiles.length },
      'Other users of this machine can read the data folder, and this user may not change that',
    );
  stores.store.onFailure = (error) =>
    log.error({ err: error }, 'The store has failed: no changes are accepted until the server is restarted');
  stores.remover.onError = (error) => log.error({ err: error }, 'Records of deleted objects could not be removed');
  return stores;
}

async function openOwnFolder(dataFolder: string, key: Uint8Array | null, log: Logger): Promise<Store> {
  requireNoReplica(dataFolder);
  checkEncryptionKey(dataFolder, key);
  await upgrade(dataFolder, log);
  return Store.open(dataFolder, key);
}

async function upgrade(folder: string, log: Logger): Promise<void> {
  const done = await upgradeFolder(folder, {
    onBegin: (from, bytes) => log.warn({ folder, from, bytes }, 'Upgrading the data folder of an earlier release'),
    onWritten: (records) => log.info({ records }, 'Upgrading the data folder'),
  });
  if (done !== null) log.warn(done, 'The data folder is upgraded; its previous data file is kept');
}
