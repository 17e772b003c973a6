import type { Caller } from '../base/caller.js';
import { isoTime } from '../base/clock.js';
import { asText } from '../base/json.js';
import type { Select } from '../store/run-json.js';
import type { ThreadRecord } from '../store/threads.js';
import type { Services } from './context.js';
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
  if (select === null && record.failure !== null) add('error', JSON.stringify(`${record.failure.name}: ${record.failure.message}`));
  if (wants('values') || wants('interrupts')) {
    const head = record.graphId === null ? null : headState(services, caller, record);
    add('values', head === null || head.values === '{}' && record.graphId === null ? 'null' : head.values);
    add('interrupts', head === null ? '{}' : head.interrupts);
  }
  return `{${parts.join(',')}}`;
}
