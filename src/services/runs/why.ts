import { errorLine } from '../../base/errors.js';
import { isoTime } from '../../base/clock.js';
import type { JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Services } from '../context.js';
import type { FoundRun } from './find-run.js';
import type { LiveRun, Slot } from './live.js';

/** Why a run does not execute. */
export type Reason = 'delayed' | 'thread' | 'change' | 'quota' | 'workers' | 'worker_alone' | 'starting';

interface Waiting {
  reason: Reason;
  says: string;
  /** Runs that come before it: in its thread, or in the queue of its graph. */
  ahead?: number;
  more?: JsonObject;
}

const CHANGES: Readonly<Record<Slot, string>> = {
  edit: 'its state is being updated',
  create: 'it is being made',
  copy: 'it is being copied',
  prune: 'it is being pruned',
  delete: 'it is being deleted',
  'delete-run': 'one of its runs is being deleted',
};

/** What a run waits for, or what became of it, as JSON. Of a run that has ended only its end is known. */
export function whyRun(services: Services, { record, live }: FoundRun): string {
  const base = {
    run_id: record.runId,
    thread_id: record.threadId,
    graph_id: record.graphId,
    status: record.status,
    attempt: record.attempt,
    attempts_max: LIMITS.attemptsMax,
  };
  if (live === undefined || live.settled)
    return JSON.stringify({
      ...base,
      reason: 'ended',
      message: record.error === null ? 'It has ended.' : `It has ended: ${errorLine(record.error)}`,
      ended_at: isoTime(record.updatedAtMs),
    });
  if (live.port !== null) {
    return JSON.stringify({
      ...base,
      reason: 'running',
      message: `A worker has it since ${isoTime(live.dispatchedAtMs)}.`,
      started_at: isoTime(live.dispatchedAtMs),
      worker: live.worker?.id ?? null,
    });
  }
  const { reason, says, ahead, more } = waiting(services, live);
  return JSON.stringify({ ...base, reason, message: says, ...(ahead === undefined ? {} : { ahead }), ...more });
}

/** What a run that no worker has waits for. Costs the same however many wait. */
export function reasonOf({ clock, scheduler }: Services, run: LiveRun): Reason {
  const { thread, dueMs } = run;
  if (run.queued) return run.isolated ? 'worker_alone' : 'workers';
  if (dueMs > clock.elapsedMs()) return 'delayed';
  if (thread.executing !== null && thread.executing !== run) return 'thread';
  if (thread.slot !== null) return 'change';
  return scheduler.waitsForQuota(run) ? 'quota' : 'starting';
}

/** The same in words, with what stands before it. */
export function waiting(services: Services, run: LiveRun): Waiting {
  const { thread, startAtMs, dueMs } = run;
  const reason = reasonOf(services, run);
  switch (reason) {
    case 'worker_alone':
    case 'workers': {
      const { before, graphs } = services.scheduler.queuePositionOf(run)!;
      if (reason === 'worker_alone')
        return {
          reason,
          says: `It lost its worker and waits for one of its own; ${runs(before)} before it.`,
          ahead: before,
        };
      return {
        reason,
        says: `Every worker has as many runs as it takes; ${runs(before)} of its graph before it${graphs > 1 ? `, and ${graphs} graphs take turns` : ''}.`,
        ahead: before,
      };
    }
    case 'delayed':
      return {
        reason,
        says: `Its time has not come: it starts at ${isoTime(startAtMs)}.`,
        more: { starts_at: isoTime(startAtMs) },
      };
    case 'thread': {
      const executing = thread.executing!;
      const place = thread.runs.indexOf(run);
      const ahead =
        1 +
        thread.runs.filter(
          (other, at) =>
            other !== executing && !other.settled && (other.dueMs < dueMs || (other.dueMs === dueMs && at < place)),
        ).length;
      return {
        reason,
        says: `Run ${executing.record.runId} of its thread executes, and one at a time does; ${runs(ahead)} before it.`,
        ahead,
        more: { executing: executing.record.runId },
      };
    }
    case 'change':
      return { reason, says: `Its thread is not free: ${CHANGES[thread.slot!]}.` };
    case 'quota':
      return { reason, says: 'As many runs of its caller execute as THREADMILL_CALLER_RUNNING_RUNS allows.' };
    case 'starting':
      return { reason, says: 'Nothing is in its way: it is about to be handed out.' };
  }
}

function runs(count: number): string {
  return count === 1 ? 'one run is' : `${count === 0 ? 'no' : count} runs are`;
}
