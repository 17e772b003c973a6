import { VERSION } from '../base/version.js';
import type { Logger } from '../base/log/log.js';
import type { ClusterConfig } from '../config/cluster.js';
import { storeSnapshot } from '../pool/snapshot-thread.js';
import { ClusterNode } from '../store/cluster/cluster-node.js';
import { dataFile } from '../store/files/data-file.js';

/** Exit code of a node that another one has taken over from. Whatever supervises the process starts it again. */
export const EXIT_LOST = 75;

/** Joins the cluster: resolves when the copy of this node is up to date. */
export async function joinCluster(
  { url, nodeName, keyFingerprint }: ClusterConfig,
  { nodeId, dataFolder, log }: { nodeId: string; dataFolder: string; log: Logger },
): Promise<ClusterNode> {
  return ClusterNode.join(
    dataFolder,
    { url, nodeId, nodeName, keyFingerprint, version: VERSION },
    {
      onTrouble: (error) => log.warn({ err: error }, 'The database of the cluster did not answer as expected'),
      onUpgraded: (upgrade) =>
        log.warn(upgrade, 'The records of the cluster are converted to the format of this release'),
      onLost: (reason) => {
        log.fatal({ reason }, 'This node has lost the cluster and ends, so that it can start again');
        setImmediate(() => process.exit(EXIT_LOST));
      },
    },
  );
}

const CHECK_MS = 5_000;

/** Stores a snapshot whenever the log has grown enough. Returns the function that ends this. */
export function startSnapshots(node: ClusterNode, url: string, dataFolder: string, log: Logger): () => Promise<void> {
  const ending = new AbortController();
  let storing: Promise<void> | null = null;
  const timer = setInterval(() => {
    if (storing !== null || !node.isSnapshotDue) return;
    storing = storeSnapshot({ dataFile: dataFile(dataFolder), url }, ending.signal)
      .then((report) => {
        node.onSnapshot(report);
        log.info(report, 'A snapshot of the data is stored in the database of the cluster');
      })
      .catch((error: unknown) => {
        if (!ending.signal.aborted) log.warn({ err: error }, 'No snapshot could be stored');
      })
      .finally(() => {
        storing = null;
      });
  }, CHECK_MS).unref();
  return async () => {
    clearInterval(timer);
    ending.abort();
    await storing;
  };
}
