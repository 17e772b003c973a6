import { filterOf, sees, type Caller } from '../../domain/caller.js';
import { asObject, parseJson, type JsonBytes } from '../../base/json/json.js';
import { bytesOf, isObjectSlice, memberMap, wholeValue } from '../../base/json/slices.js';
import { USAGE_FIELDS } from '../../domain/usage.js';
import { pack, unpack } from '../../wire/codec.js';
import type { Commit } from '../store.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';
import { updateLeaves, visibleRecords } from '../metadata-index.js';
import { experimentJobOf, removeExperimentJob } from './experiment-jobs.js';
import type { Reader } from '../reader.js';

/**
 * An experiment, or without a reference dataset a tracing project. The API also calls both "session". Runs and feedback
 * are in block lists.
 */
export interface ExperimentRecord {
  experimentId: string;
  /** Number of the first block list. It also has the feedback on the experiment as a whole. */
  list: number;
  /** The lists after it, oldest first. A project begins another one when the last is full; an experiment has one. */
  laterLists?: readonly number[];
  name: string;
  description: string | null;
  startTimeUs: number;
  endTimeUs: number | null;
  createdAtUs: number;
  /** JSON as the client sent it, or null. */
  extra: JsonBytes | null;
  /** JSON: expected number of runs and expected scores; kept when `extra` is replaced. Null when unknown. */
  progress: JsonBytes | null;
  defaultDatasetId: string | null;
  referenceDatasetId: string | null;
  traceTier: 'longlived' | 'shortlived';
  /** 1 for the first experiment of its dataset; null without a dataset. */
  testRunNumber: number | null;
  /** Set for the project that holds the traces of an assistant's runs. */
  assistantId?: string;
}

/** All lists of an experiment or project, oldest first. A trace is in one of them, with all its runs. */
export function listsOf({ list, laterLists = [] }: Pick<ExperimentRecord, 'list' | 'laterLists'>): number[] {
  return [list, ...laterLists];
}

/** Statistics of a list as last computed by the aggregator. */
export interface StatisticsRecord {
  /** `seq` of the list's head when they were computed. */
  seq: number;
  runCount: number;
  /** JSON object with the fields of the API. */
  fields: JsonBytes;
  /** Of a full list of a project: what statistics of the whole project are computed from. */
  parts?: StatisticsParts;
}

export interface StatisticsParts {
  /** Columns of the root runs, newest first, as doubles; ROOT_COLUMNS has their order. NaN stands for null. */
  roots: Uint8Array;
  /** By key: feedback on runs, and on the project as a whole. */
  feedback: StoredTally[];
  ofProject: StoredTally[];
  /** For each field, how many runs have which value. */
  facets: Record<string, [value: string, runs: number][]>;
}

export interface StoredTally {
  key: string;
  n: number;
  errors: number;
  scores: number[];
  labels: [label: string, n: number][];
  comments: string[];
  sources: string[];
}

/** `failed` is 0 or 1; the others are those of an EvaluationRun. */
export const ROOT_COLUMNS = ['startUs', 'endUs', 'firstTokenUs', 'failed', ...USAGE_FIELDS] as const;

export class Experiments {
  readonly #lookup: Lookup;

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  /** The same over another lookup, such as a plan that reads its own puts. */
  over(lookup: Lookup): Experiments {
    return new Experiments(lookup);
  }

  /** True if any caller has an experiment with this id. */
  exists(experimentId: string): boolean {
    return this.#lookup.get(keys.experiment(experimentId)) !== undefined;
  }

  /** Undefined when it does not exist or this caller may not see it. */
  get(caller: Caller, experimentId: string): ExperimentRecord | undefined {
    const bytes = this.#lookup.get(keys.experiment(experimentId));
    return bytes === undefined ? undefined : unpackVisible(caller, bytes);
  }

