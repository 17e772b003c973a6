import { LIMITS } from '../base/limits.js';
import { threadFile } from '../base/program-files.js';
import { WorkerPool } from './worker-pool.js';

/**
 * Runs one task on a thread that ends afterwards. Nobody waits for it, so serving threads have priority. `entry`: as in
 * `threadFile`. Rejects with the abort error if `signal` ends it.
 */
export async function runBackgroundTask<Task, Result>(entry: string, task: Task, signal: AbortSignal): Promise<Result> {
  const pool = new WorkerPool<Task, Result>({
    filename: threadFile(entry),
    minThreads: 0,
    maxThreads: 1,
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
