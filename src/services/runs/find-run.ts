import { sees, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { parseJson, type JsonObject } from '../../base/json/json.js';
import type { RunRecord } from '../../store/runs/runs.js';
import type { Needs } from '../context.js';
import type { LiveRun, RecentRun } from './live.js';
import { getThread } from '../threads/threads.js';

/** A run as it is on disk, with its state in memory until it has ended. */
export interface FoundRun {
  record: RunRecord;
  live: LiveRun | undefined;
}

/** The run, whether it has ended or not. Throws THREAD_NOT_FOUND or RUN_NOT_FOUND. */
export function getRun(
  services: Needs<'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  threadId: string,
  runId: string,
): FoundRun {
  const live = services.scheduler.get(runId);
  if (live !== undefined && live.record.threadId === threadId && live.alive === null) {
    if (!seesRun(caller, live)) throw fail('RUN_NOT_FOUND', { runId });
    return { record: live.record, live };
  }
  getThread(services, caller, threadId);
  const record = storedRecord(services, caller, runId, live);
  if (record === undefined || record.threadId !== threadId) throw fail('RUN_NOT_FOUND', { runId });
  return { record, live };
}

/** The run by its id alone. A run that is not stored is found for a moment after its end. Throws RUN_NOT_FOUND. */
export function getRunAlone(
  services: Needs<'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  runId: string,
): FoundRun {
  const { scheduler, threads } = services;
  const recent = scheduler.recent(runId);
  if (recent !== undefined && (recent.alive === null || recent.thread.record?.temporary === true)) {
    if (!seesRun(caller, recent)) throw fail('RUN_NOT_FOUND', { runId });
    const record = recent.alive === null ? recent.record : recent.stored;
    if (record === null) throw fail('RUN_NOT_FOUND', { runId });
    return { record, live: scheduler.get(runId) };
  }
  const record = storedRecord(services, caller, runId, recent);
  if (record === undefined || threads.find(caller, record.threadId) === undefined)
    throw fail('RUN_NOT_FOUND', { runId });
  return getRun(services, caller, record.threadId, runId);
}

/** The run's record as it is on disk. Of a live run it is in memory. */
function storedRecord(
  { stores }: Needs<'stores'>,
  caller: Caller,
  runId: string,
  live: RecentRun | undefined,
): RunRecord | undefined {
  return live === undefined ? stores.runs.get(caller, runId) : (live.stored ?? undefined);
}

/**
 * True if the caller may see the run's thread. The thread of a run that is not stored has no record, so the metadata of
 * the run, which the auth handler has stamped, decides.
 */
export function seesRun(caller: Caller, { record, thread, caller: starter, alive }: RecentRun): boolean {
  if (alive === null && starter.identity === caller.identity) return true;
  const metadata = alive === null ? record.metadata : thread.record!.metadata;
  return sees(caller, 'threads', () => parseJson(metadata) as JsonObject);
}
