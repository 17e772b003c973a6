import { LIMITS } from '../base/limits.js';
import { contentHash } from '../base/ids.js';
import { equalitiesOf, type Filter } from '../domain/filter.js';
import { asObject, isObject, parseJson, type JsonBytes, type JsonObject } from '../base/json/json.js';
import type { Commit } from './store.js';
import type { Key } from './keys.js';
import type { Reader } from './reader.js';

/**
 * Index of scalar metadata values as leaves `path=value`. A list walks the leaf with the fewest records and checks the
 * other conditions on each record. The index may therefore omit leaves but must never contain a wrong one.
 *
 * This leaf contains every record.
 */
export const ALL_LEAF = '*';

/** Leaves that do not come from metadata begin with `?`. Every record has its own such leaves. */
export function statusLeaf(status: string): string {
  return `?${status}`;
}

export function graphLeaf(graphId: string): string {
  return `?${equalityLeaf('graph', graphId)}`;
}

/** Leaf of records that are visible to every caller who may read records of their kind. */
export const SHARED_LEAF = '?shared';

/** Leaf of records with more leaves than the limit. Every filter also reads it. */
export const OVERFLOW_LEAF = '+';

/** At most 32 leaves in metadata order, plus the overflow leaf when there are more. */
export function metadataLeaves(metadata: JsonObject): string[] {
  const leaves: string[] = [];
  collectLeaves(metadata, '', leaves);
  const unique = [...new Set(leaves)];
  return leaves.length <= LIMITS.metadataLeavesMax
    ? unique
    : [...unique.slice(0, LIMITS.metadataLeavesMax), OVERFLOW_LEAF];
}

function collectLeaves(object: JsonObject, path: string, leaves: string[]): void {
  for (const [name, value] of Object.entries(object)) {
    if (leaves.length > LIMITS.metadataLeavesMax) return;
    const at = path === '' ? name : `${path}.${name}`;
    if (isObject(value)) collectLeaves(value, at, leaves);
    else if (!Array.isArray(value)) leaves.push(equalityLeaf(at, value));
  }
}

/**
 * The leaf for `path` = `value`. A leaf that is long, or has characters that keys do not allow, is hashed. Collisions
 * do no harm, since the record itself is checked too.
 */
export function equalityLeaf(path: string, value: unknown): string {
  const text = `.${path}=${JSON.stringify(value)}`;
  // oxlint-disable-next-line no-control-regex
  return Buffer.byteLength(text) <= LIMITS.metadataValueBytesMax && !/[\u0000-\u001f\u007f]/.test(text)
    ? text
    : `#${contentHash(text).toString('base64url')}`;
}

/** Leaves that every match of the filter has, unless the match is under the overflow leaf. */
export function filterLeaves(filter: JsonObject): string[] {
  return metadataLeaves(filter).filter((one) => one !== OVERFLOW_LEAF);
}

const EMPTY = new Uint8Array(0);

/** Updates the index entries of a record from its old metadata to its new metadata, both as the client sent them. */
export function updateLeaves(
  commit: Commit,
  keyOf: (leaf: string) => Key,
  before: JsonBytes | null,
  after: JsonBytes | null,
): void {
  // Most updates leave the metadata unchanged.
  if (before === after) return;
  const [old, now] = [storedLeaves(before), storedLeaves(after)];
  for (const one of old) if (!now.includes(one)) commit.remove(keyOf(one));
  for (const one of now) if (!old.includes(one)) commit.put(keyOf(one), EMPTY);
}

/** Index leaves of stored metadata. Large metadata is indexed under the overflow leaf alone. */
export function storedLeaves(metadata: JsonBytes | null): string[] {
  if (metadata === null) return [];
  if (metadata.byteLength > LIMITS.metadataIndexedBytesMax) return [OVERFLOW_LEAF];
  return metadataLeaves(asObject(parseJson(metadata)));
}

/**
 * Equalities of a caller's filter. Each is a list of leaves of which a match has at least one. Equalities with very
 * many values are left out, since each value needs a walk of its own.
 */
export function filterAlternatives(filter: Filter): string[][] {
  return equalitiesOf(filter)
    .filter(({ length }) => length <= LIMITS.metadataLeavesMax)
    .map((alternatives) => [...new Set(alternatives.map(({ name, value }) => equalityLeaf(name, value)))]);
}

