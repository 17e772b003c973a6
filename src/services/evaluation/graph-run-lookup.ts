import { ThreadmillError } from '../../base/errors.js';
import type { Caller } from '../../domain/caller.js';
import type { RunThread } from '../../store/evaluation/feedback.js';
import type { Needs } from '../context.js';
import type { GraphRunLookup } from './graph-runs.js';
import { filterableMetadata } from './feedback-urls.js';
import { getRunAlone } from '../runs/find-run.js';

/** Looks up runs of graphs for the evaluation services. */
export function createGraphRunLookup(services: Needs<'access' | 'scheduler' | 'stores' | 'threads'>): GraphRunLookup {
  return {
    feedbackFollowsTrace: () => !services.access.hasAuthHandler,
    threadOf(caller: Caller, runId: string): RunThread | null {
      const found = foundRun(services, caller, runId);
      if (found === null) return null;
      const { record, live = services.scheduler.recent(runId) } = found;
      const { threadId } = record;
      // Copies the metadata if the thread cannot be found later: it is deleted with the run, or was never
      // stored.
      if (live?.alive === null) return { threadId, metadata: filterableMetadata(record.metadata) };
      return {
        threadId,
        metadata: live?.thread.record?.temporary === true ? filterableMetadata(live.thread.record.metadata) : null,
      };
    },
  };
}

function foundRun(
  services: Needs<'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  runId: string,
): ReturnType<typeof getRunAlone> | null {
  try {
    return getRunAlone(services, caller, runId);
  } catch (error) {
    if (error instanceof ThreadmillError && error.status === 404) return null;
    throw error;
  }
}
