import { isoTime } from '../../base/clock.js';
import { asText } from '../../base/json/json.js';
import { shortVersion } from '../../domain/code-version.js';
import type { RunRecord } from './runs.js';

/** Names of the fields that a client selected; null for all. */
export type FieldSelection = ReadonlySet<string> | null;

/** The fields of a run in API form, each with its JSON. `kwargs` is JSON. */
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
    // Runs before this field, and those that did not begin, have no version.
    ...(record.code == null ? [] : [['code_version', JSON.stringify(shortVersion(record.code))] as [string, string]]),
  ];
}

/** A run in API form, as JSON. */
export function runJson(record: RunRecord, kwargs: string, select: FieldSelection = null): string {
  // Most runs do not have these: included when they have a value, or when they are selected.
  const seldom: [name: string, json: string][] = [
    ['cancel_reason', cancelReasonOf(record)],
    ['langsmith_session_name', 'null'],
    ...(record.code == null ? [['code_version', 'null'] as [string, string]] : []),
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
