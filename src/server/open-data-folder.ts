import type { Clock } from '../base/clock.js';
import type { Log, Logger } from '../base/log/log.js';
import type { Config } from '../config/config.js';
import { loadEncryptionKey } from '../config/encryption.js';
import { checkEncryptionKey } from '../store/encryption/encryption.js';
import { upgradeFolder } from '../store/files/upgrade.js';
import { openStores, type Stores } from '../store/stores.js';

/** Opens the data folder, after upgrading it from an earlier format where necessary. */
export async function openDataFolder(config: Config, clock: Clock, logs: Log): Promise<Stores> {
  const { dataFolder, encryption, sealKey, project } = config;
  const log = logs.forModule('store');
  const key =
    encryption === null
      ? null
      : loadEncryptionKey(encryption, dataFolder, (text) => logs.forModule('server').warn(text));
  checkEncryptionKey(dataFolder, key);
  await upgrade(dataFolder, log);
  const stores = openStores(dataFolder, sealKey, { clock, ttl: project.store.ttl }, key);
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

async function upgrade(folder: string, log: Logger): Promise<void> {
  const done = await upgradeFolder(folder, {
    onBegin: (from, bytes) => log.warn({ folder, from, bytes }, 'Upgrading the data folder of an earlier release'),
    onWritten: (records) => log.info({ records }, 'Upgrading the data folder'),
  });
  if (done !== null) log.warn(done, 'The data folder is upgraded; its previous data file is kept');
}
