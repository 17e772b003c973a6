import type { ChannelVersions, Checkpoint } from '@langchain/langgraph-checkpoint';
import type { Ref } from '../../src/wire/runs/state.js';

/** The location of a checkpoint's channel values, and their versions, as known in this run. */
export interface KnownCheckpoint {
  id: string;
  refs: ReadonlyMap<string, Ref>;
  versions: Record<string, unknown>;
}

/** The checkpoint that a saver last loaded or stored, by namespace. Its values are already in the store. */
export class KnownCheckpoints {
  readonly #last = new Map<string, KnownCheckpoint>();

  set(ns: string, known: KnownCheckpoint): void {
    this.#last.set(ns, known);
  }

  /** References the parent's stored value if the version is the same, and encodes all other values. */
  refsFor(
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
          parent !== null && hasVersion(parent, name, channel_versions[name]) ? parent.refs.get(name) : undefined;
        return [name, known ?? encode(value)];
      }),
    );
  }

  /**
   * Channels of a first checkpoint that the caller assumes to be stored, although the last loaded checkpoint
   * does not contain them.
   */
  unconfirmedChannels(
    ns: string,
    { channel_values, channel_versions }: Checkpoint,
    newVersions: ChannelVersions,
  ): Set<string> {
    const last = this.#last.get(ns);
    // A value without a version is a channel's default. It was never written, so it is not in `newVersions`.
    const isOld = (name: string): boolean => channel_versions[name] !== undefined && !Object.hasOwn(newVersions, name);
    return new Set(
      Object.keys(channel_values).filter(
        (name) => isOld(name) && !(last !== undefined && hasVersion(last, name, channel_versions[name])),
      ),
    );
  }
}

/** True when the checkpoint stores a value of the channel with this version. */
export function hasVersion(
  { refs, versions }: Pick<KnownCheckpoint, 'refs' | 'versions'>,
  name: string,
  version: unknown,
): boolean {
  return version !== undefined && versions[name] === version && refs.has(name);
}
