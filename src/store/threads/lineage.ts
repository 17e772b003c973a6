import { asObject, parseJson } from '../../base/json/json.js';
import { unpackBody } from '../../wire/runs/state.js';
import type { CheckpointRecord } from './checkpoints.js';

const NONE: ReadonlySet<string> = new Set();

/**
 * Which checkpoints of a namespace the others are put together from, found in one walk from the newest to the oldest. A delta
 * channel's value stands in the pending writes of ancestors, back to one that has a snapshot (langgraph-checkpoint,
 * getDeltaChannelHistory).
 */
export class Lineage {
  /** By checkpoint that is still to come: channels that a newer one needs its writes of. */
  readonly #needed = new Map<string, Set<string>>();

  /** Nothing that is still to come is needed. */
  get isComplete(): boolean {
    return this.#needed.size === 0;
  }

  /** `survives`: it is kept for its own sake. Says whether it must stay, and the channels that newer ones need its writes of. */
  take({ id, body }: CheckpointRecord, survives: boolean): { stays: boolean; sourceOf: ReadonlySet<string> } {
    const sourceOf = this.#needed.get(id) ?? NONE;
    this.#needed.delete(id);
    if (!survives && sourceOf.size === 0) return { stays: false, sourceOf };
    const { parentId, metadata, channels } = unpackBody(body);
    const above = new Set(sourceOf);
    if (survives) {
      const counted = asObject(
        (parseJson(metadata) as { counters_since_delta_snapshot?: unknown }).counters_since_delta_snapshot,
      );
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
