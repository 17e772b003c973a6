/** Entry point of the thread that stores a snapshot of the data file in the database of the cluster, and then ends. */
import { readApplied } from '../../src/store/cluster/applied.js';
import type { LogPosition } from '../../src/store/cluster/commit-log.js';
import { LOG_START } from '../../src/store/cluster/entry.js';
import { PostgresConnection } from '../../src/store/cluster/postgres/connection.js';
import { removeOld, storeSnapshot } from '../../src/store/cluster/postgres/snapshots.js';
import type { SnapshotReport, SnapshotTask } from '../../src/store/cluster/snapshot-task.js';
import { liveBackup } from '../../src/store/files/backup.js';

export default async function run({ dataFile, url }: SnapshotTask): Promise<SnapshotReport> {
  const connection = new PostgresConnection(url, { name: 'threadmill snapshot' });
  try {
    let position: LogPosition = LOG_START;
    const pieces = liveBackup(dataFile, (get) => {
      position = readApplied(get);
    });
    const { index, bytes } = await storeSnapshot(connection, pieces, () => position);
    return { index, bytes, removedPartitions: await removeOld(connection) };
  } finally {
    await connection.close();
  }
}
