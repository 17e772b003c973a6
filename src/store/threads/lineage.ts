import { asObject } from '../../base/json/json.js';
import { unpackBody, unpackMetadata } from '../../wire/runs/state.js';

const NONE: ReadonlySet<string> = new Set();

/**
 * Finds which checkpoints of a namespace other checkpoints depend on, in one walk from the newest to the oldest.
 * The value of a delta channel is spread over the pending writes of its ancestors, back to one that has a
 * snapshot (langgraph-checkpoint, getDeltaChannelHistory).
 */
export class Lineage {
  /** By the id of an older checkpoint: channels whose writes there a newer checkpoint needs. */
  readonly #needed = new Map<string, Set<string>>();

  /** True if no older checkpoint is needed. */
  get isComplete(): boolean {
    return this.#needed.size === 0;
  }

  /**
   * `survives`: the checkpoint is kept as a state. Returns whether it must be kept at all, and the channels whose
   * writes newer checkpoints need.
   */
  visit(
    { id, body }: { id: string; body: Uint8Array },
    survives: boolean,
  ): { stays: boolean; sourceOf: ReadonlySet<string> } {
    const sourceOf = this.#needed.get(id) ?? NONE;
    this.#needed.delete(id);
    if (!survives && sourceOf.size === 0) return { stays: false, sourceOf };
    const { parentId, metadata, channels } = unpackBody(body);
    const above = new Set(sourceOf);
    if (survives) {
      const counted = asObject(unpackMetadata(metadata)['counters_since_delta_snapshot']);
      for (const name of Object.keys(counted)) above.add(name);
    }
    for (const [name] of channels) above.delete(name);
    if (parentId !== null && above.size > 0) {
      const known = this.#needed.get(parentId);
      if (known === undefined) this.#needed.set(parentId, above);
      else for (const name of above) known.add(name);
    }
    return { stays: true, sourceOf };
  }
}
