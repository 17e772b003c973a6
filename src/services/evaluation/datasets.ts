import type { DatasetRecord } from '../../store/datasets.js';

export function lockOfDataset(datasetId: string): string {
  return `id ${datasetId}`;
}

/** Taken before the lock of the id, by whoever may make a dataset of this name. */
export function lockOfName(name: string): string {
  return `name ${name}`;
}

/** A record that is in no store yet. */
export function newDataset(wanted: { datasetId: string; name: string; description: string | null; nowUs: number; externallyManaged: boolean } & Partial<DatasetRecord>): DatasetRecord {
  const { nowUs, ...given } = wanted;
  return {
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
