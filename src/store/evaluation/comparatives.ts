import type { JsonBytes } from '../../base/json/json.js';
import { pack, unpack } from '../../wire/codec.js';
import type { Commit } from '../store.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';
import type { Reader } from '../reader.js';

/** A comparison of experiments of one dataset. Its scores are feedback on their runs with this comparative id. */
export interface ComparativeRecord {
  comparativeId: string;
  referenceDatasetId: string;
  experimentIds: string[];
  name: string | null;
  description: string | null;
  createdAtUs: number;
  modifiedAtUs: number;
  /** JSON as the client sent it, or null. */
  extra: JsonBytes | null;
}

export function comparativeOf(lookup: Lookup, comparativeId: string): ComparativeRecord | undefined {
  const bytes = lookup.get(keys.comparative(comparativeId));
  return bytes === undefined ? undefined : unpack<ComparativeRecord>(bytes);
}

/** Replaces the previous record, if any. */
export function putComparative(
  commit: Commit,
  record: ComparativeRecord,
  previous: ComparativeRecord | undefined,
): void {
  if (previous !== undefined) removeComparative(commit, previous);
  commit.put(keys.comparative(record.comparativeId), pack(record));
  commit.put(
    keys.datasetComparative(record.referenceDatasetId, record.createdAtUs, record.comparativeId),
    new Uint8Array(0),
  );
}

export function removeComparative(commit: Commit, record: ComparativeRecord): void {
  commit.remove(keys.comparative(record.comparativeId));
  commit.remove(keys.datasetComparative(record.referenceDatasetId, record.createdAtUs, record.comparativeId));
}

/** Comparisons of a dataset, newest first. */
export function* comparativesOf(
  reader: Pick<Reader, 'get' | 'indexKeys'>,
  datasetId: string,
): Generator<ComparativeRecord> {
  for (const key of reader.indexKeys({ prefix: keys.datasetComparatives(datasetId), reverse: true })) {
    const record = comparativeOf(reader, key[3] as string);
    if (record !== undefined) yield record;
  }
}
