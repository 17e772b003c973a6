import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../base/caller.js';
import { fail } from '../base/errors.js';
import { asText } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { RunLog } from '../pool/run-log.js';
import type { StreamMode } from '../wire/messages.js';
import type { FrameBatch } from '../wire/frame.js';
import type { Services } from './context.js';
import type { LiveRun, Outcome } from './live.js';
import { getRun } from './runs.js';
import { headState } from './state.js';

/** What an HTTP stream needs to follow a run. */
export interface Following {
  log: RunLog;
  /** The reader has every event up to this id; it gets those above. */
  afterSeq: number;
  /** Null for a run that ended before. */
  live: LiveRun | null;
  /** Null: every event. */
  wants: ((eventName: string) => boolean) | null;
}

/** Events that pass every filter (agent-server.md, 10.3). */
const ALWAYS = new Set(['metadata', 'error', 'end', 'feedback']);

/** From the first event: the reader is the one that created the run. */
export function followNew(run: LiveRun): Following {
  return { log: run.log, afterSeq: -1, live: run, wants: null };
}

/**
 * Joins a run. Without a cursor the reader gets what comes after the join and nothing before it (the contract, 6.3); with
 * one, the events above it, as far as they are kept; after a failed run's end it is told the error, then the stream closes.
 */
export async function joinStream(services: Services, caller: Caller, threadId: string, runId: string, query: { lastEventId: number | null; modes: readonly StreamMode[] }): Promise<Following> {
  const { record } = getRun(services, caller, threadId, runId);
  const recent = services.scheduler.recent(runId);
  const wants = modeFilter(query.modes);
  const live = recent !== undefined && !recent.settled ? recent : null;
  const log = recent?.log ?? endedLog(services, caller, runId);
  const joinedAfter = log.lastSeq;
  if (live !== null && !live.wantsFrames) {
    live.wantsFrames = true;
    // Joined is who hears what follows; a silent worker is not waited for, it says nothing either.
    if (live.port !== null) await Promise.race([live.port.listen(), sleep(LIMITS.silentMs, undefined, { ref: false })]);
  }
  if (query.lastEventId !== null) {
    if (recent === undefined) await fillFromStore(log, services, caller, runId, query.lastEventId);
    const following: Following = { log, afterSeq: query.lastEventId, live, wants };
    // Frames that are gone by now: the error at least is told.
    if (log.lastSeq < 0 && record.error !== null) log.say('error', { error: record.error.name, message: record.error.message });
    return following;
  }
  if (live !== null) return { log, afterSeq: joinedAfter, live, wants };
  const told = new RunLog(null);
  const failure = recent?.log.failure ?? (record.status === 'error' || record.status === 'timeout' ? record.error : null);
  if (failure !== null) {
    told.begin(Math.max(0, log.lastSeq));
    told.say('error', { error: failure.name, message: failure.message });
  }
  told.ended = true;
  return { log: told, afterSeq: -1, live: null, wants: null };
}

function endedLog(services: Services, caller: Caller, runId: string): RunLog {
  const log = new RunLog(async (afterSeq) => {
    const [batch] = services.nouns.events.read(caller, runId, afterSeq);
    return batch === undefined ? [] : [batch];
  });
  log.ended = true;
  return log;
}

/** A run that ended a while ago: its log stands in the store alone. */
async function fillFromStore(log: RunLog, services: Services, caller: Caller, runId: string, afterSeq: number): Promise<void> {
  await services.nouns.store.flushed();
  let first: FrameBatch | undefined;
  let last: FrameBatch | undefined;
  for (const batch of services.nouns.events.read(caller, runId, afterSeq)) {
    first ??= batch;
    last = batch;
  }
  if (first === undefined || last === undefined) return;
  log.begin(afterSeq < 0 ? first.firstSeq : afterSeq + 1);
  log.lastSeq = last.lastSeq;
}

/** A filter by requested modes; null takes everything. Names match by what stands before their first `|`. */
function modeFilter(modes: readonly StreamMode[]): ((name: string) => boolean) | null {
  if (modes.length === 0) return null;
  const wanted = new Set<string>(modes.map((mode) => (mode === 'messages-tuple' ? 'messages' : mode)));
  const partial = modes.includes('messages');
  return (name) => {
    const base = name.split('|', 1)[0]!;
    return ALWAYS.has(base) || wanted.has(base) || (partial && base.startsWith('messages/'));
  };
}

/** Resolves when the run has ended. */
export function waitFor(run: LiveRun): Promise<Outcome> {
  return new Promise((resolve) => { run.waiters.push(resolve); });
}

/** The body of a wait: the final values, `__interrupt__` beside them, or `__error__` (agent-server.md, 8.3). Always an object. */
export function outcomeBody(services: Services, run: LiveRun, outcome: Outcome): string {
  if (outcome.error !== null && outcome.status !== 'interrupted') return errorBody(outcome.error);
  const result = outcome.result === null ? 'null' : asText(outcome.result);
  if (outcome.status === 'success' && run.wantsResult && result !== 'null') return asObjectJson(result);
  return run.thread.record === null || run.thread.deleted ? '{}' : finalBody(services, run.caller, run.record.threadId);
}

/** The same for a run that has ended. Throws THREAD_NOT_FOUND or RUN_NOT_FOUND. */
export function endedBody(services: Services, caller: Caller, threadId: string, runId: string): string {
  const { record } = getRun(services, caller, threadId, runId);
  if ((record.status === 'error' || record.status === 'timeout') && record.error !== null) return errorBody(record.error);
  return finalBody(services, caller, threadId);
}

function finalBody(services: Services, caller: Caller, threadId: string): string {
  const thread = services.threads.find(caller, threadId);
  if (thread === undefined) throw fail('THREAD_NOT_FOUND', { threadId });
  const head = headState(services, caller, thread);
  if (!head.hasInterrupts) return asObjectJson(head.values);
  if (!head.values.startsWith('{')) return `{"__interrupt__":${head.interruptList}}`;
  const values = head.values.slice(1, -1);
  return `{${values}${values === '' ? '' : ','}"__interrupt__":${head.interruptList}}`;
}

function errorBody(error: { name: string; message: string }): string {
  return JSON.stringify({ __error__: { error: error.name, message: error.message } });
}

/** The JS client evaluates `"__error__" in body`: null and scalars would make it throw (agent-server.md, trap 3). */
function asObjectJson(json: string): string {
  return json.startsWith('{') || json.startsWith('[') ? json : json === 'null' ? '{}' : `{"value":${json}}`;
}
