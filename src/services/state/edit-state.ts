import { LOCAL_CALLER, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { jsonBytes, parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { buildConfig } from '../../domain/run-config.js';
import { Commit } from '../../store/store.js';
import type { ThreadChange } from '../../store/threads/thread-changes.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import { WIRE_VERSION, type EditJob } from '../../wire/runs/messages.js';
import { EDIT_PREFIX } from '../../wire/runs/state.js';
import { findAssistant } from '../assistants/assistants.js';
import type { Needs } from '../context.js';
import type { EditResult } from './state-editor.js';
import { threadStatus } from '../runs/live.js';
import { rollBack } from '../runs/roll-back.js';
import { startOf } from '../runs/run-job.js';
import { withSlot } from '../threads/thread-slot.js';
import { getThreadToChange } from '../threads/threads.js';
import { userConfigurable } from '../runs/user-configurable.js';

/** The combined updates of several nodes in one step. */
export interface Superstep {
  updates: { values?: unknown; command?: JsonObject | null; as_node?: string | null }[];
}

/** Starting point of an update: a checkpoint of the thread. Default: the newest one. */
export interface EditBase {
  ns: string;
  checkpointId: string | null;
}

export interface StateEdit {
  supersteps: readonly Superstep[];
  base: EditBase;
}

/**
 * Applies updates with the graph's reducers, each superstep on top of the previous one. The thread is locked in
 * the meantime, so runs wait. All or nothing. Returns the new checkpoint. Throws THREAD_NOT_FOUND,
 * THREAD_WITHOUT_GRAPH, THREAD_BUSY, STATE_BUDGET_EXCEEDED, CHECKPOINT_NOT_FOUND, EDIT_REFUSED, EDIT_LOST.
 */
export async function editState(
  services: Needs<
    'clock' | 'graphIds' | 'ids' | 'scheduler' | 'stateBudgets' | 'stateEditor' | 'stores' | 'threadEvents' | 'threads'
  >,
  caller: Caller,
  threadId: string,
  edit: StateEdit,
): Promise<JsonObject> {
  const { supersteps, base } = edit;
  const { threads, stores, clock, scheduler, stateBudgets } = services;
  scheduler.checkIntake();
  const record = getThreadToChange(services, caller, threadId);
  if (record.graphId === null) throw fail('THREAD_WITHOUT_GRAPH', { threadId });
  if (base.checkpointId !== null && stores.checkpoints.get(caller, record, base.ns, base.checkpointId) === undefined)
    throw fail('CHECKPOINT_NOT_FOUND', { checkpointId: base.checkpointId });
  refuseTooManyUpdates(supersteps);
  if (stateBudgets !== null) {
    await stateBudgets.prepare(threadId);
    stateBudgets.check(record);
  }
  return withSlot(services, record, { slot: 'edit', allowedRuns: 'none' }, async (live) => {
    // Runs that just ended may still be on the way to disk.
    await stores.store.flushed();
    const change: ThreadChange = { kind: 'edit', changeId: `${EDIT_PREFIX}${services.ids.next()}` };
    const beginCommit = new Commit();
    stores.changes.begin(beginCommit, change);
    stores.store.write(beginCommit).catch(() => undefined);
    let edited: EditResult;
    try {
      edited = await services.stateEditor.apply(
        caller,
        live.record!,
        buildEditJob(services, caller, live.record!, { ...edit, editId: change.changeId }),
        threads.lastWorker(threadId)?.workerId ?? null,
      );
    } catch (error) {
      await rollBack(stores, change, true, () => undefined);
      throw error;
    }
    const now = clock.nowMs();
    const commit = new Commit();
    stores.changes.end(commit, change);
    const leftover = stores.checkpoints.removeUndo(commit, change.changeId);
    // The status does not change. A run that was enqueued in the meantime has made the
    // thread busy.
    threads.update(commit, live, {
      unfinished: edited.unfinished ?? live.record!.unfinished,
      updatedAtMs: now,
      stateUpdatedAtMs: now,
    });
    await stores.store.write(commit);
    if (leftover) stores.remover.wake();
    if (edited.headId !== null) threads.rememberWorker(threadId, edited.workerId, edited.headId);
    services.threadEvents.publishStateUpdate(threadId);
    stateBudgets?.onChanged(live.record!);
    return edited.checkpoint;
  });
}

/**
 * Creates a thread with a history. The thread becomes visible when all of it is stored. Throws INVALID_REQUEST,
 * GRAPH_NOT_FOUND, EDIT_REFUSED, EDIT_LOST.
 */
export async function createThreadWithState(
  services: Needs<'clock' | 'stateEditor' | 'graphIds' | 'ids' | 'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  made: ThreadRecord,
  supersteps: readonly Superstep[],
): Promise<ThreadRecord> {
  const { stores, ids, clock, graphIds } = services;
  const graphId = (parseJson(made.metadata) as JsonObject)['graph_id'];
  if (typeof graphId !== 'string')
    throw fail('INVALID_REQUEST', { problems: 'body.metadata.graph_id: is required with supersteps' });
  if (!graphIds.has(graphId)) throw fail('GRAPH_NOT_FOUND', { graphId });
  refuseTooManyUpdates(supersteps);
  const record = { ...made, graphId };
  return withSlot(services, record, { slot: 'create', allowedRuns: 'none' }, async (live) => {
    const change: ThreadChange = { kind: 'new', changeId: ids.next(), uid: record.uid };
    try {
      const beginCommit = new Commit();
      stores.changes.begin(beginCommit, change);
      stores.store.write(beginCommit).catch(() => undefined);
      const editId = `${EDIT_PREFIX}${change.changeId}`;
      const edited = await services.stateEditor.apply(
        caller,
        record,
        buildEditJob(services, caller, record, { editId, supersteps, base: { ns: '', checkpointId: null } }),
        null,
      );
      const unfinished = edited.unfinished ?? false;
      const now = clock.nowMs();
      const commit = new Commit();
      stores.changes.end(commit, change);
      const leftover = stores.checkpoints.removeUndo(commit, editId);
      const status = threadStatus({ failure: null, unfinished }, false);
      const stored = services.threads.update(
        commit,
        live,
        { unfinished, status, updatedAtMs: now, stateUpdatedAtMs: now },
        null,
      );
      await stores.store.write(commit);
      if (leftover) stores.remover.wake();
      return stored;
    } catch (error) {
      live.deleted = true;
      const commit = new Commit();
      stores.changes.abandonNew(commit, change);
      await stores.store.write(commit).catch(() => undefined);
      stores.remover.wake();
      throw error;
    }
  });
}

/**
 * Startup: undoes changes that a crash interrupted and that were never reported as done. A run whose rollback
 * was interrupted is deleted.
 */
export async function undoUnfinishedChanges({ stores }: Needs<'stores'>): Promise<void> {
  for (const change of [...stores.changes.unfinished()]) {
    if (change.kind === 'new') {
      const commit = new Commit();
      stores.changes.abandonNew(commit, change);
      await stores.store.write(commit);
      continue;
    }
    await rollBack(stores, change, true, (commit) => {
      const run = change.kind === 'rollback' ? stores.runs.get(LOCAL_CALLER, change.changeId) : undefined;
      if (change.kind !== 'rollback' || run === undefined) return;
      stores.runs.remove(commit, change.uid, run);
      // Without this run, the thread is found as a busy one by the index (`repairBusyThreads`).
      const thread = stores.threads.get(LOCAL_CALLER, run.threadId);
      if (thread?.uid === change.uid) stores.threads.put(commit, thread, thread);
    });
  }
}

function refuseTooManyUpdates(supersteps: readonly Superstep[]): void {
  const updates = supersteps.reduce((sum, step) => sum + step.updates.length, 0);
  if (supersteps.length > LIMITS.superstepsMax)
    throw fail('INVALID_REQUEST', {
      problems: `body.supersteps: must not have more than ${LIMITS.superstepsMax} entries`,
    });
  if (updates > LIMITS.updatesMax)
    throw fail('INVALID_REQUEST', {
      problems: `body.supersteps: must not have more than ${LIMITS.updatesMax} updates in all`,
    });
}

function buildEditJob(
  services: Needs<'graphIds' | 'stores' | 'threads'>,
  caller: Caller,
  record: ThreadRecord,
  { editId, supersteps, base }: StateEdit & { editId: string },
): EditJob {
  const { stores, threads } = services;
  const metadata = parseJson(record.metadata) as JsonObject;
  // A factory needs the configuration of the thread's assistant.
  const assistant = findAssistant(
    services,
    caller,
    typeof metadata['assistant_id'] === 'string' ? metadata['assistant_id'] : record.graphId!,
  );
  const names = {
    graph_id: record.graphId,
    ...(assistant === undefined ? {} : { assistant_id: assistant.assistantId }),
  };
  return {
    wireVersion: WIRE_VERSION,
    runId: editId,
    threadId: record.threadId,
    graphId: record.graphId!,
    config: jsonBytes(
      buildConfig(assistant === undefined ? [] : [parseJson(assistant.config) as JsonObject], {
        configurable: {
          thread_id: record.threadId,
          ...names,
          checkpoint_ns: base.ns,
          ...(base.checkpointId === null ? {} : { checkpoint_id: base.checkpointId }),
        },
        metadata: names,
      }),
    ),
    context: assistant === undefined ? null : assistant.context,
    user: jsonBytes(userConfigurable(caller)),
    durability: 'async',
    ...startOf(stores, caller, record, threads.lastWorker(record.threadId)?.headId ?? null).state,
    supersteps: jsonBytes(supersteps),
  };
}
