import { seesStored, type Caller } from '../../domain/caller.js';
import { reviewRules, type Reviewed, type ReviewRules } from '../../domain/queue-reviews.js';
import { parseJson, type JsonBytes, type JsonObject } from '../../base/json/json.js';
import { pack, unpack } from '../../wire/codec.js';
import type { Commit } from '../store.js';
import { keys, type Key } from '../keys.js';
import type { Lookup } from '../lookup.js';

/** A list of runs that people review. The filter of experiments applies to its metadata. */
export interface QueueRecord {
  queueId: string;
  name: string;
  description: string | null;
  createdAtUs: number;
  modifiedAtUs: number;
  metadata: JsonBytes | null;
  rubricInstructions: string | null;
  /** JSON list as the client sent it, or null. */
  rubricItems: JsonBytes | null;
  /** JSON object with further settings that clients send. */
  settings: JsonBytes;
}

/** A run in a queue. */
export interface QueueEntry extends Reviewed {
  entryId: string;
  queueId: string;
  runId: string;
  /** Entries are ordered by this time. */
  addedAtUs: number;
  reviewedAtUs: number | null;
}

/** Undefined when it does not exist or this caller may not see it. */
export function queueOf(lookup: Lookup, caller: Caller, queueId: string): QueueRecord | undefined {
  const bytes = lookup.get(keys.queue(queueId));
  const record = bytes === undefined ? undefined : unpack<QueueRecord>(bytes);
  return record !== undefined && isQueueVisible(caller, record) ? record : undefined;
}

export function isQueueVisible(caller: Caller, { metadata }: Pick<QueueRecord, 'metadata'>): boolean {
  return seesStored(caller, 'experiments', metadata);
}

export function rulesOf({ settings }: Pick<QueueRecord, 'settings'>): ReviewRules {
  return reviewRules(parseJson(settings) as JsonObject);
}

export function putQueue(commit: Commit, record: QueueRecord): void {
  commit.put(keys.queue(record.queueId), pack(record));
}

/** Makes it unreachable, and records its entries for the remover. */
export function removeQueue(commit: Commit, { queueId }: QueueRecord): void {
  commit.remove(keys.queue(queueId));
  commit.put(keys.leftover('queue', queueId), new Uint8Array(0));
}

export function queueEntryOf(lookup: Lookup, entryId: string): QueueEntry | undefined {
  const place = lookup.get(keys.queueEntryPlace(entryId));
  const bytes = place === undefined ? undefined : lookup.get(unpack<Key>(place));
  return bytes === undefined ? undefined : unpackQueueEntry(bytes);
}

/** Entries from before several people could review a run have no reviews. */
export function unpackQueueEntry(bytes: Uint8Array): QueueEntry {
  return { reviews: [], ...unpack<Omit<QueueEntry, 'reviews'>>(bytes) };
}

/** The entry of a run in a queue: a run is in a queue at most once. */
export function queueEntryOfRun(lookup: Lookup, queueId: string, runId: string): QueueEntry | undefined {
  const entryId = lookup.get(keys.queueOfRun(runId, queueId));
  return entryId === undefined ? undefined : queueEntryOf(lookup, Buffer.from(entryId).toString());
}

export function putQueueEntry(commit: Commit, entry: QueueEntry, previous: QueueEntry | undefined): void {
  const key = entryKey(entry);
  if (previous !== undefined && previous.addedAtUs !== entry.addedAtUs) commit.remove(entryKey(previous));
  commit.put(key, pack(entry));
  commit.put(keys.queueEntryPlace(entry.entryId), pack(key));
  commit.put(keys.queueOfRun(entry.runId, entry.queueId), Buffer.from(entry.entryId));
}

/** All keys of an entry. */
export function queueEntryKeys(entry: QueueEntry): Key[] {
  return [keys.queueOfRun(entry.runId, entry.queueId), keys.queueEntryPlace(entry.entryId), entryKey(entry)];
}

function entryKey({ queueId, addedAtUs, entryId }: QueueEntry): Key {
  return keys.queueEntry(queueId, addedAtUs, entryId);
}
