import type { PackedView } from '../../src/wire/runs/messages.js';
import { packView, type Ref, type ViewTask } from '../../src/wire/runs/state.js';
import { LIMITS } from '../../src/base/limits.js';
import { jsonBytes, utf8 } from '../../src/base/json/json.js';
import { pack } from '../../src/wire/codec.js';
import type { Outbox } from './outbox.js';
import type { Parcel, Values } from './values.js';
import type { WireJson } from './wire-json.js';

/** A chunk of the library's `checkpoints` mode, as far as views need it. */
export interface CheckpointChunk {
  config?: { configurable?: Record<string, unknown> };
  values: unknown;
  metadata: unknown;
  next: string[];
  tasks: {
    id: string;
    name: string;
    path?: unknown;
    interrupts?: unknown[];
    state?: { configurable?: Record<string, unknown> };
    error?: unknown;
    result?: unknown;
  }[];
  parentConfig?: { configurable?: Record<string, unknown> };
}

/** The library's lightweight envelope has the same mode but is not a checkpoint. */
export function isCheckpointChunk(payload: unknown): payload is CheckpointChunk {
  return typeof payload === 'object' && payload !== null && 'values' in payload && 'next' in payload;
}

interface StoredCheckpoint {
  values: Record<string, unknown>;
  refs: Map<string, Ref>;
}

/**
 * Builds the view of each stored checkpoint from the `checkpoints` chunk with the same id. Either may come
 * first: the chunk is late when the stream is read slowly, and early with durability `exit`, which stores only
 * the last checkpoint.
 */
export class Views {
  readonly #outbox: Outbox;
  readonly #values: Values;
  readonly #json: WireJson;
  readonly #stored = new Map<string, StoredCheckpoint>();
  readonly #latest = new Map<string, { id: string; chunk: CheckpointChunk }>();
  /** The root checkpoint that was stored last, or loaded without a view. `seen`: its view has been sent. */
  #head: { id: string; checkpoint: StoredCheckpoint; seen: boolean } | null = null;
  /** Pending views with values that only the serializer can store, which is asynchronous. */
  #sending: Promise<unknown> = Promise.resolve();
  /** Hashes that the store has. Shared with the saver. */
  known = new Set<string>();

  constructor(outbox: Outbox, values: Values, json: WireJson) {
    this.#outbox = outbox;
    this.#values = values;
    this.#json = json;
  }

