import { filterOf, sees, type Caller } from '../../domain/caller.js';
import { parseJson, type JsonBytes, type JsonObject } from '../../base/json/json.js';
import { pack, unpack } from '../../wire/codec.js';
import type { Commit } from '../env.js';
import { keys } from '../keys.js';
import type { Lookup } from '../read-your-writes.js';
import { moveLeaves, seenRecords } from '../metadata-index.js';
import type { Reader } from '../reader.js';

export type DataType = 'kv' | 'llm' | 'chat';

/** Times in microseconds. Free-form fields are JSON as it was sent; null when it was not. */
export interface DatasetRecord {
  datasetId: string;
  /** Another one for a dataset that is made again under the same id. */
  generation: string;
  name: string;
  description: string | null;
  createdAtUs: number;
  modifiedAtUs: number;
  dataType: DataType;
  inputsSchema: JsonBytes | null;
  outputsSchema: JsonBytes | null;
  transformations: JsonBytes | null;
  metadata: JsonBytes | null;
  /** Made by an upload: only such datasets take uploads, and every upload to it is one more experiment. */
  externallyManaged: boolean;
  baselineExperimentId: string | null;
  /** Examples that are there now; older versions and removed ones do not count. */
  exampleCount: number;
  /** Of the next experiment; a number is never used twice, deleted experiments included. */
  nextTestRun: number;
  /** Rises with every change of the examples. */
  seq: number;
  /** Time of the newest version of any example; the next one is later. */
  lastVersionUs: number;
  /** Lists of example versions, oldest first. */
  lists: number[];
  /** The list that single examples are added to, and its next number. */
  openList: { list: number; next: number } | null;
  /** Names of versions. */
  tags: Record<string, number>;
}

export class Datasets {
  readonly #lookup: Lookup;

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  /** True when the id is taken, by whomever. */
  exists(datasetId: string): boolean {
    return this.#lookup.get(keys.dataset(datasetId)) !== undefined;
  }

  /** Undefined when there is none, or none that this caller sees. */
  get(caller: Caller, datasetId: string): DatasetRecord | undefined {
    const bytes = this.#lookup.get(keys.dataset(datasetId));
    return bytes === undefined ? undefined : seen(caller, bytes);
  }

  /** The id that has this name, whoever may see it: names are unique. */
  idOf(name: string): string | undefined {
    const bytes = this.#lookup.get(keys.datasetName(name));
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  }

  put(commit: Commit, record: DatasetRecord, previous: DatasetRecord | null): void {
    if (previous !== null && previous.name !== record.name) commit.remove(keys.datasetName(previous.name));
    if (previous === null || previous.name !== record.name)
      commit.put(keys.datasetName(record.name), Buffer.from(record.datasetId));
    moveLeaves(commit, (leaf) => keys.datasetLeaf(leaf, record.datasetId), previous?.metadata ?? null, record.metadata);
    commit.put(keys.dataset(record.datasetId), pack(record));
  }

  /** Makes it unreachable with its examples; what lies in its lists is named as leftover. */
  remove(commit: Commit, record: DatasetRecord): void {
    commit.remove(keys.dataset(record.datasetId));
    commit.remove(keys.datasetName(record.name));
    moveLeaves(commit, (leaf) => keys.datasetLeaf(leaf, record.datasetId), record.metadata, null);
    for (const list of record.lists) {
      commit.remove(keys.exampleList(list));
      commit.put(keys.leftover('examples', String(list)), new Uint8Array(0));
    }
  }
}

/** Every dataset that the caller sees, in the order of ids. */
export function allDatasets(reader: Reader, caller: Caller): Generator<DatasetRecord> {
  return seenRecords(reader, filterOf(caller, 'datasets'), {
    records: keys.datasets(),
    leaves: keys.datasetLeaves,
    read: (bytes) => seen(caller, bytes),
  });
}

function seen(caller: Caller, bytes: Uint8Array): DatasetRecord | undefined {
  const record = unpack<DatasetRecord>(bytes);
  return visible(caller, record) ? record : undefined;
}

/** Whether the caller may see a dataset with this metadata. */
export function visible(caller: Caller, record: Pick<DatasetRecord, 'metadata'>): boolean {
  return sees(caller, 'datasets', () => (record.metadata === null ? {} : (parseJson(record.metadata) as JsonObject)));
}
