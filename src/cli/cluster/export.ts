import { exportCluster } from '../../store/cluster/export-folder.js';
import { sealKeyOfText } from '../../store/encryption/seal.js';
import { configuredKey } from '../data-folder/encryption-key.js';
import { requireCluster, runClusterCommand, type MoveFlags } from './cluster-command.js';

/** Writes the data of a cluster into a new folder of a server without a cluster. */
export function exportFromCluster(flags: MoveFlags): Promise<void> {
  return runClusterCommand(flags, async () => {
    const { url, keyFingerprint, sealKey } = requireCluster(flags);
    const { clusterId, lastEntry, records, apiKeys, sealKeyFits } = await exportCluster(flags.data, {
      url,
      keyFingerprint,
      clusterSealKey: sealKeyOfText(sealKey),
      encryptionKey: configuredKey(flags),
      folderSealText: process.env['THREADMILL_SEAL_KEY'],
      onTrouble: (error) => process.stderr.write(`warning: the database did not answer: ${error.message}\n`),
    });
    process.stdout.write(
      flags.json === true
        ? `${JSON.stringify({ cluster_id: clusterId, last_entry: lastEntry, records, api_keys: apiKeys })}\n`
        : `${flags.data}: ${records} records and ${apiKeys} API keys of cluster ${clusterId}, up to entry ${lastEntry}.\n` +
            `Serve them with: threadmill serve --data ${flags.data}\n`,
    );
    if (!sealKeyFits)
      process.stderr.write(
        'THREADMILL_SEAL_KEY is set to another key than the one that seals in the cluster. Start the server without ' +
          'it: seal.key in the folder has the right one.\n',
      );
  });
}
