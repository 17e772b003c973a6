import type { Filter } from '../../domain/filter.js';
import { contains, isObject, type JsonObject } from '../../base/json/json.js';
import { partOf, type JsonPath } from '../../domain/thread-path.js';
import { LIMITS } from '../../base/limits.js';
import { done, type Steps } from '../../base/steps.js';
import { filterLeaves, leaf, statusLeaf } from '../metadata-index.js';
import type { ThreadRecord, ThreadStatus } from './threads.js';

/** Which threads are looked for. All that is named must hold. */
export interface ThreadFilter {
  ids?: readonly string[];
  /** Contained in the thread's metadata. */
  metadata?: JsonObject;
  /** Contained in its latest values. */
  values?: JsonObject;
  status?: ThreadStatus;
  /** All of these lead somewhere. */
  exists?: readonly JsonPath[];
  /** Folded (base/json/text.ts): its id begins with it, or it occurs in a string of its metadata or its latest values. */
  text?: string;
  /** At least one of these holds. */
  or?: readonly ThreadFilter[];
  /** This does not hold. */
  not?: ThreadFilter;
}

/** Looks into what is not in a thread's record, its latest values and interrupts, and through what may be long. */
export interface Look {
  /** How much has been gone through. */
  readonly bytes: number;
  contains(record: ThreadRecord, values: JsonObject): Steps<boolean>;
  exists(record: ThreadRecord, path: JsonPath): Steps<boolean>;
  /** Whether the folded text occurs in a string of its metadata or its latest values. */
  says(record: ThreadRecord, text: string): Steps<boolean>;
}

/** For questions about records alone. */
export const NO_LOOK: Look = {
  bytes: 0,
  contains: () => done(false),
  exists: () => done(false),
  says: () => done(false),
};

/** Whether the thread is one of those. What is cheap to know is asked first. */
export function* passesFilter(
  filter: ThreadFilter,
  record: ThreadRecord,
  metadata: JsonObject,
  look: Look,
): Steps<boolean> {
  if (filter.status !== undefined && record.status !== filter.status) return false;
  if (filter.ids !== undefined && !filter.ids.includes(record.threadId)) return false;
  if (filter.metadata !== undefined && !contains(metadata, filter.metadata)) return false;
  for (const path of filter.exists ?? []) {
    if (
      path.root === 'values' || path.root === 'interrupts'
        ? !(yield* look.exists(record, path))
        : partOf(path.root === 'metadata' ? record.metadata : record.config, path.steps) === undefined
    )
      return false;
  }
  if (filter.not !== undefined && (yield* passesFilter(filter.not, record, metadata, look))) return false;
  if (filter.or !== undefined) {
    let some = false;
    for (const one of filter.or) if (!some && (yield* passesFilter(one, record, metadata, look))) some = true;
    if (!some) return false;
  }
  if (
    filter.values !== undefined &&
    Object.keys(filter.values).length > 0 &&
    !(yield* look.contains(record, filter.values))
  )
    return false;
  return (
    filter.text === undefined || record.threadId.startsWith(filter.text) || (yield* look.says(record, filter.text))
  );
}

/** Lists of leaves of the index, of each of which every match has at least one, or stands under the overflow leaf. */
export function leavesOfFilter(filter: ThreadFilter): string[][] {
  const found = filterLeaves(filter.metadata ?? {}).map((one) => [one]);
  if (filter.status !== undefined) found.push([statusLeaf(filter.status)]);
  if (filter.or !== undefined) {
    const branches = filter.or.map((one) => leavesOfFilter(one)[0]);
    // Each leaf is a walk of its own.
    if (!branches.includes(undefined) && branches.flat().length <= LIMITS.metadataLeavesMax)
      found.push([...new Set(branches.flat() as string[])]);
  }
  return found;
}

/** True when the leaves say it all: whoever has one of each is a match. */
export function saysItAll({ ids, metadata = {}, values, exists, text, or, not }: ThreadFilter): boolean {
  return (
    ids === undefined &&
    (values === undefined || Object.keys(values).length === 0) &&
    (exists === undefined || exists.length === 0) &&
    text === undefined &&
    or === undefined &&
    not === undefined &&
    Object.keys(metadata).length <= LIMITS.metadataLeavesMax &&
    Object.entries(metadata).every(([name, value]) => isLeaf(name, value))
  );
}

/** The same of a caller's filter. */
export function callerSaysItAll(filter: Filter): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    if (name === '$and') return (wanted as Filter[]).every(callerSaysItAll);
    if (name.startsWith('$')) return false;
    if (!isObject(wanted)) return isLeaf(name, wanted);
    return Object.keys(wanted).every((operator) => operator === '$eq') && isLeaf(name, wanted['$eq']);
  });
}

/** A name with a dot in it has the leaf of a member of a member. */
function isLeaf(name: string, value: unknown): boolean {
  return !name.includes('.') && (value === null || typeof value !== 'object') && !leaf(name, value).startsWith('#');
}
