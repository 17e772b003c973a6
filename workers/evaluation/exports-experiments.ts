import type { SessionExportQuery } from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { isoMicros } from '../../src/base/micros.js';
import type { BlockPosition } from '../../src/store/evaluation/blocks.js';
import type { EvaluationRun } from '../../src/wire/evaluation/evaluation-run.js';
import type { ExampleVersion } from '../../src/store/evaluation/examples.js';
import type { ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import { unpackFeedback, type Feedback } from '../../src/store/evaluation/feedback.js';
import type { Reader } from '../../src/store/reader.js';
import type { Caches } from './caches.js';
import { BlockCursor } from './block-cursor.js';
import { CSV, csvPieces, membersAsFields, type Field } from './csv.js';
import { DatasetExamples } from './dataset-examples.js';
import type { ExampleEntry } from './example-directory.js';
import {
  fileNameOf,
  JSON_LINES,
  jsonLine,
  JsonText,
  lineWithAttachments,
  memberBytes,
  objectText,
} from './export-lines.js';
import type { StartExport } from './export.js';
import type { KeptFeedback } from './list-facts.js';
import { experimentOf } from './reads-experiments.js';
import { isoOrNull, jsonArray } from './records-json.js';

/** A root run with its example and feedback. */
interface Row {
  rowId: string;
  run: EvaluationRun;
  example: ExampleVersion | null;
  feedback: Feedback[];
}

/** A row to export, collected when the export begins: the places of its records, without their content. */
interface PlannedRow {
  place: BlockPosition;
  exampleId: string | null;
  feedback: readonly KeptFeedback[];
}

/**
 * The rows that an experiment has when the export begins, in their original order. Rows added later are
 * omitted. Records changed meanwhile may appear in either version, and deleted ones may be missing. Ends with
 * EXPERIMENT_NOT_FOUND when the whole experiment is deleted meanwhile.
 */
class ExperimentRows {
  readonly #caches: Caches;
  readonly #caller: Caller;
  readonly #experiment: ExperimentRecord;
  readonly #examples: DatasetExamples | null;
  readonly #planned: PlannedRow[];
  readonly #summary: readonly KeptFeedback[];
  readonly #header: Record<string, unknown>;

  constructor(caches: Caches, caller: Caller, experimentId: string) {
    this.#caches = caches;
    this.#caller = caller;
    const experiment = (this.#experiment = experimentOf(caches, caller, experimentId));
    const dataset =
      experiment.referenceDatasetId === null ? undefined : caches.datasets.get(caller, experiment.referenceDatasetId);
    this.#examples = dataset === undefined ? null : new DatasetExamples(caches, dataset);
    const { runs, ofExperiment } = caches.facts(experiment.list).derived;
    const roots = runs.filter((run) => run.root).sort((a, b) => inOrder(a.place, b.place));
    this.#planned = roots.map(({ place, exampleId, feedback }) => ({ place, exampleId, feedback }));
    this.#summary = ofExperiment.toSorted((a, b) => inOrder(a.place, b.place));
    // The rows of an upload are within the times of the experiment. Rows of other experiments may not be, and
    // such an experiment may have no end time.
    let [startUs, endUs] = [experiment.startTimeUs, experiment.endTimeUs ?? experiment.startTimeUs];
    for (const run of roots) {
      startUs = Math.min(startUs, run.startUs);
      endUs = Math.max(endUs, run.startUs, run.endUs ?? 0);
    }
    this.#header = {
      kind: 'experiment',
      experiment_name: experiment.name,
      experiment_description: experiment.description,
      experiment_start_time: isoMicros(startUs),
      experiment_end_time: isoMicros(endUs),
      dataset_id: experiment.referenceDatasetId,
      dataset_name: dataset?.name ?? null,
      dataset_description: dataset?.description ?? null,
      // Copied, because data read from the store is invalid after a pause.
      experiment_metadata: copyOf(memberBytes(experiment.extra, 'metadata')),
    };
  }

  get name(): string {
    return this.#experiment.name;
  }

  /** The first line of the file. */
  header(): string {
    const blocks = new BlockCursor(this.#caches.reader, 'F');
    return jsonLine({ ...this.#header, summary_experiment_scores: scoresText(this.#feedback(blocks, this.#summary)) });
  }

  /** Yields null for a row that was deleted. */
  *rows(): Generator<Row | null> {
    const { reader } = this.#caches;
    const blocks = {
      runs: new BlockCursor(reader, 'R'),
      feedback: new BlockCursor(reader, 'F'),
    };
    for (const { place, exampleId, feedback } of this.#planned) {
      const run = blocks.runs.run(place);
      if (run === undefined) {
        this.#checkExists();
        yield null;
        continue;
      }
      const example = this.#example(exampleId);
      yield {
        rowId: example?.rowId ?? exampleId ?? run.runId,
        run,
        example,
        feedback: this.#feedback(blocks.feedback, feedback),
      };
    }
  }

  #feedback(blocks: BlockCursor, kept: readonly KeptFeedback[]): Feedback[] {
    const found: Feedback[] = [];
    for (const { place } of kept) {
      const item = blocks.item(place);
      if (item === undefined) this.#checkExists();
      else found.push(unpackFeedback(item));
    }
    return found;
  }

  /** The example as of the experiment's creation, or its first version if it was added later. */
  #example(exampleId: string | null): ExampleVersion | null {
    if (exampleId === null || this.#examples === null) return null;
    const { directory } = this.#examples;
    const entry = directory.at(exampleId, this.#experiment.createdAtUs) ?? firstOf(directory.versions.get(exampleId));
    return entry === undefined ? null : this.#examples.load(entry);
  }

  #checkExists(): void {
    const { experimentId, list } = this.#experiment;
    if (this.#caches.experiments.get(this.#caller, experimentId)?.list !== list)
      throw fail('EXPERIMENT_NOT_FOUND', { experimentId });
  }
}

function firstOf(versions: readonly ExampleEntry[] | undefined): ExampleEntry | undefined {
  return versions?.find(({ removed }) => !removed);
}

function inOrder(a: BlockPosition, b: BlockPosition): number {
  return a.first - b.first || a.at - b.at;
}

function copyOf(bytes: Uint8Array | null): Uint8Array | null {
  return bytes === null ? null : Buffer.from(bytes);
}

/** A score in the upload format. It has no id, because the id belongs to the original record. */
function scoreText(feedback: Feedback): string {
  return objectText({
    key: feedback.key,
    score: feedback.score ?? undefined,
    value: feedback.value ?? undefined,
    comment: feedback.comment ?? undefined,
    correction: feedback.correction ?? undefined,
    feedback_source: feedback.source ?? undefined,
    feedback_config: feedback.config ?? undefined,
    extra: feedback.extra ?? undefined,
    feedback_group_id: feedback.groupId ?? undefined,
    comparative_experiment_id: feedback.comparativeId ?? undefined,
    created_at: isoMicros(feedback.createdAtUs),
    modified_at: isoMicros(feedback.modifiedAtUs),
  });
}

function scoresText(feedback: readonly Feedback[]): JsonText {
  return new JsonText(`[${feedback.map(scoreText).join(',')}]`);
}

/** A row in the upload format. */
function rowLine({ rowId, run, example, feedback }: Row): string {
  return jsonLine({
    row_id: rowId,
    inputs: run.inputs ?? example?.inputs ?? {},
    expected_outputs: example?.outputs ?? null,
    actual_outputs: run.outputs,
    evaluation_scores: scoresText(feedback),
    start_time: isoMicros(run.startUs),
    end_time: isoOrNull(run.endUs),
    run_name: run.name,
    error: run.error,
    run_metadata: memberBytes(run.extra, 'metadata'),
  });
}

function* lines(reader: Reader, experiment: ExperimentRows): Generator<string> {
  yield experiment.header();
  for (const row of experiment.rows()) {
    if (row === null) yield '';
    else yield* lineWithAttachments(rowLine(row), reader, row.run.attachments);
  }
}

const GROUPS = [
  'row_id',
  'inputs',
  'expected_outputs',
  'actual_outputs',
  'scores',
  'start_time',
  'end_time',
  'latency',
  'run_name',
  'error',
  'run_metadata',
];
const SINGLES = ['row_id', 'start_time', 'end_time', 'latency', 'run_name', 'error'];

function* rowFields({ rowId, run, example, feedback }: Row): Generator<Field> {
  yield { group: 'row_id', name: null, value: rowId };
  yield* membersAsFields('inputs', run.inputs ?? example?.inputs ?? null);
  yield* membersAsFields('expected_outputs', example?.outputs ?? null);
  yield* membersAsFields('actual_outputs', run.outputs);
  yield* scoreFields(feedback);
  yield { group: 'start_time', name: null, value: isoMicros(run.startUs) };
  yield { group: 'end_time', name: null, value: isoOrNull(run.endUs) };
  yield { group: 'latency', name: null, value: run.endUs === null ? null : String((run.endUs - run.startUs) / 1e6) };
  yield { group: 'run_name', name: null, value: run.name };
  yield { group: 'error', name: null, value: run.error };
  yield* membersAsFields('run_metadata', memberBytes(run.extra, 'metadata'));
}

/** The score, or the value if there is no score. A key with several records becomes a list. */
function* scoreFields(feedback: readonly Feedback[]): Generator<Field> {
  const found = new Map<string, Uint8Array[]>();
  for (const { key, score, value } of feedback) {
    const known = found.get(key) ?? [];
    found.set(key, known);
    const shown = score ?? value;
    if (shown !== null) known.push(shown);
  }
  for (const [name, values] of found)
    yield { group: 'scores', name, value: values.length > 1 ? jsonArray(values) : (values[0] ?? null) };
}

const whole: StartExport<SessionExportQuery & { session_id: string }> = (caches, caller, query) => {
  const experiment = new ExperimentRows(caches, caller, query.session_id);
  if (query.format !== 'csv')
    return {
      contentType: JSON_LINES,
      fileName: fileNameOf(experiment.name, 'jsonl'),
      pieces: lines(caches.reader, experiment),
    };
  function* rows(): Generator<Iterable<Field> | null> {
    for (const row of experiment.rows()) yield row === null ? null : rowFields(row);
  }
  return { contentType: CSV, fileName: fileNameOf(experiment.name, 'csv'), pieces: csvPieces(GROUPS, SINGLES, rows) };
};

export const experimentExports = { 'experiments.export': whole };
