import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { asObject, isObject, jsonBytes, parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { buildConfig, checkpointNames } from '../../domain/run-config.js';
import type { RunCreate } from '../../../schemas/compiled/types.js';
import { Commit } from '../../store/env.js';
import type { AssistantRecord } from '../../store/assistants.js';
import { completeConfig, storedKwargs, type RunKwargs } from '../../store/runs/kwargs.js';
import type { AliveRecord, MultitaskStrategy, RunRecord } from '../../store/runs/runs.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { StreamMode } from '../../wire/runs/messages.js';
import { resolveAssistant } from '../assistants/assistants.js';
import { cancelRun } from './cancel-run.js';
import type { Services } from '../context.js';
import { liveRun, threadStatus, type LiveRun, type LiveThread } from './live.js';
import { NO_ORIGIN, type Origin } from './request-context.js';
import { newThread } from '../threads/threads.js';

/** Puts what is to be on disk with the new run or not at all: a cron's claim of its slot. */
export type Joining = (commit: Commit, run: LiveRun) => void;

export type RunPurpose = 'background' | 'stream' | 'wait';

/**
 * Admits a run on a thread: one commit makes the run pending and the thread busy. `created` settles when the commit is
 * on disk; the run starts then, and no client hears of it before. Throws
 * RUN_ASSISTANT_NOT_FOUND, THREAD_NOT_FOUND, THREAD_RUNNING (strategy `reject`), THREAD_BUSY (the thread is being changed).
 */
export function startRun(
  services: Services,
  caller: Caller,
  threadId: string,
  body: RunCreate,
  purpose: RunPurpose,
  origin: Origin = NO_ORIGIN,
  joining?: Joining,
  modes?: StreamMode[],
): LiveRun {
  const { scheduler, threads } = services;
  scheduler.checkIntake();
  services.quotas.newRun(caller);
  refuseRun(services, body);
  const assistant = resolveAssistant(services, caller, body.assistant_id);
  let record = threads.current(caller, threadId);
  const existing = record ?? null;
  if (record === undefined) {
    if ((body.if_not_exists ?? 'reject') !== 'create' || threads.taken(threadId))
      throw fail('THREAD_NOT_FOUND', { threadId });
    record = newThread(services, threadId, { ...body.metadata }, false);
  }
  const checkpointId = body.checkpoint_id ?? body.checkpoint?.checkpoint_id;
  const live = threads.live(threadId);
  // A run that goes on may be storing it this moment.
  if (
    typeof checkpointId === 'string' &&
    live === undefined &&
    services.stores.checkpoints.get(caller, record, '', checkpointId) === undefined
  ) {
    throw fail('CHECKPOINT_NOT_FOUND', { checkpointId });
  }
  const strategy = (body.multitask_strategy ?? 'enqueue') as MultitaskStrategy;
  // A change of state is short, and old states the server takes away by itself: the run waits for both like for another run.
  // One that begins at a state of before could find it gone.
  const waits = live?.slot === 'edit' || (live?.slot === 'prune' && typeof checkpointId !== 'string');
  if (live !== undefined && live.slot !== null && !waits) throw fail('THREAD_BUSY', { threadId });
  const before = (live?.runs ?? []).filter((run) => !run.settled);
  if (strategy === 'reject' && before.length > 0) throw fail('THREAD_RUNNING', { threadId });

  const thread = existing === null ? threads.holdNew(record) : threads.hold(record);
  const run = makeRun(services, caller, thread, assistant, body, purpose, false, origin, modes);
  storeNewRun(services, run, existing, assistant, joining);
  // The new run stands in the thread's list before the old ones end: whatever happens, one of them is next.
  if (strategy === 'interrupt' || strategy === 'rollback') {
    for (const old of before)
      cancelRun(services, old, strategy, `superseded by run ${run.record.runId} (${strategy})`).catch(() => undefined);
  }
  scheduler.add(run);
  return run;
}

/**
 * Starts a run without a thread. What someone waits for is kept in memory only, unless it is to be kept, resumed, delayed
 * or announced (DESIGN, section 3).
 */
export function startStatelessRun(
  services: Services,
  caller: Caller,
  body: RunCreate,
  purpose: RunPurpose,
  origin: Origin = NO_ORIGIN,
  joining?: Joining,
): LiveRun {
  const { scheduler, threads, ids } = services;
  scheduler.checkIntake();
  services.quotas.newRun(caller);
  refuseRun(services, body);
  const assistant = resolveAssistant(services, caller, body.assistant_id);
  const stored =
    purpose === 'background' ||
    body.on_completion === 'keep' ||
    body.stream_resumable === true ||
    typeof body.webhook === 'string' ||
    (body.after_seconds ?? 0) > 0;
  if (!stored) {
    const run = makeRun(services, caller, threads.passing(ids.next()), assistant, body, purpose, true, origin);
    run.thread.runs.push(run);
    scheduler.add(run);
    return run;
  }
  const run = onNewThread(services, caller, assistant, body, purpose, origin);
  storeNewRun(services, run, null, assistant, joining);
  scheduler.add(run);
  return run;
}

/**
 * Starts runs without a thread in the background: all in one commit, or none. Resolves with what `view` makes of each, in
 * the order of their bodies, when they are on disk and on their way. Throws what a single one throws.
 */
export async function startBatch<T>(
  services: Services,
  caller: Caller,
  bodies: readonly RunCreate[],
  origin: Origin,
  view: (run: LiveRun) => T,
): Promise<T[]> {
  const { scheduler, quotas, stores } = services;
  scheduler.checkIntake();
  const assistants: AssistantRecord[] = [];
  for (const body of bodies) {
    refuseRun(services, body);
    assistants.push(resolveAssistant(services, caller, body.assistant_id));
  }
  quotas.newRun(caller, bodies.length);
  // Counted before they are made: that takes several turns, in which others ask for runs too.
  const places = bodies.map(() => ({ caller }));
  for (const place of places) quotas.began(place);
  const commit = new Commit();
  const runs: LiveRun[] = [];
  try {
    for (const [at, body] of bodies.entries()) {
      await turnAfter(at);
      const run = onNewThread(services, caller, assistants[at]!, body, 'background', origin);
      putNewRun(services, commit, run, null, assistants[at]!);
      runs.push(run);
      quotas.ended(places[at]!);
      quotas.began(run);
    }
  } finally {
    for (const place of places) quotas.ended(place);
  }
  const views = runs.map(view);
  const created = stores.store.write(commit);
  for (const run of runs) run.created = created;
  await created;
  for (const [at, run] of runs.entries()) {
    await turnAfter(at);
    // Its thread can be found by now, and be deleted.
    if (!run.settled) scheduler.add(run);
  }
  return views;
}

/** Lets others have their turn after so many of a list. */
async function turnAfter(at: number): Promise<void> {
  if (at > 0 && at % LIMITS.batchTurnMax === 0)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}

/** A run with a thread made for it, which goes with it unless it is to be kept. */
function onNewThread(
  services: Services,
  caller: Caller,
  assistant: AssistantRecord,
  body: RunCreate,
  purpose: RunPurpose,
  origin: Origin,
): LiveRun {
  const keep = body.on_completion === 'keep';
  const record = newThread(services, services.ids.next(), { ...body.metadata }, !keep);
  return makeRun(services, caller, services.threads.holdNew(record), assistant, body, purpose, !keep, origin);
}

function storeNewRun(
  services: Services,
  run: LiveRun,
  existing: ThreadRecord | null,
  assistant: AssistantRecord,
  joining?: Joining,
): void {
  const commit = new Commit();
  putNewRun(services, commit, run, existing, assistant);
  joining?.(commit, run);
  startWhenStored(services, run, services.stores.store.write(commit));
}

function startWhenStored(services: Services, run: LiveRun, created: Promise<void>): void {
  run.created = created;
  // When it fails, whoever awaits `created` tells the client, and the run never starts.
  run.created.then(
    () => services.scheduler.turn(run.thread),
    () => undefined,
  );
}

function putNewRun(
  services: Services,
  commit: Commit,
  run: LiveRun,
  existing: ThreadRecord | null,
  assistant: AssistantRecord,
): void {
  const { stores, threads } = services;
  const { thread, record } = run;
  const alive: AliveRecord = {
    runId: record.runId,
    threadId: record.threadId,
    uid: thread.record!.uid,
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
  stores.runs.create(commit, thread.record!.uid, record, storedKwargs(run.kwargs, record), alive);
  if (!assistant.system) stores.runs.goesWithAssistant(commit, thread.record!.uid, record);
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
      updatedAtMs: services.clock.nowMs(),
      nextSeq: threads.reservedSeq(thread),
    },
    existing,
  );
}

