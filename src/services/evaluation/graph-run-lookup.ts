import { ThreadmillError } from '../../base/errors.js';
import type { Caller } from '../../domain/caller.js';
import type { RunThread } from '../../store/evaluation/feedback.js';
import type { Services } from '../context.js';
import type { GraphRuns } from './graph-runs.js';
import { stampOf } from './feedback-addresses.js';
import { getRunAlone } from '../runs/find-run.js';

/** Runs of graphs as evaluation results see them. */
export function graphRunsOf(services: Services): GraphRuns {
  return {
    follows: () => !services.access.asksHandler,
    threadOf(caller: Caller, runId: string): RunThread | null {
      const found = foundRun(services, caller, runId);
      if (found === null) return null;
      const { record, live = services.scheduler.recent(runId) } = found;
      const { threadId } = record;
      // The thread of a run that keeps nothing, or goes with its end, is looked for in vain afterwards.
      if (live?.alive === null) return { threadId, metadata: stampOf(record.metadata) };
      return {
        threadId,
        metadata: live?.thread.record?.temporary === true ? stampOf(live.thread.record.metadata) : null,
      };
    },
  };
}

function foundRun(services: Services, caller: Caller, runId: string): ReturnType<typeof getRunAlone> | null {
  try {
    return getRunAlone(services, caller, runId);
  } catch (error) {
    if (error instanceof ThreadmillError && error.status === 404) return null;
    throw error;
  }
}
