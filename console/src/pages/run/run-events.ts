/** What a run's events say, put together: pure, so that the same events always make the same view. */
import { append, put, settle, type Conversation } from './conversation.js';
import { isMessage, type MessageLike } from '../../shared/message-parts.js';

/** As the stock SDK hands it out. */
export interface StreamPart {
  id?: string | undefined;
  event: string;
  data: unknown;
}

export interface RunEvent extends StreamPart {
  /** Its place among all that this page has received. */
  at: number;
  attempt: number;
}

export type StepState = 'running' | 'done' | 'failed' | 'waiting' | 'lost';

export interface Step {
  id: string;
  name: string;
  /** The task that called the graph that this step is of; null at the root. */
  parent: string | null;
  /** Nodes from the root to this one. */
  path: readonly string[];
  state: StepState;
  /** By the clock of the worker; null where the stream does not say. */
  startMs: number | null;
  endMs: number | null;
  /** Size of its update as JSON. */
  bytes: number | null;
  input: unknown;
  writes: unknown;
  error: string | null;
  attempt: number;
}

export interface Interrupt {
  id: string | null;
  value: unknown;
}

export interface Custom {
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
  /** By task, in the order of their beginning. */
  steps: Map<string, Step>;
  customs: Custom[];
  interrupts: Interrupt[];
  /** The newest state of the root that the stream has told; undefined before. */
  values: unknown;
  /** Nodes that come next by the newest checkpoint; null where the stream does not say. */
  next: readonly string[] | null;
  error: { error: string; message: string } | null;
  gaps: { from: number; to: number }[];
  /** The stream tells of tasks, so that steps need not be guessed from updates. */
  tellsTasks: boolean;
  /** The newest ones; `received` counts all. */
  events: RunEvent[];
  received: number;
  lastId: string | null;
}

/** What a page keeps for looking at: a run that says more is shown from its end. */
export const EVENTS_KEPT = 50_000;
const CUSTOMS_KEPT = 20_000;

export function emptyView(conversation: Conversation = new Map()): RunView {
  return {
    runId: null,
    attempt: 1,
    conversation,
    steps: new Map(),
    customs: [],
    interrupts: [],
    values: undefined,
    next: null,
    error: null,
    gaps: [],
    tellsTasks: false,
    events: [],
    received: 0,
    lastId: null,
  };
}

/** Takes events in, in their order, and changes `view`. What it has had already is left out: nothing is shown twice. */
export function take(view: RunView, parts: readonly StreamPart[]): void {
  for (const part of parts) {
    if (part.id !== undefined && part.id !== '') {
      if (view.lastId !== null && Number(part.id) <= Number(view.lastId)) continue;
      view.lastId = part.id;
    }
    takeOne(view, part);
    view.events.push({ ...part, at: view.received, attempt: view.attempt });
    view.received += 1;
  }
  // A quarter more is let stand: cutting at each event would move all of them each time.
  if (view.events.length > EVENTS_KEPT * 1.25) view.events.splice(0, view.events.length - EVENTS_KEPT);
  if (view.customs.length > CUSTOMS_KEPT * 1.25) view.customs.splice(0, view.customs.length - CUSTOMS_KEPT);
}

