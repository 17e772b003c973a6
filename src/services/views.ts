import type { Caller } from '../base/caller.js';
import { isoTime } from '../base/clock.js';
import { asText, parseJson, type JsonObject } from '../base/json.js';
import type { AssistantRecord, VersionRecord } from '../store/assistants.js';
import type { CronRecord } from '../store/crons.js';
import type { Select } from '../store/run-json.js';
import type { ErrorRecord } from '../base/errors.js';
import type { ThreadRecord } from '../store/threads.js';
import type { Services } from './context.js';
import { runBodyOf } from './crons.js';
import { headState } from './state.js';

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

/** An assistant as clients see it, JSON. */
export function assistantJson(record: AssistantRecord, select: Select = null): string {
  return objectOf([...versionMembers(record), ['updated_at', JSON.stringify(isoTime(record.updatedAtMs))]], select);
}

/** One of its versions. */
export function versionJson(record: VersionRecord): string {
  return objectOf(versionMembers(record), null);
}

function versionMembers(record: VersionRecord): [name: string, json: string][] {
  return [
    ['assistant_id', JSON.stringify(record.assistantId)],
    ['graph_id', JSON.stringify(record.graphId)],
    ['name', JSON.stringify(record.name)],
    ['description', JSON.stringify(record.description)],
    ['version', String(record.version)],
    ['config', asText(record.config)],
    ['context', asText(record.context)],
    ['metadata', asText(record.metadata)],
    ['created_at', JSON.stringify(isoTime(record.createdAtMs))],
  ];
}

function objectOf(members: readonly [name: string, json: string][], select: Select): string {
  return `{${members.filter(([name]) => select === null || select.has(name)).map(([name, json]) => `"${name}":${json}`).join(',')}}`;
}

/** A cron as clients see it, JSON. `payload` is the body of the runs that it starts. */
export function cronJson({ crons }: Services, caller: Caller, record: CronRecord, select: Select = null): string {
  const time = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
  const { lastError } = record;
  const parts: string[] = [];
  const add = (name: string, value: () => unknown): void => { if (select === null || select.has(name)) parts.push(`"${name}":${JSON.stringify(value())}`); };
  add('cron_id', () => record.cronId);
  add('assistant_id', () => record.assistantId);
  add('thread_id', () => record.threadId);
  add('on_run_completed', () => record.onRunCompleted);
  add('end_time', () => time(record.endAtMs));
  add('schedule', () => record.schedule);
  add('timezone', () => record.timezone);
  add('created_at', () => isoTime(record.createdAtMs));
  add('updated_at', () => isoTime(record.updatedAtMs));
  add('user_id', () => record.userId);
  add('payload', () => runBodyOf(record, parseJson(crons.payload(caller, record.cronId)) as JsonObject));
  add('next_run_date', () => time(record.nextAtMs));
  add('metadata', () => parseJson(record.metadata));
  add('enabled', () => record.enabled);
  add('last_run_id', () => record.lastRunId);
  add('last_run_date', () => time(record.lastRunAtMs));
  add('last_error', () => (lastError === null ? null : { error: lastError.name, message: lastError.message, at: isoTime(lastError.atMs) }));
  return `{${parts.join(',')}}`;
}

/** A cancelled run leaves no failure, but a reason. */
function cancelledBy({ cancelReason }: ThreadRecord): ErrorRecord | null {
  return cancelReason === undefined || cancelReason === null ? null : { name: 'UserInterrupt', message: cancelReason };
}
