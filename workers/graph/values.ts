import { contentHash } from '../../src/base/ids.js';
import { asText, setOwn, utf8 } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { pack, unpack } from '../../src/wire/codec.js';
import {
  directHashes,
  HASH_BYTES,
  hashesIn,
  hashKey,
  splitHashes,
  type Item,
  type ItemKind,
  type NewContent,
  type Ref,
  type StoredContent,
} from '../../src/wire/runs/state.js';
import { isMessage, type Library } from './library.js';
import { isPlain } from './trace.js';
import type { WireJson } from './wire-json.js';

/** The interface of the serializers in LangGraph's checkpoint package. */
interface Serde {
  dumpsTyped(value: unknown): Promise<[string, Uint8Array]>;
  loadsTyped(type: string, data: Uint8Array | string): Promise<unknown>;
}

/** Content that a message to the main thread must carry in addition to its references. */
export class Parcel {
  readonly content: NewContent[] = [];
  /** Values that only the serializer can store, with their serialized form; null until serialized. */
  readonly exotic: Map<unknown, Uint8Array | null>;
  readonly #known: Set<string>;
  readonly #added = new Set<string>();
  readonly #uses: Uint8Array[] = [];

  /** `known` contains the hashes that the store has. */
  constructor(known: Set<string>, exotic: Map<unknown, Uint8Array | null> = new Map()) {
    this.#known = known;
    this.exotic = exotic;
  }

