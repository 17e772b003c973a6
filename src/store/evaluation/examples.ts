import type { JsonBytes } from '../../base/json/json.js';
import { unpackRow } from '../../wire/codec.js';
import type { RowWriter, ValuesOf } from '../../wire/evaluation/row-writer.js';
import { blocksOf, itemAt, packPosition, unpackPosition, type BlockPosition } from './blocks.js';
import { packItem } from '../../wire/evaluation/two-part-item.js';
import type { Commit } from '../store.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';
import type { Reader } from '../reader.js';

/**
 * One version of an example. Versions never change: an update or removal adds a version. A dataset can therefore
 * be read as of any time.
 */
export interface ExampleVersion {
  exampleId: string;
  /** Time of this version; unique in its dataset for one commit. */
  versionUs: number;
  createdAtUs: number;
  /** This version marks the example as removed. */
  removed: boolean;
  name: string;
  inputs: JsonBytes;
  outputs: JsonBytes | null;
  metadata: JsonBytes | null;
  sourceRunId: string | null;
  /** See `unpackAttachments`. */
  attachments: JsonBytes | null;
  /** Row id in the upload that created the example, whose id is derived from it. */
  rowId: string | null;
}

const FIELDS = [
  'exampleId',
  'versionUs',
  'createdAtUs',
  'removed',
  'name',
  'inputs',
  'outputs',
  'metadata',
  'sourceRunId',
  'attachments',
  'rowId',
] as const satisfies readonly (keyof ExampleVersion)[];

/** The version as an item of a block. */
export function packExample(version: ExampleVersion): Uint8Array {
  return packItem((out) => writeExample(out, version));
}

export function writeExample(out: RowWriter, version: ExampleVersion): void {
  const values: ValuesOf<ExampleVersion, typeof FIELDS> = [
    version.exampleId,
    version.versionUs,
    version.createdAtUs,
    version.removed,
    version.name,
    version.inputs,
    version.outputs,
    version.metadata,
    version.sourceRunId,
    version.attachments,
    version.rowId,
  ];
  out.writeRow(values);
}

export function unpackExample(bytes: Uint8Array): ExampleVersion {
  return unpackRow<ExampleVersion>(bytes, FIELDS);
}

export function putExamplePosition(commit: Commit, exampleId: string, versionUs: number, place: BlockPosition): void {
  commit.put(keys.example(exampleId, versionUs), packPosition(place));
}

/** The dataset of a list; undefined until the upload or change that wrote the list is published. */
export function datasetOfList(lookup: Lookup, list: number): string | undefined {
  const bytes = lookup.get(keys.exampleList(list));
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

/** Published versions of an example, newest first, with their datasets. */
export function* versionsOf(
  reader: Reader,
  exampleId: string,
): Generator<{ datasetId: string; version: ExampleVersion; place: BlockPosition }> {
  for (const [, bytes] of reader.entries({ prefix: keys.exampleVersions(exampleId), reverse: true })) {
    const place = unpackPosition(bytes);
    const datasetId = datasetOfList(reader, place.list);
    if (datasetId === undefined) continue;
    const item = itemAt(reader, 'E', place);
    if (item !== undefined) yield { datasetId, version: unpackExample(item), place };
  }
}

/** All example versions of one list, in the order in which they were added. */
export function* examplesOf(
  reader: Reader,
  list: number,
): Generator<{ version: ExampleVersion; place: BlockPosition }> {
  for (const { first, items } of blocksOf(reader, 'E', list)) {
    for (const [at, item] of items.entries()) {
      if (item.byteLength > 0) yield { version: unpackExample(item), place: { list, first, at } };
    }
  }
}
