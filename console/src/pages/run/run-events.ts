/** Builds the view of a run from its events. Pure: the same events always give the same view. */
import { appendChunk, putMessage, mergeState, type Conversation } from './conversation.js';
import { isMessage, type MessageLike } from '../../shared/message-parts.js';

/** A stream part in the form of the stock SDK. */
export interface StreamPart {
  id?: string | undefined;
  event: string;
  data: unknown;
}

export interface RunEvent extends StreamPart {
  /** Index among all events that this page has received. */
  at: number;
  attempt: number;
}

export type StepState = 'running' | 'done' | 'failed' | 'waiting' | 'lost';

export interface Step {
  id: string;
  name: string;
  /** Task that called the subgraph of this step; null in the root graph. */
  parent: string | null;
  /** Nodes from the root graph to this one. */
  path: readonly string[];
  state: StepState;
  /** Timestamp of the worker; null if the stream has none. */
  startMs: number | null;
  endMs: number | null;
  /** Size of its update, in bytes of JSON. */
  bytes: number | null;
  input: unknown;
  writes: unknown;
  error: string | null;
  attempt: number;
  /** Checkpoint from which the step begins again. Null for steps of subgraphs, and if the stream has none. */
  checkpointId: string | null;
}

export interface Interrupt {
  id: string | null;
  value: unknown;
}

export interface CustomEventEntry {
  at: number;
  id: string | null;
  from: readonly string[];
  data: unknown;
  attempt: number;
}

export interface RunView {
  runId: string | null;
  attempt: number;
  conversation: Conversation;
  /** Steps by task id, in order of their start. */
  steps: Map<string, Step>;
  customEvents: CustomEventEntry[];
  interrupts: Interrupt[];
  /** Latest root state in the stream; undefined before the first one. */
  values: unknown;
  /** Next nodes of the latest checkpoint; null if the stream contains no checkpoints. */
  next: readonly string[] | null;
  checkpointId: string | null;
  error: { error: string; message: string } | null;
  gaps: { from: number; to: number }[];
  /** True if the stream contains task events, so that steps need not be derived from updates. */
  hasTaskEvents: boolean;
  /** The newest events. `received` counts all of them. */
  events: RunEvent[];
  received: number;
  lastId: string | null;
}

/** Events kept in memory. Of longer runs only the end is shown. */
export const EVENTS_MAX = 50_000;
const CUSTOM_EVENTS_MAX = 20_000;

export function emptyView(conversation: Conversation = new Map()): RunView {
  return {
    runId: null,
    attempt: 1,
    conversation,
    steps: new Map(),
    customEvents: [],
    interrupts: [],
    values: undefined,
    next: null,
    checkpointId: null,
    error: null,
    gaps: [],
    hasTaskEvents: false,
    events: [],
    received: 0,
    lastId: null,
  };
}

/** Applies events in order and changes `view` in place. Events that it has already received are skipped. */
export function applyEvents(view: RunView, parts: readonly StreamPart[]): void {
  for (const part of parts) {
    if (part.id !== undefined && part.id !== '') {
      if (view.lastId !== null && Number(part.id) <= Number(view.lastId)) continue;
      view.lastId = part.id;
    }
    applyEvent(view, part);
    view.events.push({ ...part, at: view.received, attempt: view.attempt });
    view.received += 1;
  }
  // Trim only at 125 %, because trimming at every event would copy the array each time.
  if (view.events.length > EVENTS_MAX * 1.25) view.events.splice(0, view.events.length - EVENTS_MAX);
  if (view.customEvents.length > CUSTOM_EVENTS_MAX * 1.25)
    view.customEvents.splice(0, view.customEvents.length - CUSTOM_EVENTS_MAX);
}

function applyEvent(view: RunView, { id, event, data }: StreamPart): void {
  const [mode = '', ...segments] = event.split('|');
  const from = nodeNames(segments);
  switch (mode) {
    case 'metadata':
      startAttempt(view, data as { run_id?: string; attempt?: number });
      break;
    case 'messages':
      applyToken(view, data, segments);
      break;
    case 'messages/partial':
    case 'messages/complete':
      for (const message of Array.isArray(data) ? data.filter(isMessage) : [])
        putMessage(
          view.conversation,
          message,
          message.id ?? `${mode}:${view.received}`,
          false,
          view.attempt,
          mode === 'messages/partial',
        );
      break;
    case 'updates':
      applyUpdate(view, data, segments, id);
      break;
    case 'custom':
      view.customEvents.push({ at: view.received, id: id ?? null, from, data, attempt: view.attempt });
      break;
    case 'values':
      if (segments.length === 0) applyState(view, data);
      break;
    case 'checkpoints':
      if (segments.length === 0) applyCheckpoint(view, data as Checkpoint);
      break;
    case 'tasks':
      applyTask(view, data as Task, segments, null);
      break;
    case 'debug':
      applyDebug(view, data as Debug, segments);
      break;
    case 'error':
      applyError(view, data as Failure);
      break;
  }
}