  /** Id for this name, without access check: names are unique over experiments and projects. */
  idByName(name: string): string | undefined {
    return textOf(this.#lookup.get(keys.experimentName(name)));
  }

  /** Id of the experiment that the list belongs to. */
  idOfList(list: number): string | undefined {
    return textOf(this.#lookup.get(keys.experimentList(list)));
  }

  /** The experiment that the list belongs to. Undefined when there is none or this caller may not see it. */
  ofList(caller: Caller, list: number): ExperimentRecord | undefined {
    const id = this.idOfList(list);
    return id === undefined ? undefined : this.get(caller, id);
  }

  statistics(list: number): StatisticsRecord | undefined {
    const bytes = this.#lookup.get(keys.statistics(list));
    return bytes === undefined ? undefined : unpack<StatisticsRecord>(bytes);
  }

  putStatistics(commit: Commit, list: number, record: StatisticsRecord): void {
    commit.put(keys.statistics(list), pack(record));
  }

  put(commit: Commit, record: ExperimentRecord, previous: ExperimentRecord | null): void {
    const { experimentId, referenceDatasetId } = record;
    if (previous !== null && previous.name !== record.name) commit.remove(keys.experimentName(previous.name));
    if (previous === null || previous.name !== record.name)
      commit.put(keys.experimentName(record.name), Buffer.from(experimentId));
    const before = previous === null ? [] : listsOf(previous);
    for (const list of listsOf(record))
      if (!before.includes(list)) commit.put(keys.experimentList(list), Buffer.from(experimentId));
    for (const list of before) if (!listsOf(record).includes(list)) removeList(commit, list);
    if (
      previous?.referenceDatasetId != null &&
      (previous.referenceDatasetId !== referenceDatasetId || previous.startTimeUs !== record.startTimeUs)
    ) {
      commit.remove(keys.datasetExperiment(previous.referenceDatasetId, previous.startTimeUs, experimentId));
    }
    if (referenceDatasetId !== null)
      commit.put(keys.datasetExperiment(referenceDatasetId, record.startTimeUs, experimentId), new Uint8Array(0));
    if (previous?.extra !== record.extra)
      updateLeaves(
        commit,
        (leaf) => keys.experimentLeaf(leaf, experimentId),
        metadataOfExtra(previous?.extra ?? null),
        metadataOfExtra(record.extra),
      );
    commit.put(keys.experiment(experimentId), pack(record));
  }

  /** Makes it unreachable, and records its runs, its feedback and the results of its job for the remover. */
  remove(commit: Commit, record: ExperimentRecord): void {
    commit.remove(keys.experiment(record.experimentId));
    commit.remove(keys.experimentName(record.name));
    updateLeaves(commit, (leaf) => keys.experimentLeaf(leaf, record.experimentId), metadataOfExtra(record.extra), null);
    for (const list of listsOf(record)) removeList(commit, list);
    if (record.referenceDatasetId !== null)
      commit.remove(keys.datasetExperiment(record.referenceDatasetId, record.startTimeUs, record.experimentId));
    if (experimentJobOf(this.#lookup, record.experimentId) !== undefined)
      removeExperimentJob(commit, record.experimentId);
  }
}

/** Makes a list unreachable, and records its runs and feedback for the remover. */
function removeList(commit: Commit, list: number): void {
  commit.remove(keys.experimentList(list));
  commit.remove(keys.statistics(list));
  commit.remove(keys.listHead(list));
  commit.put(keys.leftover('experiment', String(list)), new Uint8Array(0));
}

/** Every experiment and project visible to the caller, in id order. */
export function visibleExperiments(reader: Reader, caller: Caller): Generator<ExperimentRecord> {
  return visibleRecords(reader, filterOf(caller, 'experiments'), {
    records: keys.experiments(),
    leaves: keys.experimentLeaves,
    read: (bytes) => unpackVisible(caller, bytes),
  });
}

function unpackVisible(caller: Caller, bytes: Uint8Array): ExperimentRecord | undefined {
  const record = unpack<ExperimentRecord>(bytes);
  return isExperimentVisible(caller, record) ? record : undefined;
}

/** Ids of a dataset's experiments, newest start first. */
export function* experimentIdsOf(
  reader: Reader,
  datasetId: string,
): Generator<{ experimentId: string; startTimeUs: number }> {
  for (const key of reader.indexKeys({ prefix: keys.datasetExperiments(datasetId), reverse: true })) {
    yield { experimentId: key[3] as string, startTimeUs: key[2] as number };
  }
}

/** True if the caller may see an experiment with this `extra`. */
export function isExperimentVisible(caller: Caller, record: Pick<ExperimentRecord, 'extra'>): boolean {
  return sees(caller, 'experiments', () => {
    const metadata = metadataOfExtra(record.extra);
    return metadata === null ? {} : asObject(parseJson(metadata));
  });
}

/**
 * Metadata inside an `extra`, where experiments keep it and where SDKs send that of datasets. Null unless an
 * object.
 */
export function metadataOfExtra(extra: JsonBytes | null): JsonBytes | null {
  if (extra === null) return null;
  const slice = memberMap(extra, wholeValue(extra)).get('metadata');
  return slice === undefined || !isObjectSlice(extra, slice) ? null : bytesOf(extra, slice);
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}
