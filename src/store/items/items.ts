import type { Caller } from '../../domain/caller.js';
import { systemClock, type Clock } from '../../base/clock.js';
import { fail } from '../../base/errors.js';
import { contentHash } from '../../base/ids.js';
import { parseJson, type JsonBytes, type JsonObject } from '../../base/json/json.js';
import { textsAtPath } from '../../domain/item-texts.js';
import { LIMITS } from '../../base/limits.js';
import type { Micros } from '../../base/micros.js';
import { pack, unpack } from '../../wire/codec.js';
import type { ItemIndex } from '../../wire/runs/messages.js';
import type { Store } from '../store.js';
import { itemKeyBytes, keys, namespacePart, scopePart, type Key } from '../keys.js';
import { isAlive, seesItem, type ItemRecord } from './item-record.js';
import { ReadYourWrites, DraftCommit } from '../read-your-writes.js';
import type { Lookup } from '../lookup.js';
import type { VectorIndex } from './vector-index.js';
import { hasConfigHash, packVectors } from './vectors.js';

export interface NewItem {
  namespace: readonly string[];
  key: string;
  value: JsonBytes;
  index: ItemIndex;
  /** Vectors of its texts (`vectorsOf`); null excludes it from semantic search. */
  vectors?: readonly Float32Array[] | null;
  /** Undefined: the configured default. Null: unlimited. */
  ttlMs: number | null | undefined;
}

/** `store.ttl` of langgraph.json. */
export interface ItemTtl {
  refreshOnRead: boolean;
  /** Null: items without their own time to live never expire. */
  defaultMs: number | null;
}

export interface ItemOptions {
  clock: Clock;
  ttl: ItemTtl;
}

export const ITEM_DEFAULTS: ItemOptions = { clock: systemClock, ttl: { refreshOnRead: true, defaultMs: null } };

/** Items removed or indexed in one slice: a few milliseconds. */
const ITEMS_PER_SLICE = 200;
/** Items embedded in one call. */
const ITEMS_PER_EMBEDDING = 20;

/**
 * Long-term memory. A caller reaches only items of its own scope that its filter for `store` allows. Reads return items
 * on disk. Changes are planned on top of all earlier writes: call `begin`, make any number of changes, then `write`,
 * without an await in between.
 */
export class Items {
  /** The vector index; null when none is configured. */
  vectorIndex: VectorIndex | null = null;
  readonly #store: Store;
  readonly #readYourWrites: ReadYourWrites;
  readonly #clock: Clock;
  readonly #ttl: ItemTtl;
  /** Time of the newest item. No later put gets an older time, so that lists keep their order. */
  #lastUs: Micros = 0;

  constructor(store: Store, { clock, ttl }: ItemOptions) {
    this.#store = store;
    this.#readYourWrites = new ReadYourWrites(store);
    this.#clock = clock;
    this.#ttl = ttl;
  }

  /** Throws ITEM_NOT_FOUND for an item that the caller's filter hides. */
  get(caller: Caller, namespace: readonly string[], key: string): ItemRecord | undefined {
    const record = this.getByKey(caller, keys.item(scopePart(caller.itemScope), namespacePart(namespace), key));
    if (record !== undefined && !seesItem(caller, record)) throw fail('ITEM_NOT_FOUND', { key });
    return record;
  }