interface Task {
  id?: string;
  name?: string;
  input?: unknown;
  result?: unknown;
  error?: unknown;
  interrupts?: readonly unknown[];
}
interface Checkpoint {
  values?: unknown;
  next?: readonly string[];
  config?: { configurable?: { checkpoint_id?: unknown } };
}
interface Debug {
  type?: string;
  timestamp?: string;
  payload?: Task & Checkpoint;
}
interface Failure {
  error?: string;
  message?: string;
  from?: number;
  to?: number;
}

function startAttempt(view: RunView, { run_id: runId, attempt = 1 }: { run_id?: string; attempt?: number }): void {
  view.runId = runId ?? view.runId;
  if (attempt === view.attempt) return;
  view.attempt = attempt;
  // Unfinished steps run again and repeat their messages.
  for (const step of view.steps.values())
    if (step.state === 'running') view.steps.set(step.id, { ...step, state: 'lost', endMs: null });
  for (const entry of [...view.conversation.values()])
    if (!entry.inState && entry.streaming && entry.attempt !== attempt && isTaskLost(view, entry.task))
      view.conversation.delete(entry.key);
}

function isTaskLost(view: RunView, task: string | null): boolean {
  const step = task === null ? undefined : view.steps.get(task);
  return step === undefined || step.state === 'lost';
}

function applyToken(view: RunView, data: unknown, segments: readonly string[]): void {
  if (!Array.isArray(data)) return;
  const [chunk, meta] = data as [
    unknown,
    { langgraph_node?: string; langgraph_checkpoint_ns?: string; checkpoint_ns?: string } | undefined,
  ];
  if (!isMessage(chunk)) return;
  const inside = (meta?.langgraph_checkpoint_ns ?? meta?.checkpoint_ns ?? segments.join('|'))
    .split('|')
    .filter((segment) => segment !== '');
  appendChunk(view.conversation, chunk as MessageLike, nodeNames(inside), lastTaskId(inside), view.attempt);
}

function applyUpdate(view: RunView, data: unknown, segments: readonly string[], id: string | undefined): void {
  if (typeof data !== 'object' || data === null) return;
  const { __interrupt__: openInterrupts, ...nodes } = data as Record<string, unknown>;
  if (openInterrupts !== undefined) addInterrupts(view, openInterrupts);
  // Without task events, steps are derived from updates and have no times.
  if (view.hasTaskEvents) return;
  for (const [name, writes] of Object.entries(nodes)) {
    const key = `update ${id ?? view.received} ${name}`;
    view.steps.set(key, {
      id: key,
      name,
      parent: lastTaskId(segments),
      path: [...nodeNames(segments), name],
      state: 'done',
      startMs: null,
      endMs: null,
      bytes: jsonBytes(writes),
      input: undefined,
      writes,
      error: null,
      attempt: view.attempt,
      checkpointId: null,
    });
    completeMessages(view, null, writes);
  }
}

function applyTask(
  view: RunView,
  { id, name, input, result, error, interrupts = [] }: Task,
  segments: readonly string[],
  ms: number | null,
): void {
  if (id === undefined || name === undefined) return;
  view.hasTaskEvents = true;
  const before = view.steps.get(id);
  const isFinished = result !== undefined || (error !== undefined && error !== null);
  if (!isFinished) {
    // `tasks` and `debug` both report the task. Only `debug` has a timestamp.
    if (before !== undefined && before.state === 'running' && before.attempt === view.attempt)
      view.steps.set(id, { ...before, startMs: before.startMs ?? ms });
    else
      view.steps.set(id, {
        id,
        name,
        parent: lastTaskId(segments),
        path: [...nodeNames(segments), name],
        state: 'running',
        startMs: ms,
        endMs: null,
        bytes: null,
        input,
        writes: undefined,
        error: null,
        attempt: view.attempt,
        checkpointId: segments.length === 0 && view.next?.includes(name) === true ? view.checkpointId : null,
      });
    return;
  }
  const problem = error === undefined || error === null ? null : errorText(error);
  const stateNow: StepState = problem !== null ? 'failed' : interrupts.length > 0 ? 'waiting' : 'done';
  if (before !== undefined && before.state === stateNow && before.attempt === view.attempt) {
    view.steps.set(id, { ...before, endMs: before.endMs ?? ms });
    return;
  }
  view.steps.set(id, {
    ...(before ?? {
      id,
      name,
      parent: lastTaskId(segments),
      path: [...nodeNames(segments), name],
      startMs: null,
      input: undefined,
      checkpointId: null,
    }),
    state: stateNow,
    endMs: ms,
    bytes: jsonBytes(result),
    writes: result,
    error: problem,
    attempt: view.attempt,
  });
  completeMessages(view, id, result);
  if (interrupts.length > 0) addInterrupts(view, interrupts);
}

