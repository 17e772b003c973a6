import type { Caller } from '../base/caller.js';
import { isoTime } from '../base/clock.js';
import { asText } from '../base/json.js';
import { partOf, type JsonPath } from '../base/json-path.js';
import { atOnce, type Steps } from '../base/steps.js';
import type { RunRecord } from '../store/runs.js';
import type { ThreadRecord } from '../store/threads.js';
import type { Services } from './context.js';
import { threadTag } from './etags.js';
import { headView, whileThere, type Tagged } from './state.js';
import { interruptsJson, type StateView } from './state-view.js';

/** Parts of a record that a client can ask for alone; null for all. */
export type Select = ReadonlySet<string> | null;

/** What of a thread is shown. */
export interface ThreadShape {
  select?: Select;
  /** What is left out unless it is asked for. */
  include?: ReadonlySet<string>;
  /** Parts under names of the client's choosing, as `extracted`. */
  extract?: ReadonlyMap<string, JsonPath> | null;
}

/** A thread as clients see it, JSON, at once. */
export function threadJson(services: Services, caller: Caller, record: ThreadRecord, select: Select = null): string {
  return atOnce(threadSteps(services, caller, record, { select }));
}

/** The whole thread, which is known to be the same before it is put together. */
export function threadShown(services: Services, caller: Caller, record: ThreadRecord, include: ReadonlySet<string>): Tagged {
  const head = record.graphId === null ? undefined : headView(services, caller, record);
  return { tag: threadTag(record, head), json: () => whileThere(services, caller, record, head, shown(record, head, { include })) };
}

/** A thread as clients see it, JSON, where others may have their turn meanwhile. Values and interrupts are read only when they are wanted. */
export function threadSteps(services: Services, caller: Caller, record: ThreadRecord, shape: ThreadShape): Steps<string> {
  const head = record.graphId !== null && needsHead(shape) ? headView(services, caller, record) : undefined;
  return whileThere(services, caller, record, head, shown(record, head, shape));
}

function* shown(record: ThreadRecord, head: StateView | undefined, { select = null, include = NOTHING, extract = null }: ThreadShape): Steps<string> {
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
  if (wants('values')) add('values', record.graphId === null ? 'null' : head === undefined ? '{}' : yield* head.values(null));
  if (wants('interrupts')) add('interrupts', head === undefined ? '{}' : interruptsJson(yield* head.interrupts()));
  // No thread has a time to live in this version.
  if (include.has('ttl')) parts.push('"ttl":null');
  if (extract !== null) parts.push(`"extracted":${yield* extracted(record, head, extract)}`);
  return `{${parts.join(',')}}`;
}

const NOTHING: ReadonlySet<string> = new Set();

function needsHead({ select = null, extract = null }: ThreadShape): boolean {
  return select === null || select.has('values') || select.has('interrupts') || [...extract?.values() ?? []].some(({ root }) => root === 'values' || root === 'interrupts');
}

/** JSON of the parts that the paths lead to; null where one leads nowhere. */
function* extracted(record: ThreadRecord, head: StateView | undefined, extract: ReadonlyMap<string, JsonPath>): Steps<string> {
  const parts: string[] = [];
  for (const [alias, path] of extract) parts.push(`${JSON.stringify(alias)}:${(yield* threadPart(record, head, path)) ?? 'null'}`);
  return `{${parts.join(',')}}`;
}

/** JSON of a part of a thread; undefined when there is none. */
function* threadPart(record: ThreadRecord, head: StateView | undefined, path: JsonPath): Steps<string | undefined> {
  if (path.root === 'values' || path.root === 'interrupts') return head === undefined ? undefined : yield* head.part(path, 'json');
  const part = partOf(path.root === 'metadata' ? record.metadata : record.config, path.steps);
  return part === undefined ? undefined : asText(part);
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
  return `{${parts.join(',')}}`;
}