function takeOne(view: RunView, { id, event, data }: StreamPart): void {
  const [mode = '', ...segments] = event.split('|');
  const from = namesOf(segments);
  switch (mode) {
    case 'metadata':
      begin(view, data as { run_id?: string; attempt?: number });
      break;
    case 'messages':
      token(view, data, segments);
      break;
    case 'messages/partial':
    case 'messages/complete':
      for (const message of Array.isArray(data) ? data.filter(isMessage) : [])
        put(
          view.conversation,
          message,
          message.id ?? `${mode}:${view.received}`,
          false,
          view.attempt,
          mode === 'messages/partial',
        );
      break;
    case 'updates':
      update(view, data, segments, id);
      break;
    case 'custom':
      view.customs.push({ at: view.received, id: id ?? null, from, data, attempt: view.attempt });
      break;
    case 'values':
      if (segments.length === 0) state(view, data);
      break;
    case 'checkpoints':
      if (segments.length === 0) checkpoint(view, data as Checkpoint);
      break;
    case 'tasks':
      task(view, data as Task, segments, null);
      break;
    case 'debug':
      debug(view, data as Debug, segments);
      break;
    case 'error':
      failed(view, data as Failure);
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

function begin(view: RunView, { run_id: runId, attempt = 1 }: { run_id?: string; attempt?: number }): void {
  view.runId = runId ?? view.runId;
  if (attempt === view.attempt) return;
  view.attempt = attempt;
  // The steps that were not done begin again, and say again what they said.
  for (const step of view.steps.values())
    if (step.state === 'running') view.steps.set(step.id, { ...step, state: 'lost', endMs: null });
  for (const said of [...view.conversation.values()])
    if (!said.kept && said.streaming && said.attempt !== attempt && lost(view, said.task))
      view.conversation.delete(said.key);
}

function lost(view: RunView, task: string | null): boolean {
  const step = task === null ? undefined : view.steps.get(task);
  return step === undefined || step.state === 'lost';
}

function token(view: RunView, data: unknown, segments: readonly string[]): void {
  if (!Array.isArray(data)) return;
  const [chunk, meta] = data as [
    unknown,
    { langgraph_node?: string; langgraph_checkpoint_ns?: string; checkpoint_ns?: string } | undefined,
  ];
  if (!isMessage(chunk)) return;
  const inside = (meta?.langgraph_checkpoint_ns ?? meta?.checkpoint_ns ?? segments.join('|'))
    .split('|')
    .filter((segment) => segment !== '');
  append(view.conversation, chunk as MessageLike, namesOf(inside), taskOf(inside), view.attempt);
}

function update(view: RunView, data: unknown, segments: readonly string[], id: string | undefined): void {
  if (typeof data !== 'object' || data === null) return;
  const { __interrupt__: asked, ...nodes } = data as Record<string, unknown>;
  if (asked !== undefined) interrupted(view, asked);
  // A stream that tells no tasks has its steps from here, without their times.
  if (view.tellsTasks) return;
  for (const [name, writes] of Object.entries(nodes)) {
    const key = `update ${id ?? view.received} ${name}`;
    view.steps.set(key, {
      id: key,
      name,
      parent: taskOf(segments),
      path: [...namesOf(segments), name],
      state: 'done',
      startMs: null,
      endMs: null,
      bytes: sizeOf(writes),
      input: undefined,
      writes,
      error: null,
      attempt: view.attempt,
    });
    ended(view, null, writes);
  }
}

function task(
  view: RunView,
  { id, name, input, result, error, interrupts = [] }: Task,
  segments: readonly string[],
  ms: number | null,
): void {
  if (id === undefined || name === undefined) return;
  view.tellsTasks = true;
  const before = view.steps.get(id);
  const isEnd = result !== undefined || (error !== undefined && error !== null);
  if (!isEnd) {
    // `tasks` and `debug` both tell of it; the one with a time says more.
    if (before !== undefined && before.state === 'running' && before.attempt === view.attempt)
      view.steps.set(id, { ...before, startMs: before.startMs ?? ms });
    else
      view.steps.set(id, {
        id,
        name,
        parent: taskOf(segments),
        path: [...namesOf(segments), name],
        state: 'running',
        startMs: ms,
        endMs: null,
        bytes: null,
        input,
        writes: undefined,
        error: null,
        attempt: view.attempt,
      });
    return;
  }
  const problem = error === undefined || error === null ? null : textOf(error);
  const stateNow: StepState = problem !== null ? 'failed' : interrupts.length > 0 ? 'waiting' : 'done';
  if (before !== undefined && before.state === stateNow && before.attempt === view.attempt) {
    view.steps.set(id, { ...before, endMs: before.endMs ?? ms });
    return;
  }
  view.steps.set(id, {
    ...(before ?? {
      id,
      name,
      parent: taskOf(segments),
      path: [...namesOf(segments), name],
      startMs: null,
      input: undefined,
    }),
    state: stateNow,
    endMs: ms,
    bytes: sizeOf(result),
    writes: result,
    error: problem,
    attempt: view.attempt,
  });
  ended(view, id, result);
  if (interrupts.length > 0) interrupted(view, interrupts);
}

function debug(view: RunView, { type, timestamp, payload }: Debug, segments: readonly string[]): void {
  if (payload === undefined) return;
  const ms = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  if (type === 'checkpoint') {
    if (segments.length === 0) checkpoint(view, payload);
  } else {
    task(view, payload, segments, Number.isNaN(ms) ? null : ms);
  }
}

function checkpoint(view: RunView, { values, next }: Checkpoint): void {
  view.next = next ?? null;
  state(view, values);
}

function state(view: RunView, values: unknown): void {
  const { __interrupt__: asked, ...rest } = (typeof values === 'object' && values !== null ? values : {}) as Record<
    string,
    unknown
  >;
  if (asked !== undefined) {
    interrupted(view, asked);
    if (Object.keys(rest).length === 0) return;
  }
  view.values = asked === undefined ? values : rest;
  view.conversation = settle(view.conversation, view.values, view.attempt);
}

/** What a node wrote is whole now. Its messages are, too: a graph without a state of messages tells them only here. */
function ended(view: RunView, task: string | null, writes: unknown): void {
  for (const said of view.conversation.values())
    if (said.streaming && (task === null || said.task === task))
      view.conversation.set(said.key, { ...said, streaming: false });
  for (const one of Array.isArray(writes) ? writes : [writes]) {
    if (typeof one !== 'object' || one === null) continue;
    for (const value of Object.values(one)) {
      for (const message of Array.isArray(value) ? value : [value]) {
        if (isMessage(message) && message.id && view.conversation.has(message.id))
          put(view.conversation, message, message.id, false, view.attempt);
      }
    }
  }
}

function interrupted(view: RunView, asked: unknown): void {
  for (const one of Array.isArray(asked) ? asked : []) {
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

function failed(view: RunView, { error = 'Error', message = '', from, to }: Failure): void {
  if (error === 'StreamGap' && from !== undefined && to !== undefined) {
    view.gaps.push({ from, to });
    // What is gone cannot be asked for again.
    if (view.lastId === null || Number(view.lastId) < to) view.lastId = String(to);
    return;
  }
  view.error = { error, message };
  for (const step of view.steps.values())
    if (step.state === 'running')
      view.steps.set(step.id, { ...step, state: 'failed', error: step.error ?? `${error}: ${message}` });
}

/** The run has ended, and nothing of it is being written any more. `fail`: it was not its graph that ended it. */
export function close(view: RunView, cut: boolean): void {
  for (const step of view.steps.values())
    if (step.state === 'running') view.steps.set(step.id, { ...step, state: cut ? 'lost' : 'done' });
  for (const said of view.conversation.values())
    if (said.streaming) view.conversation.set(said.key, { ...said, streaming: false });
}

/** `name:task`; a segment of digits alone counts calls of one task. */
function namesOf(segments: readonly string[]): string[] {
  return segments.filter((segment) => !/^\d+$/.test(segment)).map((segment) => segment.split(':')[0]!);
}

function taskOf(segments: readonly string[]): string | null {
  const last = segments.findLast((segment) => !/^\d+$/.test(segment));
  return last === undefined ? null : last.slice(last.indexOf(':') + 1);
}

function textOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { name, message } = error as { name?: unknown; message?: unknown };
  return typeof message === 'string'
    ? `${typeof name === 'string' ? `${name}: ` : ''}${message}`
    : JSON.stringify(error);
}

const encoder = new TextEncoder();

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : encoder.encode(JSON.stringify(value)).length;
}
