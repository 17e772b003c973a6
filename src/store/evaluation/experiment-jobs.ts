import type { JsonBytes } from '../../base/json/json.js';
import { pack, unpack } from '../../wire/codec.js';
import type { EvaluatorCall } from '../../wire/evaluation/evaluators.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';
import type { Reader } from '../reader.js';
import type { Commit } from '../store.js';

export type ExperimentJobStatus = 'running' | 'success' | 'error' | 'cancelled';

/** An experiment that the server runs or has run. It exists as long as the experiment. */
export interface ExperimentJobRecord {
  experimentId: string;
  datasetId: string;
  /** The examples are those of this time. */
  versionUs: number;
  /** Only examples of these splits; null: all. */
  splits: readonly string[] | null;
  assistantId: string;
  /** Configuration and context of each run, JSON. */
  config: JsonBytes;
  context: JsonBytes;
  evaluators: readonly EvaluatorCall[];
  repetitions: number;
  concurrency: number;
  /** The caller on whose behalf the runs are started, sealed. */
  sealed: Uint8Array;
  status: ExperimentJobStatus;
  /** Why it could not go on. */
  error: string | null;
  /** Number of runs in all. */
  total: number;
  /** Number of stored runs, and how many of them failed. While it is running, these are counted from the results. */
  done: number;
  failed: number;
  createdAtMs: number;
  endedAtMs: number | null;
}

export function experimentJobOf(lookup: Lookup, experimentId: string): ExperimentJobRecord | undefined {
  const bytes = lookup.get(keys.experimentJob(experimentId));
  return bytes === undefined ? undefined : unpack<ExperimentJobRecord>(bytes);
}

/** Every job, without access check; for start-up. */
export function* experimentJobs(reader: Reader): Generator<ExperimentJobRecord> {
  for (const [, bytes] of reader.entries({ prefix: keys.experimentJobs() })) yield unpack<ExperimentJobRecord>(bytes);
}

export function putExperimentJob(commit: Commit, record: ExperimentJobRecord): void {
  commit.put(keys.experimentJob(record.experimentId), pack(record));
}

/** Removes the job of a deleted experiment, and records its results for the remover. */
export function removeExperimentJob(commit: Commit, experimentId: string): void {
  commit.remove(keys.experimentJob(experimentId));
  removeResults(commit, experimentId);
}

/** Records which results are stored for the remover. They are of no use after the end of the job. */
export function removeResults(commit: Commit, experimentId: string): void {
  commit.put(keys.leftover('results', experimentId), new Uint8Array(0));
}
