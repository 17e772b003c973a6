import { SERVER_CALLER } from '../domain/caller.js';
import type { StateBudget } from '../domain/state-budget.js';
import type { Needs } from '../services/context.js';
import { pruneSurplus } from '../services/threads/keep-last-sweep.js';
import { StateBudgets } from '../services/threads/state-budgets.js';
import type { Closers } from './closers.js';

interface Parts extends Needs<'clock' | 'log' | 'stores' | 'threads' | 'timeSlicer'> {
  /** Not called before the first run has ended. */
  services: () => Needs<'clock' | 'scheduler' | 'stores' | 'threads'>;
}

/** Null without a budget; then no commit is looked at. */
export function openStateBudgets(
  budget: StateBudget | null,
  { services, stores, threads, timeSlicer, clock, log }: Parts,
  closers: Closers,
): StateBudgets | null {
  if (budget === null) return null;
  const budgets = new StateBudgets(budget, {
    store: stores.store,
    timeSlicer,
    clock,
    log,
    findThread: (threadId) => threads.current(SERVER_CALLER, threadId),
    prune: (record, keepLast) => pruneSurplus(services(), record, keepLast),
  });
  stores.store.onWrite = (operations) => budgets.onWrite(operations);
  closers.add(() => budgets.close());
  return budgets;
}
