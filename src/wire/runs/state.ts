import { isObject, jsonBytes, parseJson, type JsonObject } from '../../base/json/json.js';
import { packId, unpackId, type PackedId } from '../../base/packed-ids.js';
import { packPooled, packRow, unpack, unpackRow } from '../codec.js';

/**
 * Representation of graph state between threads and on disk (docs/decisions/0004). Every value has a *wire*
 * form: the JSON that clients see. If that form cannot be revived, it also has a *serde* form, which the
 * checkpoint serializer made.
 */

/**
 * How an item is revived:
 * `j`: plain JSON; the wire form is the value.
 * `x`: any other value; the serde form is the value.
 * `m:<class>`: a message of this class; the wire form has its fields.
 * `s`: a segment, which is several small plain values as JSON, joined by commas.
 */
export type ItemKind = 'j' | 'x' | 's' | `m:${string}`;

/** [kind, wire JSON, serde JSON or null, number of values] */
export type Item = [kind: ItemKind, wire: Uint8Array, serde: Uint8Array | null, count: number];

/**
 * A part of the index of a list: the hashes of items and other chunks, in order, 16 bytes each. A complete part of one
 * level has the depth of that level. A chunk that holds all higher levels of a list has their number as its depth.
 */
export type Chunk = ['chunk', depth: number, hashes: Uint8Array];

export type StoredContent = Item | Chunk;

/**
 * Location of a channel's value: inline, one item, or a list. `levels[0]` of a list names items, `levels[n]`
 * names chunks of depth n-1, as concatenated hashes. The list consists of the contents of the highest level,
 * then the next one, down to the items. An append therefore changes only the lowest level, and occasionally
 * moves a complete chunk one level up. Higher levels of a long list are one chunk, which all checkpoints share until
 * that happens: `levels[1]` then names that chunk.
 */
export type Ref =
  | [0, Item]
  | [1, hash: Uint8Array]
  | [2, count: number, levels: Uint8Array[]]
  /**
   * An object with fields that are lists of objects, such as an input. It is stored field by field, so that the
   * items of these lists are shared.
   */
  | [3, fields: [name: string, ref: Ref][]];

/**
 * A checkpoint as the worker packs it. The front thread stores it without unpacking, next to the run and the
 * lease.
 */
export interface CheckpointBody {
  v: number;
  ts: string;
  parentId: string | null;
  /** `channel_versions` and `versions_seen` (channel-versions.ts). */
  versions: Uint8Array;
  /** `versions_seen` as JSON, until format 3. Null: they are in `versions`. */
  seen: Uint8Array | null;
  metadata: LibraryMetadata;
  /** Metadata of the run, which all its checkpoints share: an item. `run_id` is read from the record instead. */
  base: Ref;
  /** Pairs instead of a map: a channel may have any name. */
  channels: [name: string, ref: Ref][];
}

/** Checkpoint metadata from the library: a JSON object, or two members of one that also has empty `parents`. */
export type LibraryMetadata = Uint8Array | [source: string, step: number];

/** The parts of a thread state that are not channels. */
export interface CheckpointView {
  next: string[];
  tasks: ViewTask[];
  /** Names of the channels in `values`, in order. Null if the state is a single value in the channel `root`. */
  keys: string[] | null;
  root: string | null;
  /** Values that differ from the content of the channel. */
  overrides: [name: string, ref: Ref][];
}

export interface ViewTask {
  id: string;
  name: string;
  /** JSON. */
  path: Uint8Array;
  /** Namespace of the task's subgraph, or null if it has none. */
  subgraph: string | null;
  /** JSON of interrupts, error and result that are in no pending write. Null if there are none. */
  interrupts: Uint8Array | null;
}

/**
 * A pending write. `idx` is its position among the writes of the task. Special channels of the library have
 * negative ones.
 */
export interface WriteBody {
  taskId: string;
  taskPath: string;
  idx: number;
  channel: string;
  ref: Ref;
}

/** New content: the hash (16 bytes) and the packed Item or Chunk. */
export type NewContent = [hash: Uint8Array, content: Uint8Array];

/** A checkpoint with its pending writes, as the worker loads it. */
export interface SavedCheckpoint {
  ns: string;
  id: string;
  runId: string;
  body: Uint8Array;
  writes: WriteBody[];
}

