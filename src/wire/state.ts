/**
 * How graph state looks between threads and on disk (docs/decisions/0004). Every value has a *wire* form, the JSON that
 * clients see, and where that form cannot be revived, a *serde* form, the checkpoint serializer's own.
 */

/**
 * How an item is revived:
 * `j` plain JSON, wire is the value; `x` anything else, serde is the value; `m:<class>` a message of that class, wire
 * holds its fields; `s` a segment, several small plain values as JSON joined by commas.
 */
export type ItemKind = 'j' | 'x' | 's' | `m:${string}`;

/** [kind, wire JSON, serde JSON or null, number of values] */
export type Item = [kind: ItemKind, wire: Uint8Array, serde: Uint8Array | null, count: number];

/** A chunk of a list's index: `depth` 0 points at items, n at chunks of depth n-1. Hashes are 16 bytes each, in order. */
export type Chunk = ['chunk', depth: number, hashes: Uint8Array];

export type StoredContent = Item | Chunk;

/** Where a channel's value is: in place, one item, or a list of items through its index. */
export type Ref =
  | [0, Item]
  | [1, hash: Uint8Array]
  | [2, count: number, depth: number, hashes: Uint8Array];

/** A checkpoint as the worker packs it; the front stores it unread beside run and lease. */
export interface CheckpointBody {
  v: number;
  ts: string;
  parentId: string | null;
  /** `channel_versions` and `versions_seen`, JSON objects. */
  versions: Uint8Array;
  seen: Uint8Array;
  /** Checkpoint metadata, JSON object, the run's metadata merged in. */
  metadata: Uint8Array;
  /** Pairs, not a map: a channel may have any name. */
  channels: [name: string, ref: Ref][];
}

/** What state shows of a checkpoint beyond its channels. */
export interface View {
  next: string[];
  tasks: ViewTask[];
  /** Names of the channels that make up `values`, in order; null when the state is one value, under `root`. */
  keys: string[] | null;
  root: string | null;
  /** Values that differ from what the channel stores. */
  overrides: [name: string, ref: Ref][];
}

export interface ViewTask {
  id: string;
  name: string;
  /** JSON */
  path: Uint8Array;
  /** Namespace of the task's subgraph, when it has one. */
  subgraph: string | null;
  /** JSON of interrupts, error and result that stand in no pending write; null when none. */
  interrupts: Uint8Array | null;
}

/** One pending write. `idx` is its place among the task's writes; negative for the library's special channels. */
export interface WriteBody {
  taskId: string;
  taskPath: string;
  idx: number;
  channel: string;
  ref: Ref;
}

/** New content: hash (16 bytes) and the packed Item or Chunk. */
export type NewContent = [hash: Uint8Array, content: Uint8Array];

/** A checkpoint with its pending writes as the worker loads it. */
export interface SavedCheckpoint {
  ns: string;
  id: string;
  body: Uint8Array;
  writes: WriteBody[];
}

export const HASH_BYTES = 16;

export function hashKey(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('base64url');
}

/** The hashes that stand one after the other in `hashes`. */
export function splitHashes(hashes: Uint8Array): Uint8Array[] {
  const list: Uint8Array[] = [];
  for (let at = 0; at < hashes.byteLength; at += HASH_BYTES) list.push(hashes.subarray(at, at + HASH_BYTES));
  return list;
}

/** The hashes that a reference names directly. */
export function directHashes(ref: Ref): Uint8Array[] {
  switch (ref[0]) {
    case 0: return [];
    case 1: return [ref[1]];
    case 2: return splitHashes(ref[3]);
  }
}
