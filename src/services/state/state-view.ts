import { errorLine } from '../../base/errors.js';
import { contentHash } from '../../base/ids.js';
import { asText, isObject, type JsonObject } from '../../base/json/json.js';
import { bytesAtPath, type JsonPath } from '../../domain/thread-path.js';
import { memberMap, bytesOf, wholeValue, isObjectSlice } from '../../base/json/slices.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import { boundedText } from '../../base/thrown.js';
import type { CheckpointRecord } from '../../store/threads/checkpoints.js';
import { pack } from '../../wire/codec.js';
import {
  checkpointMetadata,
  unpackBody,
  unpackMetadata,
  type CheckpointBody,
  type Ref,
  type CheckpointView,
  type ViewTask,
  type WriteBody,
} from '../../wire/runs/state.js';
import type { StateContentReader } from './state-content-reader.js';

const INTERRUPT = '__interrupt__';
const ERROR = '__error__';
const RETURN = '__return__';
/** Special channels of the library, which are not outputs of tasks. */
const CONTROL_CHANNELS = new Set([
  INTERRUPT,
  ERROR,
  '__resume__',
  '__scheduled__',
  '__pregel_tasks',
  '__error_source_node__',
  '__no_writes__',
]);

/** Parts of a state to include. Null: all. */
export interface StateSelect {
  names: ReadonlySet<string>;
  /** Keys of the values to include. Null: all. */
  keys: ReadonlySet<string> | null;
}

/** Parses a selection such as `["next", "values.messages"]`. An empty one selects everything. */
export function parseStateSelect(list: readonly string[] | null | undefined): StateSelect | null {
  if (list === undefined || list === null || list.length === 0) return null;
  const keys = list.filter((name) => name.startsWith('values.')).map((name) => name.slice('values.'.length));
  const names = new Set(list.map((name) => (name.startsWith('values.') ? 'values' : name)));
  return { names, keys: list.includes('values') ? null : new Set(keys) };
}

/** JSON of the state of a thread without checkpoints. */
export function emptyStateJson(select: StateSelect | null): string {
  const parts = {
    values: {},
    next: [],
    tasks: [],
    checkpoint: null,
    metadata: {},
    created_at: null,
    parent_checkpoint: null,
    interrupts: [],
  };
  return JSON.stringify(
    Object.fromEntries(Object.entries(parts).filter(([name]) => select === null || select.names.has(name))),
  );
}

/**
 * A checkpoint in the API format, built from its stored channels, view and pending writes. Runs no user code,
 * and reads only what is requested.
 */
export class StateView {
  readonly record: CheckpointRecord;
  readonly #content: StateContentReader;
  readonly #body: CheckpointBody;
  readonly #view: CheckpointView | undefined;
  readonly #writes: WriteBody[];
  #metadata: JsonObject | null = null;

  /** `content` can be shared by several states of one response. */
  constructor(content: StateContentReader, record: CheckpointRecord) {
    const { stores, thread } = content;
    this.record = record;
    this.#content = content;
    this.#body = unpackBody(record.body);
    this.#view = stores.checkpoints.viewOf(thread, record);
    this.#writes = stores.checkpoints.writes(thread, record);
  }

