import { filterOf, sees, type Caller } from '../domain/caller.js';
import { fail } from '../base/errors.js';
import { jsonBytes, parseJson, type JsonBytes, type JsonObject } from '../base/json/json.js';
import { LIMITS } from '../base/limits.js';
import { pack, unpack } from '../wire/codec.js';
import { EMPTY, type Commit, type Store } from './env.js';
import { keys } from './keys.js';
import { Latest } from './read-your-writes.js';
import {
  ALL_LEAF,
  filterAlternatives,
  filterLeaves,
  graphLeaf,
  idsInOrder,
  moveLeaves,
  SHARED_LEAF,
} from './metadata-index.js';

/** What one version of an assistant says. */
export interface VersionRecord {
  assistantId: string;
  version: number;
  graphId: string;
  name: string;
  description: string | null;
  createdAtMs: number;
  config: JsonBytes;
  context: JsonBytes;
  metadata: JsonBytes;
}

/** An assistant at the version that it is set to. `createdAtMs` is the assistant's. */
export interface AssistantRecord extends VersionRecord {
  updatedAtMs: number;
  /** The highest number that a version has had; 0 in records of a time without versions. */
  lastVersion: number;
  /** Made from a configured graph; every caller sees it. */
  system: boolean;
  /** Of a system assistant: what the configuration said of it when it was last applied, JSON. */
  configured: JsonBytes;
}

export interface AssistantQuery {
  metadata?: JsonObject | undefined;
  graphId?: string | undefined;
}

/** What a record of a time without versions says. */
const BEFORE_VERSIONS = { lastVersion: 0, configured: jsonBytes(null) };

/** How many keys under each equality are counted to find the one with the fewest: more would be felt, and a page needs few. */
const COMPARED_KEYS_MAX = 1_000;

