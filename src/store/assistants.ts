import { filterOf, sees, type Caller } from '../domain/caller.js';
import { fail } from '../base/errors.js';
import { jsonBytes, parseJson, type JsonBytes, type JsonObject } from '../base/json/json.js';
import { LIMITS } from '../base/limits.js';
import { pack, unpack } from '../wire/codec.js';
import { EMPTY_VALUE, type Commit, type Store } from './store.js';
import { keys } from './keys.js';
import { ReadYourWrites } from './read-your-writes.js';
import {
  ALL_LEAF,
  filterAlternatives,
  filterLeaves,
  graphLeaf,
  idsInOrder,
  updateLeaves,
  SHARED_LEAF,
} from './metadata-index.js';

/** One version of an assistant. */
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

/** An assistant with the values of its current version. `createdAtMs` is the creation time of the assistant itself. */
export interface AssistantRecord extends VersionRecord {
  updatedAtMs: number;
  /** Highest version number so far; 0 in records from before versions existed. */
  lastVersion: number;
  /** Created from a configured graph; visible to every caller. */
  system: boolean;
  /** For a system assistant, the part of the configuration that was last applied to it, as JSON. */
  configured: JsonBytes;
}

export interface AssistantQuery {
  metadata?: JsonObject | undefined;
  graphId?: string | undefined;
}

/** Defaults for records from before versions existed. */
const UNVERSIONED_DEFAULTS = { lastVersion: 0, configured: jsonBytes(null) };

/** Keys counted per equality to find the most selective one. Counting more would be slow, and a page needs few. */
const COMPARED_KEYS_MAX = 1_000;

