import type { Caller } from '../../domain/caller.js';
import { boundedError, fail, type ErrorRecord } from '../../base/errors.js';
import { asText } from '../../base/json/json.js';
import { RunLog, type LoadOlderFrames } from '../../pool/graphs/run-log.js';
import type { Services } from '../context.js';
import { getRun, type FoundRun } from './find-run.js';
import type { Frame } from '../../wire/runs/frame.js';
import { isProtocolName } from '../../wire/runs/protocol.js';
import { startListening, storedFrames, type LiveRun, type Outcome } from './live.js';
import { headState } from '../state/state.js';
import type { EventFilter } from './stream-filter.js';

/** What an HTTP stream needs to follow a run. */
export interface Subscription {
  log: RunLog;
  /** The reader has every event up to this id; it gets those above. */
  afterSeq: number;
  /** Null for a run that ended before. */
  live: LiveRun | null;
  /** Null: every event. */
  wants: EventFilter | null;
  /** SSE text that ends the stream. */
  farewell: string;
  /** A gap is told and not the end. */
  goesOn?: boolean;
  /** What this reader gets of a frame; as it is without it. */
  form?: (frame: Frame) => Uint8Array;
  /** What is told of a gap; as an `error` event without it. */
  gap?: (from: number, to: number, lost: boolean) => string;
}

/** From the first event: the reader is the one that created the run. */
export function followNew(run: LiveRun, wants: EventFilter | null): Subscription {
  return { log: run.log, afterSeq: -1, live: run, wants, farewell: '' };
}

/**
 * Joins a run. Without a cursor the reader gets what comes after the join and nothing before it (the contract, 6.3); with
 * one, the events above it, as far as they are kept, or the gap; after a failed run's end it is told the error, then the
 * stream closes.
 */
export async function joinStream(
  services: Services,
  caller: Caller,
  { record }: FoundRun,
  query: { lastEventId: number | null; wants: EventFilter | null },
): Promise<Subscription> {
  // What a run of the second protocol says is told on its thread.
  const wants = query.wants ?? ((name: string) => !isProtocolName(name));
  const { runId, threadId } = record;
  const recent = services.scheduler.recent(runId);
  if (recent !== undefined && !recent.settled) return joinLive(recent, query.lastEventId, wants);
  // A stream that closes says that the status can be read (agent-server.md, trap 18).
  if (recent !== undefined) await services.scheduler.whenEnded(recent);
  const failure =
    record.status === 'error' || record.status === 'timeout' ? record.error : (recent?.log.failure ?? null);
  const told = failure === null ? '' : eventText('error', { error: failure.name, message: failure.message });
  if (query.lastEventId === null) return { log: endedLog(), afterSeq: -1, live: null, wants, farewell: told };
  if (recent !== undefined) {
    // When someone listened, the failure is among the events.
    return {
      log: recent.log,
      afterSeq: query.lastEventId,
      live: null,
      wants,
      farewell: recent.log.isEmpty ? told : '',
    };
  }
  const log = await storedLog(services, caller, runId, query.lastEventId);
  if (log !== null) return { log, afterSeq: query.lastEventId, live: null, wants, farewell: '' };
  const to = Math.max(query.lastEventId + 1, (services.threads.find(caller, threadId)?.nextSeq ?? 0) - 1);
  return { log: endedLog(), afterSeq: -1, live: null, wants, farewell: gapText(query.lastEventId + 1, to) + told };
}

function joinLive(run: LiveRun, lastEventId: number | null, wants: Subscription['wants']): Subscription {
  startListening(run);
  return { log: run.log, afterSeq: lastEventId ?? run.log.lastSeq, live: run, wants, farewell: '' };
}

/** A log that holds nothing and gets nothing more. */
function endedLog(older: LoadOlderFrames | null = null): RunLog {
  const log = new RunLog(older);
  log.ended = true;
  return log;
}

/** The log of a run that ended a while ago, from the store alone; null when nothing of it is kept. */
async function storedLog(
  { stores }: Services,
  caller: Caller,
  runId: string,
  afterSeq: number,
): Promise<RunLog | null> {
  await stores.store.settled();
  const lastSeq = stores.events.lastSeq(caller, runId);
  if (lastSeq === null) return null;
  const log = endedLog(storedFrames(stores, caller, runId));
  const [first] = stores.events.read(caller, runId, afterSeq);
  log.begin(first === undefined ? lastSeq + 1 : Math.max(first.firstSeq, afterSeq + 1));
  log.lastSeq = lastSeq;
  return log;
}

/** An event that stands in no log and so has no id. */
function eventText(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** What a reader is told of events that it cannot get, ids inclusive. `lost`: they died with the worker that made them. */
export function gapText(from: number, to: number, lost = false): string {
  const message = lost
    ? `Events ${from} to ${to} were lost with the worker that made them.`
    : `Events ${from} to ${to} are no longer kept.`;
  return eventText('error', { error: 'StreamGap', message, from, to });
}

/**
 * The body of a wait: the final values, `__interrupt__` and `__feedback__` beside them, or `__error__` (agent-server.md, 8.3).
 * Always an object.
 */
export function outcomeBody(services: Services, run: LiveRun, outcome: Outcome): string {
  return withFeedback(valuesOf(services, run, outcome), run.feedback);
}

function valuesOf(services: Services, run: LiveRun, outcome: Outcome): string {
  if (outcome.error !== null && outcome.status !== 'interrupted') return errorBody(outcome.error);
  const result = outcome.result === null ? 'null' : asText(outcome.result);
  if (outcome.status === 'success' && run.wantsResult && result !== 'null') return asObjectJson(result);
  return run.thread.record === null || run.thread.deleted ? '{}' : finalBody(services, run.caller, run.record.threadId);
}

/** The same for a run that has ended. Throws THREAD_NOT_FOUND or RUN_NOT_FOUND. */
export function endedBody(services: Services, caller: Caller, threadId: string, runId: string): string {
  const { record } = getRun(services, caller, threadId, runId);
  if ((record.status === 'error' || record.status === 'timeout') && record.error !== null)
    return errorBody(record.error);
  return withFeedback(
    finalBody(services, caller, threadId),
    record.status === 'success' ? services.feedback.urlsOfRun(runId) : null,
  );
}

/** A state that is a list has no room for it. */
function withFeedback(body: string, addresses: string | null): string {
  if (addresses === null || !body.startsWith('{')) return body;
  const values = body.slice(1, -1);
  return `{${values}${values === '' ? '' : ','}"__feedback__":${addresses}}`;
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

function errorBody(error: ErrorRecord): string {
  const { name, message } = boundedError(error);
  return JSON.stringify({ __error__: { error: name, message } });
}

/** The JS client evaluates `"__error__" in body`: null and scalars would make it throw (agent-server.md, trap 3). */
function asObjectJson(json: string): string {
  return json.startsWith('{') || json.startsWith('[') ? json : json === 'null' ? '{}' : `{"value":${json}}`;
}
