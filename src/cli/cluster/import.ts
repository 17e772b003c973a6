import { existsSync } from 'node:fs';
import { importFolder, requireUnused } from '../../store/cluster/import-folder.js';
import { withoutPassword } from '../../store/cluster/postgres/connection.js';
import { openTables } from '../../store/cluster/postgres/schema.js';
import { requireNoReplica } from '../../store/cluster/replica.js';
import { checkEncryptionKey } from '../../store/encryption/encryption.js';
import { sealKeyOfText } from '../../store/encryption/seal.js';
import { dataFile } from '../../store/files/data-file.js';
import { openOfflineStore } from '../../store/files/offline-store.js';
import { upgradeFolder } from '../../store/files/upgrade.js';
import { CommandError } from '../client.js';
import { configuredKey } from '../data-folder/encryption-key.js';
import { createProgressBar, formatSize } from '../output/progress.js';
import { requireCluster, runClusterCommand, withConnection, type MoveFlags } from './cluster-command.js';

/** Puts the data of a folder into an empty cluster. */
export function importIntoCluster(flags: MoveFlags): Promise<void> {
  return runClusterCommand(flags, async () => {
    const { url, keyFingerprint, sealKey } = requireCluster(flags);
    const { data: folder } = flags;
    if (!existsSync(dataFile(folder)))
      throw new CommandError(`The file ${dataFile(folder)} does not exist. Name the data folder with --data.`);
    requireNoReplica(folder);
    const encryptionKey = configuredKey(flags);
    checkEncryptionKey(folder, encryptionKey);
    await withConnection(url, async (connection) => {
      const { clusterId } = await openTables(connection, keyFingerprint);
      await requireUnused(connection, url);
      await upgrade(folder);
      const store = await openOfflineStore(folder);
      const bar = createProgressBar(store.pages.snapshot.main.entries, 'records');
      try {
        const { records, apiKeys, bytes } = await importFolder(store, {
          connection,
          url,
          encryptionKey,
          folderSealText: process.env['THREADMILL_SEAL_KEY'],
          clusterSealKey: sealKeyOfText(sealKey),
          onRecords: (count) => bar.update(count, count),
        });
        bar.stop();
        process.stdout.write(
          flags.json === true
            ? `${JSON.stringify({ cluster_id: clusterId, records, api_keys: apiKeys, bytes })}\n`
            : `${folder}: ${records} records and ${apiKeys} API keys (${formatSize(bytes)}) are in cluster ${clusterId}, ` +
                `${withoutPassword(url)}.\nStart its nodes with: threadmill serve --cluster URL --data NEW_FOLDER\n`,
        );
      } finally {
        bar.stop();
        store.release();
      }
    });
  });
}

async function upgrade(folder: string): Promise<void> {
  const done = await upgradeFolder(folder, {
    onBegin: (from) => process.stderr.write(`${folder} has format ${from} and is upgraded first.\n`),
    onWritten: () => undefined,
  });
  if (done !== null) process.stderr.write(`The previous data file is in ${done.before}.\n`);
}
