import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { matchesItem, type ItemFilter } from '../../domain/item-filter.js';
import { parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { TimeSlots } from '../../base/time-slots.js';
import { unpack } from '../../wire/codec.js';
import type { NamespaceMatch } from '../../wire/runs/messages.js';
import type { Store } from '../store.js';
import type { ItemRecord } from './item-record.js';
import type { Items } from './items.js';
import { ItemScan } from './item-scan.js';
import { afterNamespaces, belowNamespace, keys, labelsOf, namespacePart, scopePart, type Key } from '../keys.js';
import type { VectorIndex } from './vector-index.js';
import type { Range } from '../reader.js';

export interface ItemQuery {
  prefix: readonly string[];
  filter: ItemFilter | null;
  /** Text for semantic search. Has no effect without a vector index. */
  query: string | null;
  limit: number;
  offset: number;
}

/** An item, and its similarity when it came from a semantic search. */
export interface FoundItem {
  item: ItemRecord;
  score: number | null;
}

export interface NamespaceQuery {
  matches: readonly NamespaceMatch[];
  maxDepth: number | null;
  limit: number;
  offset: number;
}

/** Lists of long-term memory. They share the thread in time slots, so that none delays other requests for long. */
export class ItemLists {
  readonly #store: Store;
  readonly #items: Items;
  readonly #timeSlots = new TimeSlots(LIMITS.itemSliceMs);

  constructor(store: Store, items: Items) {
    this.#store = store;
    this.#items = items;
  }

  /**
   * Items in a namespace and below it: newest update first, or with `query` and a vector index the most similar first.
   * Throws STORE_SCAN_LIMIT or INVALID_REQUEST; with a query also EMBED_FAILED, EMBED_UNAVAILABLE or OVERLOADED.
   */
  async search(caller: Caller, query: ItemQuery): Promise<FoundItem[]> {
    if (!(query.limit > 0)) return [];
    const { vectorIndex } = this.#items;
    return vectorIndex === null || query.query === null || query.query === ''
      ? this.#listNewest(caller, query)
      : this.#searchByVector(caller, query, query.query, vectorIndex);
  }

  async #searchByVector(
    caller: Caller,
    { prefix, filter, limit, offset }: ItemQuery,
    text: string,
    vectorIndex: VectorIndex,
  ): Promise<FoundItem[]> {
    const [vector] = await vectorIndex.embed([text]);
    const near = await vectorIndex.search({ caller, prefix, filter, vector: vector!, limit, offset });
    const found: FoundItem[] = [];
    const page = new ResponsePage();
    let over = this.#timeSlots.begin();
    for (const { at, updatedAtUs, score } of near) {
      const item = this.#items.getByKey(caller, at);
      if (item === undefined) continue;
      // An item that was replaced since must still match.
      const same = item.updatedAtUs === updatedAtUs;
      if (
        !same &&
        !(
          this.#items.isVisible(caller, item) &&
          (filter === null || matchesItem(parseJson(item.value) as JsonObject, filter))
        )
      )
        continue;
      found.push({ item: page.add(item), score });
      if (!over()) continue;
      await this.#timeSlots.next();
      over = this.#timeSlots.begin();
    }
    return found;
  }

  async #listNewest(caller: Caller, { prefix, filter, limit, offset }: ItemQuery): Promise<FoundItem[]> {
    const found: FoundItem[] = [];
    const page = new ResponsePage();
    const scan = new ItemScan(caller);
    let skipped = 0;
    await this.#walk(
      { prefix: keys.itemsByTime(scopePart(caller.itemScope), namespacePart(prefix)), reverse: true },
      (key, pointer) => {
        scan.countRow();
        const item = this.#items.getByKey(caller, unpack<Key>(pointer));
        // A walk over several time slots may see entries from which items have moved.
        if (item === undefined || item.updatedAtUs !== key[3]) return false;
        if (filter !== null || scan.isFiltered) scan.countValue(item.value.byteLength);
        if (!this.#items.isVisible(caller, item)) return false;
        if (filter !== null && !matchesItem(parseJson(item.value) as JsonObject, filter)) return false;
        if (skipped++ < offset) return false;
        found.push({ item: page.add(item), score: null });
        return found.length >= limit;
      },
    );
    return found;
  }

  /**
   * Namespaces with an item visible to the caller, cut to a depth, sorted by labels. Jumps from one namespace to the
   * next, so the number of items in each does not matter. Throws STORE_SCAN_LIMIT.
   */
  async namespaces(caller: Caller, { matches, maxDepth, limit, offset }: NamespaceQuery): Promise<string[][]> {
    const found: string[][] = [];
    if (!(limit > 0)) return found;
    const scope = scopePart(caller.itemScope);
    const scan = new ItemScan(caller);
    const top = namespacePart(commonPrefix(matches));
    let skipped = 0;
    let over = this.#timeSlots.begin();
    for (let from = top; ;) {
      const part = this.#firstNamespaceFrom(scope, from);
      if (part === null || !(top === '' || part === top || part.startsWith(belowNamespace(top)))) return found;
      scan.countRow();
      const labels = labelsOf(part);
      from = belowNamespace(part);
      if (
        matches.every((match) => matchesLabels(labels, match)) &&
        (await this.#hasVisibleItem(caller, keys.itemsInNamespace(scope, part), scan))
      ) {
        if (skipped++ >= offset) found.push(maxDepth === null ? labels : labels.slice(0, maxDepth));
        if (found.length >= limit) return found;
        // Namespaces below it would be cut to the same labels.
        if (maxDepth !== null && labels.length >= maxDepth)
          from = afterNamespaces(namespacePart(labels.slice(0, maxDepth)));
      }
      if (!over()) continue;
      await this.#timeSlots.next();
      over = this.#timeSlots.begin();
    }
  }

  #firstNamespaceFrom(scope: string, part: string): string | null {
    for (const key of this.#store.keys({
      prefix: keys.itemsInScope(scope),
      start: keys.itemsInNamespace(scope, part),
      limit: 1,
    }))
      return key[2] as string;
    return null;
  }

  async #hasVisibleItem(caller: Caller, prefix: Key, scan: ItemScan): Promise<boolean> {
    let holds = false;
    let first = true;
    await this.#walk({ prefix }, (_, bytes) => {
      // The first item was already counted with its namespace.
      if (!first) scan.countRow();
      first = false;
      const item = unpack<ItemRecord>(bytes);
      if (scan.isFiltered) scan.countValue(item.value.byteLength);
      holds = this.#items.isVisible(caller, item);
      return holds;
    });
    return holds;
  }

  /** Visits entries until `visit` returns true. */
  async #walk(range: Range, visit: (key: Key, value: Uint8Array) => boolean): Promise<void> {
    for (let rest = range; ;) {
      const over = this.#timeSlots.begin();
      let last: Key | null = null;
      for (const [key, value] of this.#store.entries(rest)) {
        if (visit(key, value)) return;
        last = key;
        if (over()) break;
        last = null;
      }
      if (last === null) return;
      await this.#timeSlots.next();
      rest = { ...range, start: last, after: true };
    }
  }
}

/** Values of one response. */
class ResponsePage {
  #items = 0;
  #bytes = 0;

  /** Copies the item out of the database's memory, which may change in the next turn. Throws INVALID_REQUEST. */
  add(item: ItemRecord): ItemRecord {
    this.#bytes += item.value.byteLength;
    if (this.#bytes > LIMITS.responseBytesMax && this.#items > 0) {
      throw fail('INVALID_REQUEST', {
        problems:
          `limit: the response would have more than ${LIMITS.responseBytesMax} bytes; ` +
          `only the first ${this.#items} items fit`,
      });
    }
    this.#items += 1;
    return { ...item, value: Buffer.from(item.value) };
  }
}

/** Labels that every match begins with. */
function commonPrefix(matches: readonly NamespaceMatch[]): string[] {
  const path = matches.find(({ type }) => type === 'prefix')?.path ?? [];
  const wild = path.indexOf('*');
  return wild === -1 ? path : path.slice(0, wild);
}

/** `*` matches any one label. */
function matchesLabels(labels: readonly string[], { type, path }: NamespaceMatch): boolean {
  if (path.length > labels.length) return false;
  const from = type === 'prefix' ? 0 : labels.length - path.length;
  return path.every((label, at) => label === '*' || label === labels[from + at]);
}