function applyDebug(view: RunView, { type, timestamp, payload }: Debug, segments: readonly string[]): void {
  if (payload === undefined) return;
  const ms = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  if (type === 'checkpoint') {
    if (segments.length === 0) applyCheckpoint(view, payload);
  } else {
    applyTask(view, payload, segments, Number.isNaN(ms) ? null : ms);
  }
}

function applyCheckpoint(view: RunView, { values, next, config }: Checkpoint): void {
  view.next = next ?? null;
  const id = config?.configurable?.checkpoint_id;
  view.checkpointId = typeof id === 'string' ? id : null;
  applyState(view, values);
}

function applyState(view: RunView, values: unknown): void {
  const { __interrupt__: openInterrupts, ...rest } = (
    typeof values === 'object' && values !== null ? values : {}
  ) as Record<string, unknown>;
  if (openInterrupts !== undefined) {
    addInterrupts(view, openInterrupts);
    if (Object.keys(rest).length === 0) return;
  }
  view.values = openInterrupts === undefined ? values : rest;
  view.conversation = mergeState(view.conversation, view.values, view.attempt);
}

/** Completes the messages of a finished task. Graphs without messages in their state send them only in the writes. */
function completeMessages(view: RunView, task: string | null, writes: unknown): void {
  for (const entry of view.conversation.values())
    if (entry.streaming && (task === null || entry.task === task))
      view.conversation.set(entry.key, { ...entry, streaming: false });
  for (const one of Array.isArray(writes) ? writes : [writes]) {
    if (typeof one !== 'object' || one === null) continue;
    for (const value of Object.values(one)) {
      for (const message of Array.isArray(value) ? value : [value]) {
        if (isMessage(message) && message.id && view.conversation.has(message.id))
          putMessage(view.conversation, message, message.id, false, view.attempt);
      }
    }
  }
}

function addInterrupts(view: RunView, openInterrupts: unknown): void {
  for (const one of Array.isArray(openInterrupts) ? openInterrupts : []) {
    const { id, value } = (one ?? {}) as { id?: unknown; value?: unknown };
    const key = typeof id === 'string' ? id : null;
    if (
      !view.interrupts.some((known) =>
        key === null ? JSON.stringify(known.value) === JSON.stringify(value) : known.id === key,
      )
    )
      view.interrupts.push({ id: key, value });
  }
}

function applyError(view: RunView, { error = 'Error', message = '', from, to }: Failure): void {
  if (error === 'StreamGap' && from !== undefined && to !== undefined) {
    view.gaps.push({ from, to });
    // Do not request the lost events again.
    if (view.lastId === null || Number(view.lastId) < to) view.lastId = String(to);
    return;
  }
  view.error = { error, message };
  for (const step of view.steps.values())
    if (step.state === 'running')
      view.steps.set(step.id, { ...step, state: 'failed', error: step.error ?? `${error}: ${message}` });
}

/** Marks the view as ended. `cut`: the run ended early, so that its running steps did not finish. */
export function endView(view: RunView, cut: boolean): void {
  for (const step of view.steps.values())
    if (step.state === 'running') view.steps.set(step.id, { ...step, state: cut ? 'lost' : 'done' });
  for (const entry of view.conversation.values())
    if (entry.streaming) view.conversation.set(entry.key, { ...entry, streaming: false });
}

/** Node names of namespace segments `name:task`. A segment of digits only is a call counter. */
function nodeNames(segments: readonly string[]): string[] {
  return segments.filter((segment) => !/^\d+$/.test(segment)).map((segment) => segment.split(':')[0]!);
}

function lastTaskId(segments: readonly string[]): string | null {
  const last = segments.findLast((segment) => !/^\d+$/.test(segment));
  return last === undefined ? null : last.slice(last.indexOf(':') + 1);
}

function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const { name, message } = error as { name?: unknown; message?: unknown };
  return typeof message === 'string'
    ? `${typeof name === 'string' ? `${name}: ` : ''}${message}`
    : JSON.stringify(error);
}

const encoder = new TextEncoder();

function jsonBytes(value: unknown): number {
  return value === undefined ? 0 : encoder.encode(JSON.stringify(value)).length;
}
