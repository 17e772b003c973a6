import { fail } from '../base/errors.js';
import type { Damage } from '../store/files/page-file.js';
import { runBackgroundTask } from './background-task.js';

/**
 * Checks all pages of a data file, on a thread that ends afterwards. Rejects with STORE_FILE_DAMAGED, or with
 * the abort error if `signal` ends it.
 */
export async function scrubPages(file: string, signal: AbortSignal): Promise<void> {
  const damage = await runBackgroundTask<string, Damage | null>('scrub/walk', file, signal);
  if (damage !== null) throw fail('STORE_FILE_DAMAGED', { file, problem: `${damage.place}: ${damage.problem}` });
}
