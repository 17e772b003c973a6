import type { SnapshotReport, SnapshotTask } from '../store/cluster/snapshot-task.js';
import { runBackgroundTask } from './background-task.js';

/** Stores a snapshot of the data file in the database of the cluster, on a thread that ends afterwards. */
export function storeSnapshot(task: SnapshotTask, signal: AbortSignal): Promise<SnapshotReport> {
  return runBackgroundTask<SnapshotTask, SnapshotReport>('snapshot/store-snapshot', task, signal);
}
