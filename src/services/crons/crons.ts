import type { CronCreate, CronPatch, RunCreate } from '../../../schemas/compiled/types.js';
import { filterOf, sees, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { assistantIdOf } from '../../base/ids.js';
import { contains, jsonBytes, parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { parseMicros } from '../../base/micros.js';
import type { CronRecord } from '../../store/crons.js';
import { Commit } from '../../store/store.js';
import { resolveAssistant } from '../assistants/assistants.js';
import type { Needs } from '../context.js';
import { parseSchedule, type Schedule } from './cron-schedule.js';
import type { CronEntry } from './cron-table.js';
import { refuseRun } from '../runs/start-run.js';

/** Fields that a cron stores for its runs. All other fields of a request concern the cron itself. */
export const PAYLOAD_FIELDS = [
  'input',
  'config',
  'context',
  'webhook',
  'interrupt_before',
  'interrupt_after',
  'multitask_strategy',
  'on_completion',
  'stream_mode',
  'stream_subgraphs',
  'stream_resumable',
  'durability',
  'checkpoint_during',
  'feedback_keys',
] as const;

/** The body of the run that a firing starts. */
export function cronRunBody(record: CronRecord, payload: JsonObject): RunCreate {
  return {
    ...(record.onRunCompleted === 'keep' ? { on_completion: 'keep' } : {}),
    ...payload,
    assistant_id: record.assistantId,
    metadata: { ...(parseJson(record.metadata) as JsonObject), cron_id: record.cronId },
  };
}

/** The next slot after `nowMs`. Null if the cron ends before it. */
export function nextSlot(schedule: Schedule, nowMs: number, endAtMs: number | null): number | null {
  const next = schedule.nextAfter(nowMs);
  return next === null || (endAtMs !== null && next > endAtMs) ? null : next;
}

/**
 * With `threadId: null`, every firing uses a new thread. Throws CRON_THREAD_NOT_FOUND, RUN_ASSISTANT_NOT_FOUND,
 * CRON_SCHEDULE_INVALID, CRONS_LIMITED.
 */
export async function createCron(
  services: Needs<'clock' | 'crons' | 'graphIds' | 'ids' | 'scheduler' | 'stores' | 'threads' | 'webhooks'>,
  caller: Caller,
  threadId: string | null,
  body: CronCreate,
): Promise<CronRecord> {
  const { crons, scheduler, stores, clock } = services;
  scheduler.checkIntake();
  if (threadId !== null && services.threads.current(caller, threadId)?.temporary !== false)
    throw fail('CRON_THREAD_NOT_FOUND', { threadId });
  const { assistantId } = resolveAssistant(services, caller, body.assistant_id);
  if (crons.size >= LIMITS.cronsMax) throw fail('CRONS_LIMITED', { who: 'the server', crons: crons.size });
  if (crons.countOfCaller(caller.identity) >= LIMITS.cronsPerCallerMax)
    throw fail('CRONS_LIMITED', { who: 'this caller', crons: crons.countOfCaller(caller.identity) });
  const now = clock.nowMs();
  const timezone = body.timezone ?? null;
  const endAtMs = parseEndTime(body.end_time);
  const nextAtMs = nextSlot(parseSchedule(body.schedule, timezone), now, endAtMs);
  if (nextAtMs === null)
    throw fail('INVALID_REQUEST', { problems: 'body.end_time: the schedule has no slot before this time' });
  const cronId = services.ids.next();
  const record: CronRecord = {
    cronId,
    assistantId,
    threadId,
    timezone,
    endAtMs,
    nextAtMs,
    schedule: body.schedule,
    enabled: body.enabled ?? true,
    onRunCompleted: threadId === null ? (body.on_run_completed ?? 'delete') : null,
    createdAtMs: now,
    updatedAtMs: now,
    identity: caller.identity,
    userId: caller.authenticated ? caller.identity : null,
    sealed: stores.seal.seal(caller, cronId),
    metadata: jsonBytes(body.metadata ?? {}),
    lastRunId: null,
    lastRunAtMs: null,
    lastError: null,
  };
  const payload = mergePayload(body, {});
  refuseRun(services, cronRunBody(record, payload));
  const commit = new Commit();
  crons.put(commit, record, null, jsonBytes(payload));
  await crons.write(commit);
  return record;
}

/** The cron as stored on disk. Throws CRON_NOT_FOUND, also if the caller may not see it. */
export function getCron({ crons }: Needs<'crons'>, caller: Caller, cronId: string): CronRecord {
  return orNotFound(crons.find(caller, cronId), cronId);
}

function orNotFound(record: CronRecord | undefined, cronId: string): CronRecord {
  if (record === undefined) throw fail('CRON_NOT_FOUND', { cronId });
  return record;
}

/** Merges metadata and replaces other fields. Throws CRON_NOT_FOUND, CRON_SCHEDULE_INVALID, FORBIDDEN. */
export async function patchCron(
  services: Needs<'clock' | 'crons' | 'webhooks'>,
  caller: Caller,
  cronId: string,
  body: CronPatch,
): Promise<CronRecord> {
  const { crons, clock } = services;
  const before = orNotFound(crons.current(caller, cronId), cronId);
  const payloadBefore = parseJson(crons.currentPayload(caller, cronId)) as JsonObject;
  refuseFixedFields(body, before, payloadBefore);
  const metadata = { ...(parseJson(before.metadata) as JsonObject), ...body.metadata };
  // Prevents a change that would hide the cron from its own caller.
  if (!sees(caller, 'crons', () => metadata)) throw fail('FORBIDDEN', { action: 'crons:update' });
  const now = clock.nowMs();
  const changed: CronRecord = {
    ...before,
    schedule: body.schedule ?? before.schedule,
    timezone: body.timezone === undefined ? before.timezone : body.timezone,
    endAtMs: body.end_time === undefined ? before.endAtMs : parseEndTime(body.end_time),
    enabled: body.enabled ?? before.enabled,
    onRunCompleted: before.threadId === null ? (body.on_run_completed ?? before.onRunCompleted) : null,
    metadata: body.metadata ? jsonBytes(metadata) : before.metadata,
    updatedAtMs: now,
  };
  const record = { ...changed, nextAtMs: nextSlotAfterPatch(before, changed, now) };
  const payload = mergePayload(body, payloadBefore);
  refuseRun(services, cronRunBody(record, payload));
  const commit = new Commit();
  crons.put(commit, record, before, jsonBytes(payload));
  await crons.write(commit);
  return record;
}

/** Runs that it started continue. Throws CRON_NOT_FOUND. */
export async function deleteCron(services: Needs<'crons'>, caller: Caller, cronId: string): Promise<void> {
  const commit = new Commit();
  services.crons.remove(commit, orNotFound(services.crons.current(caller, cronId), cronId));
  await services.crons.write(commit);
}

export interface CronQuery {
  assistantId: string | null;
  threadId: string | null;
  enabled: boolean | null;
  metadata: JsonObject;
}

export type CronOrder =
  | 'cron_id'
  | 'assistant_id'
  | 'thread_id'
  | 'next_run_date'
  | 'end_time'
  | 'created_at'
  | 'updated_at';

/**
 * Returns a page. `more`: a further page exists. Crons without a value in the sort field come first, or last
 * when descending.
 */
export function searchCrons(
  services: Needs<'crons' | 'graphIds'>,
  caller: Caller,
  query: CronQuery,
  page: { sortBy: CronOrder; descending: boolean; limit: number; offset: number },
): { records: CronRecord[]; more: boolean } {
  const entries = filterEntries(services, caller, query);
  const value = ORDERS[page.sortBy];
  // The entries are already in creation order, which is also the order of their ids.
  if (page.sortBy !== 'created_at' && page.sortBy !== 'cron_id')
    entries.sort((a, b) => compareValues(value(a), value(b)) || compareValues(a.cronId, b.cronId));
  if (page.descending) entries.reverse();
  const records: CronRecord[] = [];
  let seen = 0;
  for (const record of matching(services, caller, query, entries)) {
    if (++seen <= page.offset) continue;
    if (records.length === page.limit) return { records, more: true };
    records.push(record);
  }
  return { records, more: false };
}

export function countCrons(services: Needs<'crons' | 'graphIds'>, caller: Caller, query: CronQuery): number {
  const entries = filterEntries(services, caller, query);
  // Memory is sufficient if no filter applies and the query needs no record.
  if (filterOf(caller, 'crons') === null && Object.keys(query.metadata).length === 0) return entries.length;
  let count = 0;
  for (const _ of matching(services, caller, query, entries)) count += 1;
  return count;
}

const ORDERS: Readonly<Record<CronOrder, (entry: CronEntry) => string | number | null>> = {
  cron_id: ({ cronId }) => cronId,
  assistant_id: ({ assistantId }) => assistantId,
  thread_id: ({ threadId }) => threadId,
  next_run_date: ({ nextAtMs }) => nextAtMs,
  end_time: ({ endAtMs }) => endAtMs,
  created_at: ({ createdAtMs }) => createdAtMs,
  updated_at: ({ updatedAtMs }) => updatedAtMs,
};

/** Filters with the fields in memory and the index. The caller checks the rest on the records. */
function filterEntries(
  { crons, graphIds }: Needs<'crons' | 'graphIds'>,
  caller: Caller,
  { assistantId, threadId, enabled, metadata }: CronQuery,
): CronEntry[] {
  const wanted = assistantId !== null && graphIds.has(assistantId) ? assistantIdOf(assistantId) : assistantId;
  const candidates = crons.candidates(caller, metadata);
  const found: CronEntry[] = [];
  for (const entry of crons.entries()) {
    if (wanted !== null && entry.assistantId !== wanted) continue;
    if (threadId !== null && entry.threadId !== threadId) continue;
    if (enabled !== null && entry.enabled !== enabled) continue;
    if (candidates === null || candidates.has(entry.cronId)) found.push(entry);
  }
  return found;
}

function* matching(
  { crons }: Needs<'crons'>,
  caller: Caller,
  { metadata }: CronQuery,
  entries: readonly CronEntry[],
): Generator<CronRecord> {
  const matchesAll = Object.keys(metadata).length === 0;
  for (const { cronId } of entries) {
    const record = crons.find(caller, cronId);
    if (record !== undefined && (matchesAll || contains(parseJson(record.metadata), metadata))) yield record;
  }
}

function compareValues(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

/** The next slot of a changed cron. */
function nextSlotAfterPatch(before: CronRecord, changed: CronRecord, nowMs: number): number | null {
  const schedule = parseSchedule(changed.schedule, changed.timezone);
  const fromNow = nextSlot(schedule, nowMs, changed.endAtMs);
  if (changed.schedule !== before.schedule || changed.timezone !== before.timezone) return fromNow;
  // Slots that passed while the cron was disabled do not count as missed.
  if (changed.enabled && !before.enabled) return fromNow;
  // The slot is firing right now, or it is kept while the cron is disabled.
  return before.nextAtMs !== null && before.nextAtMs <= nowMs ? before.nextAtMs : fromNow;
}

/** Refuses changes of fields that are fixed at creation: the assistant and the multitask strategy. */
function refuseFixedFields(body: CronPatch, record: CronRecord, payload: JsonObject): void {
  const fixed: JsonObject = { assistant_id: record.assistantId, multitask_strategy: payload['multitask_strategy'] };
  for (const [name, value] of Object.entries(fixed)) {
    const wanted = body[name];
    if (wanted !== undefined && wanted !== null && wanted !== value)
      throw fail('INVALID_REQUEST', { problems: `body.${name}: cannot be changed. Create a new cron instead.` });
  }
}

function parseEndTime(text: string | null | undefined): number | null {
  if (text === undefined || text === null) return null;
  const us = parseMicros(text);
  if (us === null) throw fail('INVALID_REQUEST', { problems: 'body.end_time: must be a date-time, from 1970 to 2199' });
  return Math.floor(us / 1_000);
}

/** Applies the fields of a body to a payload. Null removes a field. */
function mergePayload(body: JsonObject, before: JsonObject): JsonObject {
  const payload = { ...before };
  for (const name of PAYLOAD_FIELDS) {
    const value = body[name];
    if (value === null) delete payload[name];
    else if (value !== undefined) payload[name] = value;
  }
  return payload;
}
