import { SERVER_CALLER, type Caller } from '../base/caller.js';
import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { asText, contains, isObject, parseJson, type JsonObject } from '../base/json.js';
import type { CheckpointRecord } from '../store/checkpoints.js';
import type { Nouns } from '../store/index.js';
import type { ThreadRecord } from '../store/threads.js';
import { valueJson, valuesJson } from '../store/values-json.js';
import { checkpointMetadata, unpackBody, type CheckpointBody, type Ref, type View, type ViewTask, type WriteBody } from '../wire/state.js';
import type { Services } from './context.js';

/**
 * Graph state as clients see it, put together from stored bytes: a checkpoint's channels, its view, its pending writes. No
 * user code runs and no value is parsed; what a channel holds was made JSON once, in the worker.
 */
export interface HeadState {
  /** JSON of the values; `{}` when there is no checkpoint. */
  values: string;
  /** JSON of `{task id: [interrupt]}`. */
  interrupts: string;
  hasInterrupts: boolean;
  /** JSON of the list of all interrupts. */
  interruptList: string;
}

const INTERRUPT = '__interrupt__';
const ERROR = '__error__';
const RETURN = '__return__';
/** Channels of the library's own, none of them a task's output. */
const SPECIAL = new Set([INTERRUPT, ERROR, '__resume__', '__scheduled__', '__pregel_tasks', '__error_source_node__', '__no_writes__']);

export interface StateQuery {
  ns: string;
  checkpointId: string | null;
  subgraphs: boolean;
}

/** ThreadState as JSON. Throws CHECKPOINT_NOT_FOUND for an id that is not there; a thread without checkpoints has an empty state. */
export function threadState({ nouns }: Pick<Services, 'nouns'>, caller: Caller, thread: ThreadRecord, query: StateQuery): string {
  const record = nouns.checkpoints.get(caller, thread, query.ns, query.checkpointId);
  if (record === undefined) {
    if (query.checkpointId !== null) throw fail('CHECKPOINT_NOT_FOUND', { checkpointId: query.checkpointId });
    return '{"values":{},"next":[],"tasks":[],"checkpoint":null,"metadata":{},"created_at":null,"parent_checkpoint":null,"interrupts":[]}';
  }
  return new StateView(nouns, caller, thread, record).json(query.subgraphs, query.checkpointId === null);
}

export interface HistoryQuery {
  ns: string;
  limit: number;
  before: string | null;
  metadata: JsonObject | null;
}

/** ThreadStates as a JSON list, newest first. */
export function threadHistory({ nouns }: Services, caller: Caller, thread: ThreadRecord, query: HistoryQuery): string {
  const found: string[] = [];
  let bytes = 0;
  for (const record of nouns.checkpoints.list(caller, thread, query.ns, query.before)) {
    const view = new StateView(nouns, caller, thread, record);
    if (query.metadata !== null && !contains(view.metadata(), query.metadata)) continue;
    const json = view.json(false);
    bytes += json.length;
    if (bytes > LIMITS.answerBytesMax) throw tooLarge(found.length);
    found.push(json);
    if (found.length >= query.limit) break;
  }
  return `[${found.join(',')}]`;
}

/** The answer would be over answerBytesMax; `fitted` entries were not. */
export function tooLarge(fitted: number): Error {
  return fail('INVALID_REQUEST', { problems: `limit: the answer would be over ${LIMITS.answerBytesMax} bytes; the first ${fitted} entries fit` });
}

/** What a thread shows of its newest checkpoint. */
export function headState({ nouns }: Pick<Services, 'nouns'>, caller: Caller, thread: ThreadRecord): HeadState {
  const record = nouns.checkpoints.get(caller, thread, '', null);
  if (record === undefined) return { values: '{}', interrupts: '{}', hasInterrupts: false, interruptList: '[]' };
  const view = new StateView(nouns, caller, thread, record);
  const interrupts = view.interrupts();
  return {
    values: view.values(),
    interrupts: `{${interrupts.map(([id, list]) => `${JSON.stringify(id)}:[${list}]`).join(',')}}`,
    hasInterrupts: interrupts.length > 0,
    interruptList: `[${interrupts.map(([, list]) => list).join(',')}]`,
  };
}

/** True when the newest checkpoint has next steps, or was cut off before it was known what comes next. */
export function headUnfinished(nouns: Nouns, thread: ThreadRecord): boolean {
  const head = nouns.checkpoints.get(SERVER_CALLER, thread, '', null);
  if (head === undefined) return false;
  const view = nouns.checkpoints.view(SERVER_CALLER, thread, '', head.id);
  return view === undefined || view.next.length > 0;
}

/** One checkpoint, read lazily. */
class StateView {
  readonly #nouns: Nouns;
  readonly #caller: Caller;
  readonly #thread: ThreadRecord;
  readonly #record: CheckpointRecord;
  readonly #body: CheckpointBody;
  readonly #view: View | undefined;
  readonly #writes: WriteBody[];

  constructor(nouns: Nouns, caller: Caller, thread: ThreadRecord, record: CheckpointRecord) {
    this.#nouns = nouns;
    this.#caller = caller;
    this.#thread = thread;
    this.#record = record;
    this.#body = unpackBody(record.body);
    this.#view = nouns.checkpoints.view(caller, thread, record.ns, record.id);
    this.#writes = nouns.checkpoints.writes(caller, thread, record.ns, record.id);
  }