/** The equality with the fewest keys. All are walked in parallel until the first one ends. */
export function mostSelective(equalities: string[][], keysUnder: (leaf: string) => Generator<unknown>): string[] {
  if (equalities.length === 1) return equalities[0]!;
  const walks = equalities.map((leaves) => ({ leaves, keys: concatenated(leaves, keysUnder) }));
  for (;;) {
    for (const walk of walks) {
      if (walk.keys.next().done !== true) continue;
      for (const other of walks) other.keys.return(undefined);
      return walk.leaves;
    }
  }
}

function* concatenated(leaves: readonly string[], keysUnder: (leaf: string) => Generator<unknown>): Generator<unknown> {
  for (const one of leaves) yield* keysUnder(one);
}

/**
 * Ids under the most selective equality, in time order. An equality may consist of several leaves, of which a match has
 * at least one. Records with too many leaves are found under the overflow leaf, which is merged in. An id may be
 * returned several times in a row. `comparedKeysMax` bounds the keys read for each equality to compare them.
 */
export function* idsInOrder(
  reader: Reader,
  prefixOf: (leaf: string) => Key,
  equalities: string[][],
  { reverse, comparedKeysMax }: { reverse: boolean; comparedKeysMax: number },
): Generator<string> {
  const chosen =
    equalities.length === 0
      ? [ALL_LEAF]
      : mostSelective(equalities, (one) => reader.keys({ prefix: prefixOf(one), limit: comparedKeysMax }));
  const walks = chosen.map((one) => reader.indexKeys({ prefix: prefixOf(one), reverse }));
  if (!chosen.every((one) => one === ALL_LEAF || one.startsWith('?')))
    walks.push(reader.indexKeys({ prefix: prefixOf(OVERFLOW_LEAF), reverse }));
  const heads = walks.map((walk) => ({ walk, next: walk.next() }));
  for (;;) {
    const open = heads.filter(({ next }) => next.done !== true);
    if (open.length === 0) return;
    open.sort((a, b) => compareByTime(a.next.value as Key, b.next.value as Key) * (reverse ? -1 : 1));
    const first = open[0]!;
    yield (first.next.value as Key).at(-1) as string;
    first.next = first.walk.next();
  }
}

function compareByTime(a: Key, b: Key): number {
  const [left, right] = [a.at(-1) as string, b.at(-1) as string];
  return (a.at(-2) as number) - (b.at(-2) as number) || (left < right ? -1 : left > right ? 1 : 0);
}

/** Key prefix of a kind of record, and of its index, whose keys end with the record id. */
interface IndexedKind<T> {
  records: Key;
  leaves: (leaf: string) => Key;
  /** Undefined when the caller may not see the record. */
  read: (bytes: Uint8Array) => T | undefined;
}

/** Records visible to the caller, in id order: through the index if the filter has an equality, else by reading all. */
export function* visibleRecords<T>(
  reader: Reader,
  filter: Filter | null | undefined,
  { records, leaves, read }: IndexedKind<T>,
): Generator<T> {
  if (filter === undefined) return;
  for (const bytes of readRecords(
    reader,
    records,
    filter === null ? null : idsMatching(reader, filterAlternatives(filter), leaves),
  )) {
    const record = read(bytes);
    if (record !== undefined) yield record;
  }
}

/** Records with these ids, or all records when `ids` is null. */
function* readRecords(reader: Reader, records: Key, ids: string[] | null): Generator<Uint8Array> {
  if (ids === null) for (const [, bytes] of reader.entries({ prefix: records })) yield bytes;
  else {
    for (const id of ids) {
      const bytes = reader.get([...records, id]);
      if (bytes !== undefined) yield bytes;
    }
  }
}

/** Ids that may match all equalities, sorted. Null when there are no equalities. */
export function idsMatching(reader: Reader, equalities: string[][], prefixOf: (leaf: string) => Key): string[] | null {
  if (equalities.length === 0) return null;
  const chosen = mostSelective(equalities, (one) => reader.keys({ prefix: prefixOf(one) }));
  const ids = [...chosen, OVERFLOW_LEAF].flatMap((one) =>
    [...reader.indexKeys({ prefix: prefixOf(one) })].map((key) => String(key.at(-1))),
  );
  return [...new Set(ids)].sort();
}
