import { isoTime } from '../../src/base/clock.js';
import { asObject, jsonBytes, parseJson } from '../../src/base/json/json.js';
import { Largest, LargestSums } from '../../src/base/largest.js';
import { LIMITS } from '../../src/base/limits.js';
import type { Steps } from '../../src/base/steps.js';
import { hashOfName, SumTable } from '../../src/base/sum-table.js';
import { SERVER_CALLER } from '../../src/domain/caller.js';
import type { StateBudget } from '../../src/domain/state-budget.js';
import { storageByKind, ThreadStateSums } from '../../src/store/files/storage-sizes.js';
import { keys, type Key } from '../../src/store/keys.js';
import type { Reader } from '../../src/store/reader.js';
import { DAY_MS, StateProfiles, type StateProfileRecord } from '../../src/store/state-profiles.js';
import { Checkpoints } from '../../src/store/threads/checkpoints.js';
import { measureThread } from '../../src/store/threads/thread-sizes.js';
import type { ThreadRecord } from '../../src/store/threads/threads.js';
import type { GrowthJson, GrownBytes, StateProfileJson, StorageJson } from '../../src/wire/state-profile.js';
import { unpack } from '../../src/wire/codec.js';

export interface StorageParams {
  dataFile: string;
  nowMs: number;
  budget: StateBudget | null;
}

/** A thread with the stored bytes of its state. */
interface SizedThread {
  /** Without metadata and config, which may be large. */
  record: ThreadRecord;
  title: string | null;
  owner: string | null;
  bytes: number;
}

interface Grown {
  threadId: string;
  title: string | null;
  bytes: number;
  grownBytes: number;
  isAtLeast: boolean;
}

/** Names of the metadata under which auth handlers store the owner of a thread. */
const OWNER_NAMES = ['owner', 'user_id', 'langgraph_auth_user_id'] as const;
const GROWTH = { day: 20 * 3_600_000, week: 6.5 * DAY_MS } as const;
const NAME_LENGTH_MAX = 200;
const EMPTY_JSON = jsonBytes({});

/**
 * Counts all records by kind, and the states by thread, owner, graph, channel and namespace. Reads the data file once
 * from start to end, then all records of threads, then the states of the largest threads. Its memory does not grow with
 * the size of states; it is limited for the number of threads and owners, too.
 */
