import type { Services } from '../context.js';
import type { LiveRun } from './live.js';

export type CancelAction = 'interrupt' | 'rollback';

/**
 * Ends a run that has not ended: `interrupt` leaves its checkpoints, `rollback` removes the run and all it wrote. The
 * worker is told and fenced off at once, so this does not depend on what the graph does (P7). Resolves when it has ended.
 */
export async function cancelRun(services: Services, run: LiveRun, action: CancelAction, reason: string): Promise<void> {
  const { scheduler } = services;
  if (run.settled) {
    await scheduler.whenEnded(run);
    return;
  }
  run.port?.cancel(reason);
  await scheduler.settle(
    run,
    { status: 'interrupted', error: { name: 'UserInterrupt', message: reason }, result: null },
    { rollback: action === 'rollback' },
  );
}
