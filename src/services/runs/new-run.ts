import { jsonBytes, parseJson, type JsonObject } from '../../base/json/json.js';
import type { AssistantRecord } from '../../store/assistants.js';
import { Commit } from '../../store/store.js';
import { storedKwargs } from '../../store/runs/kwargs.js';
import type { ActiveRunRecord, MultitaskStrategy, RunRecord } from '../../store/runs/runs.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';
import { newThread } from '../threads/threads.js';
import { liveRun, threadStatus, type LiveRun, type LiveThread } from './live.js';
import { buildKwargs } from './run-kwargs.js';
import type { ExtraWrites, NewRunRequest } from './run-request.js';

/** The run in memory, with a record that is not stored yet. `temporary`: the thread is deleted with the run. */
export function createLiveRun(
  { clock, ids, stores }: Needs<'clock' | 'ids' | 'stores'>,
  request: NewRunRequest,
  { thread, assistant, temporary }: { thread: LiveThread; assistant: AssistantRecord; temporary: boolean },
): LiveRun {
  const { body, caller, purpose, context } = request;
  const nowMs = clock.nowMs();
  const delayMs = Math.max(0, body.after_seconds ?? 0) * 1_000;
  const metadata: JsonObject = { ...body.metadata, assistant_id: assistant.assistantId, graph_id: assistant.graphId };
  const record: RunRecord = {
    runId: ids.next(),
    threadId: thread.threadId,
    assistantId: assistant.assistantId,
    graphId: assistant.graphId,
    createdAtMs: nowMs + delayMs,
    updatedAtMs: nowMs,
    status: 'pending',
    metadata: jsonBytes(metadata),
    multitask: (body.multitask_strategy ?? 'enqueue') as MultitaskStrategy,
    attempt: 1,
    lease: 0,
    error: null,
  };
  const kwargs = buildKwargs(record, assistant, request, temporary);
  const run = liveRun(stores, {
    record,
    stored: null,
    dueMs: clock.elapsedMs() + delayMs,
    thread,
    caller,
    kwargs,
    alive: null,
    wantsFrames: purpose === 'stream' || kwargs.resumable,
    wantsResult: purpose === 'wait',
  });
  run.traceparent = context.traceparent;
  run.holdsTrace = request.holdsTrace ?? false;
  return run;
}

/** A run on a new thread, which is deleted with the run unless the body says `on_completion: keep`. */
export function createRunWithThread(
  services: Needs<'clock' | 'defaultTtl' | 'ids' | 'stores' | 'threads'>,
  request: NewRunRequest,
  assistant: AssistantRecord,
): LiveRun {
  const { body } = request;
  const temporary = body.on_completion !== 'keep';
  const record = newThread(services, services.ids.next(), { ...body.metadata }, temporary);
  return createLiveRun(services, request, { thread: services.threads.holdNew(record), assistant, temporary });
}

/** Where a new run is stored. `existing` is the thread's record before the run; null for a new thread. */
export interface NewRunPlace {
  existing: ThreadRecord | null;
  assistant: AssistantRecord;
}

/** Stores the run; `run.created` settles when it is on disk, and then the thread's next run is scheduled. */
export function storeNewRun(
  services: Needs<'clock' | 'scheduler' | 'stores' | 'threads'>,
  run: LiveRun,
  place: NewRunPlace,
  extraWrites?: ExtraWrites,
): void {
  const commit = new Commit();
  putNewRun(services, commit, run, place);
  extraWrites?.(commit, run);
  run.created = services.stores.store.write(commit);
  run.created.then(
    () => services.scheduler.scheduleNext(run.thread),
    // The client gets the error from its own await of `created`, and the run never starts.
    () => undefined,
  );
}

/** Adds the run to its thread's list, and to the commit. */
export function putNewRun(
  { stores, threads, clock }: Needs<'clock' | 'stores' | 'threads'>,
  commit: Commit,
  run: LiveRun,
  { existing, assistant }: NewRunPlace,
): void {
  const { thread, record } = run;
  const { uid } = thread.record!;
  const alive: ActiveRunRecord = {
    runId: record.runId,
    threadId: record.threadId,
    uid,
    sealed: stores.seal.seal(run.caller, record.runId),
    inputConsumed: false,
    answered: [],
    order: 1 + Math.max(0, ...thread.runs.map((other) => other.alive?.order ?? 0)),
    suspect: false,
  };
  run.alive = alive;
  thread.runs.push(run);
  commit.onDurable(() => {
    run.stored = record;
  });
  stores.runs.create(commit, record, storedKwargs(run.kwargs, record), alive);
  if (!assistant.system) stores.runs.linkToAssistant(commit, uid, record);
  const metadata = {
    ...(parseJson(thread.record!.metadata) as JsonObject),
    graph_id: assistant.graphId,
    assistant_id: assistant.assistantId,
  };
  threads.update(
    commit,
    thread,
    {
      metadata: jsonBytes(metadata),
      graphId: assistant.graphId,
      status: threadStatus(thread.record!, true),
      updatedAtMs: clock.nowMs(),
      nextSeq: threads.reservedSeq(thread),
    },
    existing,
  );
}
