import { isoTime } from '../../base/clock.js';
import { asText } from '../../base/json/json.js';
import type { RunRecord } from './runs.js';

/** Parts of a record that a client can ask for alone; null for all. */
export type Select = ReadonlySet<string> | null;

/** The fields of a run as clients see it, each with its JSON. `kwargs` is JSON. */
export function runMembers(record: RunRecord, kwargs: string): [name: string, json: string][] {
  return [
    ['run_id', JSON.stringify(record.runId)],
    ['thread_id', JSON.stringify(record.threadId)],
    ['assistant_id', JSON.stringify(record.assistantId)],
    ['created_at', JSON.stringify(isoTime(record.createdAtMs))],
    ['updated_at', JSON.stringify(isoTime(record.updatedAtMs))],
    ['status', JSON.stringify(record.status)],
    ['metadata', asText(record.metadata)],
    ['kwargs', kwargs],
    ['multitask_strategy', JSON.stringify(record.multitask)],
  ];
}

/** A run as clients see it, JSON. */
export function runJson(record: RunRecord, kwargs: string, select: Select = null): string {
  // Not part of most runs: named when they say something, or when they are asked for.
  const seldom: [name: string, json: string][] = [
    ['cancel_reason', cancelReasonOf(record)],
    ['langsmith_session_name', 'null'],
  ];
  return objectJson([
    ...runMembers(record, kwargs).filter(([name]) => select === null || select.has(name)),
    ...seldom.filter(([name, json]) => (select === null ? json !== 'null' : select.has(name))),
  ]);
}

function cancelReasonOf({ status, error }: RunRecord): string {
  return JSON.stringify(status === 'interrupted' ? (error?.message ?? null) : null);
}

export function objectJson(members: readonly [name: string, json: string][]): string {
  return `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`;
}