export function* profileStorage(reader: Reader, { dataFile, nowMs, budget }: StorageParams): Steps<StorageJson> {
  const byThread = new SumTable(LIMITS.profiledNamesMax);
  const states = new ThreadStateSums(byThread);
  const kinds = yield* storageByKind(dataFile, states);

  const profiles = [...new StateProfiles(reader).all()];
  const growth = {
    day: growthSince(profiles, nowMs - GROWTH.day),
    week: growthSince(profiles, nowMs - GROWTH.week),
  };
  const largest = new Largest<SizedThread>(LIMITS.profiledThreadsMax, ({ bytes }) => bytes);
  const owners = new LargestSums(LIMITS.profiledRowsMax, LIMITS.profiledNamesMax);
  const graphs = new LargestSums(LIMITS.profiledRowsMax, LIMITS.profiledNamesMax);
  const withoutOwner = { threads: 0, bytes: 0 };
  let threads = 0;
  let threadBytes = 0;
  let over = 0;
  for (const record of threadRecords(reader)) {
    if (record === null) {
      yield;
      continue;
    }
    const bytes = byThread.sumOf(hashOfName(Buffer.from(record.uid)));
    const { owner, title } = namesOf(record);
    threads += 1;
    threadBytes += bytes;
    if (budget !== null && bytes > budget.threadBytes) over += 1;
    largest.add({ record: { ...record, metadata: EMPTY_JSON, config: EMPTY_JSON }, title, owner, bytes });
    if (owner === null) {
      withoutOwner.threads += 1;
      withoutOwner.bytes += bytes;
    } else owners.add(owner, bytes);
    if (record.graphId !== null) graphs.add(record.graphId, bytes);
    growth.day?.add(record, title, bytes);
    growth.week?.add(record, title, bytes);
  }

  const listed = largest.toSorted().filter(({ bytes }) => bytes > 0);
  const grownOf = (list: ComparedList, name: string, bytes: number): GrownBytes['grown'] => ({
    day: growth.day?.grownOf(list, name, bytes) ?? null,
    week: growth.week?.grownOf(list, name, bytes) ?? null,
  });
  const details = yield* measureLargest(reader, listed, grownOf);
  const state: StateProfileJson = {
    at: isoTime(nowMs),
    bytes: states.bytes,
    threads,
    deleted_bytes: Math.max(0, states.bytes - states.bytesNotSummed - threadBytes),
    is_complete: states.bytesNotSummed === 0 && !owners.isFull,
    largest_threads: listed.map(({ record, title, owner, bytes }) => ({
      thread_id: record.threadId,
      title,
      graph_id: record.graphId,
      owner,
      bytes,
      updated_at: isoTime(record.updatedAtMs),
      is_over_budget: budget !== null && bytes > budget.threadBytes,
    })),
    owners: [
      ...owners.toSorted().map(({ name, bytes, count }) => ({ owner: name, threads: count, bytes })),
      ...(withoutOwner.threads === 0 ? [] : [{ owner: null, ...withoutOwner }]),
    ]
      .toSorted((a, b) => b.bytes - a.bytes)
      .map((row) => ({ ...row, grown: grownOf('owners', row.owner ?? '', row.bytes) })),
    graphs: graphs.toSorted().map(({ name, bytes, count }) => ({
      graph_id: name,
      threads: count,
      bytes,
      grown: grownOf('graphs', name, bytes),
    })),
    ...details,
    growth: {
      day: growth.day?.toJson(states.bytes) ?? null,
      week: growth.week?.toJson(states.bytes) ?? null,
    },
    history: profiles.map(({ atMs, bytes, threads: count }) => ({ at: isoTime(atMs), bytes, threads: count })),
    budget:
      budget === null
        ? null
        : {
            thread_bytes: budget.threadBytes,
            on_exceed: budget.onExceed,
            keep_last: budget.onExceed === 'thin' ? budget.keepLast : null,
            threads_over: over,
          },
  };
  return { kinds, state };
}

/** All threads, in pages: the reader may be refreshed between them. Null after each page. */
function* threadRecords(reader: Reader): Generator<ThreadRecord | null> {
  for (let last: Key | null = null; ;) {
    const page: ThreadRecord[] = [];
    for (const [key, bytes] of reader.entries({
      prefix: keys.threads(),
      ...(last === null ? {} : { start: last, after: true }),
      limit: LIMITS.sliceReads,
    })) {
      last = key;
      page.push(unpack<ThreadRecord>(Uint8Array.from(bytes)));
    }
    yield* page;
    if (page.length < LIMITS.sliceReads) return;
    yield null;
  }
}

/** What people know a thread by, from its metadata. */
function namesOf({ metadata }: ThreadRecord): { title: string | null; owner: string | null } {
  const found = asObject(parseJson(metadata));
  const textOf = (name: string): string | null => {
    const text = found[name];
    return typeof text === 'string' && text.trim() !== '' ? text.slice(0, NAME_LENGTH_MAX) : null;
  };
  const owner = OWNER_NAMES.map(textOf).find((name) => name !== null) ?? null;
  return { title: textOf('title'), owner };
}

/** Lists that a stored profile has the first rows of. */
type ComparedList = 'owners' | 'graphs' | 'channels' | 'namespaces';
type Details = Pick<StateProfileJson, 'measured' | 'channels' | 'namespaces'>;

