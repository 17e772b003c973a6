import type { DatasetExportQuery, DatasetFileQuery } from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { asObject, parseJson, type JsonBytes } from '../../src/base/json/json.js';
import type { ExampleVersion } from '../../src/store/evaluation/examples.js';
import type { Reader } from '../../src/store/reader.js';
import type { Caches } from './caches.js';
import { CSV, csvPieces, membersAsFields, type Field } from './csv.js';
import { DatasetExamples, exampleFields } from './dataset-examples.js';
import { fileNameOf, JSON_LINES, jsonLine, lineWithAttachments } from './export-lines.js';
import type { Export, StartExport } from './export.js';
import type { ExampleEntry } from './example-directory.js';
import { fineTuningLine } from './fine-tuning.js';
import { asOfTime, datasetOf } from './reads-datasets.js';

/**
 * The examples of a dataset at a time, in their original order. Versions are immutable, so the export shows the
 * dataset as it was when it began. Ends with DATASET_NOT_FOUND when the dataset is deleted meanwhile.
 */
class ExportedExamples {
  readonly name: string;
  readonly #examples: DatasetExamples;
  readonly #entries: readonly ExampleEntry[];

  constructor(caches: Caches, caller: Caller, query: DatasetFileQuery & { dataset_id: string }) {
    const dataset = datasetOf(caches, caller, query.dataset_id);
    this.name = dataset.name;
    this.#examples = new DatasetExamples(caches, dataset);
    this.#entries = this.#examples.directory.allAt(asOfTime(dataset, query.as_of));
  }

  *all(): Generator<ExampleVersion> {
    for (const entry of this.#entries) yield this.#examples.load(entry);
  }

  *map<T>(convert: (version: ExampleVersion) => T): Generator<T> {
    for (const version of this.all()) yield convert(version);
  }
}

const GROUPS = ['id', 'name', 'inputs', 'outputs', 'metadata', 'created_at', 'modified_at', 'source_run_id'];
const SINGLES = ['id', 'name', 'created_at', 'modified_at', 'source_run_id'];

function* csvFields(version: ExampleVersion): Generator<Field> {
  const fields = exampleFields(version);
  for (const group of GROUPS) {
    if (SINGLES.includes(group)) yield { group, name: null, value: fields[group] as string | null };
    else yield* membersAsFields(group, fields[group] as JsonBytes | null);
  }
}

function csvExport(examples: ExportedExamples): Export {
  return {
    contentType: CSV,
    fileName: fileNameOf(examples.name, 'csv'),
    pieces: csvPieces(GROUPS, SINGLES, () => examples.map(csvFields)),
  };
}

function linesExport(examples: ExportedExamples, lineOf: (version: ExampleVersion) => string): Export {
  return {
    contentType: JSON_LINES,
    fileName: fileNameOf(examples.name, 'jsonl'),
    pieces: examples.map(lineOf),
  };
}

function* wholeLines(reader: Reader, examples: ExportedExamples): Generator<string> {
  for (const version of examples.all())
    yield* lineWithAttachments(jsonLine(exampleFields(version)), reader, version.attachments);
}

type StartDatasetExport<P> = StartExport<P & { dataset_id: string }>;

const whole: StartDatasetExport<DatasetExportQuery> = (caches, caller, query) => {
  const examples = new ExportedExamples(caches, caller, query);
  return query.format === 'csv'
    ? csvExport(examples)
    : {
        contentType: JSON_LINES,
        fileName: fileNameOf(examples.name, 'jsonl'),
        pieces: wholeLines(caches.reader, examples),
      };
};

const csv: StartDatasetExport<DatasetFileQuery> = (caches, caller, query) =>
  csvExport(new ExportedExamples(caches, caller, query));

/** Only inputs and outputs. */
const pairs: StartDatasetExport<DatasetFileQuery> = (caches, caller, query) =>
  linesExport(new ExportedExamples(caches, caller, query), ({ inputs, outputs }) => jsonLine({ inputs, outputs }));

/** Conversations in the format of OpenAI's fine-tuning. Examples that are not conversations are skipped. */
const fineTuning: StartDatasetExport<DatasetFileQuery> = (caches, caller, query) =>
  linesExport(new ExportedExamples(caches, caller, query), ({ inputs, outputs }) =>
    fineTuningLine(asObject(parseJson(inputs)), asObject(outputs === null ? null : parseJson(outputs))),
  );

export const datasetExports = {
  'datasets.export': whole,
  'datasets.jsonl': pairs,
  'datasets.csv': csv,
  'datasets.openaiFt': fineTuning,
};
