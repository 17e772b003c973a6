import { errorLine } from '../../base/errors.js';
import { isoTime } from '../../base/clock.js';
import type { JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { RunStatus } from '../../store/runs/runs.js';
import type { Needs } from '../context.js';
import type { FoundRun } from './find-run.js';
import type { LiveRun, Slot } from './live.js';

/** Why a run is not executing. */
export type Reason = 'delayed' | 'thread' | 'change' | 'quota' | 'workers' | 'worker_alone' | 'starting' | 'node';

interface Waiting {
  reason: Reason;
  message: string;
  /** Runs ahead of it: in its thread, or in the queue of its graph. */
  ahead?: number;
  more?: JsonObject;
}

const CHANGES: Readonly<Record<Slot, string>> = {
  edit: 'its state is updated',
  create: 'it is created',
  copy: 'it is copied',
  prune: 'its old states are removed',
  delete: 'it is deleted',
  'delete-run': 'one of its runs is deleted',
};

/** What a run waits for or how it ended, as JSON. */
export function whyRun(services: Needs<'clock' | 'scheduler'>, { record, live }: FoundRun): string {
  const base = {
    run_id: record.runId,
    thread_id: record.threadId,
    graph_id: record.graphId,
    status: record.status,
    attempt: record.attempt,
    attempts_max: LIMITS.attemptsMax,
  };
  if (live === undefined || isEndStored(live, record.status))
    return JSON.stringify({
      ...base,
      reason: 'ended',
      message: record.error === null ? 'The run has ended.' : `The run has ended: ${errorLine(record.error)}`,
      ended_at: isoTime(record.updatedAtMs),
    });
  if (live.port !== null) {
    return JSON.stringify({
      ...base,
      reason: 'running',
      message: `The run has been executing since ${isoTime(live.dispatchedAtMs)}.`,
      started_at: isoTime(live.dispatchedAtMs),
      worker: live.worker?.id ?? null,
      node: live.worker?.node ?? null,
    });
  }
  const { reason, message, ahead, more } = waiting(services, live);
  return JSON.stringify({ ...base, reason, message, ...(ahead === undefined ? {} : { ahead }), ...more });
}

/** True if the run has ended, and clients may know it: with a crash now, a stored run would not have ended. */
function isEndStored({ settled, alive }: LiveRun, status: RunStatus): boolean {
  return settled && (alive === null || (status !== 'pending' && status !== 'running'));
}

/** What a run without a worker waits for. Takes constant time. */
export function reasonOf({ clock, scheduler }: Needs<'clock' | 'scheduler'>, run: LiveRun): Reason {
  const { thread, dueMs } = run;
  if (run.queued) return run.isolated ? 'worker_alone' : 'workers';
  if (run.returned !== null) return 'node';
  if (dueMs > clock.elapsedMs()) return 'delayed';
  if (thread.executing !== null && thread.executing !== run) return 'thread';
  if (thread.slot !== null) return 'change';
  return scheduler.waitsForQuota(run) ? 'quota' : 'starting';
}

/** What a run without a worker waits for, with a message and the runs ahead of it. */
export function waiting(services: Needs<'clock' | 'scheduler'>, run: LiveRun): Waiting {
  const { thread, startAtMs, dueMs } = run;
  const reason = reasonOf(services, run);
  switch (reason) {
    case 'worker_alone':
    case 'workers': {
      const { before, graphs } = services.scheduler.queuePositionOf(run)!;
      if (reason === 'worker_alone')
        return {
          reason,
          message: `The run lost its worker and waits for a worker of its own; ${runs(before)} ahead.`,
          ahead: before,
        };
      if (!services.scheduler.canRun(run))
        return {
          reason,
          message: `No node of the cluster that takes runs has the graph ${run.record.graphId}, or the same code of it as the owner.`,
          ahead: before,
        };
      return {
        reason,
        message: `Every worker is at its limit of runs; ${runs(before, 'of this graph')} ahead${graphs > 1 ? `, and ${graphs} graphs take turns` : ''}.`,
        ahead: before,
      };
    }
    case 'node':
      return {
        reason,
        message: `The owner of the cluster has changed. The run goes on when its node, ${run.alive!.place!.node}, has found the new one.`,
      };
    case 'delayed':
      return {
        reason,
        message: `The run is delayed until ${isoTime(startAtMs)}.`,
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
        message: `Run ${executing.record.runId} of the same thread is executing; ${runs(ahead)} ahead.`,
        ahead,
        more: { executing: executing.record.runId },
      };
    }
    case 'change':
      return { reason, message: `The thread is being changed: ${CHANGES[thread.slot!]}.` };
    case 'quota':
      return { reason, message: 'The caller has as many executing runs as THREADMILL_CALLER_RUNNING_RUNS allows.' };
    case 'starting':
      return { reason, message: 'Nothing blocks the run: it is about to start.' };
  }
}

function runs(count: number, which = ''): string {
  const counted = which === '' ? 'run' : `run ${which}`;
  if (count === 1) return `one ${counted} is`;
  return `${count === 0 ? 'no' : count} ${counted.replace('run', 'runs')} are`;
}
