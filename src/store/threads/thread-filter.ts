import type { Filter } from '../../domain/filter.js';
import { contains, isObject, type JsonObject } from '../../base/json/json.js';
import { bytesAtPath, type JsonPath } from '../../domain/thread-path.js';
import { LIMITS } from '../../base/limits.js';
import { done, type Steps } from '../../base/steps.js';
import { filterLeaves, equalityLeaf, statusLeaf } from '../metadata-index.js';
import type { ThreadRecord, ThreadStatus } from './threads.js';

/** Conditions on threads. All that are given must hold. */
export interface ThreadFilter {
  ids?: readonly string[];
  /** Must be contained in the thread's metadata. */
  metadata?: JsonObject;
  /** Must be contained in its latest values. */
  values?: JsonObject;
  status?: ThreadStatus;
  /** Paths that must all exist. */
  exists?: readonly JsonPath[];
  /**
   * Folded text (base/json/text-search.ts): a prefix of the thread id, or part of a string in its metadata or values.
   */
  text?: string;
  /** At least one of these must hold. */
  or?: readonly ThreadFilter[];
  /** This must not hold. */
  not?: ThreadFilter;
}

/** Conditions that need more than the thread's record: its latest values, interrupts and long texts. */
export interface ThreadContent {
  /** Bytes searched so far. */
  readonly bytesSearched: number;
  contains(record: ThreadRecord, values: JsonObject): Steps<boolean>;
  exists(record: ThreadRecord, path: JsonPath): Steps<boolean>;
  /** True if the folded text occurs in a string of the metadata or the latest values. */
  hasText(record: ThreadRecord, text: string): Steps<boolean>;
}

/** For filters on records alone. */
export const NO_CONTENT: ThreadContent = {
  bytesSearched: 0,
  contains: () => done(false),
  exists: () => done(false),
  hasText: () => done(false),
};

/** True if the thread passes the filter. Cheap conditions are tested first. */
export function* passesFilter(
  filter: ThreadFilter,
  record: ThreadRecord,
  metadata: JsonObject,
  content: ThreadContent,
): Steps<boolean> {
  if (filter.status !== undefined && record.status !== filter.status) return false;
  if (filter.ids !== undefined && !filter.ids.includes(record.threadId)) return false;
  if (filter.metadata !== undefined && !contains(metadata, filter.metadata)) return false;
  for (const path of filter.exists ?? []) {
    if (
      path.root === 'values' || path.root === 'interrupts'
        ? !(yield* content.exists(record, path))
        : bytesAtPath(path.root === 'metadata' ? record.metadata : record.config, path.steps) === undefined
    )
      return false;
  }
  if (filter.not !== undefined && (yield* passesFilter(filter.not, record, metadata, content))) return false;
  if (filter.or !== undefined) {
    let some = false;
    for (const one of filter.or) if (!some && (yield* passesFilter(one, record, metadata, content))) some = true;
    if (!some) return false;
  }
  if (
    filter.values !== undefined &&
    Object.keys(filter.values).length > 0 &&
    !(yield* content.contains(record, filter.values))
  )
    return false;
  return (
    filter.text === undefined ||
    record.threadId.startsWith(filter.text) ||
    (yield* content.hasText(record, filter.text))
  );
}

/** Lists of index leaves. A match has at least one leaf of each list, unless it is under the overflow leaf. */
export function filterLeafLists(filter: ThreadFilter): string[][] {
  const found = filterLeaves(filter.metadata ?? {}).map((one) => [one]);
  if (filter.status !== undefined) found.push([statusLeaf(filter.status)]);
  if (filter.or !== undefined) {
    const branches = filter.or.map((one) => filterLeafLists(one)[0]);
    // Every leaf needs a walk of its own.
    if (!branches.includes(undefined) && branches.flat().length <= LIMITS.metadataLeavesMax)
      found.push([...new Set(branches.flat() as string[])]);
  }
  return found;
}

/** True if the index alone decides the filter: a record with one leaf of each list is a match. */
export function isDecidedByIndex({ ids, metadata = {}, values, exists, text, or, not }: ThreadFilter): boolean {
  return (
    ids === undefined &&
    (values === undefined || Object.keys(values).length === 0) &&
    (exists === undefined || exists.length === 0) &&
    text === undefined &&
    or === undefined &&
    not === undefined &&
    Object.keys(metadata).length <= LIMITS.metadataLeavesMax &&
    Object.entries(metadata).every(([name, value]) => hasUnambiguousLeaf(name, value))
  );
}

/** The same for a caller's filter. */
export function isCallerFilterDecidedByIndex(filter: Filter): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    if (name === '$and') return (wanted as Filter[]).every(isCallerFilterDecidedByIndex);
    if (name.startsWith('$')) return false;
    if (!isObject(wanted)) return hasUnambiguousLeaf(name, wanted);
    return Object.keys(wanted).every((operator) => operator === '$eq') && hasUnambiguousLeaf(name, wanted['$eq']);
  });
}

/** False for a name with a dot, whose leaf would equal that of a nested member. */
function hasUnambiguousLeaf(name: string, value: unknown): boolean {
  return (
    !name.includes('.') && (value === null || typeof value !== 'object') && !equalityLeaf(name, value).startsWith('#')
  );
}
