import type { StreamMode } from '../../src/wire/runs/messages.js';
import { LISTENING } from '../../src/wire/runs/run-signals.js';
import { isMessage, type MessageLike } from './message.js';
import type { Outbox } from './outbox.js';
import { isPlain } from './trace.js';
import { isCheckpointChunk, type Views } from './views.js';
import type { WireJson } from './wire-json.js';

/** The library's stream modes. */
export type LibraryMode = 'values' | 'updates' | 'messages' | 'custom' | 'debug' | 'tasks' | 'checkpoints' | 'tools';

const INTERRUPT = '__interrupt__';

/** The library modes to request: those that the client wants, and those that the server itself needs. */
export function libraryModes(wanted: readonly StreamMode[], persistent: boolean): LibraryMode[] {
  const modes = new Set<LibraryMode>(['values']);
  if (persistent) modes.add('checkpoints');
  for (const mode of wanted) {
    if (mode === 'messages' || mode === 'messages-tuple') modes.add('messages');
    else if (mode !== 'events' && mode !== 'protocol') modes.add(mode);
  }
  return [...modes];
}

/**
 * Converts what a graph streams into events (agent-server.md, 10.2). Each chunk is serialized once, and only if
 * there may be a reader.
 */
export class Emitter {
  readonly #outbox: Outbox;
  readonly #json: WireJson;
  readonly #views: Views | null;
  readonly #wanted: ReadonlySet<StreamMode>;
  readonly #subgraphs: boolean;
  readonly #signals: Int32Array;
  /** The last root state, and the interrupts that came after it. */
  lastValues: unknown = undefined;
  interrupts: unknown[] | null = null;
  /** Chunks that consist of interrupts. Sent when the run ends: before, an answer would find no question. */
  readonly #interruptChunks: { mode: StreamMode; ns: readonly string[]; payload: unknown }[] = [];
  readonly #partial = new Map<string, MessageLike>();
  readonly #complete = new Set<string>();

  constructor(options: {
    outbox: Outbox;
    json: WireJson;
    views: Views | null;
    wanted: readonly StreamMode[];
    subgraphs: boolean;
    signals: Int32Array;
  }) {
    this.#outbox = options.outbox;
    this.#json = options.json;
    this.#views = options.views;
    this.#wanted = new Set(options.wanted);
    this.#subgraphs = options.subgraphs;
    this.#signals = options.signals;
  }

