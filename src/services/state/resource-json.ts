import type { Caller } from '../../domain/caller.js';
import { isoTime } from '../../base/clock.js';
import { boundedError, errorLine, ThreadmillError, type ErrorRecord } from '../../base/errors.js';
import { asText, parseJson, type JsonObject } from '../../base/json/json.js';
import { bytesAtPath, type JsonPath } from '../../domain/thread-path.js';
import { runToEnd, type Steps } from '../../base/steps.js';
import type { AssistantRecord, VersionRecord } from '../../store/assistants.js';
import type { CronRecord } from '../../store/crons.js';
import { objectJson, type FieldSelection } from '../../store/runs/run-json.js';
import { expiryOf, type ThreadRecord } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';
import { cronRunBody } from '../crons/crons.js';
import { threadEntityTag } from '../threads/etags.js';
import { headView, withDeletionCheck, type TaggedJson } from './state.js';
import { interruptsJson, type StateView } from './state-view.js';

/** Which parts of a thread to include in its JSON. */
export interface ThreadJsonOptions {
  select?: FieldSelection;
  /** Optional fields to include. */
  include?: ReadonlySet<string>;
  /** Parts of the thread to return as `extracted`, under names that the client chose. */
  extract?: ReadonlyMap<string, JsonPath> | null;
  /** Longest extracted part. A longer text is cut; any other longer or very large value becomes null. */
  extractCharsMax?: number | null;
}

/** A thread in the API format as JSON, computed without yielding. */
export function threadJson(
  services: Needs<'stores' | 'threads'>,
  caller: Caller,
  record: ThreadRecord,
  select: FieldSelection = null,
): string {
  return runToEnd(threadJsonSteps(services, caller, record, { select }));
}

/** The complete thread, with an entity tag that is known before the JSON is computed. */
export function taggedThreadJson(
  services: Needs<'stores' | 'threads'>,
  caller: Caller,
  record: ThreadRecord,
  include: ReadonlySet<string>,
): TaggedJson {
  const head = record.graphId === null ? undefined : headView(services, caller, record);
  return {
    tag: threadEntityTag(record, head),
    json: () =>
      withDeletionCheck(services, caller, { thread: record, view: head }, threadMembersJson(record, head, { include })),
  };
}

/**
 * A thread in the API format as JSON. Yields to other work. Reads values and interrupts only if they are
 * included.
 */
export function threadJsonSteps(
  services: Needs<'stores' | 'threads'>,
  caller: Caller,
  record: ThreadRecord,
  shape: ThreadJsonOptions,
): Steps<string> {
  const head = record.graphId !== null && needsHead(shape) ? headView(services, caller, record) : undefined;
  return withDeletionCheck(services, caller, { thread: record, view: head }, threadMembersJson(record, head, shape));
}

function* threadMembersJson(
  record: ThreadRecord,
  head: StateView | undefined,
  { select = null, include = NO_FIELDS, extract = null, extractCharsMax = null }: ThreadJsonOptions,
): Steps<string> {
  const wants = (name: string): boolean => select === null || select.has(name);
  const parts: string[] = [];
  const add = (name: string, json: string): void => {
    if (wants(name)) parts.push(`"${name}":${json}`);
  };
  add('thread_id', JSON.stringify(record.threadId));
  add('created_at', JSON.stringify(isoTime(record.createdAtMs)));
  add('updated_at', JSON.stringify(isoTime(record.updatedAtMs)));
  add('state_updated_at', JSON.stringify(isoTime(record.stateUpdatedAtMs)));
  add('metadata', asText(record.metadata));
  add('status', JSON.stringify(record.status));
  add('config', asText(record.config));
  const error = record.failure ?? cancelError(record);
  if (select === null && error !== null) add('error', JSON.stringify(errorLine(error)));
  if (wants('values'))
    add('values', record.graphId === null ? 'null' : head === undefined ? '{}' : yield* head.values(null));
  if (wants('interrupts')) add('interrupts', head === undefined ? '{}' : interruptsJson(yield* head.interrupts()));
  if (include.has('ttl'))
    parts.push(
      `"ttl":${ttlJson(record)}`,
      ...(record.keepLast === undefined || record.keepLast === null ? [] : [`"keep_last":${record.keepLast}`]),
    );
  if (extract !== null) parts.push(`"extracted":${yield* extracted(record, head, extract, extractCharsMax)}`);
  return `{${parts.join(',')}}`;
}

const NO_FIELDS: ReadonlySet<string> = new Set();

