import { placeOf } from '../../../base/ids.js';
import { unpack } from '../../../wire/codec.js';
import { itemAt, placeFrom, unpackBlock } from '../../evaluation/blocks.js';
import type { ComparativeRecord } from '../../evaluation/comparatives.js';
import type { DatasetRecord } from '../../evaluation/datasets.js';
import { unpackEvaluationRun } from '../../evaluation/evaluation-runs.js';
import { unpackExample } from '../../evaluation/examples.js';
import { metadataIn, type ExperimentRecord } from '../../evaluation/experiments.js';
import { unpackFeedback } from '../../evaluation/feedback.js';
import { keys, type BlockKind, type Key } from '../../keys.js';
import { storedLeaves } from '../../metadata-index.js';
import { entryOf, indexed, textOf, type Check, type Ground } from './kinds.js';

// Datasets, examples, experiments, evaluation runs, feedback (keys.ts).

function datasetLeaves({ datasetId, metadata }: DatasetRecord): Key[] {
  return storedLeaves(metadata).map((leaf) => keys.datasetLeaf(leaf, datasetId));
}

const dataset: Check = (key, value, ground) => {
  const record = unpack<DatasetRecord>(value);
  const { datasetId, name, lists } = record;
  if (datasetId !== key[1]) ground.form(`it is dataset ${datasetId}`);
  points(ground, keys.datasetName(name), datasetId);
  for (const list of lists) points(ground, keys.exampleList(list), datasetId);
  indexed(ground, datasetLeaves(record));
};

/** Reports an entry that is missing or does not have this id. */
function points({ store, index }: Ground, key: Key, id: string): void {
  const value = store.get(key);
  if (value === undefined) index(`${JSON.stringify(key)} is missing`);
  else if (textOf(value) !== id) index(`${JSON.stringify(key)} has the id ${textOf(value)}`);
}

/** Checks an entry whose value is the id of a record. */
function pointer<T>(recordKey: (id: string) => Key, expected: (record: T) => readonly Key[]): Check {
  return (key, value, ground) => entryOf(ground, key, recordKey(textOf(value)), unpack<T>, expected);
}

function experimentEntries(record: ExperimentRecord): Key[] {
  const { experimentId, name, list, referenceDatasetId, startTimeUs, extra } = record;
  return [
    keys.experimentName(name),
    keys.experimentList(list),
    ...storedLeaves(metadataIn(extra)).map((leaf) => keys.experimentLeaf(leaf, experimentId)),
    ...(referenceDatasetId === null ? [] : [keys.datasetExperiment(referenceDatasetId, startTimeUs, experimentId)]),
  ];
}

const experiment: Check = (key, value, ground) => {
  const record = unpack<ExperimentRecord>(value);
  if (record.experimentId !== key[1]) ground.form(`it is experiment ${record.experimentId}`);
  points(ground, keys.experimentName(record.name), record.experimentId);
  points(ground, keys.experimentList(record.list), record.experimentId);
  indexed(ground, experimentEntries(record));
};

/** Key under which an item of a block is found by its id; null when the id itself contains the position. */
const PLACES: Record<BlockKind, (item: Uint8Array) => Key | null> = {
  E: (item) => {
    const { exampleId, versionUs } = unpackExample(item);
    return keys.example(exampleId, versionUs);
  },
  R: (item) => {
    const { runId } = unpackEvaluationRun(item);
    return placeOf('run', runId) === null ? keys.evaluationRun(runId) : null;
  },
  F: (item) => {
    const { feedbackId } = unpackFeedback(item);
    return placeOf('feedback', feedbackId) === null ? keys.feedback(feedbackId) : null;
  },
};

function block(kind: BlockKind): Check {
  return (key, value, ground) => {
    const places = unpackBlock(value).flatMap((one) => (one.byteLength === 0 ? [] : [PLACES[kind](one)]));
    if (isListed(kind === 'E' ? 'exampleLists' : 'experimentLists', key[1] as number, ground))
      indexed(
        ground,
        places.filter((place) => place !== null),
      );
  };
}

function isListed(lists: 'exampleLists' | 'experimentLists', list: number, { facts, missing }: Ground): boolean {
  if (facts[lists].has(list)) return !facts.passingLists.has(list);
  if (!facts.passingLists.has(list)) missing(`the owner of block list ${list}`);
  return false;
}

/** Checks the position of an item: the item must exist unless its list is being written or removed. */
function placed(kind: BlockKind): Check {
  return (_key, value, ground) => {
    const place = placeFrom(value);
    if (
      isListed(kind === 'E' ? 'exampleLists' : 'experimentLists', place.list, ground) &&
      itemAt(ground.store, kind, place) === undefined
    )
      ground.index(
        `it refers to item ${place.at} of ${JSON.stringify(keys.block(kind, place.list, place.first))}, ` +
          'which does not exist',
      );
  };
}

const ofList: Check = (key, value, ground) => {
  unpack(value);
  isListed('experimentLists', key[1] as number, ground);
};

const comparative: Check = (key, value, ground) => {
  const { comparativeId, referenceDatasetId, createdAtUs } = unpack<ComparativeRecord>(value);
  if (comparativeId !== key[1]) ground.form(`it is comparison ${comparativeId}`);
  indexed(ground, [keys.datasetComparative(referenceDatasetId, createdAtUs, comparativeId)]);
};

export const evaluationChecks: Readonly<Record<string, Check>> = {
  D: dataset,
  DM: (key, _value, ground) =>
    entryOf(ground, key, keys.dataset(key[2] as string), unpack<DatasetRecord>, datasetLeaves),
  DN: pointer<DatasetRecord>(keys.dataset, ({ name }) => [keys.datasetName(name)]),
  E: block('E'),
  EI: placed('E'),
  EL: pointer<DatasetRecord>(keys.dataset, ({ lists }) => lists.map(keys.exampleList)),
  S: experiment,
  SM: (key, _value, ground) =>
    entryOf(ground, key, keys.experiment(key[2] as string), unpack<ExperimentRecord>, experimentEntries),
  SN: pointer<ExperimentRecord>(keys.experiment, experimentEntries),
  SL: pointer<ExperimentRecord>(keys.experiment, experimentEntries),
  SD: (key, _value, ground) =>
    entryOf(ground, key, keys.experiment(key[3] as string), unpack<ExperimentRecord>, experimentEntries),
  SH: ofList,
  SQ: ofList,
  SS: ofList,
  R: block('R'),
  RI: placed('R'),
  RT: (_key, value, ground) => {
    isListed('experimentLists', unpack<number>(value), ground);
  },
  F: block('F'),
  FI: placed('F'),
  FO: () => undefined,
  FR: () => undefined,
  FC: (_key, value) => {
    unpack(value);
  },
  U: (_key, value) => {
    unpack(value);
  },
  P: comparative,
  PD: (key, _value, ground) =>
    entryOf(ground, key, keys.comparative(key[3] as string), unpack<ComparativeRecord>, (record) => [
      keys.datasetComparative(record.referenceDatasetId, record.createdAtUs, record.comparativeId),
    ]),
};
