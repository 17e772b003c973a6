import type { RunCreate } from '../../../schemas/compiled/types.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Caller } from '../../domain/caller.js';
import { Commit } from '../../store/store.js';
import type { MultitaskStrategy } from '../../store/runs/runs.js';
import { resolveAssistant } from '../assistants/assistants.js';
import type { Needs } from '../context.js';
import { newThread } from '../threads/threads.js';
import { cancelRun } from './cancel-run.js';
import type { LiveRun, LiveThread } from './live.js';
import { createLiveRun, createRunWithThread, putNewRun, storeNewRun } from './new-run.js';
import type { RunRequestContext } from './request-context.js';
import type { NewRunRequest } from './run-request.js';

/**
 * Admits a run on a thread. One commit makes the run pending and the thread busy; `created` settles when it is on disk.
 * Only then does the run start, and only then does a client learn of it. Throws RUN_ASSISTANT_NOT_FOUND,
 * THREAD_NOT_FOUND, CHECKPOINT_NOT_FOUND, THREAD_RUNNING (strategy `reject`), THREAD_BUSY (the thread is being
 * changed), STATE_BUDGET_EXCEEDED, and what `Scheduler.checkIntake` throws. With a budget, call `StateBudgets.prepare`
 * first: a thread that is not measured yet is admitted.
 */
export function startRun(
  services: Needs<
    | 'clock'
    | 'defaultTtl'
    | 'graphIds'
    | 'ids'
    | 'quotas'
    | 'scheduler'
    | 'stateBudgets'
    | 'stores'
    | 'threads'
    | 'webhooks'
  >,
  threadId: string,
  request: NewRunRequest,
): LiveRun {
  const { caller, body } = request;
  const { scheduler, threads } = services;
  scheduler.checkIntake();
  services.quotas.checkNewRun(caller);
  refuseRun(services, body);
  const assistant = resolveAssistant(services, caller, body.assistant_id);
  let record = threads.current(caller, threadId);
  const existing = record ?? null;
  if (record === undefined) {
    if ((body.if_not_exists ?? 'reject') !== 'create' || threads.isTaken(threadId))
      throw fail('THREAD_NOT_FOUND', { threadId });
    record = newThread(services, threadId, { ...body.metadata }, false);
  } else services.stateBudgets?.check(record);
  const live = threads.live(threadId);
  const checkpointId = body.checkpoint_id ?? body.checkpoint?.checkpoint_id;
  const hasCheckpoint = typeof checkpointId === 'string';
  // On a thread with runs, one of them may be about to store the checkpoint.
  if (hasCheckpoint && live === undefined) {
    const checkpoint = services.stores.checkpoints.get(caller, record, '', checkpointId);
    if (checkpoint === undefined) throw fail('CHECKPOINT_NOT_FOUND', { checkpointId });
  }
  if (live !== undefined && !mayQueueBehind(live, hasCheckpoint)) throw fail('THREAD_BUSY', { threadId });
  const strategy = (body.multitask_strategy ?? 'enqueue') as MultitaskStrategy;
  const before = (live?.runs ?? []).filter((run) => !run.settled);
  if (strategy === 'reject' && before.length > 0) throw fail('THREAD_RUNNING', { threadId });

  const thread = existing === null ? threads.holdNew(record) : threads.hold(record);
  const run = createLiveRun(services, request, { thread, assistant, temporary: false });
  storeNewRun(services, run, { existing, assistant }, request.extraWrites);
  // The new run is in the thread's list before the old ones end, so one of them is always next.
  if (strategy === 'interrupt' || strategy === 'rollback') {
    for (const old of before)
      cancelRun(services, old, strategy, `superseded by run ${run.record.runId} (${strategy})`).catch(() => undefined);
  }
  scheduler.add(run);
  return run;
}

/**
 * Starts a run without a thread of the client's. A run whose result someone waits for is kept in memory only, unless it
 * is to be kept, resumed, delayed or sent to a webhook.
 */
