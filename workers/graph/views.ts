import type { Ref, View, ViewTask } from '../../src/wire/state.js';
import { jsonBytes, utf8 } from '../../src/base/json.js';
import type { Outbox } from './outbox.js';
import type { Values } from './values.js';
import type { WireJson } from './wire-json.js';

/** The `checkpoints` mode of the library, as far as a view needs it. */
export interface CheckpointChunk {
  config?: { configurable?: Record<string, unknown> };
  values: unknown;
  metadata: unknown;
  next: string[];
  tasks: { id: string; name: string; path?: unknown; interrupts?: unknown[]; state?: { configurable?: Record<string, unknown> }; error?: unknown; result?: unknown }[];
  parentConfig?: { configurable?: Record<string, unknown> };
}

/** The library's lightweight envelope travels under the same mode and is no checkpoint. */
export function isCheckpointChunk(payload: unknown): payload is CheckpointChunk {
  return typeof payload === 'object' && payload !== null && 'values' in payload && 'next' in payload;
}

interface StoredCheckpoint {
  values: Record<string, unknown>;
  refs: Map<string, Ref>;
}

/** Stored checkpoints whose chunk has not come yet; each but a fork's gets one. */
const WAITING_MAX = 64;

/**
 * Makes the view of each stored checkpoint from the `checkpoints` chunk with the same id. Either may come first: the chunk
 * is late when the stream is read slowly, and early with durability `exit`, where only the last one is stored.
 */
export class Views {
  readonly #outbox: Outbox;
  readonly #values: Values;
  readonly #json: WireJson;
  readonly #stored = new Map<string, StoredCheckpoint>();
  readonly #latest = new Map<string, { id: string; chunk: CheckpointChunk }>();

  constructor(outbox: Outbox, values: Values, json: WireJson) {
    this.#outbox = outbox;
    this.#values = values;
    this.#json = json;
  }

  /** The view to send along with the checkpoint, or null when its chunk is still to come. */
  stored(ns: string, id: string, values: Record<string, unknown>, refs: Map<string, Ref>): View | null {
    const latest = this.#latest.get(ns);
    if (latest?.id === id) {
      // Values that are not the channel's own would need content of their own; such a view is sent by itself.
      const view = this.#view(latest.chunk, { values, refs });
      if (view !== null) return view;
    }
    this.#stored.set(`${ns}\u0000${id}`, { values, refs });
    if (this.#stored.size > WAITING_MAX) this.#stored.delete(this.#stored.keys().next().value!);
    if (latest?.id === id) this.chunk(latest.chunk);
    return null;
  }

  chunk(chunk: CheckpointChunk): void {
    const configurable = chunk.config?.configurable ?? {};
    const ns = (configurable['checkpoint_ns'] as string | undefined) ?? '';
    const id = configurable['checkpoint_id'] as string | undefined;
    if (id === undefined) return;
    this.#latest.set(ns, { id, chunk });
    const key = `${ns}\u0000${id}`;
    const stored = this.#stored.get(key);
    if (stored === undefined) return;
    this.#stored.delete(key);
    let overrides: [string, Ref][] = [];
    const made = this.#values.parcel(new Set(), (parcel) => {
      overrides = differing(chunk.values, stored.values).map(([name, value]) => [name, this.#values.encode(value, parcel)]);
    });
    const send = (uses: Uint8Array, content: { content: [Uint8Array, Uint8Array][] }): void => {
      this.#outbox.say({ type: 'checkpoint.view', ns, id, view: this.#build(chunk, overrides), uses, content: content.content });
    };
    if (made instanceof Promise) void made.then((parcel) => send(parcel.uses, parcel));
    else send(made.uses, made);
  }

  /**
   * The graph stopped at an interrupt: what finished tasks of the step have written shows in the state although no
   * checkpoint holds it yet.
   */
  stopped(values: unknown): void {
    const latest = this.#latest.get('');
    if (latest === undefined || differing(values, latest.chunk.values as Record<string, unknown>).length === 0) return;
    if (typeof latest.chunk.values !== 'object' || latest.chunk.values === null) return;
    this.#stored.set(`\u0000${latest.id}`, { values: latest.chunk.values as Record<string, unknown>, refs: new Map() });
    this.chunk({ ...latest.chunk, values });
  }

  /** Null when some value differs from its channel's. */
  #view(chunk: CheckpointChunk, stored: StoredCheckpoint): View | null {
    return differing(chunk.values, stored.values).length > 0 ? null : this.#build(chunk, []);
  }

  #build(chunk: CheckpointChunk, overrides: [string, Ref][]): View {
    const keyed = typeof chunk.values === 'object' && chunk.values !== null && !Array.isArray(chunk.values);
    return {
      next: chunk.next,
      tasks: chunk.tasks.map((task): ViewTask => ({
        id: task.id,
        name: task.name,
        path: jsonBytes(task.path ?? []),
        subgraph: (task.state?.configurable?.['checkpoint_ns'] as string | undefined) ?? null,
        interrupts: task.interrupts !== undefined && task.interrupts.length > 0 ? utf8(this.#json.text(task.interrupts)) : null,
      })),
      keys: keyed ? Object.keys(chunk.values as object) : null,
      root: keyed ? null : '__root__',
      overrides,
    };
  }
}

/** Values that state shows otherwise than the channel stores them: compared by identity, a channel hands out its own. */
function differing(shown: unknown, stored: Record<string, unknown>): [string, unknown][] {
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) {
    return Object.is(stored['__root__'], shown) ? [] : [['__root__', shown]];
  }
  return Object.entries(shown).filter(([name, value]) => !(Object.hasOwn(stored, name) && Object.is(stored[name], value)));
}
