import { randomIds } from '../../base/ids.js';
import { filterOf, seesStored, type Caller } from '../../domain/caller.js';
import type { JsonBytes } from '../../base/json/json.js';
import { pack, unpack } from '../../wire/codec.js';
import type { Commit } from '../store.js';
import type { ListEnd } from './blocks.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';
import { updateLeaves, visibleRecords } from '../metadata-index.js';
import type { Reader } from '../reader.js';

export type DataType = 'kv' | 'llm' | 'chat';

/** Times are in microseconds. Free-form fields are JSON as the client sent it, or null. */
export interface DatasetRecord {
  datasetId: string;
  /** Differs when a dataset is created again under the same id. */
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
  /** Created by an upload. Only such datasets accept uploads, and every upload adds an experiment. */
  externallyManaged: boolean;
  baselineExperimentId: string | null;
  /** Number of current examples, without removed ones and older versions. */
  exampleCount: number;
  /** Number of the next experiment. A number is never reused, even after its experiment was deleted. */
  nextTestRun: number;
  /** Increases with every change of the examples. */
  seq: number;
  /** Time of the newest version of any example. The next version is always later. */
  lastVersionUs: number;
  /** Block lists of example versions, oldest first. */
  lists: number[];
  /** The list for single examples, and the number of its next item. */
  openList: ListEnd | null;
  /** Version time by tag name. */
  tags: Record<string, number>;
}

/** Returns a new record that is not stored yet. */
export function newDataset(
  wanted: {
    datasetId: string;
    name: string;
    description: string | null;
    nowUs: number;
    externallyManaged: boolean;
  } & Partial<DatasetRecord>,
): DatasetRecord {
  const { nowUs, ...given } = wanted;
  return {
    generation: randomIds.next(),
    createdAtUs: nowUs,
    modifiedAtUs: nowUs,
    dataType: 'kv',
    inputsSchema: null,
    outputsSchema: null,
    transformations: null,
    metadata: null,
    baselineExperimentId: null,
    exampleCount: 0,
    nextTestRun: 1,
    seq: 0,
    lastVersionUs: 0,
    lists: [],
    openList: null,
    tags: {},
    ...given,
  };
}

export class Datasets {
  readonly #lookup: Lookup;

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  /** True if any caller has a dataset with this id. */
  exists(datasetId: string): boolean {
    return this.#lookup.get(keys.dataset(datasetId)) !== undefined;
  }

  /** Undefined when it does not exist or this caller may not see it. */
  get(caller: Caller, datasetId: string): DatasetRecord | undefined {
    const bytes = this.#lookup.get(keys.dataset(datasetId));
    return bytes === undefined ? undefined : unpackVisible(caller, bytes);
  }

  /** Id of the dataset with this name, without access check: names are unique. */
  idByName(name: string): string | undefined {
    const bytes = this.#lookup.get(keys.datasetName(name));
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  }

  put(commit: Commit, record: DatasetRecord, previous: DatasetRecord | null): void {
    if (previous !== null && previous.name !== record.name) commit.remove(keys.datasetName(previous.name));
    if (previous === null || previous.name !== record.name)
      commit.put(keys.datasetName(record.name), Buffer.from(record.datasetId));
    updateLeaves(
      commit,
      (leaf) => keys.datasetLeaf(leaf, record.datasetId),
      previous?.metadata ?? null,
      record.metadata,
    );
    commit.put(keys.dataset(record.datasetId), pack(record));
  }

  /** Makes it unreachable with its examples, and records its lists for the remover. */
  remove(commit: Commit, record: DatasetRecord): void {
    commit.remove(keys.dataset(record.datasetId));
    commit.remove(keys.datasetName(record.name));
    updateLeaves(commit, (leaf) => keys.datasetLeaf(leaf, record.datasetId), record.metadata, null);
    for (const list of record.lists) {
      commit.remove(keys.exampleList(list));
      commit.put(keys.leftover('examples', String(list)), new Uint8Array(0));
    }
  }
}

/** Every dataset visible to the caller, in id order. */
export function visibleDatasets(reader: Reader, caller: Caller): Generator<DatasetRecord> {
  return visibleRecords(reader, filterOf(caller, 'datasets'), {
    records: keys.datasets(),
    leaves: keys.datasetLeaves,
    read: (bytes) => unpackVisible(caller, bytes),
  });
}

function unpackVisible(caller: Caller, bytes: Uint8Array): DatasetRecord | undefined {
  const record = unpack<DatasetRecord>(bytes);
  return isDatasetVisible(caller, record) ? record : undefined;
}

/** True if the caller may see a dataset with this metadata. */
export function isDatasetVisible(caller: Caller, record: Pick<DatasetRecord, 'metadata'>): boolean {
  return seesStored(caller, 'datasets', record.metadata);
}
