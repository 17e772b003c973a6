import { isoTime } from '../base/clock.js';
import type { JsonObject } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import type { Services } from './context.js';
import type { FoundRun } from './find-run.js';
import type { LiveRun, Slot } from './live.js';

/** Why a run does not execute. */
type Reason = 'delayed' | 'thread' | 'change' | 'quota' | 'workers' | 'worker_alone' | 'starting';

interface Waiting {
  reason: Reason;
  says: string;
  /** Runs that come before it: in its thread, or in the queue of its graph. */
  ahead?: number;
  more?: JsonObject;
}

const CHANGES: Readonly<Record<Slot, string>> = {
  edit: 'its state is being updated', create: 'it is being made', copy: 'it is being copied', prune: 'it is being pruned', delete: 'it is being deleted', 'delete-run': 'one of its runs is being deleted',
};

/** What a run waits for, or what became of it, as JSON. Of a run that has ended only its end is known. */
export function whyRun(services: Services, { record, live }: FoundRun): string {
  const base = { run_id: record.runId, thread_id: record.threadId, graph_id: record.graphId, status: record.status, attempt: record.attempt, attempts_max: LIMITS.attemptsMax };
  if (live === undefined || live.settled) return JSON.stringify({ ...base, reason: 'ended', message: record.error === null ? 'It has ended.' : `It has ended: ${record.error.name}: ${record.error.message}`, ended_at: isoTime(record.updatedAtMs) });
  if (live.port !== null) {
    return JSON.stringify({ ...base, reason: 'running', message: `A worker has it since ${isoTime(live.dispatchedAtMs)}.`, started_at: isoTime(live.dispatchedAtMs), worker: live.worker?.id ?? null });
  }
  const { reason, says, ahead, more } = waiting(services, live);
  return JSON.stringify({ ...base, reason, message: says, ...(ahead === undefined ? {} : { ahead }), ...more });
}

function waiting({ clock, scheduler }: Services, run: LiveRun): Waiting {
  const { thread, startAtMs } = run;
  const place = scheduler.placeOf(run);
  if (place !== null) {
    const { before, alone, graphs } = place;
    if (alone) return { reason: 'worker_alone', says: `It lost its worker and waits for one of its own; ${runs(before)} before it.`, ahead: before };
    return { reason: 'workers', says: `Every worker has as many runs as it takes; ${runs(before)} of its graph before it${graphs > 1 ? `, and ${graphs} graphs take turns` : ''}.`, ahead: before };
  }
  if (startAtMs > clock.nowMs()) return { reason: 'delayed', says: `Its time has not come: it starts at ${isoTime(startAtMs)}.`, more: { starts_at: isoTime(startAtMs) } };
  const { executing } = thread;
  if (executing !== null && executing !== run) {
    const place = thread.runs.indexOf(run);
    const ahead = 1 + thread.runs.filter((other, at) => other !== executing && !other.settled && (other.startAtMs < startAtMs || (other.startAtMs === startAtMs && at < place))).length;
    return { reason: 'thread', says: `Run ${executing.record.runId} of its thread executes, and one at a time does; ${runs(ahead)} before it.`, ahead, more: { executing: executing.record.runId } };
  }
  if (thread.slot !== null) return { reason: 'change', says: `Its thread is not free: ${CHANGES[thread.slot]}.` };
  if (scheduler.waitsForQuota(run)) return { reason: 'quota', says: 'As many runs of its caller execute as THREADMILL_CALLER_RUNNING_RUNS allows.' };
  return { reason: 'starting', says: 'Nothing is in its way: it is about to be handed out.' };
}

function runs(count: number): string {
  return count === 1 ? 'one run is' : `${count === 0 ? 'no' : count} runs are`;
}
