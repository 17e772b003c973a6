import type { Caller } from '../base/caller.js';
import { isoTime } from '../base/clock.js';
import type { ErrorRecord } from '../base/errors.js';
import { asText } from '../base/json.js';
import type { RunRecord } from '../store/runs.js';
import type { ThreadRecord } from '../store/threads.js';
import type { Services } from './context.js';
import { headState } from './state.js';

/** Parts of a record that a client can ask for alone; null for all. */
export type Select = ReadonlySet<string> | null;

/** A thread as clients see it, JSON. */
export function threadJson(services: Services, caller: Caller, record: ThreadRecord, select: Select = null): string {
  const wants = (name: string): boolean => select === null || select.has(name);
  const parts: string[] = [];
  const add = (name: string, json: string): void => { if (wants(name)) parts.push(`"${name}":${json}`); };
  add('thread_id', JSON.stringify(record.threadId));
  add('created_at', JSON.stringify(isoTime(record.createdAtMs)));
  add('updated_at', JSON.stringify(isoTime(record.updatedAtMs)));
  add('state_updated_at', JSON.stringify(isoTime(record.stateUpdatedAtMs)));
  add('metadata', asText(record.metadata));
  add('status', JSON.stringify(record.status));
  add('config', asText(record.config));
  const error = record.failure ?? cancelledBy(record);
  if (select === null && error !== null) add('error', JSON.stringify(`${error.name}: ${error.message}`));
  if (wants('values') || wants('interrupts')) {
    const head = record.graphId === null ? null : headState(services, caller, record);
    add('values', head === null || head.values === '{}' && record.graphId === null ? 'null' : head.values);
    add('interrupts', head === null ? '{}' : head.interrupts);
  }
  return `{${parts.join(',')}}`;
}

/** A run as clients see it, JSON. */
export function runJson(record: RunRecord, kwargs: string, select: Select = null): string {
  const parts: string[] = [];
  const add = (name: string, json: string): void => { if (select === null || select.has(name)) parts.push(`"${name}":${json}`); };
  add('run_id', JSON.stringify(record.runId));
  add('thread_id', JSON.stringify(record.threadId));
  add('assistant_id', JSON.stringify(record.assistantId));
  add('created_at', JSON.stringify(isoTime(record.createdAtMs)));
  add('updated_at', JSON.stringify(isoTime(record.updatedAtMs)));
  add('status', JSON.stringify(record.status));
  add('metadata', asText(record.metadata));
  add('kwargs', kwargs);
  add('multitask_strategy', JSON.stringify(record.multitask));
  // Not part of most runs: named when they say something, or when they are asked for.
  const cancelReason = record.status === 'interrupted' ? record.error?.message ?? null : null;
  if (cancelReason !== null || select !== null) add('cancel_reason', JSON.stringify(cancelReason));
  if (select !== null) add('langsmith_session_name', 'null');
  return `{${parts.join(',')}}`;
}

/** A cancelled run leaves no failure, but a reason. */
function cancelledBy({ cancelReason }: ThreadRecord): ErrorRecord | null {
  return cancelReason === undefined || cancelReason === null ? null : { name: 'UserInterrupt', message: cancelReason };
}
