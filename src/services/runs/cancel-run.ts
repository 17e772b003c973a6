import type { Needs } from '../context.js';
import type { LiveRun } from './live.js';

export type CancelAction = 'interrupt' | 'rollback';

/**
 * Ends a run that has not ended. `interrupt` keeps its checkpoints; `rollback` removes the run and everything it wrote.
 * The worker is fenced off at once, so the graph cannot delay the end (promise P7). Resolves when the end is on disk.
 */
export async function cancelRun(
  services: Needs<'scheduler'>,
  run: LiveRun,
  action: CancelAction,
  reason: string,
): Promise<void> {
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
