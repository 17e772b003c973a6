import { filterOf, sees, type Caller } from '../../domain/caller.js';
import { asObject, parseJson, type JsonBytes } from '../../base/json/json.js';
import { bytesOf, isObjectSlice, memberMap, wholeValue } from '../../base/json/slices.js';
import { pack, unpack } from '../../wire/codec.js';
import type { Commit } from '../store.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';
import { updateLeaves, visibleRecords } from '../metadata-index.js';
import { experimentJobOf, removeExperimentJob } from './experiment-jobs.js';
import type { Reader } from '../reader.js';

/**
 * An experiment, or without a reference dataset a tracing project. The API also calls both "session". Runs and feedback
 * are in the block list with its number.
 */
export interface ExperimentRecord {
  experimentId: string;
  list: number;
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

/** Statistics as last computed by the aggregator. */
export interface StatisticsRecord {
  /** `seq` of the list's head when they were computed. */
  seq: number;
  runCount: number;
  /** JSON object with the fields of the API. */
  fields: JsonBytes;
}

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

  /** Id of the experiment whose runs are in this list. */
  idOfList(list: number): string | undefined {
    return textOf(this.#lookup.get(keys.experimentList(list)));
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
    if (previous === null) commit.put(keys.experimentList(record.list), Buffer.from(experimentId));
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
    commit.remove(keys.experimentList(record.list));
    commit.remove(keys.statistics(record.list));
    commit.remove(keys.listHead(record.list));
    if (record.referenceDatasetId !== null)
      commit.remove(keys.datasetExperiment(record.referenceDatasetId, record.startTimeUs, record.experimentId));
    commit.put(keys.leftover('experiment', String(record.list)), new Uint8Array(0));
    if (experimentJobOf(this.#lookup, record.experimentId) !== undefined)
      removeExperimentJob(commit, record.experimentId);
  }
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
