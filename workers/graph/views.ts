import type { PackedView } from '../../src/wire/runs/messages.js';
import { packView, type Ref, type ViewTask } from '../../src/wire/runs/state.js';
import { jsonBytes, utf8 } from '../../src/base/json/json.js';
import { pack } from '../../src/wire/codec.js';
import type { Outbox } from './outbox.js';
import type { Parcel, Values } from './values.js';
import type { WireJson } from './wire-json.js';

/** The `checkpoints` mode of the library, as far as a view needs it. */
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
  /** The root checkpoint that was stored last, and whether its view has been sent. */
  #head: { id: string; checkpoint: StoredCheckpoint; seen: boolean } | null = null;
  /** Views whose values only the serializer can store, which takes its time. */
  #sending: Promise<unknown> = Promise.resolve();
  /** Hashes that the store has; the saver's. */
  known = new Set<string>();

  constructor(outbox: Outbox, values: Values, json: WireJson) {
    this.#outbox = outbox;
    this.#values = values;
    this.#json = json;
  }

  /** The view to send along with the checkpoint, or null when its chunk is still to come. */
  stored(ns: string, id: string, values: Record<string, unknown>, refs: Map<string, Ref>): PackedView | null {
    const checkpoint = { values, refs };
    if (ns === '') this.#head = { id, checkpoint, seen: false };
    const latest = this.#latest.get(ns);
    if (latest?.id === id && differing(latest.chunk.values, values).length === 0) {
      if (ns === '') this.#head!.seen = true;
      return this.#build(latest.chunk, []);
    }
    this.#stored.set(`${ns}\u0000${id}`, checkpoint);
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
    this.#send(ns, id, chunk, stored);
  }

  /** Stored checkpoints that no chunk has shown yet. */
  waiting(): { ns: string; id: string }[] {
    return [...this.#stored.keys()].map((key) => {
      const [ns, id] = key.split('\u0000') as [string, string];
      return { ns, id };
    });
  }

  /**
   * The graph stopped at an interrupt: what finished tasks of the step have written shows in the state although no
   * checkpoint holds it yet.
   */
  stopped(values: unknown): void {
    const latest = this.#latest.get('');
    if (latest === undefined || latest.id !== this.#head?.id) return;
    if (differing(values, latest.chunk.values as Record<string, unknown>).length === 0) return;
    this.#send('', latest.id, { ...latest.chunk, values }, this.#head.checkpoint);
  }

  /**
   * The run is over. With durability `exit`, or when it was told to stop after a node, the library stores a checkpoint
   * without showing it; then the graph is asked for the state.
   */
  async complete(state: () => Promise<unknown>): Promise<void> {
    const head = this.#head;
    if (head === null || head.seen) return;
    try {
      const snapshot = (await state()) as CheckpointChunk;
      this.#send('', head.id, snapshot, head.checkpoint);
    } catch {
      // A graph that cannot show its state has none to show: the thread then counts as unfinished.
    }
  }

  /** Resolves when every view that is being made has been sent. */
  async sent(): Promise<void> {
    await this.#sending;
  }

  #send(ns: string, id: string, chunk: CheckpointChunk, stored: StoredCheckpoint): void {
    if (ns === '' && this.#head?.id === id) this.#head.seen = true;
    let overrides: [string, Ref][] = [];
    const made = this.#values.parcel(this.known, (parcel) => {
      overrides = differing(chunk.values, stored.values).map(([name, value]): [string, Ref] => [
        name,
        this.#values.encode(value, parcel),
      ]);
    });
    const say = (parcel: Parcel): void => {
      parcel.sent();
      this.#outbox.say({
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
    if (!(made instanceof Promise)) say(made);
    // What the serializer cannot store has no view: the thread then counts as unfinished.
    else this.#sending = Promise.all([this.#sending, made.then(say).catch(() => undefined)]);
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

/** Values that state shows otherwise than the channel stores them: compared by identity, a channel hands out its own. */
function differing(shown: unknown, stored: Record<string, unknown>): [string, unknown][] {
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
