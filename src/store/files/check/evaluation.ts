import { positionOf } from '../../../base/ids.js';
import { unpack } from '../../../wire/codec.js';
import { itemAt, unpackPosition, unpackBlock, type BlockPosition } from '../../evaluation/blocks.js';
import { chunkKeys, unpackAttachments, type Attachment } from '../../evaluation/attachments.js';
import { unpackAlert } from '../../evaluation/alerts.js';
import { queueEntryKeys, unpackQueueEntry, type QueueRecord } from '../../evaluation/annotation-queues.js';
import type { ComparativeRecord } from '../../evaluation/comparatives.js';
import { tokenName, type ShareRecord } from '../../evaluation/shares.js';
import type { DatasetRecord } from '../../evaluation/datasets.js';
import { attachmentsOfRun, unpackRunHead } from '../../../wire/evaluation/evaluation-run.js';
import { unpackExample } from '../../evaluation/examples.js';
import type { ExperimentJobRecord } from '../../evaluation/experiment-jobs.js';
import { listsOf, metadataOfExtra, type ExperimentRecord } from '../../evaluation/experiments.js';
import type { RuleRecord } from '../../evaluation/rules.js';
import { unpackFeedback } from '../../evaluation/feedback.js';
import { missingTexts } from '../../evaluation/run-blocks.js';
import { isInTracePlace, tracePlaceOf, unpackTracePlace } from '../../evaluation/trace-places.js';
import type { Lookup } from '../../lookup.js';
import { keys, type BlockKind, type Key } from '../../keys.js';
import { storedLeaves } from '../../metadata-index.js';
import { checkIndexEntry, checkIndexed, valueText, type Check, type CheckContext } from './check-context.js';

// Datasets, examples, experiments, evaluation runs, feedback (keys.ts).

function datasetLeaves({ datasetId, metadata }: DatasetRecord): Key[] {
  return storedLeaves(metadata).map((leaf) => keys.datasetLeaf(leaf, datasetId));
}

const dataset: Check = (key, value, context) => {
  const record = unpack<DatasetRecord>(value);
  const { datasetId, name, lists } = record;
  if (datasetId !== key[1]) context.reportForm(`it is dataset ${datasetId}`);
  checkPointer(context, keys.datasetName(name), datasetId);
  for (const list of lists) checkPointer(context, keys.exampleList(list), datasetId);
  checkIndexed(context, datasetLeaves(record));
};

/** Reports an entry that is missing or does not have this id. */
function checkPointer({ store, reportIndex }: CheckContext, key: Key, id: string): void {
  const value = store.get(key);
  if (value === undefined) reportIndex(`${JSON.stringify(key)} is missing`);
  else if (valueText(value) !== id) reportIndex(`${JSON.stringify(key)} has the id ${valueText(value)}`);
}

/** Checks an entry whose value is the id of a record. */
function pointerCheck<T>(recordKey: (id: string) => Key, expected: (record: T) => readonly Key[]): Check {
  return (key, value, context) => checkIndexEntry(context, key, recordKey(valueText(value)), expected);
}

function experimentEntries(record: ExperimentRecord): Key[] {
  const { experimentId, name, referenceDatasetId, startTimeUs, extra } = record;
  return [
    keys.experimentName(name),
    ...listsOf(record).map((list) => keys.experimentList(list)),
    ...storedLeaves(metadataOfExtra(extra)).map((leaf) => keys.experimentLeaf(leaf, experimentId)),
    ...(referenceDatasetId === null ? [] : [keys.datasetExperiment(referenceDatasetId, startTimeUs, experimentId)]),
  ];
}

const experiment: Check = (key, value, context) => {
  const record = unpack<ExperimentRecord>(value);
  if (record.experimentId !== key[1]) context.reportForm(`it is experiment ${record.experimentId}`);
  checkPointer(context, keys.experimentName(record.name), record.experimentId);
  for (const list of listsOf(record)) checkPointer(context, keys.experimentList(list), record.experimentId);
  checkIndexed(context, experimentEntries(record));
};

