import { WorkerPool } from './worker-pool.js';
import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { workersFile } from '../base/program-files.js';
import type { Damage } from '../store/files/page-file.js';

/**
 * Checks all pages of a data file, on a thread that ends afterwards. Rejects with STORE_FILE_DAMAGED, or with
 * the abort error if `signal` ends it.
 */
export async function scrubPages(file: string, signal: AbortSignal): Promise<void> {
  const pool = new WorkerPool<string, Damage | null>({
    filename: workersFile('scrub/walk.js'),
    minThreads: 0,
    maxThreads: 1,
    // The scrub has no deadline, so serving threads have priority.
    niceIncrement: LIMITS.intakeNice,
    atomics: 'disabled',
    recordTiming: false,
  });
  try {
    const damage = await pool.run(file, { signal });
    if (damage !== null) throw fail('STORE_FILE_DAMAGED', { file, problem: `${damage.place}: ${damage.problem}` });
  } finally {
    await pool.destroy();
  }
}