  /** True if the run has readers, so that its events must be serialized. */
  get hasListeners(): boolean {
    return Atomics.load(this.#signals, LISTENING) === 1;
  }

  event(name: string, data: unknown): void {
    if (this.hasListeners) this.#outbox.frame(name, this.#json.text(data));
  }

  /**
   * Emits an event of LangChain's own event stream. Removes the private parts of configurations, which contain
   * the user with secrets.
   */
  libraryEvent(event: object): void {
    if (this.hasListeners) this.event('events', withoutPrivateConfig(event, 0));
  }

  chunk(ns: readonly string[], mode: LibraryMode, payload: unknown): void {
    const root = ns.length === 0;
    switch (mode) {
      case 'values':
        this.#sendState('values', ns, payload);
        if (root) this.#rootValues(payload);
        return;
      case 'checkpoints':
        if (!isCheckpointChunk(payload)) return;
        this.#views?.addChunk(payload);
        if (this.#wants('checkpoints', root)) this.#send('checkpoints', ns, checkpointPayload(payload));
        return;
      case 'debug':
        if (this.#wants('debug', root)) this.#send('debug', ns, debugPayload(payload));
        return;
      case 'tasks':
        if (this.#wants('tasks', root)) this.#send('tasks', ns, taskPayload(payload));
        return;
      case 'messages':
        this.#messages(ns, payload as [MessageLike, Record<string, unknown>]);
        return;
      case 'custom':
        // A writer inside a subgraph writes to the run's stream, whether or not subgraphs are streamed.
        this.#send('custom', this.#subgraphs ? ns : [], payload);
        return;
      case 'updates':
        this.#sendState('updates', ns, payload);
        return;
      case 'tools':
        this.#send(mode, ns, payload);
    }
  }

  /** Sends the chunks of the interrupts at which the run stopped. */
  sendInterrupts(): void {
    for (const { mode, ns, payload } of this.#interruptChunks.splice(0)) this.#send(mode, ns, payload);
  }

  /** True for modes that the client requested, as opposed to those that the server needs. */
  wantsMode(mode: LibraryMode): boolean {
    return mode === 'messages'
      ? this.#wanted.has('messages') || this.#wanted.has('messages-tuple')
      : this.#wanted.has(mode);
  }

  /** The response of a `wait` request: the last root state, merged with its interrupts. */
  result(): string {
    if (this.interrupts === null) return this.lastValues === undefined ? '{}' : this.#json.text(this.lastValues);
    if (typeof this.lastValues === 'object' && this.lastValues !== null && !Array.isArray(this.lastValues)) {
      return this.#json.text({ ...this.lastValues, [INTERRUPT]: this.interrupts });
    }
    return this.#json.text({ [INTERRUPT]: this.interrupts });
  }

  #wants(mode: StreamMode, root: boolean): boolean {
    return this.hasListeners && this.#wanted.has(mode) && (root || this.#subgraphs);
  }

  #send(mode: StreamMode, ns: readonly string[], payload: unknown): void {
    if (!this.#wants(mode, ns.length === 0)) return;
    this.#outbox.frame(ns.length === 0 ? mode : `${mode}|${ns.join('|')}`, this.#json.text(payload));
  }

  #sendState(mode: 'values' | 'updates', ns: readonly string[], payload: unknown): void {
    if (interruptsOf(payload) === null) this.#send(mode, ns, payload);
    else this.#interruptChunks.push({ mode, ns, payload });
  }

  #rootValues(payload: unknown): void {
    const interrupts = interruptsOf(payload);
    if (interrupts !== null) {
      // Each interrupted task emits its own chunk.
      this.interrupts = [...(this.interrupts ?? []), ...interrupts];
      return;
    }
    this.lastValues = payload;
    if (!this.hasListeners || !this.#wanted.has('messages')) return;
    const messages = (payload as { messages?: unknown } | null)?.messages;
    if (!Array.isArray(messages)) return;
    const finished = (messages as unknown[]).filter(
      (message): message is MessageLike =>
        typeof message === 'object' &&
        message !== null &&
        isMessage(message) &&
        message.id !== undefined &&
        !this.#complete.has(message.id),
    );
    if (finished.length === 0) return;
    for (const message of finished) {
      this.#complete.add(message.id!);
      this.#partial.delete(message.id!);
    }
    this.event('messages/complete', finished);
  }

  #messages(ns: readonly string[], [message, metadata]: [MessageLike, Record<string, unknown>]): void {
    const root = ns.length === 0;
    // Include both the LangGraph name and the short one.
    const shown = { ...metadata, graph_node: metadata['langgraph_node'] };
    if (this.#wants('messages-tuple', root)) this.#sendMessageTuple(ns, message, shown);
    if (!this.#wants('messages', root) || message.id === undefined) return;
    const known = this.#partial.get(message.id);
    const isChunk = 'concat' in message && typeof message.concat === 'function';
    // Complete messages, such as inputs and tool results, are sent with the state as messages/complete.
    if (!isChunk && (known !== undefined || this.#complete.has(message.id) || message.toDict().type !== 'ai')) return;
    if (known === undefined) this.event('messages/metadata', { [message.id]: { metadata: shown } });
    const accumulated =
      known === undefined
        ? message
        : (known as MessageLike & { concat(next: MessageLike): MessageLike }).concat(message);
    this.#partial.set(message.id, accumulated);
    this.event('messages/partial', [accumulated]);
  }

  #sendMessageTuple(ns: readonly string[], message: MessageLike, metadata: Record<string, unknown>): void {
    this.#outbox.frame(ns.length === 0 ? 'messages' : `messages|${ns.join('|')}`, this.#json.text([message, metadata]));
  }
}

/** A chunk with only interrupts is not a state. */
function interruptsOf(payload: unknown): unknown[] | null {
  if (typeof payload !== 'object' || payload === null || !(INTERRUPT in payload)) return null;
  const interrupts = (payload as Record<string, unknown>)[INTERRUPT];
  return Object.keys(payload).length === 1 && Array.isArray(interrupts) ? interrupts : null;
}

type Config = { configurable?: Record<string, unknown> } & Record<string, unknown>;

function checkpointPayload(payload: unknown): Record<string, unknown> {
  const { config, parentConfig, tasks, ...rest } = payload as {
    config?: Config;
    parentConfig?: Config;
    tasks?: unknown[];
  } & Record<string, unknown>;
  return {
    ...rest,
    config: publicConfig(config),
    parent_config: publicConfig(parentConfig) ?? null,
    tasks: (tasks ?? []).map(taskPayload),
    checkpoint: checkpointOf(config),
    parent_checkpoint: checkpointOf(parentConfig),
  };
}

function debugPayload(payload: unknown): unknown {
  const { type, payload: inner, ...rest } = payload as { type: string; payload: unknown };
  return { ...rest, type, payload: type === 'checkpoint' ? checkpointPayload(inner) : taskPayload(inner) };
}

/** A subgraph task's `state` is a config unless the state itself was requested. It is sent as `checkpoint`. */
function taskPayload(payload: unknown): unknown {
  const task = payload as { state?: Config } & Record<string, unknown>;
  if (task.state?.configurable === undefined) return task;
  const { state, ...rest } = task;
  return { ...rest, checkpoint: publicConfigurable(state.configurable!) };
}

function publicConfig(config: Config | undefined): Config | undefined {
  if (config === undefined) return undefined;
  const { callbacks: _callbacks, ...rest } = config;
  return rest.configurable === undefined ? rest : { ...rest, configurable: publicConfigurable(rest.configurable) };
}

/** Removes the user and internal keys (agent-server.md, 9.2 and 10.2). */
function publicConfigurable(configurable: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(configurable).filter(
      ([key]) => !key.startsWith('__') && !key.startsWith('langgraph_auth_') && key !== 'graph_auth_user',
    ),
  );
}

const CONFIG_DEPTH_MAX = 8;

/**
 * Returns the value with private keys removed from every configuration inside. A value without configurations
 * is not copied.
 */
function withoutPrivateConfig(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > CONFIG_DEPTH_MAX) return value;
  if (Array.isArray(value)) {
    const mapped = value.map((one) => withoutPrivateConfig(one, depth + 1));
    return mapped.some((one, at) => one !== value[at]) ? mapped : value;
  }
  if (!isPlain(value)) return value;
  let changed: Record<string, unknown> | null = null;
  for (const [name, one] of Object.entries(value)) {
    const shown =
      name === 'configurable' && typeof one === 'object' && one !== null
        ? publicConfigurable(one as Record<string, unknown>)
        : withoutPrivateConfig(one, depth + 1);
    if (shown !== one) (changed ??= { ...value })[name] = shown;
  }
  return changed ?? value;
}

function checkpointOf(config: Config | undefined): Record<string, unknown> | null {
  const id = config?.configurable?.['checkpoint_id'];
  if (id === undefined) return null;
  return {
    thread_id: config!.configurable!['thread_id'],
    checkpoint_ns: config!.configurable!['checkpoint_ns'] ?? '',
    checkpoint_id: id,
    checkpoint_map: config!.configurable!['checkpoint_map'] ?? null,
  };
}