function makeRun(
  services: Services,
  caller: Caller,
  thread: LiveThread,
  assistant: AssistantRecord,
  body: RunCreate,
  purpose: RunPurpose,
  temporary: boolean,
  origin: Origin,
  modes = streamModes(body.stream_mode),
): LiveRun {
  const { clock, ids, stores } = services;
  const runId = ids.next();
  const now = clock.nowMs();
  const delayMs = Math.max(0, body.after_seconds ?? 0) * 1_000;
  const startAtMs = now + delayMs;
  const metadata: JsonObject = { ...body.metadata, assistant_id: assistant.assistantId, graph_id: assistant.graphId };
  const record: RunRecord = {
    runId,
    threadId: thread.threadId,
    assistantId: assistant.assistantId,
    graphId: assistant.graphId,
    createdAtMs: startAtMs,
    updatedAtMs: now,
    status: 'pending',
    metadata: jsonBytes(metadata),
    multitask: (body.multitask_strategy ?? 'enqueue') as MultitaskStrategy,
    attempt: 1,
    lease: 0,
    error: null,
  };
  const kwargs = makeKwargs(record, assistant, body, temporary, caller, origin, modes);
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
  run.parent = origin.traceparent;
  return run;
}

/** What a schema cannot say of a run: whether it may call where it is told to. */
export function refuseRun({ webhooks }: Services, body: RunCreate): void {
  webhooks.admit(body.webhook);
}