export const HASH_BYTES = 16;

export function hashKey(hash: Uint8Array): string {
  const bytes = Buffer.isBuffer(hash) ? hash : Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength);
  return bytes.toString('base64url');
}

/** Splits concatenated hashes. */
export function splitHashes(hashes: Uint8Array): Uint8Array[] {
  const list: Uint8Array[] = [];
  for (let at = 0; at < hashes.byteLength; at += HASH_BYTES) list.push(hashes.subarray(at, at + HASH_BYTES));
  return list;
}

/** The hashes that a reference names directly, in the order of the list's values. */
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

/** Id prefix for the records of an edit, which are tagged with it instead of a run id. No run id begins with it. */
export const EDIT_PREFIX = 'edit:';

/**
 * Checkpoint metadata as clients and graphs see it: metadata of the run (`base`) and of the library (`own`).
 * The ids are those of the record, because a copied checkpoint belongs to another thread than the original.
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

const VIEW_FIELDS = ['next', 'tasks', 'keys', 'root', 'overrides'] as const satisfies (keyof CheckpointView)[];
/** Until format 3 the id was text. */
type ViewTaskRow = [
  id: PackedId,
  name: string,
  path: Uint8Array,
  subgraph: string | null,
  interrupts: Uint8Array | null,
];

type PackedView = Omit<CheckpointView, 'tasks'> & { tasks: ViewTaskRow[] };

/** A time in its usual form is milliseconds since 1970. Until format 3 the time and the id of the parent were text. */
type BodyRow = [
  v: number,
  ts: number | string,
  parentId: PackedId | null,
  versions: Uint8Array,
  seen: Uint8Array | null,
  metadata: LibraryMetadata,
  base: Ref,
  channels: [name: string, ref: Ref][],
];

export function packBody(body: CheckpointBody): Uint8Array<ArrayBuffer> {
  const { v, ts, parentId, versions, seen, metadata, base, channels } = body;
  const parent = parentId === null ? null : packId(parentId);
  return packPooled([v, packTime(ts), parent, versions, seen, metadata, base, channels] satisfies BodyRow);
}

export function unpackBody(bytes: Uint8Array): CheckpointBody {
  const [v, ts, parent, versions, seen, metadata, base, channels] = unpack<BodyRow>(bytes);
  const parentId = parent === null ? null : unpackId(parent);
  return { v, ts: unpackTime(ts), parentId, versions, seen, metadata, base, channels };
}

function packTime(text: string): number | string {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && unpackTime(ms) === text ? ms : text;
}

function unpackTime(packed: number | string): string {
  return typeof packed === 'number' ? new Date(packed).toISOString() : packed;
}

export function packMetadata(metadata: Readonly<Record<string, unknown>>): LibraryMetadata {
  const [first, second, third, ...others] = Object.keys(metadata);
  const { source, step, parents } = metadata;
  return first === 'source' &&
    second === 'step' &&
    third === 'parents' &&
    others.length === 0 &&
    typeof source === 'string' &&
    Number.isSafeInteger(step) &&
    isObject(parents) &&
    Object.keys(parents).length === 0
    ? [source, step as number]
    : jsonBytes(metadata);
}

export function unpackMetadata(metadata: LibraryMetadata): JsonObject {
  if (!Array.isArray(metadata)) return parseJson(metadata) as JsonObject;
  const [source, step] = metadata;
  return { source, step, parents: {} };
}

export function packView(view: CheckpointView): Uint8Array<ArrayBuffer> {
  const rows = view.tasks.map(({ id, name, path, subgraph, interrupts }): ViewTaskRow => [
    packId(id),
    name,
    path,
    subgraph,
    interrupts,
  ]);
  return packRow<PackedView>({ ...view, tasks: rows }, VIEW_FIELDS);
}

export function unpackView(bytes: Uint8Array): CheckpointView {
  const view = unpackRow<PackedView>(bytes, VIEW_FIELDS);
  const tasks = view.tasks.map(([id, name, path, subgraph, interrupts]): ViewTask => ({
    id: unpackId(id),
    name,
    path,
    subgraph,
    interrupts,
  }));
  return { ...view, tasks };
}