/**
 * Key under which an item of a block is found by its id; null when the id itself contains the position, or the place of
 * its trace does.
 */
const POSITION_KEYS: Record<BlockKind, (item: Uint8Array, place: BlockPosition, store: Lookup) => Key | null> = {
  E: (item) => {
    const { exampleId, versionUs } = unpackExample(item);
    return keys.example(exampleId, versionUs);
  },
  R: (item, place, store) => {
    const { runId } = unpackRunHead(item);
    if (positionOf('run', runId) !== null) return null;
    const together = tracePlaceOf(store, runId);
    return together !== undefined && isInTracePlace(together, place) ? null : keys.evaluationRun(runId);
  },
  F: (item) => {
    const { feedbackId } = unpackFeedback(item);
    return positionOf('feedback', feedbackId) === null ? keys.feedback(feedbackId) : null;
  },
};

/** Attachments of an item. */
function attachmentsOf(kind: BlockKind, item: Uint8Array): Attachment[] {
  if (kind === 'F') return [];
  return unpackAttachments(kind === 'E' ? unpackExample(item).attachments : attachmentsOfRun(item));
}

function checkAttachments(attachments: readonly Attachment[], { store, facts, reportMissing }: CheckContext): void {
  for (const attachment of attachments) {
    if (facts.incompleteLists.has(attachment.group)) continue;
    for (const key of chunkKeys(attachment))
      if (!store.has(key)) reportMissing(`${JSON.stringify(key)} of attachment "${attachment.name}"`);
  }
}

function blockCheck(kind: BlockKind): Check {
  return (key, value, context) => {
    const [, list, first] = key as [string, number, number];
    const places = unpackBlock(value).flatMap((one, at) =>
      one.byteLength === 0 ? [] : [POSITION_KEYS[kind](one, { list, first, at }, context.store)],
    );
    if (isListComplete(kind === 'E' ? 'exampleLists' : 'experimentLists', list, context))
      checkIndexed(
        context,
        places.filter((place) => place !== null),
      );
    for (const item of unpackBlock(value))
      if (item.byteLength > 0 && !context.facts.incompleteLists.has(list))
        checkAttachments(attachmentsOf(kind, item), context);
    if (kind === 'R') checkTexts(value, context);
  };
}

/** Checks that the texts which the runs of a block share are there. */
function checkTexts(block: Uint8Array, { reportForm }: CheckContext): void {
  for (const { at, number } of missingTexts(block)) reportForm(`text ${number} of its item ${at} is missing`);
}

function isListComplete(
  lists: 'exampleLists' | 'experimentLists',
  list: number,
  { facts, reportMissing }: CheckContext,
): boolean {
  if (facts[lists].has(list)) return !facts.incompleteLists.has(list);
  if (!facts.incompleteLists.has(list)) reportMissing(`the owner of block list ${list}`);
  return false;
}

/** Checks the position of an item: the item must exist unless its list is being written or removed. */
function positionCheck(kind: BlockKind): Check {
  return (_key, value, context) => {
    const place = unpackPosition(value);
    if (
      isListComplete(kind === 'E' ? 'exampleLists' : 'experimentLists', place.list, context) &&
      itemAt(context.store, kind, place) === undefined
    )
      context.reportIndex(
        `it refers to item ${place.at} of ${JSON.stringify(keys.block(kind, place.list, place.first))}, ` +
          'which does not exist',
      );
  };
}

const listRecord: Check = (key, value, context) => {
  unpack(value);
  isListComplete('experimentLists', key[1] as number, context);
};

const comparative: Check = (key, value, context) => {
  const { comparativeId, referenceDatasetId, createdAtUs } = unpack<ComparativeRecord>(value);
  if (comparativeId !== key[1]) context.reportForm(`it is comparison ${comparativeId}`);
  checkIndexed(context, [keys.datasetComparative(referenceDatasetId, createdAtUs, comparativeId)]);
};

