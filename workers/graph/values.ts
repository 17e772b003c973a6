import { attachedValues } from '../../src/base/attached-values.js';
import { contentHash } from '../../src/base/ids.js';
import { isSameList } from '../../src/base/same-list.js';
import { asText, setOwn, utf8 } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { pack, packPooled, unpack } from '../../src/wire/codec.js';
import { compressContent, hashesIn, unpackContent } from '../../src/wire/runs/content.js';
import {
  directHashes,
  HASH_BYTES,
  hashKey,
  splitHashes,
  type Item,
  type ItemKind,
  type NewContent,
  type Ref,
  type StoredContent,
} from '../../src/wire/runs/state.js';
import type { Library } from './library.js';
import { isMessage } from './message.js';
import { isPlain } from './trace.js';
import type { Address, SerializedObject } from './serialized-object.js';
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

  add({ key, hash }: Address, bytes: Uint8Array): void {
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

/** Estimate for a number, a boolean or null. */
const SHORT_LEAF_CHARS = 4;

/** The JSON text of a value. `entry`: its cached serialization; null without one. */
interface ValueText {
  kind: ItemKind;
  json: string;
  entry: SerializedObject | null;
}

/** Converts values to references to content-addressed items, and back. */
export class Values {
  readonly #library: Library;
  readonly #serde: Serde;
  readonly #json: WireJson;
  /** Chunks by their last entry. Nearly all chunks of a long list are the same in every checkpoint. */
  readonly #chunks = attachedValues<{ entries: Address[]; depth: number; address: Address }>();

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
    const short = shortJson(value);
    const text: ValueText | null = short === null ? this.#textOf(value) : { kind: 'j', json: short, entry: null };
    const known = text?.entry?.address ?? null;
    // Do not pack and hash a long value again that the store has.
    if (known !== null && text!.json.length > LIMITS.inlineValueBytesMax && parcel.has(known.key))
      return refTo(known, parcel);
    const item = this.#itemOf(value, text, parcel);
    if (item[1].byteLength + (item[2]?.byteLength ?? 0) <= LIMITS.inlineValueBytesMax) return [0, item];
    return refTo(this.#addItem(item, text, parcel), parcel);
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
        return this.#revive(item(content, ref[1]), addressOf(ref[1]));
      case 2: {
        const values: unknown[] = [];
        for (const [address, stored] of this.#leaves(directHashes(ref).map(addressOf), content)) {
          if (stored[0] === 's') values.push(...(JSON.parse(`[${asText(stored[1])}]`) as unknown[]));
          else if (stored[0] === 'x') values.push(await this.#revive(stored, address));
          else values.push(this.#reviveNow(stored, address));
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

  /** Null for values that only the serializer can store. */
  #textOf(value: unknown): ValueText | null {
    if (isPlainLeaf(value)) return { kind: 'j', json: JSON.stringify(value), entry: null };
    if (typeof value !== 'object' || value === null) return null;
    const kind = this.#itemKind(value);
    const entry = kind === null ? null : this.#json.remember(value);
    return kind === null || entry === null ? null : { kind, json: entry.json, entry };
  }

  #itemOf(value: unknown, text: ValueText | null, parcel: Parcel): Item {
    if (text !== null) return [text.kind, Buffer.from(text.json), null, 1];
    if (!parcel.exotic.has(value)) parcel.exotic.set(value, null);
    return ['x', utf8(this.#json.text(value)), parcel.exotic.get(value) ?? null, 1];
  }

  /** Null when the list is better stored as one value, because it has few small leaves. */
  #encodeList(values: readonly unknown[], parcel: Parcel): Ref | null {
    if (values.length <= BOUNDARY_MASK && values.every((value) => typeof value !== 'object' || value === null))
      return null;
    let entries: Address[] = [];
    let segment: string[] = [];
    const close = (): void => {
      if (segment.length === 0) return;
      const stored: Item = ['s', utf8(segment.join(',')), null, segment.length];
      entries.push(this.#addContent(null, () => packPooled(stored), parcel));
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
      levels.push(hashesOf(open));
      entries = closed;
    }
    const ref: Ref = [2, values.length, this.#shareHigherLevels(levels, parcel)];
    for (const hash of directHashes(ref)) parcel.use(hash);
    return ref;
  }

  #encodeEntry(value: unknown, parcel: Parcel): Address {
    const text = this.#textOf(value);
    const known = text?.entry?.address ?? null;
    if (known !== null && parcel.has(known.key)) return known;
    return this.#addItem(this.#itemOf(value, text, parcel), text, parcel);
  }

  #addItem(item: Item, text: ValueText | null, parcel: Parcel): Address {
    const entry = text?.entry ?? null;
    const address = this.#addContent(entry?.address ?? null, () => packPooled(item), parcel);
    if (entry !== null) entry.address = address;
    return address;
  }

  /** Groups entries into chunks, up to each boundary. Entries after the last boundary stay open. */
  #chunk(entries: readonly Address[], depth: number, parcel: Parcel): { closed: Address[]; open: Address[] } {
    if (entries.length <= LIMITS.listFanout) return { closed: [], open: [...entries] };
    const closed: Address[] = [];
    let group: Address[] = [];
    for (const entry of entries) {
      group.push(entry);
      if (group.length < CHUNK_ENTRIES_MAX && (entry.hash[HASH_BYTES - 1]! & CHUNK_MASK) !== 0) continue;
      closed.push(this.#addChunk(group, depth, parcel));
      group = [];
    }
    return { closed, open: group };
  }

  #addChunk(entries: Address[], depth: number, parcel: Parcel): Address {
    const last = entries.at(-1)!;
    const known = this.#chunks.get(last);
    const same =
      known !== undefined && known.depth === depth && isSameList(known.entries, entries) ? known.address : null;
    const address = this.#addContent(same, () => packPooled(['chunk', depth, hashesOf(entries)]), parcel);
    if (same === null) this.#chunks.set(last, { entries, depth, address });
    return address;
  }

  /** Puts higher levels into one chunk if a checkpoint is smaller with the hash of that. */
  #shareHigherLevels(levels: Uint8Array[], parcel: Parcel): Uint8Array[] {
    const [lowest, ...higher] = levels;
    const hashes = Buffer.concat(higher.reverse());
    if (hashes.byteLength < SHARED_LEVELS_BYTES_MIN) return levels;
    return [lowest!, this.#addContent(null, () => packPooled(['chunk', higher.length, hashes]), parcel).hash];
  }

  /** Returns the address of content. Adds the content to the parcel if the store does not have it. */
  #addContent(known: Address | null, make: () => Uint8Array, parcel: Parcel): Address {
    const made = known === null ? make() : null;
    const address = known ?? addressOf(contentHash(made!));
    if (!parcel.has(address.key)) parcel.add(address, compressContent(made ?? make()));
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

  /** The items and segments of a list with their addresses, in order. The first run then knows the chunks. */
  *#leaves(
    addresses: readonly Address[],
    content: ReadonlyMap<string, Uint8Array>,
  ): Generator<[address: Address, stored: Item]> {
    for (const address of addresses) {
      const stored = loadContent(content, address.key);
      if (stored[0] !== 'chunk') yield [address, stored];
      else {
        const entries = splitHashes(stored[2]).map(addressOf);
        const last = entries.at(-1);
        if (last !== undefined) this.#chunks.set(last, { entries, depth: stored[1], address });
        yield* this.#leaves(entries, content);
      }
    }
  }

  async #revive(stored: Item, address: Address | null): Promise<unknown> {
    if (stored[0] !== 'x') return this.#reviveNow(stored, address);
    const [type, bytes] = unpack<[string, Uint8Array]>(stored[2]!);
    return this.#serde.loadsTyped(type, bytes);
  }

  #reviveNow(stored: Item, address: Address | null): unknown {
    const json = asText(stored[1]);
    const value = JSON.parse(json) as unknown;
    if (stored[0] === 'j') {
      if (address !== null && typeof value === 'object' && value !== null) this.#json.adopt(value, json, address);
      return value;
    }
    const { type: _type, ...fields } = value as Record<string, unknown>;
    const Message = (this.#library.messages as unknown as Record<string, new (fields: unknown) => object>)[
      stored[0].slice(2)
    ]!;
    const message = new Message(fields);
    if (address !== null) this.#json.adopt(message, json, address);
    return message;
  }
}

function refTo({ hash }: Address, parcel: Parcel): Ref {
  parcel.use(hash);
  return [1, hash];
}

/** Copies the hash, which is often a view into a large block. */
function addressOf(hash: Uint8Array): Address {
  return { hash: Buffer.from(hash), key: hashKey(hash) };
}

function hashesOf(entries: readonly Address[]): Buffer {
  return Buffer.concat(entries.map(({ hash }) => hash));
}

function loadContent(content: ReadonlyMap<string, Uint8Array>, key: string): StoredContent {
  const bytes = content.get(key);
  if (bytes === undefined) throw new Error(`Stored content ${key} is missing.`);
  return unpackContent(bytes);
}

function item(content: ReadonlyMap<string, Uint8Array>, hash: Uint8Array): Item {
  return loadContent(content, hashKey(hash)) as Item;
}

/** True for a plain object that contains a list of objects. */
function containsItems(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isPlain(value)) return false;
  return Object.values(value).some(
    (field) => Array.isArray(field) && field.some((one) => typeof one === 'object' && one !== null),
  );
}

/**
 * JSON of a list or plain object of few short leaves, which takes no longer than to compare it with a trace. Null for
 * all other values.
 */
function shortJson(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || (!Array.isArray(value) && !isPlain(value))) return null;
  let chars = 0;
  for (const name in value) {
    const one = (value as Record<string, unknown>)[name];
    if (!isPlainLeaf(one)) return null;
    chars += name.length + (typeof one === 'string' ? one.length : SHORT_LEAF_CHARS);
    if (chars > LIMITS.inlineValueBytesMax) return null;
  }
  return JSON.stringify(value);
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