/** Bytes of the largest threads by channel and namespace. Threads that were deleted meanwhile have none. */
function* measureLargest(
  reader: Reader,
  listed: readonly SizedThread[],
  grownOf: (list: ComparedList, name: string, bytes: number) => GrownBytes['grown'],
): Steps<Details> {
  const checkpoints = new Checkpoints(reader);
  const channels = new Map<string, { threads: number; bytes: number; pending: number }>();
  const namespaces = new Map<string, { threads: number; checkpoints: number; bytes: number }>();
  for (const { record } of listed) {
    const sizes = yield* measureThread(checkpoints, SERVER_CALLER, record);
    for (const name of new Set([...sizes.channels.keys(), ...sizes.writes.keys()])) {
      const channel = channels.get(name) ?? { threads: 0, bytes: 0, pending: 0 };
      channels.set(name, channel);
      const pending = sizes.writes.get(name)?.bytes ?? 0;
      channel.threads += 1;
      channel.bytes += (sizes.channels.get(name)?.bytes ?? 0) + pending;
      channel.pending += pending;
    }
    const seen = new Set<string>();
    for (const [ns, { count, bytes }] of sizes.namespaces) {
      const name = withoutTaskIds(ns);
      const namespace = namespaces.get(name) ?? { threads: 0, checkpoints: 0, bytes: 0 };
      namespaces.set(name, namespace);
      if (!seen.has(name)) namespace.threads += 1;
      seen.add(name);
      namespace.checkpoints += count;
      namespace.bytes += bytes;
    }
  }
  return {
    measured: { threads: listed.length, bytes: listed.reduce((total, { bytes }) => total + bytes, 0) },
    channels: largestOf(channels).map(([channel, { threads, bytes, pending }]) => ({
      channel,
      threads,
      bytes,
      pending_bytes: pending,
      grown: grownOf('channels', channel, bytes),
    })),
    namespaces: largestOf(namespaces).map(([namespace, sizes]) => ({
      namespace,
      ...sizes,
      grown: grownOf('namespaces', namespace, sizes.bytes),
    })),
  };
}

/** The subgraph that a namespace belongs to: `researcher:TASK|writer:TASK` is `researcher|writer`. */
function withoutTaskIds(ns: string): string {
  return ns
    .split('|')
    .map((part) => part.split(':')[0])
    .join('|');
}

function largestOf<T extends { bytes: number }>(sums: ReadonlyMap<string, T>): [string, T][] {
  return [...sums].toSorted(([, a], [, b]) => b.bytes - a.bytes).slice(0, LIMITS.profiledRowsMax);
}

/** Null while there is no profile that old. */
function growthSince(profiles: readonly StateProfileRecord[], atMostMs: number): GrowthSince | null {
  const before = profiles.findLast(({ atMs }) => atMs <= atMostMs);
  return before === undefined ? null : new GrowthSince(before);
}

/** Finds the threads that have grown most since an earlier profile. */
class GrowthSince {
  readonly #before: StateProfileRecord;
  readonly #bytesBefore: ReadonlyMap<string, number>;
  /** Threads that the profile does not list had at most so many bytes. */
  readonly #unlistedMax: number;
  readonly #largest = new Largest<Grown>(LIMITS.profiledRowsMax, ({ grownBytes }) => grownBytes);

  constructor(before: StateProfileRecord) {
    this.#before = before;
    this.#bytesBefore = new Map(before.largest);
    const isWhole = before.largest.length >= before.threads || before.largest.length < LIMITS.profiledThreadsMax;
    this.#unlistedMax = isWhole ? 0 : before.largest.at(-1)![1];
  }

  add({ threadId, createdAtMs }: ThreadRecord, title: string | null, bytes: number): void {
    const isNew = createdAtMs >= this.#before.atMs;
    const listed = isNew ? 0 : this.#bytesBefore.get(threadId);
    const grownBytes = bytes - (listed ?? this.#unlistedMax);
    if (grownBytes > 0)
      this.#largest.add({
        threadId,
        title,
        bytes,
        grownBytes,
        isAtLeast: listed === undefined && this.#unlistedMax > 0,
      });
  }

  /** Null if the earlier profile may have left the row out. */
  grownOf(list: ComparedList, name: string, bytes: number): number | null {
    const rows = this.#before[list];
    const before = rows.find(([one]) => one === name)?.[1] ?? (rows.length < LIMITS.stateProfileRowsKept ? 0 : null);
    return before === null ? null : bytes - before;
  }

  toJson(bytes: number): GrowthJson {
    return {
      since: isoTime(this.#before.atMs),
      bytes: bytes - this.#before.bytes,
      threads: this.#largest.toSorted().map((grown) => ({
        thread_id: grown.threadId,
        title: grown.title,
        bytes: grown.bytes,
        grown_bytes: grown.grownBytes,
        is_at_least: grown.isAtLeast,
      })),
    };
  }
}