export function startStatelessRun(
  services: Needs<
    'clock' | 'defaultTtl' | 'graphIds' | 'ids' | 'quotas' | 'scheduler' | 'stores' | 'threads' | 'webhooks'
  >,
  request: NewRunRequest,
): LiveRun {
  const { caller, body, purpose } = request;
  const { scheduler, threads, ids } = services;
  scheduler.checkIntake();
  services.quotas.checkNewRun(caller);
  refuseRun(services, body);
  const assistant = resolveAssistant(services, caller, body.assistant_id);
  const stored =
    purpose === 'background' ||
    body.on_completion === 'keep' ||
    body.stream_resumable === true ||
    typeof body.webhook === 'string' ||
    (body.after_seconds ?? 0) > 0;
  let run: LiveRun;
  if (stored) {
    run = createRunWithThread(services, request, assistant);
    storeNewRun(services, run, { existing: null, assistant }, request.extraWrites);
  } else {
    const thread = threads.transientThread(ids.next());
    run = createLiveRun(services, request, { thread, assistant, temporary: true });
    thread.runs.push(run);
  }
  scheduler.add(run);
  return run;
}

export interface BatchRequest {
  caller: Caller;
  bodies: readonly RunCreate[];
  context: RunRequestContext;
}

/**
 * Starts stateless runs in the background: all in one commit, or none. Resolves when they are on disk and queued, with
 * what `view` returned for each when it was created, in the order of the bodies. Throws what `startStatelessRun`
 * throws.
 */
export async function startBatch<T>(
  services: Needs<
    'clock' | 'defaultTtl' | 'graphIds' | 'ids' | 'quotas' | 'scheduler' | 'stores' | 'threads' | 'webhooks'
  >,
  { caller, bodies, context }: BatchRequest,
  view: (run: LiveRun) => T,
): Promise<T[]> {
  const { scheduler, quotas, stores } = services;
  scheduler.checkIntake();
  const assistants = bodies.map((body) => {
    refuseRun(services, body);
    return resolveAssistant(services, caller, body.assistant_id);
  });
  quotas.checkNewRun(caller, bodies.length);
  // Reserved before the runs are created: that takes several turns of the event loop, in which other requests start
  // runs.
  const places = bodies.map(() => ({ caller, counted: null }));
  for (const place of places) quotas.onRunCreated(place);
  const commit = new Commit();
  const runs: LiveRun[] = [];
  try {
    for (const [at, body] of bodies.entries()) {
      await yieldEvery(at);
      const assistant = assistants[at]!;
      const run = createRunWithThread(services, { caller, body, purpose: 'background', context }, assistant);
      putNewRun(services, commit, run, { existing: null, assistant });
      runs.push(run);
      quotas.onRunEnded(places[at]!);
      quotas.onRunCreated(run);
    }
  } finally {
    for (const place of places) quotas.onRunEnded(place);
  }
  const views = runs.map(view);
  const created = stores.store.write(commit);
  for (const run of runs) run.created = created;
  await created;
  for (const [at, run] of runs.entries()) {
    await yieldEvery(at);
    // Its thread is visible by now, and may have been deleted.
    if (!run.settled) scheduler.add(run);
  }
  return views;
}

/** Throws for what a schema cannot check: whether the webhook's address is allowed. */
export function refuseRun({ webhooks }: Needs<'webhooks'>, body: RunCreate): void {
  webhooks.admit(body.webhook);
}

/**
 * True if the thread is free for a new run, or only changed in a way that a run can wait for: a state update, which is
 * short, or the removal of old states. A run that starts from an old state could find it gone, so it does not wait for
 * the latter.
 */
function mayQueueBehind({ slot }: LiveThread, hasCheckpoint: boolean): boolean {
  return slot === null || slot === 'edit' || (slot === 'prune' && !hasCheckpoint);
}

/** Lets other work run after every `batchSliceMax` entries of a list. */
async function yieldEvery(at: number): Promise<void> {
  if (at === 0 || at % LIMITS.batchSliceMax !== 0) return;
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