  /** `latest`: tasks that are done already, while others of their step wait, are no next steps any more. */
  json(subgraphs: boolean, latest = false): string {
    const interrupts = this.interrupts();
    const next = latest ? (this.#view?.tasks ?? []).filter((task) => !this.#hasOutput(task)).map((task) => task.name) : this.#view?.next ?? [];
    return `{"values":${this.values()}`
      + `,"next":${JSON.stringify(next)}`
      + `,"tasks":[${(this.#view?.tasks ?? []).map((task) => this.#task(task, subgraphs)).join(',')}]`
      + `,"checkpoint":${this.#checkpoint(this.#record.id)}`
      + `,"metadata":${JSON.stringify(this.metadata())}`
      + `,"created_at":${JSON.stringify(this.#body.ts)}`
      + `,"parent_checkpoint":${this.#body.parentId === null ? 'null' : this.#checkpoint(this.#body.parentId)}`
      + `,"interrupts":[${interrupts.map(([, list]) => list).join(',')}]}`;
  }

  metadata(): JsonObject {
    return checkpointMetadata(JSON.parse(this.#value(this.#body.base)) as JsonObject, parseJson(this.#body.metadata) as JsonObject, { runId: this.#record.runId, threadId: this.#thread.threadId });
  }

  values(): string {
    return valuesJson(this.#body, this.#view, this.#contentOf);
  }

  /** By task id, the inside of each JSON list; tasks without interrupts are left out. */
  interrupts(): [taskId: string, list: string][] {
    const found: [string, string][] = [];
    for (const task of this.#view?.tasks ?? []) {
      const list = this.#interruptsOf(task);
      if (list !== '') found.push([task.id, list]);
    }
    return found;
  }

  #interruptsOf(task: ViewTask): string {
    const written = this.#writes.filter((write) => write.taskId === task.id && write.channel === INTERRUPT).map((write) => inside(this.#value(write.ref)));
    if (written.length > 0) return written.join(',');
    return task.interrupts === null ? '' : inside(asText(task.interrupts));
  }

  #task(task: ViewTask, subgraphs: boolean): string {
    const error = this.#writes.find((write) => write.taskId === task.id && write.channel === ERROR);
    const nested = task.subgraph === null || !subgraphs ? undefined : this.#nouns.checkpoints.get(this.#caller, this.#thread, task.subgraph, null);
    const checkpoint = task.subgraph === null || nested !== undefined
      ? 'null'
      : JSON.stringify({ thread_id: this.#thread.threadId, checkpoint_ns: task.subgraph });
    return `{"id":${JSON.stringify(task.id)},"name":${JSON.stringify(task.name)},"path":${asText(task.path)}`
      + `,"error":${error === undefined ? 'null' : JSON.stringify(errorText(this.#value(error.ref)))}`
      + `,"interrupts":[${this.#interruptsOf(task)}]`
      + `,"checkpoint":${checkpoint}`
      + `,"state":${nested === undefined ? 'null' : new StateView(this.#nouns, this.#caller, this.#thread, nested).json(true, true)}`
      + `,"result":${this.#result(task)}}`;
  }

  #hasOutput(task: ViewTask): boolean {
    return this.#writes.some((write) => write.taskId === task.id && !SPECIAL.has(write.channel));
  }

  /** What the task has written to the state, once it is done: `{channel: value}`, several of one channel as `$writes`. */
  #result(task: ViewTask): string {
    const writes = this.#writes.filter((write) => write.taskId === task.id);
    const returned = writes.find((write) => write.channel === RETURN);
    if (returned !== undefined) return this.#value(returned.ref);
    const keys = this.#view?.keys ?? null;
    const byChannel = new Map<string, string[]>();
    for (const write of writes) {
      if (SPECIAL.has(write.channel) || (keys !== null && !this.#isState(write.channel))) continue;
      byChannel.set(write.channel, [...(byChannel.get(write.channel) ?? []), this.#value(write.ref)]);
    }
    if (byChannel.size === 0) return 'null';
    return `{${[...byChannel].map(([name, values]) => `${JSON.stringify(name)}:${values.length === 1 ? values[0]! : `{"$writes":[${values.join(',')}]}`}`).join(',')}}`;
  }

  /** Channels that steer the graph are no state; a state channel may have had no value yet, so `keys` alone does not tell. */
  #isState(channel: string): boolean {
    return !channel.startsWith('branch:') && !channel.startsWith('join:') && !channel.startsWith('__');
  }

  #checkpoint(id: string): string {
    return `{"thread_id":${JSON.stringify(this.#thread.threadId)},"checkpoint_ns":${JSON.stringify(this.#record.ns)},"checkpoint_id":${JSON.stringify(id)},"checkpoint_map":null}`;
  }

  #value(ref: Ref): string {
    return valueJson(ref, this.#contentOf);
  }

  #contentOf = (hash: Uint8Array): Uint8Array => this.#nouns.checkpoints.neededContent(this.#caller, this.#thread, hash);
}

/** `[a,b]` as `a,b`; any other value as it is. */
function inside(json: string): string {
  return json.startsWith('[') ? json.slice(1, -1) : json;
}

/** The library stores errors as `{name, message}`; clients get one string. */
function errorText(json: string): string {
  const error = JSON.parse(json) as unknown;
  if (!isObject(error)) return String(error);
  return `${String(error['name'] ?? error['error'] ?? 'Error')}: ${String(error['message'] ?? '')}`;
}
