import type { Caller } from '../../domain/caller.js';
import { matchesItem, type ItemFilter } from '../../domain/item-filter.js';
import { parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Micros } from '../../base/micros.js';
import { unpack } from '../../wire/codec.js';
import { isAlive, seesItem, type ItemRecord } from './item-record.js';
import { ItemScan } from './item-scan.js';
import { belowNamespace, keys, namespacePart, scopePart, type Key } from '../keys.js';
import type { Reader } from '../reader.js';
import { hasConfigHash, VectorReader, vectorsUpdatedAt } from './vectors.js';

/** A search result: the item's key and version when it was compared. */
export interface VectorMatch {
  at: Key;
  updatedAtUs: Micros;
  /** Cosine similarity of the query and the item's most similar vector. */
  score: number;
}

export interface VectorSearchRequest {
  prefix: readonly string[];
  filter: ItemFilter | null;
  /** Of length 1, like all stored vectors. */
  vector: Float32Array;
  /** Hash of the index configuration. Vectors of other configurations are ignored. */
  mark: Uint8Array;
  limit: number;
  offset: number;
  nowMs: number;
}

/**
 * Compares every vector in a namespace and below it, then reads items in the order of similarity until the page
 * is full. Does not yield: takes hundreds of milliseconds for 100,000 items. Throws STORE_SCAN_LIMIT.
 */
export function searchVectors(reader: Reader, caller: Caller, request: VectorSearchRequest): VectorMatch[] {
  const { filter, limit, offset, nowMs } = request;
  const scan = new ItemScan(caller);
  const near = compareAll(reader, caller, request, scan);
  // Equal scores are sorted newest first, as in other lists.
  near.sort((a, b) => b.score - a.score || b.updatedAtUs - a.updatedAtUs);
  const page: VectorMatch[] = [];
  let skipped = 0;
  for (const one of near) {
    const bytes = reader.get(one.at);
    scan.countRow();
    if (bytes === undefined) continue;
    const item = unpack<ItemRecord>(bytes);
    if (!isAlive(item, nowMs)) continue;
    if (filter !== null || scan.isFiltered) {
      scan.countValue(item.value.byteLength);
      if (!seesItem(caller, item) || (filter !== null && !matchesItem(parseJson(item.value) as JsonObject, filter)))
        continue;
    }
    if (skipped++ < offset) continue;
    page.push(one);
    if (page.length >= limit) break;
  }
  return page;
}

function compareAll(
  reader: Reader,
  caller: Caller,
  { prefix, vector, mark }: VectorSearchRequest,
  scan: ItemScan,
): VectorMatch[] {
  const scope = scopePart(caller.itemScope);
  const top = namespacePart(prefix);
  const found: VectorMatch[] = [];
  const vectors = new VectorReader();
  const below = belowNamespace(top);
  let numbersLeft: number = LIMITS.vectorSearchNumbersMax;
  for (const [key, record] of reader.entries({
    prefix: keys.vectorsInScope(scope),
    start: keys.vectorsInNamespace(scope, top),
  })) {
    const namespace = key[2] as string;
    if (top !== '' && namespace !== top && !namespace.startsWith(below)) break;
    if (!hasConfigHash(record, mark)) continue;
    const numbers = vectors.numbers(record);
    numbersLeft -= numbers.length;
    if (found.length >= LIMITS.vectorSearchItemsMax || numbersLeft < 0) throw scan.limitError();
    found.push({
      at: ['mi', scope, namespace, key[3]!],
      updatedAtUs: vectorsUpdatedAt(record),
      score: highestScore(numbers, vector),
    });
  }
  return found;
}

function highestScore(numbers: Float32Array, query: Float32Array): number {
  const dims = query.length;
  let highest = -Infinity;
  for (let from = 0; from + dims <= numbers.length; from += dims) {
    // Four independent sums, so that the processor need not wait for one addition before the next.
    let a = 0,
      b = 0,
      c = 0,
      d = 0,
      at = 0;
    for (; at + 3 < dims; at += 4) {
      a += numbers[from + at]! * query[at]!;
      b += numbers[from + at + 1]! * query[at + 1]!;
      c += numbers[from + at + 2]! * query[at + 2]!;
      d += numbers[from + at + 3]! * query[at + 3]!;
    }
    for (; at < dims; at += 1) a += numbers[from + at]! * query[at]!;
    const score = a + b + c + d;
    if (score > highest) highest = score;
  }
  return highest;
}
