import { isObject } from '../../src/base/json/json.js';
import { envelope, protocolName } from '../../src/wire/runs/protocol.js';
import { LISTENING } from '../../src/wire/runs/run-signals.js';
import type { Outbox } from './outbox.js';
import type { WireJson } from './wire-json.js';

const INTERRUPT = '__interrupt__';

/** An event of the library (streaming-protocol-v2.md, section 16). */
export interface LibraryEvent {
  method: string;
  params: { namespace: string[]; timestamp: number; node?: string; data: unknown };
}

interface Interrupt {
  id: string;
  value: unknown;
}

/**
 * Converts a run's library events to events of the second protocol. The main thread emits the start and end of
 * the root itself. Interrupts are extracted from states, and each is emitted once, when the run ends.
 */
export class ProtocolEvents {
  readonly #outbox: Outbox;
  readonly #json: WireJson;
  readonly #signals: Int32Array;
  /** Sent when the run ends: before, an answer would find no question. */
  readonly #interrupts = new Map<string, { params: LibraryEvent['params']; value: unknown }>();
  /** Time of the last event. */
  #lastMs = 0;
  /** Namespaces with a `started` event and no end event, with the names of their graphs. */
  readonly #openNamespaces = new Map<string, { namespace: string[]; graphName: unknown }>();

  constructor(options: { outbox: Outbox; json: WireJson; signals: Int32Array }) {
    this.#outbox = options.outbox;
    this.#json = options.json;
    this.#signals = options.signals;
  }

  emit({ method, params }: LibraryEvent): void {
    const { namespace, data } = params;
    switch (method) {
      case 'lifecycle':
        return this.#lifecycle(params, data as { event: string; graph_name?: unknown });
      case 'values':
        return this.#values(params);
      case 'updates':
        return this.#updates(params);
      case 'checkpoints':
      case 'messages':
      case 'tools':
      case 'tasks':
        return this.#send(method, method, params, data);
      case 'custom':
        return this.#send(customChannel(data), method, params, data);
      default: {
        // Custom channels that a graph was compiled with.
        const name = method.startsWith('custom:') ? method.slice('custom:'.length) : method;
        this.#send(`custom:${name}`, 'custom', { ...params, namespace }, { name, payload: data });
      }
    }
  }

  /** Sends the events of the interrupts at which the run stopped. */
  sendInterrupts(): void {
    for (const [id, { params, value }] of this.#interrupts)
      // The JavaScript client reads `payload`, the Python client `value`.
      this.#send(
        'input',
        'input.requested',
        { namespace: params.namespace, timestamp: params.timestamp },
        { interrupt_id: id, payload: value, value },
      );
    this.#interrupts.clear();
  }

  /** Ends all namespaces that are still open with this event. */
  close(event: 'completed' | 'failed'): void {
    for (const { namespace, graphName } of [...this.#openNamespaces.values()].reverse()) {
      this.#send(
        'lifecycle',
        'lifecycle',
        { namespace, timestamp: Date.now() },
        { event, ...(graphName === undefined ? {} : { graph_name: graphName }) },
      );
    }
    this.#openNamespaces.clear();
  }

  #lifecycle(params: LibraryEvent['params'], data: { event: string; graph_name?: unknown }): void {
    const { namespace } = params;
    if (namespace.length === 0) return;
    const key = namespace.join('|');
    if (data.event === 'started') this.#openNamespaces.set(key, { namespace, graphName: data.graph_name });
    else this.#openNamespaces.delete(key);
    this.#send('lifecycle', 'lifecycle', params, data);
  }

  #values(params: LibraryEvent['params']): void {
    const { data } = params;
    if (!isObject(data) || !(INTERRUPT in data)) return this.#send('values', 'values', params, data);
    const { [INTERRUPT]: interrupts, ...state } = data as Record<string, unknown>;
    this.#addInterrupts(params, interrupts);
    if (Object.keys(state).length > 0) this.#send('values', 'values', params, state);
  }

  #updates(params: LibraryEvent['params']): void {
    const data = params.data as { node?: string; values?: unknown };
    if (params.node === INTERRUPT || data.node === INTERRUPT) return this.#addInterrupts(params, data.values);
    this.#send('updates', 'updates', params, data);
  }

  #addInterrupts(params: LibraryEvent['params'], interrupts: unknown): void {
    if (!Array.isArray(interrupts)) return;
    for (const { id, value } of interrupts as Interrupt[])
      if (!this.#interrupts.has(id)) this.#interrupts.set(id, { params, value });
  }

  #send(
    channel: string,
    method: string,
    { namespace, timestamp, node }: Omit<LibraryEvent['params'], 'data'>,
    data: unknown,
  ): void {
    if (Atomics.load(this.#signals, LISTENING) !== 1) return;
    // The library emits some events late, and the clock may go back. Readers rely on ascending times.
    this.#lastMs = Math.max(this.#lastMs, timestamp);
    const event = {
      method,
      namespace,
      timestamp: this.#lastMs,
      ...(node === undefined ? {} : { node }),
      data: this.#json.text(data),
    };
    this.#outbox.frame(protocolName(channel, namespace), envelope(this.#outbox.lastSeq + 1, event), method);
  }
}

function customChannel(data: unknown): string {
  const name = isObject(data) ? (data as Record<string, unknown>)['name'] : undefined;
  return typeof name === 'string' ? `custom:${name}` : 'custom';
}
