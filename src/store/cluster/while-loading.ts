import { LIMITS } from '../../base/limits.js';
import type { Membership } from './postgres/membership.js';

/**
 * Shows during the work that this node loads: nothing of the log that it needs is removed meanwhile. `onTrouble` is
 * called when the database cannot be told.
 */
export async function whileLoading<T>(
  membership: Membership,
  onTrouble: (error: Error) => void,
  work: () => Promise<T>,
): Promise<T> {
  await membership.beat(null);
  const timer = setInterval(() => {
    membership.beat(null).catch((error: unknown) => onTrouble(error as Error));
  }, LIMITS.clusterBeatMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
