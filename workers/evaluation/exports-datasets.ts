import type { DatasetExportQuery, DatasetFileQuery } from '../../schemas/compiled/types.js';
import { fail } from '../../src/base/errors.js';
import { asObject, parseJson } from '../../src/base/json/json.js';
import { isoMicros } from '../../src/base/micros.js';
import { unpackExample, type ExampleVersion } from '../../src/store/evaluation/examples.js';
import type { Caches } from './caches.js';
import { BlockCursor } from './block-cursor.js';
import { CSV, csvPieces, membersAsFields, type Field } from './csv.js';
import { fileNameOf, JSON_LINES, jsonLine } from './export-lines.js';
import type { StartExport } from './export.js';
import type { ExampleEntry } from './example-directory.js';
import { fineTuningLine } from './fine-tuning.js';
import { asOfTime, datasetOf } from './reads-datasets.js';

interface Examples {
  name: string;
  versions(): Generator<ExampleVersion>;
}

/**
 * The examples of a dataset at a time, in their original order. Versions are immutable, so the export shows the
 * dataset as it was when it began. Ends with DATASET_NOT_FOUND when the dataset is deleted meanwhile.
 */
const examplesOf = (
  caches: Caches,
  caller: Parameters<typeof datasetOf>[1],
  query: DatasetFileQuery & { dataset_id: string },
): Examples => {
  const dataset = datasetOf(caches, caller, query.dataset_id);
  const { datasetId, name } = dataset;
  const asOfUs = asOfTime(dataset, query.as_of);
  const directory = caches.directory(dataset);
  const entries: ExampleEntry[] = [];
  for (const exampleId of directory.versions.keys()) {
    const entry = directory.at(exampleId, asOfUs);
    if (entry !== undefined) entries.push(entry);
  }
  return {
    name,
    *versions() {
      const blocks = new BlockCursor(caches.reader, 'E');
      for (const { place } of entries) {
        const item = blocks.item(place);
        if (item === undefined) throw fail('DATASET_NOT_FOUND', { datasetId });
        yield unpackExample(item);
      }
    },
  };
};

function exampleLine(version: ExampleVersion): string {
  return jsonLine({
    id: version.exampleId,
    name: version.name,
    created_at: isoMicros(version.createdAtUs),
    modified_at: isoMicros(version.versionUs),
    inputs: version.inputs,
    outputs: version.outputs,
    metadata: version.metadata,
    source_run_id: version.sourceRunId,
  });
}

const GROUPS = ['id', 'name', 'inputs', 'outputs', 'metadata', 'created_at', 'modified_at', 'source_run_id'];
const SINGLES = ['id', 'name', 'created_at', 'modified_at', 'source_run_id'];

function* exampleFields(version: ExampleVersion): Generator<Field> {
  yield { group: 'id', name: null, value: version.exampleId };
  yield { group: 'name', name: null, value: version.name };
  yield* membersAsFields('inputs', version.inputs);
  yield* membersAsFields('outputs', version.outputs);
  yield* membersAsFields('metadata', version.metadata);
  yield { group: 'created_at', name: null, value: isoMicros(version.createdAtUs) };
  yield { group: 'modified_at', name: null, value: isoMicros(version.versionUs) };
  yield { group: 'source_run_id', name: null, value: version.sourceRunId };
}

function* lines({ versions }: Examples, lineOf: (version: ExampleVersion) => string): Generator<string> {
  for (const version of versions()) yield lineOf(version);
}

const csv: StartExport<DatasetFileQuery & { dataset_id: string }> = (caches, caller, query) => {
  const examples = examplesOf(caches, caller, query);
  function* rows(): Generator<Iterable<Field>> {
    for (const version of examples.versions()) yield exampleFields(version);
  }
  return { contentType: CSV, fileName: fileNameOf(examples.name, 'csv'), pieces: csvPieces(GROUPS, SINGLES, rows) };
};

const whole: StartExport<DatasetExportQuery & { dataset_id: string }> = (caches, caller, query) => {
  if (query.format === 'csv') return csv(caches, caller, query);
  const examples = examplesOf(caches, caller, query);
  return {
    contentType: JSON_LINES,
    fileName: fileNameOf(examples.name, 'jsonl'),
    pieces: lines(examples, exampleLine),
  };
};

/** Only inputs and outputs. */
const pairs: StartExport<DatasetFileQuery & { dataset_id: string }> = (caches, caller, query) => {
  const examples = examplesOf(caches, caller, query);
  return {
    contentType: JSON_LINES,
    fileName: fileNameOf(examples.name, 'jsonl'),
    pieces: lines(examples, ({ inputs, outputs }) => jsonLine({ inputs, outputs })),
  };
};

/** Conversations in the format of OpenAI's fine-tuning. Examples that are not conversations are skipped. */
const fineTuning: StartExport<DatasetFileQuery & { dataset_id: string }> = (caches, caller, query) => {
  const examples = examplesOf(caches, caller, query);
  const line = ({ inputs, outputs }: ExampleVersion): string =>
    fineTuningLine(asObject(parseJson(inputs)), asObject(outputs === null ? null : parseJson(outputs)));
  return { contentType: JSON_LINES, fileName: fileNameOf(examples.name, 'jsonl'), pieces: lines(examples, line) };
};

export const datasetExports = {
  'datasets.export': whole,
  'datasets.jsonl': pairs,
  'datasets.csv': csv,
  'datasets.openaiFt': fineTuning,
};