export class Assistants {
  readonly #store: Store;
  /** Reads through this, so that two changes in one turn of the event loop see each other. */
  readonly #readYourWrites: ReadYourWrites;
  /** Unpacked records of assistants that were read last: every run reads one. `write` drops what it changes. */
  readonly #unpacked = new Map<string, AssistantRecord>();
  /** Assistants that are being deleted. They are hidden, so that nothing new uses them. */
  readonly #hidden = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
    this.#readYourWrites = new ReadYourWrites(store);
  }

  /** True if any caller has an assistant with this id, or a deleted one under it is still being removed. */
  exists(assistantId: string): boolean {
    return (
      this.#readYourWrites.has(keys.assistant(assistantId)) ||
      this.#readYourWrites.has(keys.leftover('assistant', assistantId))
    );
  }

  /** Undefined when it does not exist or this caller may not see it. */
  get(caller: Caller, assistantId: string): AssistantRecord | undefined {
    const record = this.#hidden.has(assistantId) ? undefined : this.#read(assistantId);
    return record !== undefined && isVisible(caller, record) ? record : undefined;
  }

  #read(assistantId: string): AssistantRecord | undefined {
    const known = this.#unpacked.get(assistantId);
    if (known !== undefined) return known;
    const bytes = this.#readYourWrites.get(keys.assistant(assistantId));
    if (bytes === undefined) return undefined;
    const record = { ...UNVERSIONED_DEFAULTS, ...unpack<AssistantRecord>(Uint8Array.from(bytes)) };
    if (this.#unpacked.size >= LIMITS.unpackedAssistantsMax) this.#unpacked.clear();
    this.#unpacked.set(assistantId, record);
    return record;
  }

  /** The assistant must have been read with the same caller: its versions have the same visibility. */
  version(_caller: Caller, { assistantId }: AssistantRecord, version: number): VersionRecord | undefined {
    const bytes = this.#readYourWrites.get(keys.assistantVersion(assistantId, version));
    return bytes === undefined ? undefined : unpack<VersionRecord>(bytes);
  }

  /** Newest first. */
  *versions(_caller: Caller, { assistantId }: AssistantRecord): Generator<VersionRecord> {
    for (const [, bytes] of this.#store.entries({ prefix: keys.assistantVersions(assistantId), reverse: true }))
      yield unpack<VersionRecord>(bytes);
  }

  /** Ids of assistants that may match, by `created_at`. Throws INVALID_REQUEST when too many have to be read. */
  *candidateIds(caller: Caller, { metadata, graphId }: AssistantQuery, reverse: boolean): Generator<string> {
    const filter = filterOf(caller, 'assistants');
    if (filter === undefined) return;
    const equalities = [
      ...(filter === null ? [] : filterAlternatives(filter).map((one) => [...one, SHARED_LEAF])),
      ...filterLeaves(metadata ?? {}).map((one) => [one]),
      ...(graphId === undefined ? [] : [[graphLeaf(graphId)]]),
    ];
    let rows = 0;
    let last = '';
    for (const assistantId of idsInOrder(this.#store, keys.assistantIndexLeaf, equalities, {
      reverse,
      comparedKeysMax: COMPARED_KEYS_MAX,
    })) {
      if (++rows > LIMITS.scanRowsMax)
        throw fail('INVALID_REQUEST', {
          problems: `body: more than ${LIMITS.scanRowsMax} assistants would have to be read; use a more selective filter.`,
        });
      if (assistantId !== last) yield assistantId;
      last = assistantId;
    }
  }

  /** Puts the record and its current version. `previous` is the record as it was read; undefined for a new one. */
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

  /** Puts the record alone, set to a version that already exists. */
  put(commit: Commit, record: AssistantRecord, previous: AssistantRecord | undefined): void {
    const keyOf = (leaf: string) => keys.assistantIndex(leaf, record.createdAtMs, record.assistantId);
    const indexed = previous === undefined || previous.lastVersion === 0 ? undefined : previous;
    if (indexed === undefined) for (const leaf of fixedLeaves(record)) commit.put(keyOf(leaf), EMPTY_VALUE);
    else if (indexed.graphId !== record.graphId) {
      commit.remove(keyOf(graphLeaf(indexed.graphId)));
      commit.put(keyOf(graphLeaf(record.graphId)), EMPTY_VALUE);
    }
    updateLeaves(commit, keyOf, indexed?.metadata ?? null, record.metadata);
    commit.put(keys.assistant(record.assistantId), pack(record));
  }

  /** Makes it unreachable, and records its versions and runs for the remover. */
  remove(commit: Commit, record: AssistantRecord): void {
    const keyOf = (leaf: string) => keys.assistantIndex(leaf, record.createdAtMs, record.assistantId);
    for (const leaf of fixedLeaves(record)) commit.remove(keyOf(leaf));
    updateLeaves(commit, keyOf, record.metadata, null);
    commit.remove(keys.assistant(record.assistantId));
    commit.put(keys.leftover('assistant', record.assistantId), EMPTY_VALUE);
  }

  /** Hides the assistant while it is deleted. The returned function ends that, after the deletion or its failure. */
  hide(assistantId: string): () => void {
    this.#hidden.add(assistantId);
    return () => this.#hidden.delete(assistantId);
  }

  /** Writes a commit so that later reads here see it at once. Resolves when it is on disk. */
  write(commit: Commit): Promise<void> {
    for (const [[kind, id]] of commit.operations) if (kind === 'a') this.#unpacked.delete(id as string);
    return this.#readYourWrites.write(commit);
  }

  /** Resolves when all writes to this assistant are on disk. */
  flushed(assistantId: string): Promise<void> {
    return this.#readYourWrites.keyFlushed(keys.assistant(assistantId));
  }
}

/** Index leaves of an assistant besides its metadata. */
export function fixedLeaves({ graphId, system }: AssistantRecord): string[] {
  return [ALL_LEAF, graphLeaf(graphId), ...(system ? [SHARED_LEAF] : [])];
}

function isVisible(caller: Caller, record: AssistantRecord): boolean {
  // Assistants of configured graphs are visible to every caller who may read assistants.
  return (record.system && filterOf(caller, 'assistants') !== undefined) || mayChange(caller, record.metadata);
}

/** True if the caller's filter matches the metadata: the caller may then change the assistant, not only read it. */
export function mayChange(caller: Caller, metadata: JsonBytes): boolean {
  return sees(caller, 'assistants', () => parseJson(metadata) as JsonObject);
}
