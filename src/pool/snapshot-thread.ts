import { LIMITS } from '../base/limits.js';
import { workersFile } from '../base/program-files.js';
import type { SnapshotReport, SnapshotTask } from '../store/cluster/snapshot-task.js';
import { WorkerPool } from './worker-pool.js';

/** Stores a snapshot of the data file in the database of the cluster, on a thread that ends afterwards. */
export async function storeSnapshot(task: SnapshotTask, signal: AbortSignal): Promise<SnapshotReport> {
  const pool = new WorkerPool<SnapshotTask, SnapshotReport>({
    filename: workersFile('snapshot/store-snapshot.js'),
    minThreads: 0,
    maxThreads: 1,
    // Nobody waits for a snapshot, so serving threads have priority.
    niceIncrement: LIMITS.intakeNice,
    atomics: 'disabled',
    recordTiming: false,
  });
  try {
    return await pool.run(task, { signal });
  } finally {
    await pool.destroy();
  }
}