  /** The item under a store key, which must be of the caller's scope. Does not apply the caller's filter. */
  getByKey(_caller: Caller, at: Key): ItemRecord | undefined {
    const record = readItem(this.#store, at);
    return record !== undefined && this.#alive(record) ? record : undefined;
  }

  /** For lists: true if the item is not expired and the caller's filter allows it. */
  isVisible(caller: Caller, record: ItemRecord): boolean {
    return this.#alive(record) && seesItem(caller, record);
  }

  begin(): DraftCommit {
    return new DraftCommit(this.#readYourWrites);
  }

  /** Resolves when the draft is on disk. */
  write(draft: DraftCommit): Promise<void> {
    return this.#readYourWrites.write(draft);
  }

  /**
   * Vectors to pass to `put` for each item, from one call of the user's code. Throws INVALID_REQUEST, EMBED_FAILED,
   * EMBED_UNAVAILABLE or OVERLOADED.
   */
  async vectorsOf(all: readonly Pick<NewItem, 'value' | 'index'>[]): Promise<(Float32Array[] | null)[]> {
    const { vectorIndex } = this;
    if (vectorIndex === null) return all.map(() => null);
    const texts = all.map(({ value, index }) => indexedTexts(value, index, vectorIndex.fields));
    const vectors = await vectorIndex.embed(texts.flat());
    let from = 0;
    return texts.map(({ length }) => (length === 0 ? null : vectors.slice(from, (from += length))));
  }

  /**
   * Replaces an existing item. Throws ITEM_NOT_FOUND when the caller's filter hides the existing one, FORBIDDEN when it
   * would hide the new one.
   */
  put(draft: DraftCommit, caller: Caller, { namespace, key, value, index, vectors, ttlMs }: NewItem): void {
    const at = keys.item(scopePart(caller.itemScope), namespacePart(namespace), key);
    const found = readItem(draft, at);
    const before = found !== undefined && this.#alive(found) ? found : undefined;
    if (before !== undefined && !seesItem(caller, before)) throw fail('ITEM_NOT_FOUND', { key });
    const nowMs = this.#clock.nowMs();
    // Updates of one item are at least a millisecond apart, because clients read times in milliseconds.
    this.#lastUs = Math.max(nowMs * 1_000, this.#lastUs + 1, (before?.updatedAtUs ?? 0) + 1_000);
    const livesMs = ttlMs === undefined ? this.#ttl.defaultMs : ttlMs;
    const record: ItemRecord = {
      namespace: [...namespace],
      key,
      value,
      index,
      createdAtUs: before?.createdAtUs ?? this.#lastUs,
      updatedAtUs: this.#lastUs,
      ttlMs: livesMs,
      expiresAtMs: livesMs === null ? null : nowMs + livesMs,
      stamp: caller.stamp === null ? null : Buffer.from(JSON.stringify(caller.stamp)),
    };
    if (!seesItem(caller, record)) throw fail('FORBIDDEN', { action: 'store:put' });
    if (found !== undefined) removeIndexEntries(draft, at, found);
    putItem(draft, at, record);
    this.#setVectors(draft, at, record, vectors ?? null);
  }

  #setVectors(draft: DraftCommit, at: Key, { updatedAtUs }: ItemRecord, vectors: readonly Float32Array[] | null): void {
    const place = vectorsKey(at);
    if (this.vectorIndex !== null && vectors !== null)
      draft.put(place, packVectors(this.vectorIndex.configHash, updatedAtUs, vectors));
    else if (draft.get(place) !== undefined) draft.remove(place);
  }

  /** Does nothing when there is none. Throws ITEM_NOT_FOUND for an item that the caller's filter hides. */
  remove(draft: DraftCommit, caller: Caller, namespace: readonly string[], key: string): void {
    const at = keys.item(scopePart(caller.itemScope), namespacePart(namespace), key);
    const record = readItem(draft, at);
    if (record === undefined || !this.#alive(record)) return;
    if (!seesItem(caller, record)) throw fail('ITEM_NOT_FOUND', { key });
    removeItem(draft, at, record);
  }

  /** Extends the expiry of items that were read; `wanted` null uses the configuration. Resolves when it is on disk. */
  async refresh(
    caller: Caller,
    found: readonly Pick<ItemRecord, 'namespace' | 'key'>[],
    wanted: boolean | null,
  ): Promise<void> {
    if (!(wanted ?? this.#ttl.refreshOnRead)) return;
    const draft = this.begin();
    const nowMs = this.#clock.nowMs();
    const scope = scopePart(caller.itemScope);
    for (const { namespace, key } of found) {
      const at = keys.item(scope, namespacePart(namespace), key);
      // Reads the current item: it may have been replaced or removed since.
      const record = readItem(draft, at);
      if (record === undefined || record.ttlMs === null || !this.#alive(record)) continue;
      const expiresAtMs = nowMs + record.ttlMs;
      if (expiresAtMs - record.expiresAtMs! < Math.min(LIMITS.itemRefreshMs, record.ttlMs / 20)) continue;
      draft.remove(keys.itemExpiry(record.expiresAtMs!, scope, itemIndexId(at)));
      draft.put(keys.itemExpiry(expiresAtMs, scope, itemIndexId(at)), pack(at));
      draft.put(at, pack({ ...record, expiresAtMs }));
    }
    if (draft.operations.length > 0) await this.write(draft);
  }

  /** Removes some expired items. Returns true when there may be more. */
  async removeExpired(): Promise<boolean> {
    const draft = this.begin();
    const nowMs = this.#clock.nowMs();
    let entriesRead = 0;
    for (const [key, pointer] of this.#store.entries({ prefix: keys.itemExpiries(), limit: ITEMS_PER_SLICE })) {
      if ((key[1] as number) > nowMs) break;
      entriesRead += 1;
      const at = unpack<Key>(pointer);
      const record = readItem(draft, at);
      if (record !== undefined && record.expiresAtMs === key[1]) removeItem(draft, at, record);
      else draft.remove(key);
    }
    await this.write(draft);
    return entriesRead === ITEMS_PER_SLICE;
  }

  /**
   * Embeds the next items whose vectors are missing or of another configuration. Returns the position to continue from;
   * null after the last item. Throws like `vectorsOf`. `alone` embeds one item, to find the one that causes an error.
   */
  async embedNext(after: Key | null, alone: boolean): Promise<Key | null> {
    const lacking: [at: Key, record: ItemRecord][] = [];
    let entriesRead = 0;
    let last: Key | null = null;
    for (const [at, bytes] of this.#store.entries({
      prefix: keys.allItems(),
      limit: alone ? 1 : ITEMS_PER_EMBEDDING,
      ...(after === null ? {} : { start: after, after: true }),
    })) {
      last = at;
      entriesRead += 1;
      const record = unpack<ItemRecord>(bytes);
      const vectors = this.#store.get(vectorsKey(at));
      if (this.#alive(record) && !(vectors !== undefined && hasConfigHash(vectors, this.vectorIndex!.configHash)))
        lacking.push([at, { ...record, value: Buffer.from(record.value) }]);
    }
    if (lacking.length > 0) {
      const vectors = await this.vectorsOf(lacking.map(([, record]) => record));
      const draft = this.begin();
      for (const [n, [at, { updatedAtUs }]] of lacking.entries()) {
        const now = readItem(draft, at);
        // An item that was replaced meanwhile has its own vectors.
        if (now?.updatedAtUs === updatedAtUs) this.#setVectors(draft, at, now, vectors[n]!);
      }
      if (draft.operations.length > 0) await this.write(draft);
    }
    return entriesRead === 0 ? null : last;
  }

  /** Converts items of releases without the index by time. After a crash the next start continues. */
  async moveOldItems(): Promise<number> {
    let moved = 0;
    for (let first = ''; ;) {
      const draft = this.begin();
      const before = first;
      first = '';
      for (const [key, bytes] of this.#store.entries({ prefix: keys.unindexedItems(), limit: ITEMS_PER_SLICE })) {
        first ||= JSON.stringify(key);
        const old = unpack<{
          namespace: string[];
          key: string;
          value: Uint8Array;
          createdAtMs: number;
          updatedAtMs: number;
        }>(bytes);
        const at = keys.item(scopePart(key[1] as string), namespacePart(old.namespace), old.key);
        draft.remove(key);
        moved += 1;
        const updatedAtUs = old.updatedAtMs * 1_000;
        // A downgrade, or a key that could not be removed, may leave two versions: the newer one counts.
        const known = readItem(draft, at);
        if (known !== undefined && known.updatedAtUs >= updatedAtUs) continue;
        if (known !== undefined) removeIndexEntries(draft, at, known);
        putItem(draft, at, {
          namespace: old.namespace,
          key: old.key,
          value: Buffer.from(old.value),
          createdAtUs: old.createdAtMs * 1_000,
          updatedAtUs,
          ttlMs: null,
          expiresAtMs: null,
          index: null,
          stamp: known?.stamp ?? null,
        });
      }
      // Keys with control characters in long parts do not decode correctly. Those items stay where they are.
      if (first === '' || first === before) return moved;
      await this.write(draft);
    }
  }

  #alive(record: ItemRecord): boolean {
    return isAlive(record, this.#clock.nowMs());
  }
}

/** Why an item cannot have this namespace and key; null when it can. */
export function itemKeyProblem(namespace: readonly string[], key: string): string | null {
  if (namespace.length > LIMITS.itemLabelsMax) return `namespace: has more than ${LIMITS.itemLabelsMax} labels`;
  if ([...namespace, key].some((text) => /\p{Surrogate}/u.test(text)))
    return 'namespace and key: must be well-formed Unicode';
  const bytes = itemKeyBytes(namespace, key);
  return bytes > LIMITS.itemKeyBytesMax
    ? `namespace and key: may have ${LIMITS.itemKeyBytesMax} bytes together; these have ${bytes}`
    : null;
}

/** The texts of an item for semantic search. Throws INVALID_REQUEST. */
function indexedTexts(value: JsonBytes, index: ItemIndex, fields: readonly string[]): string[] {
  if (index === false) return [];
  const object = parseJson(value) as JsonObject;
  const texts = (index ?? fields).flatMap((path) => textsAtPath(object, path)).filter((text) => text !== '');
  if (texts.length > LIMITS.itemVectorsMax)
    throw fail('INVALID_REQUEST', {
      problems: `index: an item may have at most ${LIMITS.itemVectorsMax} indexed texts; this one has ${texts.length}`,
    });
  const chars = texts.reduce((sum, { length }) => sum + length, 0);
  if (chars > LIMITS.itemTextCharsMax)
    throw fail('INVALID_REQUEST', {
      problems:
        `index: the indexed texts of an item may have ${LIMITS.itemTextCharsMax} characters together; ` +
        `these have ${chars}. Name shorter ones, or send "index": false`,
    });
  return texts;
}

function vectorsKey([, scope, namespace, key]: Key): Key {
  return ['mv', scope!, namespace!, key!];
}

function readItem(lookup: Lookup, at: Key): ItemRecord | undefined {
  const bytes = lookup.get(at);
  return bytes === undefined ? undefined : unpack<ItemRecord>(bytes);
}

/** Id of an item in indexes. */
export function itemIndexId(at: Key): string {
  return contentHash(JSON.stringify(at)).toString('base64url');
}

/** Entries of the index by time: in the item's namespace and in each one above it. */
export function timeIndexKeys(at: Key, { namespace, updatedAtUs }: ItemRecord): Key[] {
  const id = itemIndexId(at);
  return Array.from({ length: namespace.length + 1 }, (_, depth) =>
    keys.itemByTime(at[1] as string, namespacePart(namespace.slice(0, depth)), updatedAtUs, id),
  );
}

function putItem(draft: DraftCommit, at: Key, record: ItemRecord): void {
  const pointer = pack(at);
  for (const place of timeIndexKeys(at, record)) draft.put(place, pointer);
  if (record.expiresAtMs !== null)
    draft.put(keys.itemExpiry(record.expiresAtMs, at[1] as string, itemIndexId(at)), pointer);
  draft.put(at, pack(record));
}

function removeIndexEntries(draft: DraftCommit, at: Key, record: ItemRecord): void {
  for (const place of timeIndexKeys(at, record)) draft.remove(place);
  if (record.expiresAtMs !== null) draft.remove(keys.itemExpiry(record.expiresAtMs, at[1] as string, itemIndexId(at)));
}

function removeItem(draft: DraftCommit, at: Key, record: ItemRecord): void {
  removeIndexEntries(draft, at, record);
  if (draft.get(vectorsKey(at)) !== undefined) draft.remove(vectorsKey(at));
  draft.remove(at);
}