function needsHead({ select = null, extract = null }: ThreadJsonOptions): boolean {
  return (
    select === null ||
    select.has('values') ||
    select.has('interrupts') ||
    [...(extract?.values() ?? [])].some(({ root }) => root === 'values' || root === 'interrupts')
  );
}

/** JSON of the parts at these paths. Null where a path leads nowhere. */
function* extracted(
  record: ThreadRecord,
  head: StateView | undefined,
  extract: ReadonlyMap<string, JsonPath>,
  charsMax: number | null,
): Steps<string> {
  const parts: string[] = [];
  for (const [alias, path] of extract) {
    const json =
      charsMax === null ? yield* threadPart(record, head, path) : yield* boundedPart(record, head, path, charsMax);
    parts.push(`${JSON.stringify(alias)}:${json ?? 'null'}`);
  }
  return `{${parts.join(',')}}`;
}

/** An extracted part within the limit. A longer text is cut; any other longer value is undefined. */
function* boundedPart(
  record: ThreadRecord,
  head: StateView | undefined,
  path: JsonPath,
  charsMax: number,
): Steps<string | undefined> {
  let json: string | undefined;
  try {
    json = yield* threadPart(record, head, path);
  } catch (error) {
    if (error instanceof ThreadmillError && error.code === 'INVALID_REQUEST') return undefined;
    throw error;
  }
  if (json === undefined || json.length <= charsMax) return json;
  return json.startsWith('"') ? JSON.stringify(cutText(JSON.parse(json) as string, charsMax)) : undefined;
}

/** Does not cut a surrogate pair in half. */
function cutText(text: string, charsMax: number): string {
  const last = text.charCodeAt(charsMax - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? charsMax - 1 : charsMax);
}

/** JSON of a part of a thread. Undefined if it does not exist. */
function* threadPart(record: ThreadRecord, head: StateView | undefined, path: JsonPath): Steps<string | undefined> {
  if (path.root === 'values' || path.root === 'interrupts')
    return head === undefined ? undefined : yield* head.readPart(path, 'json');
  const part = bytesAtPath(path.root === 'metadata' ? record.metadata : record.config, path.steps);
  return part === undefined ? undefined : asText(part);
}

/** An assistant in the API format, as JSON. */
export function assistantJson(record: AssistantRecord, select: FieldSelection = null): string {
  return selectedJson([...versionMembers(record), ['updated_at', JSON.stringify(isoTime(record.updatedAtMs))]], select);
}

/** A version of an assistant, as JSON. */
export function versionJson(record: VersionRecord): string {
  return selectedJson(versionMembers(record), null);
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

function selectedJson(members: readonly [name: string, json: string][], select: FieldSelection): string {
  return objectJson(members.filter(([name]) => select === null || select.has(name)));
}

/** A cron in the API format, as JSON. `payload` is the body of its runs. */
export function cronJson(
  { crons }: Needs<'crons'>,
  caller: Caller,
  record: CronRecord,
  select: FieldSelection = null,
): string {
  const time = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
  const lastError =
    record.lastError === null ? null : { ...boundedError(record.lastError), atMs: record.lastError.atMs };
  const parts: string[] = [];
  const add = (name: string, value: () => unknown): void => {
    if (select === null || select.has(name)) parts.push(`"${name}":${JSON.stringify(value())}`);
  };
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
  add('payload', () => cronRunBody(record, parseJson(crons.payload(caller, record.cronId)) as JsonObject));
  add('next_run_date', () => time(record.nextAtMs));
  add('metadata', () => parseJson(record.metadata));
  add('enabled', () => record.enabled);
  add('last_run_id', () => record.lastRunId);
  add('last_run_date', () => time(record.lastRunAtMs));
  add('last_error', () =>
    lastError === null ? null : { error: lastError.name, message: lastError.message, at: isoTime(lastError.atMs) },
  );
  return `{${parts.join(',')}}`;
}

/** A cancelled run stores a reason instead of a failure. */
function cancelError({ cancelReason }: ThreadRecord): ErrorRecord | null {
  return cancelReason === undefined || cancelReason === null ? null : { name: 'UserInterrupt', message: cancelReason };
}

/** The lifetime of the thread, as JSON. Null: forever. */
function ttlJson(record: ThreadRecord): string {
  if (record.ttl === undefined || record.ttl === null) return 'null';
  const expiry = expiryOf(record);
  return JSON.stringify({
    strategy: record.ttl.strategy,
    ttl_minutes: record.ttl.minutes,
    expires_at: expiry === null ? null : isoTime(expiry),
  });
}
