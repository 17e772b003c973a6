import { existsSync } from 'node:fs';
import { PostgresConnection } from '../../store/cluster/postgres/connection.js';
import { refillLog } from '../../store/cluster/refill.js';
import { CommandError } from '../client.js';
import { fromDatabase, requireCluster, runClusterCommand, type ClusterFlags } from './cluster-command.js';

/** For all of the entries in one statement. */
const QUERY_MS = 10 * 60_000;

/** Appends the entries of a node's folder that the database of the cluster has lost. */
export function refillCluster(flags: ClusterFlags & { data: string }): Promise<void> {
  return runClusterCommand(flags, async () => {
    const { url, keyFingerprint } = requireCluster(flags);
    const { data: folder } = flags;
    if (!existsSync(folder))
      throw new CommandError(`The folder ${folder} does not exist. Name the data folder with --data.`);
    const connection = new PostgresConnection(url, { name: 'threadmill refill', queryMs: QUERY_MS });
    const { clusterId, entries, lastEntry } = await fromDatabase(
      url,
      refillLog(folder, { connection, keyFingerprint }),
    ).finally(() => connection.close());
    if (flags.json === true)
      process.stdout.write(`${JSON.stringify({ cluster_id: clusterId, entries, last_entry: lastEntry })}\n`);
    else
      process.stdout.write(
        entries === 0
          ? `The log of cluster ${clusterId} has all entries of ${folder}, so nothing was appended.\n`
          : `${entries} ${entries === 1 ? 'entry' : 'entries'} of ${folder} were appended to the log of cluster ` +
              `${clusterId}, which ends with entry ${lastEntry} now. Start the nodes.\n`,
      );
  });
}
