import type { Caller } from '../../domain/caller.js';
import { boundedError, errorLine, fail, ThreadmillError } from '../../base/errors.js';
import { isObject, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import type { AssistantRecord } from '../../store/assistants.js';
import type { RunRecord } from '../../store/runs/runs.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';
import { getRunAlone, type FoundRun } from '../runs/find-run.js';
import { headView, withDeletionCheck } from '../state/state.js';
import { StateContentReader } from '../state/state-content-reader.js';
import { StateView } from '../state/state-view.js';

/** Task states of A2A, in lower case. */
export type TaskState = 'submitted' | 'working' | 'input-required' | 'completed' | 'canceled' | 'failed';

/** `json` is JSON text, because outputs of graphs are not parsed on the way. */
export type TaskPart = { text: string } | { json: string };

export interface TaskMessage {
  id: string;
  fromUser: boolean;
  parts: TaskPart[];
}

/** A run as an A2A task. Its thread is the context. */
export interface Task {
  id: string;
  contextId: string;
  state: TaskState;
  updatedAtMs: number;
  /** Message of the task status: the question of an interrupt, or the reason of a failure. */
  statusParts: TaskPart[];
  /** Output of the run. */
  artifactParts: TaskPart[];
  history: TaskMessage[];
}

export interface TaskQuery {
  historyLength: number;
  /** True: only messages of the task's own turn. */
  currentTurnOnly: boolean;
}

/** Finds the run behind a task of this assistant. Null if the caller sees none. */
export function findTask(
  services: Needs<'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  assistant: AssistantRecord,
  taskId: string,
): FoundRun | null {
  try {
    const found = getRunAlone(services, caller, taskId);
    const { threadId, assistantId } = found.record;
    return assistantId === assistant.assistantId && services.threads.find(caller, threadId) !== undefined
      ? found
      : null;
  } catch (error) {
    if (error instanceof ThreadmillError && error.status === 404) return null;
    throw error;
  }
}

/** Number of contexts per page of the search. */
const CONTEXTS_PER_PAGE = 50;

/**
 * Lists the runs of an assistant in all contexts that the caller sees and that used it last. Contexts with the
 * latest change come first, and so do the newest runs of each. Throws INVALID_REQUEST if the offset is too
 * large.
 */
export function* listTaskRuns(
  services: Needs<'stores'>,
  caller: Caller,
  { assistantId }: AssistantRecord,
  { limit, offset }: { limit: number; offset: number },
): Steps<{ records: RunRecord[]; more: boolean }> {
  const { stores } = services;
  const wanted = offset + limit + 1;
  const found: RunRecord[] = [];
  for (let at = 0; ; at += CONTEXTS_PER_PAGE) {
    const { records, more } = yield* stores.threadLists.list(caller, {
      metadata: { assistant_id: assistantId },
      limit: CONTEXTS_PER_PAGE,
      offset: at,
    });
    for (const thread of records) {
      found.push(
        ...stores.runs
          .list(caller, thread, { limit: wanted - found.length, offset: 0 })
          .filter((run) => run.assistantId === assistantId),
      );
      yield;
      if (found.length >= wanted) return { records: found.slice(offset, offset + limit), more: true };
    }
    if (!more) return { records: found.slice(offset), more: false };
  }
}

/** The current state of a task. Its output is read from the last state that it stored. */
export function* readTask(
  services: Needs<'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  run: RunRecord,
  { historyLength, currentTurnOnly }: TaskQuery,
): Steps<Task> {
  const { runId, threadId, updatedAtMs, status, error } = services.scheduler.get(run.runId)?.stored ?? run;
  const thread = services.threads.find(caller, threadId);
  if (thread === undefined) throw fail('THREAD_NOT_FOUND', { threadId });
  const task: Task = {
    id: runId,
    contextId: threadId,
    state: 'submitted',
    updatedAtMs,
    statusParts: [],
    artifactParts: [],
    history: [],
  };
  if (status === 'pending' || status === 'running')
    return { ...task, state: status === 'pending' ? 'submitted' : 'working' };
  // A run that only repeated its interrupt has stored no state.
  const isNewest = services.stores.runs.list(caller, thread, { limit: 1, offset: 0 })[0]?.runId === runId;
  const view = isNewest ? headView(services, caller, thread) : lastStoredState(services, caller, thread, runId);
  return yield* withDeletionCheck(services, caller, { thread, view }, ended());

  function* ended(): Steps<Task> {
    if (view !== undefined) task.history = yield* messageHistory(view, historyLength, currentTurnOnly);
    if (status === 'error' || status === 'timeout')
      return { ...task, state: 'failed', statusParts: error === null ? [] : [{ text: errorLine(error) }] };
    if (status === 'interrupted')
      return { ...task, state: 'canceled', statusParts: error === null ? [] : [{ text: boundedError(error).message }] };
    // An interrupt is open until another run continues from there.
    const open = isNewest && view !== undefined ? yield* openInterrupts(view) : [];
    if (open.length > 0) return { ...task, state: 'input-required', statusParts: open };
    return { ...task, state: 'completed', artifactParts: view === undefined ? [] : yield* artifactOf(view) };
  }
}

/** The newest state that the run stored. Undefined if none is among the newest ones of the thread. */
function lastStoredState(
  { stores }: Needs<'stores'>,
  caller: Caller,
  thread: ThreadRecord,
  runId: string,
): StateView | undefined {
  let looked = 0;
  for (const record of stores.checkpoints.list(caller, thread, '', null)) {
    if (record.runId === runId) return new StateView(new StateContentReader(stores, caller, thread), record);
    looked += 1;
    if (looked === LIMITS.taskStatesMax) return undefined;
  }
  return undefined;
}

const messageAt = (place: number): { root: 'values'; steps: (string | number)[] } => ({
  root: 'values',
  steps: ['messages', place],
});

/** The last message, if the graph keeps messages and the last one is not the user's. Otherwise all values. */
function* artifactOf(state: StateView): Steps<TaskPart[]> {
  const message = readMessage(yield* state.readPart(messageAt(-1), 'json'), 0);
  if (message !== null && !message.fromUser) return message.parts;
  const values = yield* state.values(null);
  return values === 'null' ? [] : [{ json: values.startsWith('{') ? values : `{"value":${values}}` }];
}

function* openInterrupts(state: StateView): Steps<TaskPart[]> {
  const interrupts = (yield* state.interrupts()).map(([, list]) => list).filter((list) => list !== '');
  if (interrupts.length === 0) return [];
  const json = `[${interrupts.join(',')}]`;
  if (json.length <= LIMITS.handlerMemberCharsMax) {
    const values = (JSON.parse(json) as unknown[]).map((one) => (isObject(one) ? one['value'] : one));
    if (values.length > 0 && values.every((value) => typeof value === 'string'))
      return values.map((text) => ({ text }));
  }
  return [{ json: `{"interrupts":${json}}` }];
}

/** Oldest first. A turn begins with the last message of the user. */
function* messageHistory(state: StateView, length: number, currentTurnOnly: boolean): Steps<TaskMessage[]> {
  const found: TaskMessage[] = [];
  for (let place = -1; found.length < length; place -= 1) {
    const message = readMessage(yield* state.readPart(messageAt(place), 'json'), place);
    if (message === null) break;
    found.unshift(message);
    if (currentTurnOnly && message.fromUser) break;
    yield;
  }
  return found;
}

function readMessage(json: string | undefined, place: number): TaskMessage | null {
  if (json === undefined) return null;
  const message = JSON.parse(json) as unknown;
  if (!isObject(message)) return null;
  const { id, type, role, content } = message;
  const kind = type ?? role;
  return {
    id: typeof id === 'string' ? id : `message${place}`,
    fromUser: kind === 'human' || kind === 'user',
    parts: partsOf(content),
  };
}

function partsOf(content: unknown): TaskPart[] {
  if (typeof content === 'string') return [{ text: content }];
  if (!Array.isArray(content)) return [{ json: JSON.stringify({ content: content ?? null }) }];
  return content.map((block: unknown): TaskPart => {
    const { type, text } = isObject(block) ? block : ({} as JsonObject);
    return type === 'text' && typeof text === 'string'
      ? { text }
      : { json: JSON.stringify(isObject(block) ? block : { content: block }) };
  });
}
