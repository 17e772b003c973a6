import { SERVER_CALLER, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { contains, type JsonObject } from '../../base/json/json.js';
import { runToEnd, done, type Steps } from '../../base/steps.js';
import type { Stores } from '../../store/stores.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { ThreadTable } from '../threads/thread-table.js';
import { entityTag } from '../threads/etags.js';
import { StateContentReader } from './state-content-reader.js';
import { emptyStateJson, interruptsJson, StateView, type StateSelect } from './state-view.js';

/** Where states are read from: `threads` has the threads that are being changed. */
export interface StateSource {
  stores: Stores;
  threads: ThreadTable;
}

/** The API's view of a thread's newest checkpoint. */
export interface HeadState {
  /** JSON of the values. `{}` if there is no checkpoint. */
  values: string;
  /** JSON of `{task id: [interrupt]}`. */
  interrupts: string;
  hasInterrupts: boolean;
  /** JSON of the list of all interrupts. */
  interruptList: string;
}

/** A response with an entity tag that is known before its JSON is computed. */
export interface TaggedJson {
  tag: string;
  json(): Steps<string>;
}

export interface StateQuery {
  ns: string;
  checkpointId: string | null;
  subgraphs: boolean;
  select: StateSelect | null;
}

/**
 * ThreadState as JSON. Throws CHECKPOINT_NOT_FOUND for an unknown id. A thread without checkpoints has an empty
 * state.
 */
export function threadState(
  services: StateSource,
  caller: Caller,
  thread: ThreadRecord,
  { ns, checkpointId, subgraphs, select }: StateQuery,
): TaggedJson {
  const { stores } = services;
  const record =
    checkpointId === null
      ? stores.checkpoints.newestWithView(caller, thread, ns)
      : stores.checkpoints.get(caller, thread, ns, checkpointId);
  if (record === undefined) {
    if (checkpointId !== null) throw fail('CHECKPOINT_NOT_FOUND', { checkpointId });
    const empty = emptyStateJson(select);
    return { tag: entityTag([Buffer.from(thread.uid)]), json: () => done(empty) };
  }
  const view = new StateView(new StateContentReader(stores, caller, thread), record);
  return {
    tag: entityTag([Buffer.from(thread.uid), view.digest(subgraphs)]),
    json: () =>
      withDeletionCheck(services, caller, { thread, view }, view.json(select, subgraphs, checkpointId === null)),
  };
}

export interface HistoryQuery {
  ns: string;
  limit: number;
  before: string | null;
  metadata: JsonObject | null;
  select: StateSelect | null;
}

/** ThreadStates as a JSON list, newest first. Throws INVALID_REQUEST if too many states would be scanned. */
export function* threadHistory(
  services: StateSource,
  caller: Caller,
  thread: ThreadRecord,
  { ns, limit, before, metadata, select }: HistoryQuery,
): Steps<TaggedJson> {
  const { stores } = services;
  const content = new StateContentReader(stores, caller, thread);
  const found: StateView[] = [];
  const facts: Uint8Array[] = [Buffer.from(thread.uid)];
  let looked = 0;
  for (
    let record =
      before === null
        ? stores.checkpoints.newestWithView(caller, thread, ns)
        : stores.checkpoints.newestBefore(caller, thread, ns, before);
    record !== undefined && found.length < limit;
    record = stores.checkpoints.newestBefore(caller, thread, ns, record)
  ) {
    const view = new StateView(content, record);
    if (
      metadata === null ||
      contains(yield* withDeletionCheck(services, caller, { thread, view }, view.metadata()), metadata)
    ) {
      found.push(view);
      facts.push(view.digest(false));
    }
    if (++looked > LIMITS.scanRowsMax)
      throw fail('INVALID_REQUEST', {
        problems: `metadata: more than ${LIMITS.scanRowsMax} states would have to be scanned; use before to start at an older state`,
      });
    yield;
  }
  return {
    tag: entityTag(facts),
    *json() {
      const parts: string[] = [];
      let chars = 0;
      for (const view of found) {
        const json = yield* withDeletionCheck(services, caller, { thread, view }, view.json(select, false));
        chars += json.length;
        if (chars > LIMITS.responseBytesMax) throw answerTooLarge(parts.length);
        parts.push(json);
        yield;
      }
      return `[${parts.join(',')}]`;
    },
  };
}

/** A read in progress. */
export interface StateRead {
  thread: ThreadRecord;
  /** The checkpoint that is read. Undefined if none is. */
  view: StateView | undefined;
}

/**
 * Runs `steps`. If the thread or checkpoint was deleted in the meantime, throws the error of a missing one
 * instead of reporting damage.
 */
export function* withDeletionCheck<T>(
  { stores, threads }: StateSource,
  caller: Caller,
  { thread, view }: StateRead,
  steps: Steps<T>,
): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    if (threads.find(caller, thread.threadId)?.uid !== thread.uid)
      throw fail('THREAD_NOT_FOUND', { threadId: thread.threadId }, error);
    const { ns, id } = view?.record ?? { ns: '', id: null };
    if (id !== null && stores.checkpoints.get(caller, thread, ns, id) === undefined)
      throw fail('CHECKPOINT_NOT_FOUND', { checkpointId: id }, error);
    throw error;
  }
}

/** The response would exceed responseBytesMax. `fitted`: number of entries that fit. */
export function answerTooLarge(fitted: number): Error {
  return fail('INVALID_REQUEST', {
    problems: `limit: the response would exceed ${LIMITS.responseBytesMax} bytes; the first ${fitted} entries fit`,
  });
}

/** The newest state of a thread in the API format. Undefined if there is none. */
export function headView(
  { stores }: Pick<StateSource, 'stores'>,
  caller: Caller,
  thread: ThreadRecord,
): StateView | undefined {
  const record = stores.checkpoints.newestWithView(caller, thread, '');
  return record === undefined ? undefined : new StateView(new StateContentReader(stores, caller, thread), record);
}

/** The latest state, computed without yielding. */
export function latestStateJson(services: Pick<StateSource, 'stores'>, caller: Caller, thread: ThreadRecord): string {
  const view = headView(services, caller, thread);
  return view === undefined ? emptyStateJson(null) : runToEnd(view.json(null, false, true));
}

/** The API's view of the newest checkpoint, computed without yielding. */
export function headState(services: Pick<StateSource, 'stores'>, caller: Caller, thread: ThreadRecord): HeadState {
  const view = headView(services, caller, thread);
  if (view === undefined) return { values: '{}', interrupts: '{}', hasInterrupts: false, interruptList: '[]' };
  const interrupts = runToEnd(view.interrupts());
  return {
    values: runToEnd(view.values(null)),
    interrupts: interruptsJson(interrupts),
    hasInterrupts: interrupts.length > 0,
    interruptList: `[${interrupts.map(([, list]) => list).join(',')}]`,
  };
}

/** True if the newest state has open interrupts. Does not read its values. */
export function headHasInterrupts(
  services: Pick<StateSource, 'stores'>,
  caller: Caller,
  thread: ThreadRecord,
): boolean {
  const view = headView(services, caller, thread);
  return view !== undefined && runToEnd(view.interrupts()).length > 0;
}

/** True if the newest checkpoint has next steps, or if a crash came before they were stored. */
export function headIsUnfinished(stores: Stores, thread: ThreadRecord): boolean {
  const head = stores.checkpoints.get(SERVER_CALLER, thread, '', null);
  if (head === undefined) return false;
  const view = stores.checkpoints.viewOf(thread, head);
  return view === undefined || view.next.length > 0;
}
