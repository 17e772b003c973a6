import type { Caller } from '../../domain/caller.js';
import { boundedError, fail, type ErrorRecord } from '../../base/errors.js';
import { asText } from '../../base/json/json.js';
import { RunLog, type LoadOlderFrames } from '../../pool/graphs/run-log.js';
import type { Needs } from '../context.js';
import { getRun, type FoundRun } from './find-run.js';
import { isProtocolName } from '../../wire/runs/protocol.js';
import { startListening, storedFrames, type LiveRun, type Outcome } from './live.js';
import { headState } from '../state/state.js';
import type { EventFilter } from './stream-filter.js';
import type { Subscription } from './subscription.js';

/** Every event of a new run, for the client that created it. */
export function followNew(run: LiveRun, wants: EventFilter | null): Subscription {
  return { log: run.log, afterSeq: -1, live: run, wants, finalText: '' };
}

/**
 * Joins a run. Without `lastEventId` the reader gets the events after the join (interface.md, 6.3). With it, the reader
 * gets the later events as far as they are kept, else a gap. The stream of a run that has failed ends with its error.
 */
export async function joinStream(
  services: Needs<'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  { record }: FoundRun,
  query: { lastEventId: number | null; wants: EventFilter | null },
): Promise<Subscription> {
  // Events of the second protocol are sent on the stream of the thread.
  const wants = query.wants ?? ((name: string) => !isProtocolName(name));
  const { runId, threadId } = record;
  const { scheduler } = services;
  const recent = scheduler.recent(runId);
  await scheduler.get(runId)?.returned;
  const live = scheduler.get(runId);
  if (live?.settled === false) return joinLive(live, query.lastEventId, wants);
  // Clients read the status when a stream closes, so it must be on disk by then (agent-server.md, trap 18).
  if (recent !== undefined) await scheduler.whenEnded(recent);
  const failure =
    record.status === 'error' || record.status === 'timeout' ? record.error : (recent?.log.failure ?? null);
  const errorText = failure === null ? '' : eventText('error', { error: failure.name, message: failure.message });
  if (query.lastEventId === null) return { log: endedLog(), afterSeq: -1, live: null, wants, finalText: errorText };
  if (recent !== undefined) {
    // If the run had a listener, the log holds the error event.
    return {
      log: recent.log,
      afterSeq: query.lastEventId,
      live: null,
      wants,
      finalText: recent.log.isEmpty ? errorText : '',
    };
  }
  const log = await storedLog(services, caller, runId, query.lastEventId);
  if (log !== null) return { log, afterSeq: query.lastEventId, live: null, wants, finalText: '' };
  const to = Math.max(query.lastEventId + 1, (services.threads.find(caller, threadId)?.nextSeq ?? 0) - 1);
  return {
    log: endedLog(),
    afterSeq: -1,
    live: null,
    wants,
    finalText: gapText(query.lastEventId + 1, to) + errorText,
  };
}

function joinLive(run: LiveRun, lastEventId: number | null, wants: Subscription['wants']): Subscription {
  startListening(run);
  return { log: run.log, afterSeq: lastEventId ?? run.log.lastSeq, live: run, wants, finalText: '' };
}

/** An empty log that gets no more events. */
function endedLog(older: LoadOlderFrames | null = null): RunLog {
  const log = new RunLog(older);
  log.ended = true;
  return log;
}

/** The stored log of a run that is no longer in memory; null when no events are kept. */
async function storedLog(
  { stores }: Needs<'stores'>,
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

/** An event without an id, because no log holds it. */
function eventText(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * The error event for events that a reader cannot get; both ids inclusive. `lost`: their worker died before it sent
 * them.
 */
export function gapText(from: number, to: number, lost = false): string {
  const message = lost
    ? `Events ${from} to ${to} were lost with the worker that made them.`
    : `Events ${from} to ${to} are no longer kept.`;
  return eventText('error', { error: 'StreamGap', message, from, to });
}

/**
 * The body of a wait response: the final values with `__interrupt__` and `__feedback__`, or `__error__`
 * (agent-server.md, 8.3).
 */
export function outcomeBody(services: Needs<'stores' | 'threads'>, run: LiveRun, outcome: Outcome): string {
  return withFeedback(valuesOf(services, run, outcome), run.feedback);
}

function valuesOf(services: Needs<'stores' | 'threads'>, run: LiveRun, outcome: Outcome): string {
  if (outcome.error !== null && outcome.status !== 'interrupted') return errorBody(outcome.error);
  const result = outcome.result === null ? 'null' : asText(outcome.result);
  if (outcome.status === 'success' && run.wantsResult && result !== 'null') return asObjectJson(result);
  return run.thread.record === null || run.thread.deleted ? '{}' : finalBody(services, run.caller, run.record.threadId);
}

/** As `outcomeBody`, for a run that had ended before. Throws THREAD_NOT_FOUND or RUN_NOT_FOUND. */
export function endedBody(
  services: Needs<'feedback' | 'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  threadId: string,
  runId: string,
): string {
  const { record } = getRun(services, caller, threadId, runId);
  if ((record.status === 'error' || record.status === 'timeout') && record.error !== null)
    return errorBody(record.error);
  return withFeedback(
    finalBody(services, caller, threadId),
    record.status === 'success' ? services.feedback.urlsOfRun(runId) : null,
  );
}

/** Adds `__feedback__` to an object; a state that is a list cannot carry it. */
function withFeedback(body: string, addresses: string | null): string {
  if (addresses === null || !body.startsWith('{')) return body;
  const values = body.slice(1, -1);
  return `{${values}${values === '' ? '' : ','}"__feedback__":${addresses}}`;
}

function finalBody(services: Needs<'stores' | 'threads'>, caller: Caller, threadId: string): string {
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