export const evaluationChecks: Readonly<Record<string, Check>> = {
  D: dataset,
  DM: (key, _value, context) => checkIndexEntry(context, key, keys.dataset(key[2] as string), datasetLeaves),
  DN: pointerCheck<DatasetRecord>(keys.dataset, ({ name }) => [keys.datasetName(name)]),
  E: blockCheck('E'),
  EI: positionCheck('E'),
  EL: pointerCheck<DatasetRecord>(keys.dataset, ({ lists }) => lists.map(keys.exampleList)),
  S: experiment,
  SM: (key, _value, context) => checkIndexEntry(context, key, keys.experiment(key[2] as string), experimentEntries),
  SN: pointerCheck<ExperimentRecord>(keys.experiment, experimentEntries),
  SL: pointerCheck<ExperimentRecord>(keys.experiment, experimentEntries),
  SD: (key, _value, context) => checkIndexEntry(context, key, keys.experiment(key[3] as string), experimentEntries),
  SH: listRecord,
  SQ: listRecord,
  SS: listRecord,
  R: blockCheck('R'),
  RI: positionCheck('R'),
  RG: (_key, value, context) => {
    isListComplete('experimentLists', unpackTracePlace(value).list, context);
  },
  RT: (_key, value, context) => {
    isListComplete('experimentLists', unpack<number>(value), context);
  },
  F: blockCheck('F'),
  FI: positionCheck('F'),
  FO: () => undefined,
  FR: () => undefined,
  FC: (_key, value) => {
    unpack(value);
  },
  B: () => undefined,
  U: (_key, value) => {
    unpack(value);
  },
  Q: (key, value, context) => {
    const { queueId } = unpack<QueueRecord>(value);
    if (queueId !== key[1]) context.reportForm(`it is queue ${queueId}`);
  },
  QE: (key, value, context) => {
    const entry = unpackQueueEntry(value);
    if (entry.entryId !== key[3] || entry.queueId !== key[1] || entry.addedAtUs !== key[2])
      context.reportForm(`it is entry ${entry.entryId} of queue ${entry.queueId}`);
    else checkIndexed(context, queueEntryKeys(entry).slice(0, -1));
  },
  AL: (key, value, context) => {
    const { alertId } = unpackAlert(value);
    if (alertId !== key[1]) context.reportForm(`it is alert ${alertId}`);
  },
  AH: (key, _value, context) => {
    if (!context.store.has(keys.alert(key[1] as string))) context.reportMissing(`alert ${key[1]}`);
  },
  QI: (key, value, context) => checkIndexEntry(context, key, unpack<Key>(value), queueEntryKeys),
  QR: (_key, value, context) => {
    const entryId = Buffer.from(value).toString();
    if (!context.store.has(keys.queueEntryPlace(entryId))) context.reportMissing(`queue entry ${entryId}`);
  },
  sh: (key, value, context) => {
    const share = unpack<ShareRecord>(value);
    if (share.kind !== key[1] || share.subjectId !== key[2])
      context.reportForm(`it is the share of ${share.kind} ${share.subjectId}`);
    else checkIndexed(context, [keys.shareToken(tokenName(share.token))]);
  },
  st: (key, value, context) => {
    const [kind, subjectId] = unpack<[string, string]>(value);
    checkIndexEntry(context, key, keys.share(kind, subjectId), ({ token }: ShareRecord) => [
      keys.shareToken(tokenName(token)),
    ]);
  },
  J: (key, value, context) => {
    const { experimentId } = unpack<ExperimentJobRecord>(value);
    if (experimentId !== key[1]) context.reportForm(`it is the job of experiment ${experimentId}`);
    else if (!context.store.has(keys.experiment(experimentId))) context.reportMissing(`experiment ${experimentId}`);
  },
  JR: () => undefined,
  RU: (key, value, context) => {
    const { ruleId } = unpack<RuleRecord>(value);
    if (ruleId !== key[1]) context.reportForm(`it is rule ${ruleId}`);
  },
  P: comparative,
  PD: (key, _value, context) =>
    checkIndexEntry(context, key, keys.comparative(key[3] as string), (record: ComparativeRecord) => [
      keys.datasetComparative(record.referenceDatasetId, record.createdAtUs, record.comparativeId),
    ]),
};