  /** Digest of the complete state: equal digests mean equal states. It covers content through its hashes. */
  digest(subgraphs: boolean): Uint8Array {
    const { id, ns, runId, body } = this.record;
    const nested = subgraphs ? (this.#view?.tasks ?? []).flatMap((task) => this.#nested(task)?.digest(true) ?? []) : [];
    return contentHash(Buffer.concat([pack([id, ns, runId, this.#view ?? null, this.#writes, body]), ...nested]));
  }

  /** `latest`: leaves out of `next` the tasks that have finished while others of their step have not. */
  *json(select: StateSelect | null, subgraphs: boolean, latest = false): Steps<string> {
    const wants = (name: string): boolean => select === null || select.names.has(name);
    const parts: string[] = [];
    if (wants('values')) parts.push(`"values":${yield* this.values(select?.keys ?? null)}`);
    if (wants('next'))
      parts.push(
        `"next":${JSON.stringify(latest ? (this.#view?.tasks ?? []).filter((task) => !this.#hasOutput(task)).map((task) => task.name) : (this.#view?.next ?? []))}`,
      );
    if (wants('tasks')) {
      const tasks: string[] = [];
      for (const task of this.#view?.tasks ?? []) tasks.push(yield* this.#task(task, subgraphs));
      parts.push(`"tasks":[${tasks.join(',')}]`);
    }
    if (wants('checkpoint')) parts.push(`"checkpoint":${this.#checkpoint(this.record.id)}`);
    if (wants('metadata')) parts.push(`"metadata":${JSON.stringify(yield* this.metadata())}`);
    if (wants('created_at')) parts.push(`"created_at":${JSON.stringify(this.#body.ts)}`);
    if (wants('parent_checkpoint'))
      parts.push(
        `"parent_checkpoint":${this.#body.parentId === null ? 'null' : this.#checkpoint(this.#body.parentId)}`,
      );
    if (wants('interrupts'))
      parts.push(`"interrupts":[${(yield* this.interrupts()).map(([, list]) => list).join(',')}]`);
    return `{${parts.join(',')}}`;
  }

  *metadata(): Steps<JsonObject> {
    this.#metadata ??= checkpointMetadata(
      JSON.parse(yield* this.#content.readText(this.#body.base)) as JsonObject,
      unpackMetadata(this.#body.metadata),
      { runId: this.record.runId, threadId: this.#content.thread.threadId },
    );
    return this.#metadata;
  }

  /**
   * JSON of all values, or of those with these keys. Empty without a view, because it is then unknown which
   * channels are state.
   */
  *values(only: ReadonlySet<string> | null): Steps<string> {
    const channels = this.#channels();
    if (!(channels instanceof Map)) {
      if (only === null) return channels === null ? 'null' : yield* this.#content.readText(channels);
      return channels === null ? '{}' : pickMembers(yield* this.#content.readText(channels), only);
    }
    const parts: string[] = [];
    for (const [name, ref] of channels)
      if (only === null || only.has(name)) parts.push(`${JSON.stringify(name)}:${yield* this.#content.readText(ref)}`);
    return `{${parts.join(',')}}`;
  }

  /** True if the values contain `wanted`. Reads only the channels in `wanted`. */
  *contains(wanted: JsonObject): Steps<boolean> {
    const channels = this.#channels();
    if (!(channels instanceof Map)) return channels !== null && (yield* this.#content.contains(channels, wanted));
    for (const [name, value] of Object.entries(wanted)) {
      const ref = channels.get(name);
      if (ref === undefined || !(yield* this.#content.contains(ref, value))) return false;
    }
    return true;
  }

  /** True if a case-folded text occurs in a string of the values. */
  *containsText(text: string): Steps<boolean> {
    const channels = this.#channels();
    if (!(channels instanceof Map)) return channels !== null && (yield* this.#content.containsText(channels, text));
    for (const ref of channels.values()) if (yield* this.#content.containsText(ref, text)) return true;
    return false;
  }

  /**
   * JSON of a part of the values or interrupts. With `wanted: 'whether'`, an empty string instead. Undefined if
   * the part does not exist.
   */
  *readPart({ root, steps }: JsonPath, wanted: 'json' | 'whether'): Steps<string | undefined> {
    const [first, ...rest] = steps;
    if (root === 'interrupts') {
      const part = bytesAtPath(Buffer.from(interruptsJson(yield* this.interrupts())), steps);
      return part === undefined ? undefined : asText(part);
    }
    if (first === undefined) return wanted === 'whether' ? '' : yield* this.values(null);
    const channels = this.#channels();
    if (!(channels instanceof Map))
      return channels === null ? undefined : yield* this.#content.readPart(channels, steps, wanted);
    const ref = typeof first === 'string' ? channels.get(first) : undefined;
    return ref === undefined ? undefined : yield* this.#content.readPart(ref, rest, wanted);
  }

  /** Interrupts by task id, each as a JSON list without its brackets. Tasks without interrupts are omitted. */
  *interrupts(): Steps<[taskId: string, list: string][]> {
    const found: [string, string][] = [];
    for (const task of this.#view?.tasks ?? []) {
      const list = yield* this.#interruptsOf(task);
      if (list !== '') found.push([task.id, list]);
    }
    return found;
  }

  /**
   * The channels that make up the values, in order. If the state is a single value: its reference, or null if
   * there is none.
   */
  #channels(): Map<string, Ref> | Ref | null {
    const view = this.#view;
    if (view === undefined) return new Map();
    const refs = new Map([...this.#body.channels, ...view.overrides]);
    if (view.keys === null) return refs.get(view.root ?? '') ?? null;
    return new Map(
      view.keys.flatMap((name): [string, Ref][] => {
        const ref = refs.get(name);
        return ref === undefined ? [] : [[name, ref]];
      }),
    );
  }

  *#interruptsOf(task: ViewTask): Steps<string> {
    const written: string[] = [];
    for (const write of this.#writes)
      if (write.taskId === task.id && write.channel === INTERRUPT)
        written.push(withoutBrackets(yield* this.#content.readText(write.ref)));
    if (written.length > 0) return written.join(',');
    return task.interrupts === null ? '' : withoutBrackets(asText(task.interrupts));
  }

  *#task(task: ViewTask, subgraphs: boolean): Steps<string> {
    const error = this.#writes.find((write) => write.taskId === task.id && write.channel === ERROR);
    const nested = subgraphs ? this.#nested(task) : undefined;
    const checkpoint =
      task.subgraph === null || nested !== undefined
        ? 'null'
        : JSON.stringify({ thread_id: this.#content.thread.threadId, checkpoint_ns: task.subgraph });
    return (
      `{"id":${JSON.stringify(task.id)},"name":${JSON.stringify(task.name)},"path":${asText(task.path)}` +
      `,"error":${error === undefined ? 'null' : JSON.stringify(errorText(yield* this.#content.readText(error.ref)))}` +
      `,"interrupts":[${yield* this.#interruptsOf(task)}]` +
      `,"checkpoint":${checkpoint}` +
      `,"state":${nested === undefined ? 'null' : yield* nested.json(null, true, true)}` +
      `,"result":${yield* this.#result(task)}}`
    );
  }

  /** The newest state of a task's subgraph. */
  #nested({ subgraph }: ViewTask): StateView | undefined {
    const { stores, caller, thread } = this.#content;
    const record = subgraph === null ? undefined : stores.checkpoints.newestWithView(caller, thread, subgraph);
    return record === undefined ? undefined : new StateView(this.#content, record);
  }

  #hasOutput(task: ViewTask): boolean {
    return this.#writes.some((write) => write.taskId === task.id && !CONTROL_CHANNELS.has(write.channel));
  }

  /** The state updates of a finished task: `{channel: value}`, with several values of one channel as `$writes`. */
  *#result(task: ViewTask): Steps<string> {
    const writes = this.#writes.filter((write) => write.taskId === task.id);
    const returned = writes.find((write) => write.channel === RETURN);
    if (returned !== undefined) return yield* this.#content.readText(returned.ref);
    const keys = this.#view?.keys ?? null;
    const byChannel = new Map<string, string[]>();
    for (const write of writes) {
      if (CONTROL_CHANNELS.has(write.channel) || (keys !== null && !isStateChannel(write.channel))) continue;
      byChannel.set(write.channel, [...(byChannel.get(write.channel) ?? []), yield* this.#content.readText(write.ref)]);
    }
    if (byChannel.size === 0) return 'null';
    return `{${[...byChannel].map(([name, values]) => `${JSON.stringify(name)}:${values.length === 1 ? values[0]! : `{"$writes":[${values.join(',')}]}`}`).join(',')}}`;
  }

  #checkpoint(id: string): string {
    return `{"thread_id":${JSON.stringify(this.#content.thread.threadId)},"checkpoint_ns":${JSON.stringify(this.record.ns)},"checkpoint_id":${JSON.stringify(id)},"checkpoint_map":null}`;
  }
}

/** JSON of `{task id: [interrupt]}`. */
export function interruptsJson(interrupts: readonly (readonly [taskId: string, list: string])[]): string {
  return `{${interrupts.map(([id, list]) => `${JSON.stringify(id)}:[${list}]`).join(',')}}`;
}

/**
 * Channels that control the graph are not state. The keys of a view are not sufficient, because a state channel
 * may have no value yet.
 */
function isStateChannel(channel: string): boolean {
  return !channel.startsWith('branch:') && !channel.startsWith('join:') && !channel.startsWith('__');
}

/** The object, reduced to these members. An empty object if the value is not an object. */
function pickMembers(json: string, only: ReadonlySet<string>): string {
  const bytes = Buffer.from(json);
  const whole = wholeValue(bytes);
  const found = isObjectSlice(bytes, whole) ? [...memberMap(bytes, whole)].filter(([name]) => only.has(name)) : [];
  return `{${found.map(([name, slice]) => `${JSON.stringify(name)}:${asText(bytesOf(bytes, slice))}`).join(',')}}`;
}

/** Strips the brackets of a list. Other values are unchanged. */
function withoutBrackets(json: string): string {
  return json.startsWith('[') ? json.slice(1, -1) : json;
}

/** The library stores errors as `{name, message}`, but clients expect a string. */
function errorText(json: string): string {
  const error = JSON.parse(json) as unknown;
  if (!isObject(error)) return boundedText(String(error), LIMITS.errorTextCharsMax);
  return errorLine({
    name: String(error['name'] ?? error['error'] ?? 'Error'),
    message: String(error['message'] ?? ''),
  });
}