  /** Concatenated hashes that references use directly. The writer checks that each exists. */
  get uses(): Uint8Array {
    return Buffer.concat(this.#uses);
  }

  use(hash: Uint8Array): void {
    this.#uses.push(hash);
  }

  has(key: string): boolean {
    return this.#known.has(key) || this.#added.has(key);
  }

  add(key: string, hash: Uint8Array, bytes: Uint8Array): void {
    this.#added.add(key);
    this.content.push([hash, bytes]);
  }

  /** Call when the message is sent: its content counts as known from then on. */
  markSent(): void {
    for (const key of this.#added) this.#known.add(key);
  }
}

/** A small value ends a segment with probability 1/32. */
const BOUNDARY_MASK = 31;
/**
 * An entry of a list's index ends a chunk with probability 1/8. Boundaries depend on content, so they survive
 * insertions at the start.
 */
const CHUNK_MASK = 7;
const CHUNK_ENTRIES_MAX = 128;
/** Six hashes: the chunk that holds higher levels pays off when two checkpoints share it. */
const SHARED_LEVELS_BYTES_MIN = 6 * HASH_BYTES;

/** Converts values to references to content-addressed items, and back. */
export class Values {
  readonly #library: Library;
  readonly #serde: Serde;
  readonly #json: WireJson;

  constructor(library: Library, serde: Serde, json: WireJson) {
    this.#library = library;
    this.#serde = serde;
    this.#json = json;
  }

  /**
   * Runs `write`, which encodes values into the parcel. If there are values that only the serializer can store,
   * they are serialized and `write` runs a second time. The serializer reads the values synchronously.
   */
  fillParcel(known: Set<string>, write: (parcel: Parcel) => void): Parcel | Promise<Parcel> {
    const parcel = new Parcel(known);
    write(parcel);
    if (parcel.exotic.size === 0) return parcel;
    return Promise.all(
      [...parcel.exotic.keys()].map(async (value) => {
        parcel.exotic.set(value, pack(await this.#serde.dumpsTyped(value)));
      }),
    ).then(() => {
      const complete = new Parcel(known, parcel.exotic);
      write(complete);
      return complete;
    });
  }

  encode(value: unknown, parcel: Parcel): Ref {
    if (Array.isArray(value) && value.length > 0) {
      const list = this.#encodeList(value, parcel);
      if (list !== null) return list;
    }
    if (containsItems(value))
      return [3, Object.entries(value).map(([name, field]) => [name, this.encode(field, parcel)])];
    const [loadItem, hash] = this.#encodeItem(value, parcel);
    if (loadItem[1].byteLength + (loadItem[2]?.byteLength ?? 0) <= LIMITS.inlineValueBytesMax) return [0, loadItem];
    const address = this.#addContent(hash, () => pack(loadItem), parcel);
    parcel.use(address);
    return [1, address];
  }

  /**
   * Loads the value of a reference. `content` must contain everything it refers to (see `missing`). Revived
   * objects are cached, so storing them again unchanged only costs a comparison.
   */
  async decode(ref: Ref, content: ReadonlyMap<string, Uint8Array>): Promise<unknown> {
    switch (ref[0]) {
      case 0:
        return this.#revive(ref[1], null);
      case 1:
        return this.#revive(item(content, ref[1]), ref[1]);
      case 2: {
        const values: unknown[] = [];
        for (const [hash, stored] of leaves(directHashes(ref), content)) {
          if (stored[0] === 's') values.push(...(JSON.parse(`[${asText(stored[1])}]`) as unknown[]));
          else if (stored[0] === 'x') values.push(await this.#revive(stored, hash));
          else values.push(this.#reviveNow(stored, hash));
        }
        return values;
      }
      case 3: {
        const object: Record<string, unknown> = {};
        for (const [name, field] of ref[1]) {
          setOwn(object, name, await this.decode(field, content));
        }
        return object;
      }
    }
  }

  /**
   * Hashes that the references need and `content` lacks. Load them and call it again. Adds the keys of all hashes at or
   * below the references to `seen`, as far as `content` leads to them.
   */
  missing(refs: readonly Ref[], content: ReadonlyMap<string, Uint8Array>, seen: Set<string>): Uint8Array[] {
    const found: Uint8Array[] = [];
    const queue = refs.flatMap(directHashes);
    for (let at = 0; at < queue.length; at += 1) {
      const hash = queue[at]!;
      const key = hashKey(hash);
      if (seen.has(key)) continue;
      seen.add(key);
      const bytes = content.get(key);
      if (bytes === undefined) {
        found.push(hash);
        continue;
      }
      const below = hashesIn(bytes);
      if (below !== null) queue.push(...below);
    }
    return found;
  }

  #encodeItem(value: unknown, parcel: Parcel): [item: Item, hash: Buffer | null] {
    if (isPlainLeaf(value)) return [['j', utf8(JSON.stringify(value)), null, 1], null];
    if (typeof value === 'object' && value !== null) {
      const kind = this.#itemKind(value);
      const entry = kind === null ? null : this.#json.remember(value);
      if (kind !== null && entry !== null) return [[kind, utf8(entry.json), null, 1], entry.hash];
    }
    if (!parcel.exotic.has(value)) parcel.exotic.set(value, null);
    return [['x', utf8(this.#json.text(value)), parcel.exotic.get(value) ?? null, 1], null];
  }

  /** Null when the list is better stored as one value, because it has few small leaves. */
  #encodeList(values: readonly unknown[], parcel: Parcel): Ref | null {
    if (values.length <= BOUNDARY_MASK && values.every((value) => typeof value !== 'object' || value === null))
      return null;
    let entries: Uint8Array[] = [];
    let segment: string[] = [];
    const close = (): void => {
      if (segment.length === 0) return;
      const stored: Item = ['s', utf8(segment.join(',')), null, segment.length];
      entries.push(this.#addContent(null, () => pack(stored), parcel));
      segment = [];
    };
    for (const value of values) {
      const json = isPlainLeaf(value) ? JSON.stringify(value) : null;
      if (json === null || json.length > LIMITS.smallItemBytesMax) {
        close();
        entries.push(this.#encodeEntry(value, parcel));
        continue;
      }
      segment.push(json);
      if (segment.length >= CHUNK_ENTRIES_MAX || (textHash(json) & BOUNDARY_MASK) === 0) close();
    }
    close();
    const levels: Uint8Array[] = [];
    for (let depth = 0; entries.length > 0; depth += 1) {
      const { closed, open } = this.#chunk(entries, depth, parcel);
      levels.push(Buffer.concat(open));
      entries = closed;
    }
    const ref: Ref = [2, values.length, this.#shareHigherLevels(levels, parcel)];
    for (const hash of directHashes(ref)) parcel.use(hash);
    return ref;
  }

  #encodeEntry(value: unknown, parcel: Parcel): Uint8Array {
    if (typeof value === 'object' && value !== null) {
      const kind = this.#itemKind(value);
      const entry = kind === null ? null : this.#json.remember(value);
      if (kind !== null && entry !== null) {
        entry.hash = this.#addContent(entry.hash, () => pack([kind, utf8(entry.json), null, 1] satisfies Item), parcel);
        return entry.hash;
      }
    }
    const [item] = this.#encodeItem(value, parcel);
    return this.#addContent(null, () => pack(item), parcel);
  }

  /** Groups entries into chunks, up to each boundary. Entries after the last boundary stay open. */
  #chunk(entries: readonly Uint8Array[], depth: number, parcel: Parcel): { closed: Uint8Array[]; open: Uint8Array[] } {
    if (entries.length <= LIMITS.listFanout) return { closed: [], open: [...entries] };
    const closed: Uint8Array[] = [];
    let group: Uint8Array[] = [];
    for (const hash of entries) {
      group.push(hash);
      if (group.length < CHUNK_ENTRIES_MAX && (hash[HASH_BYTES - 1]! & CHUNK_MASK) !== 0) continue;
      const hashes = Buffer.concat(group);
      closed.push(this.#addContent(null, () => pack(['chunk', depth, hashes]), parcel));
      group = [];
    }
    return { closed, open: group };
  }

  /** Puts higher levels into one chunk if a checkpoint is smaller with the hash of that. */
  #shareHigherLevels(levels: Uint8Array[], parcel: Parcel): Uint8Array[] {
    const [lowest, ...higher] = levels;
    const hashes = Buffer.concat(higher.reverse());
    if (hashes.byteLength < SHARED_LEVELS_BYTES_MIN) return levels;
    return [lowest!, this.#addContent(null, () => pack(['chunk', higher.length, hashes]), parcel)];
  }

  /** Returns the address of content. Adds the content to the parcel if the store does not have it. */
  #addContent(hash: Buffer | null, make: () => Uint8Array, parcel: Parcel): Buffer {
    const made = hash === null ? make() : null;
    const address = hash ?? contentHash([made!]);
    const key = hashKey(address);
    if (!parcel.has(key)) parcel.add(key, address, made ?? make());
    return address;
  }

  #itemKind(value: object): ItemKind | null {
    if (Array.isArray(value) || isPlain(value)) return 'j';
    if (!isMessage(value)) return null;
    const name = value.constructor.name;
    return (this.#library.messages as unknown as Record<string, unknown>)[name] === value.constructor
      ? `m:${name}`
      : null;
  }

  async #revive(stored: Item, hash: Uint8Array | null): Promise<unknown> {
    if (stored[0] !== 'x') return this.#reviveNow(stored, hash);
    const [type, bytes] = unpack<[string, Uint8Array]>(stored[2]!);
    return this.#serde.loadsTyped(type, bytes);
  }

  #reviveNow(stored: Item, hash: Uint8Array | null): unknown {
    const json = asText(stored[1]);
    const value = JSON.parse(json) as unknown;
    if (stored[0] === 'j') {
      if (hash !== null && typeof value === 'object' && value !== null)
        this.#json.adopt(value, json, Buffer.from(hash));
      return value;
    }
    const { type: _type, ...fields } = value as Record<string, unknown>;
    const Message = (this.#library.messages as unknown as Record<string, new (fields: unknown) => object>)[
      stored[0].slice(2)
    ]!;
    const message = new Message(fields);
    if (hash !== null) this.#json.adopt(message, json, Buffer.from(hash));
    return message;
  }
}

function loadContent(content: ReadonlyMap<string, Uint8Array>, hash: Uint8Array): StoredContent {
  const bytes = content.get(hashKey(hash));
  if (bytes === undefined) throw new Error(`Stored content ${hashKey(hash)} is missing.`);
  return unpack<StoredContent>(bytes);
}

function item(content: ReadonlyMap<string, Uint8Array>, hash: Uint8Array): Item {
  return loadContent(content, hash) as Item;
}

/** A list's items and segments with their addresses, in order. */
function* leaves(
  hashes: readonly Uint8Array[],
  content: ReadonlyMap<string, Uint8Array>,
): Generator<[hash: Uint8Array, stored: Item]> {
  for (const hash of hashes) {
    const stored = loadContent(content, hash);
    if (stored[0] === 'chunk') yield* leaves(splitHashes(stored[2]), content);
    else yield [hash, stored];
  }
}

/** True for a plain object that contains a list of objects. */
function containsItems(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isPlain(value)) return false;
  return Object.values(value).some(
    (field) => Array.isArray(field) && field.some((one) => typeof one === 'object' && one !== null),
  );
}

function isPlainLeaf(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0))
  );
}

/** FNV-1a over UTF-16 units. Only used to decide where a segment ends. */
function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