  /** Returns the view to send with the checkpoint, or null when its chunk has not arrived yet. */
  addStored(ns: string, id: string, values: Record<string, unknown>, refs: Map<string, Ref>): PackedView | null {
    const checkpoint = { values, refs };
    if (ns === '') this.#head = { id, checkpoint, seen: false };
    const latest = this.#latest.get(ns);
    if (latest?.id === id && differentValues(latest.chunk.values, values).length === 0) {
      if (ns === '') this.#head!.seen = true;
      return this.#build(latest.chunk, []);
    }
    this.#stored.set(`${ns}\u0000${id}`, checkpoint);
    if (this.#stored.size > LIMITS.pendingViewsMax) this.#stored.delete(this.#stored.keys().next().value!);
    if (latest?.id === id) this.addChunk(latest.chunk);
    return null;
  }

  /** A root checkpoint that the run continues from and whose view is not stored. */
  addLoaded(id: string, values: Record<string, unknown>, refs: Map<string, Ref>): void {
    if (this.#head?.id !== id) this.#head = { id, checkpoint: { values, refs }, seen: false };
  }

  addChunk(chunk: CheckpointChunk): void {
    const configurable = chunk.config?.configurable ?? {};
    const ns = (configurable['checkpoint_ns'] as string | undefined) ?? '';
    const id = configurable['checkpoint_id'] as string | undefined;
    if (id === undefined) return;
    this.#latest.set(ns, { id, chunk });
    const key = `${ns}\u0000${id}`;
    const stored = this.#stored.get(key);
    if (stored === undefined) return;
    this.#stored.delete(key);
    this.#send(ns, id, chunk, stored);
  }

  /** Stored checkpoints without a chunk so far. */
  withoutChunk(): { ns: string; id: string }[] {
    return [...this.#stored.keys()].map((key) => {
      const [ns, id] = key.split('\u0000') as [string, string];
      return { ns, id };
    });
  }

  /**
   * Call when the graph stopped at an interrupt. The state shows writes of the step's finished tasks, although
   * no checkpoint contains them yet.
   */
  onInterrupt(values: unknown): void {
    const latest = this.#latest.get('');
    if (latest === undefined || latest.id !== this.#head?.id) return;
    if (differentValues(values, latest.chunk.values as Record<string, unknown>).length === 0) return;
    this.#send('', latest.id, { ...latest.chunk, values }, this.#head.checkpoint);
  }

  /**
   * Call when the run has ended. With durability `exit`, or when the run stops after a node, the library stores
   * a checkpoint without emitting it. Then the state is read from the graph.
   */
  async completeHead(state: () => Promise<unknown>): Promise<void> {
    if (this.#head?.seen === false) await this.sendHead(state);
  }

  /** Sends the view of the root checkpoint that is stored or loaded now, with this state of the graph. */
  async sendHead(state: () => Promise<unknown>): Promise<void> {
    try {
      const snapshot = (await state()) as CheckpointChunk;
      if (this.#head !== null) this.#send('', this.#head.id, snapshot, this.#head.checkpoint);
    } catch {
      // Without a view the thread counts as unfinished.
    }
  }

  /** Resolves when all pending views have been sent. */
  async flush(): Promise<void> {
    await this.#sending;
  }

  #send(ns: string, id: string, chunk: CheckpointChunk, stored: StoredCheckpoint): void {
    if (ns === '' && this.#head?.id === id) this.#head.seen = true;
    let overrides: [string, Ref][] = [];
    const made = this.#values.fillParcel(this.known, (parcel) => {
      overrides = differentValues(chunk.values, stored.values).map(([name, value]): [string, Ref] => [
        name,
        this.#values.encode(value, parcel),
      ]);
    });
    const sendView = (parcel: Parcel): void => {
      parcel.markSent();
      this.#outbox.send({
        type: 'checkpoint.view',
        ns,
        id,
        view: this.#build(
          chunk,
          overrides.filter(([name, ref]) => !isSame(stored.refs.get(name), ref)),
        ),
        uses: parcel.uses,
        content: parcel.content,
      });
    };
    if (!(made instanceof Promise)) sendView(made);
    // Without a view the thread counts as unfinished.
    else this.#sending = Promise.all([this.#sending, made.then(sendView).catch(() => undefined)]);
  }

  #build(chunk: CheckpointChunk, overrides: [string, Ref][]): PackedView {
    const keyed = typeof chunk.values === 'object' && chunk.values !== null && !Array.isArray(chunk.values);
    const bytes = packView({
      next: chunk.next,
      tasks: chunk.tasks.map((task): ViewTask => ({
        id: task.id,
        name: task.name,
        path: jsonBytes(task.path ?? []),
        subgraph: (task.state?.configurable?.['checkpoint_ns'] as string | undefined) ?? null,
        interrupts:
          task.interrupts !== undefined && task.interrupts.length > 0 ? utf8(this.#json.text(task.interrupts)) : null,
      })),
      keys: keyed ? Object.keys(chunk.values as object) : null,
      root: keyed ? null : '__root__',
      overrides,
    });
    return { bytes, next: chunk.next.length };
  }
}

/**
 * Values whose state differs from the stored channel value. Compared by identity, because a channel returns its
 * own object.
 */
function differentValues(shown: unknown, stored: Record<string, unknown>): [string, unknown][] {
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) {
    return Object.is(stored['__root__'], shown) ? [] : [['__root__', shown]];
  }
  return Object.entries(shown).filter(
    ([name, value]) => !(Object.hasOwn(stored, name) && Object.is(stored[name], value)),
  );
}

function isSame(a: Ref | undefined, b: Ref): boolean {
  return a !== undefined && Buffer.compare(pack(a), pack(b)) === 0;
}
