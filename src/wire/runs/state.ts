import { packRow, unpackRow } from '../codec.js';

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

/** A closed part of a list's index: `depth` 0 points at items, n at chunks of depth n-1. Hashes are 16 bytes each, in order. */
export type Chunk = ['chunk', depth: number, hashes: Uint8Array];

export type StoredContent = Item | Chunk;

/**
 * Where a channel's value is: in place, one item, or a list. Of a list `levels[0]` names items, `levels[n]` chunks of depth
 * n-1, hashes one after the other; the list is what the highest level stands for, then the next, down to the items. So an
 * append changes the lowest level, and once in a while moves a closed chunk one level up.
 */
export type Ref =
  | [0, Item]
  | [1, hash: Uint8Array]
  | [2, count: number, levels: Uint8Array[]]
  /** An object some of whose fields are lists of objects, as inputs are: field by field, so that those items are shared. */
  | [3, fields: [name: string, ref: Ref][]];

/** A checkpoint as the worker packs it; the front stores it unread beside run and lease. */
export interface CheckpointBody {
  v: number;
  ts: string;
  parentId: string | null;
  /** `channel_versions` and `versions_seen`, JSON objects. */
  versions: Uint8Array;
  seen: Uint8Array;
  /** Checkpoint metadata as the library made it, JSON object. */
  metadata: Uint8Array;
  /** Metadata of the run, the same for all its checkpoints: an item. Its `run_id` is that of the record. */
  base: Ref;
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
  runId: string;
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

/** The hashes that a reference names directly, in the order of a list's values. */
export function directHashes(ref: Ref): Uint8Array[] {
  switch (ref[0]) {
    case 0:
      return [];
    case 1:
      return [ref[1]];
    case 2:
      return ref[2].toReversed().flatMap(splitHashes);
    case 3:
      return ref[1].flatMap(([, field]) => directHashes(field));
  }
}

/** Tags what an edit stores, where otherwise a run's id stands: no run has such an id. */
export const EDIT_PREFIX = 'edit:';

/**
 * Metadata of a checkpoint as clients and graphs see it: what the run brought (`base`), what the library says. The ids are
 * those of the record: a copied checkpoint belongs to another thread than the one that it was made on.
 */
export function checkpointMetadata(
  base: object,
  own: object,
  { runId, threadId }: { runId: string; threadId: string },
): Record<string, unknown> {
  return {
    ...base,
    ...(Object.hasOwn(base, 'thread_id') ? { thread_id: threadId } : {}),
    ...(runId.startsWith(EDIT_PREFIX) ? {} : { run_id: runId }),
    ...own,
  };
}

const BODY_FIELDS = [
  'v',
  'ts',
  'parentId',
  'versions',
  'seen',
  'metadata',
  'base',
  'channels',
] as const satisfies (keyof CheckpointBody)[];
const VIEW_FIELDS = ['next', 'tasks', 'keys', 'root', 'overrides'] as const satisfies (keyof View)[];
const TASK_FIELDS = ['id', 'name', 'path', 'subgraph', 'interrupts'] as const satisfies (keyof ViewTask)[];

export function packBody(body: CheckpointBody): Uint8Array<ArrayBuffer> {
  return packRow(body, BODY_FIELDS);
}

export function unpackBody(bytes: Uint8Array): CheckpointBody {
  return unpackRow<CheckpointBody>(bytes, BODY_FIELDS);
}

export function packView(view: View): Uint8Array<ArrayBuffer> {
  const tasks = view.tasks.map((task) => TASK_FIELDS.map((field) => task[field]));
  return packRow({ ...view, tasks } as unknown as View, VIEW_FIELDS);
}

export function unpackView(bytes: Uint8Array): View {
  const view = unpackRow<View>(bytes, VIEW_FIELDS);
  const tasks = (view.tasks as unknown as unknown[][]).map(
    (row) => Object.fromEntries(TASK_FIELDS.map((field, at) => [field, row[at]])) as unknown as ViewTask,
  );
  return { ...view, tasks };
}
