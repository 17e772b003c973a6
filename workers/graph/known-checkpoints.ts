import type { ChannelVersions, Checkpoint } from '@langchain/langgraph-checkpoint';
import type { Ref } from '../../src/wire/runs/state.js';

/** What is known of a checkpoint in this run: where its channels' values are, and under which versions. */
export interface Known {
  id: string;
  refs: ReadonlyMap<string, Ref>;
  versions: Record<string, unknown>;
}

/** By namespace, the checkpoint that a saver loaded or stored last: what it holds is in the store already. */
export class KnownCheckpoints {
  readonly #last = new Map<string, Known>();

  set(ns: string, known: Known): void {
    this.#last.set(ns, known);
  }

  /** A value that the parent has under the same version stands there; others are encoded. */
  refs(
    ns: string,
    parentId: string | null,
    { channel_values, channel_versions }: Checkpoint,
    encode: (value: unknown) => Ref,
  ): Map<string, Ref> {
    const last = this.#last.get(ns);
    const parent = last !== undefined && last.id === parentId ? last : null;
    return new Map(
      Object.entries(channel_values).map(([name, value]) => {
        const known =
          parent !== null && holds(parent, name, channel_versions[name]) ? parent.refs.get(name) : undefined;
        return [name, known ?? encode(value)];
      }),
    );
  }

  /** Channels of a first checkpoint that the caller takes for stored, and nothing that was loaded last says so. */
  doubtful(ns: string, { channel_values, channel_versions }: Checkpoint, newVersions: ChannelVersions): Set<string> {
    const last = this.#last.get(ns);
    // A value without a version is a channel's default: nobody has written it, so it is in no `newVersions`.
    const isOld = (name: string): boolean => channel_versions[name] !== undefined && !Object.hasOwn(newVersions, name);
    return new Set(
      Object.keys(channel_values).filter(
        (name) => isOld(name) && !(last !== undefined && holds(last, name, channel_versions[name])),
      ),
    );
  }
}

/** True when a value of the channel is stored with the checkpoint under this version. */
export function holds({ refs, versions }: Pick<Known, 'refs' | 'versions'>, name: string, version: unknown): boolean {
  return version !== undefined && versions[name] === version && refs.has(name);
}