/** Effective configuration: assistant, then run, then what the server says (agent-server.md, 9.2). */
function makeKwargs(
  record: RunRecord,
  assistant: AssistantRecord,
  body: RunCreate,
  temporary: boolean,
  caller: Caller,
  origin: Origin,
  modes: StreamMode[],
): RunKwargs {
  const fromAssistant = parseJson(assistant.config) as JsonObject;
  const fromRun = (body.config ?? {}) as JsonObject;
  const built = buildConfig([fromAssistant, fromRun], {
    configurable: {
      ...origin.headers,
      ...checkpointNames(asObject(body.checkpoint)),
      ...(typeof body.checkpoint_id === 'string' ? { checkpoint_id: body.checkpoint_id } : {}),
      ...(origin.requestId === null ? {} : { langgraph_request_id: origin.requestId }),
    },
    metadata: {},
  });
  // A client may act for a user of its own (agent-server.md, 17.4); who really asks stands in `langgraph_auth_user_id`.
  if (caller.authenticated) (built['configurable'] as JsonObject)['user_id'] ??= caller.identity;
  const config = completeConfig(built, record);
  const assistantContext = parseJson(assistant.context);
  const context =
    body.context === undefined || body.context === null
      ? Object.keys(asObject(assistantContext)).length > 0
        ? assistantContext
        : null
      : isObject(body.context)
        ? { ...asObject(assistantContext), ...body.context }
        : body.context;
  return {
    input: body.input ?? null,
    command: (body.command ?? null) as JsonObject | null,
    config,
    context,
    stream_mode: modes,
    subgraphs: body.stream_subgraphs ?? false,
    interrupt_before: nodes(body.interrupt_before),
    interrupt_after: nodes(body.interrupt_after),
    durability: body.durability ?? (body.checkpoint_during === false ? 'exit' : 'async'),
    resumable: body.stream_resumable ?? false,
    temporary,
    webhook: body.webhook ?? null,
    feedback_keys: body.feedback_keys && body.feedback_keys.length > 0 ? [...new Set(body.feedback_keys)] : null,
    strict_resume: body.strict_resume ?? false,
  };
}

function streamModes(mode: RunCreate['stream_mode']): StreamMode[] {
  const modes = (mode === undefined || mode === null ? [] : Array.isArray(mode) ? mode : [mode]) as StreamMode[];
  return modes.length === 0 ? ['values'] : [...new Set(modes)];
}

function nodes(value: RunCreate['interrupt_before']): string[] | '*' | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value === '*' ? '*' : [value];
  return value.length === 1 && value[0] === '*' ? '*' : value;
}