export class Assistants {
  readonly #store: Store;
  /** Two changes in one turn must see each other. */
  readonly #latest: Latest;
  /** Assistants whose deletion is under way: nothing begins with them any more. */
  readonly #leaving = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
    this.#latest = new Latest(store);
  }

  /** True when the id is taken, by whomever, or what was deleted under it is still being removed. */
  exists(assistantId: string): boolean {
    return this.#latest.has(keys.assistant(assistantId)) || this.#latest.has(keys.leftover('assistant', assistantId));
  }

  /** Undefined when there is none, or none that this caller sees. */
  get(caller: Caller, assistantId: string): AssistantRecord | undefined {
    const bytes = this.#leaving.has(assistantId) ? undefined : this.#latest.get(keys.assistant(assistantId));
    if (bytes === undefined) return undefined;
    const record = { ...BEFORE_VERSIONS, ...unpack<AssistantRecord>(bytes) };
    return visible(caller, record) ? record : undefined;
  }

  /** The assistant has been read with the same caller: its versions are seen by whoever sees it. */
  version(_caller: Caller, { assistantId }: AssistantRecord, version: number): VersionRecord | undefined {
    const bytes = this.#latest.get(keys.assistantVersion(assistantId, version));
    return bytes === undefined ? undefined : unpack<VersionRecord>(bytes);
  }

  /** Newest first. */
  *versions(_caller: Caller, { assistantId }: AssistantRecord): Generator<VersionRecord> {
    for (const [, bytes] of this.#store.entries({ prefix: keys.assistantVersions(assistantId), reverse: true }))
      yield unpack<VersionRecord>(bytes);
  }

  /** Ids of assistants that may match, in the order of `created_at`. Throws INVALID_REQUEST after too many. */
  *candidates(caller: Caller, { metadata, graphId }: AssistantQuery, reverse: boolean): Generator<string> {
    const filter = filterOf(caller, 'assistants');
    if (filter === undefined) return;
    const equalities = [
      ...(filter === null ? [] : filterAlternatives(filter).map((one) => [...one, SHARED_LEAF])),
      ...filterLeaves(metadata ?? {}).map((one) => [one]),
      ...(graphId === undefined ? [] : [[graphLeaf(graphId)]]),
    ];
    let rows = 0;
    let last = '';
    for (const assistantId of idsInOrder(
      this.#store,
      keys.assistantIndexLeaf,
      equalities,
      reverse,
      COMPARED_KEYS_MAX,
    )) {
      if (++rows > LIMITS.scanRowsMax)
        throw fail('INVALID_REQUEST', {
          problems: `body: more than ${LIMITS.scanRowsMax} assistants would have to be looked at. Search for something that fewer of them have.`,
        });
      if (assistantId !== last) yield assistantId;
      last = assistantId;
    }
  }

  /** The record with its current version. `previous` as it was read; undefined when it is new. */
  putVersion(commit: Commit, record: AssistantRecord, previous: AssistantRecord | undefined): void {
    const { assistantId, version, graphId, name, description, config, context, metadata } = record;
    const row: VersionRecord = {
      assistantId,
      version,
      graphId,
      name,
      description,
      createdAtMs: record.updatedAtMs,
      config,
      context,
      metadata,
    };
    commit.put(keys.assistantVersion(assistantId, version), pack(row));
    this.put(commit, record, previous);
  }

  /** The record alone: it is set to a version that is there. */
  put(commit: Commit, record: AssistantRecord, previous: AssistantRecord | undefined): void {
    const keyOf = (leaf: string) => keys.assistantIndex(leaf, record.createdAtMs, record.assistantId);
    const indexed = previous === undefined || previous.lastVersion === 0 ? undefined : previous;
    if (indexed === undefined) for (const leaf of ownLeaves(record)) commit.put(keyOf(leaf), EMPTY);
    else if (indexed.graphId !== record.graphId) {
      commit.remove(keyOf(graphLeaf(indexed.graphId)));
      commit.put(keyOf(graphLeaf(record.graphId)), EMPTY);
    }
    moveLeaves(commit, keyOf, indexed?.metadata ?? null, record.metadata);
    commit.put(keys.assistant(record.assistantId), pack(record));
  }

  /** Makes it unreachable; its versions and runs are named as leftover for the remover. */
  remove(commit: Commit, record: AssistantRecord): void {
    const keyOf = (leaf: string) => keys.assistantIndex(leaf, record.createdAtMs, record.assistantId);
    for (const leaf of ownLeaves(record)) commit.remove(keyOf(leaf));
    moveLeaves(commit, keyOf, record.metadata, null);
    commit.remove(keys.assistant(record.assistantId));
    commit.put(keys.leftover('assistant', record.assistantId), EMPTY);
  }

  /** Nobody finds it from now on; call what is returned when it is gone, or stays after all. */
  leave(assistantId: string): () => void {
    this.#leaving.add(assistantId);
    return () => this.#leaving.delete(assistantId);
  }

  /** Commits of assistants go this way, so that the next change sees them at once. Resolves when it is on disk. */
  write(commit: Commit): Promise<void> {
    return this.#latest.write(commit);
  }

  /** Resolves when what is said of this assistant is on disk. */
  settled(assistantId: string): Promise<void> {
    return this.#latest.settled(keys.assistant(assistantId));
  }
}

/** What an assistant stands under in the index besides its metadata. */
export function ownLeaves({ graphId, system }: AssistantRecord): string[] {
  return [ALL_LEAF, graphLeaf(graphId), ...(system ? [SHARED_LEAF] : [])];
}

function visible(caller: Caller, record: AssistantRecord): boolean {
  // What is made from a configured graph is everyone's, as far as its caller may look at assistants at all.
  return (record.system && filterOf(caller, 'assistants') !== undefined) || mayChange(caller, record.metadata);
}

/** Whether it is the caller's by its metadata, not only because everyone sees it. */
export function mayChange(caller: Caller, metadata: JsonBytes): boolean {
  return sees(caller, 'assistants', () => parseJson(metadata) as JsonObject);
}
