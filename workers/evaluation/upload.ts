import type { Problem } from '../../src/base/errors.js';
import { exampleIdOf, positionedId } from '../../src/base/ids.js';
import { joinBytes, type JsonBytes } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { bytesOf, type Slice } from '../../src/base/json/slices.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { NO_USAGE } from '../../src/domain/usage.js';
import { packAttachments } from '../../src/store/evaluation/attachments.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { writeEvaluationRun, type EvaluationRun } from '../../src/store/evaluation/evaluation-runs.js';
import { versionsOf, writeExample, type ExampleVersion } from '../../src/store/evaluation/examples.js';
import type { ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import { DEFAULT_SOURCE, findFeedback, writeFeedback, type Feedback } from '../../src/store/evaluation/feedback.js';
import { keys } from '../../src/store/keys.js';
import type { Reader } from '../../src/store/reader.js';
import { unpack } from '../../src/wire/codec.js';
import type { Duplex } from '../../src/wire/user-code/duplex.js';
import type { FromUpload, ToUpload, UploadResult, UploadAllocation } from '../../src/wire/evaluation/evaluation.js';
import { AttachmentWriter, readJsonAttachments } from './attachments.js';
import { receiveBody, receiveType } from './body.js';
import { applyDatasetRules, hasRules } from './dataset-rules.js';
import { defaultExampleName } from './example-metadata.js';
import { readUpload, sameJson, type ReadRow, type ReadScore, type ReadUpload } from './read-upload.js';
import { datasetJson, experimentJson, experimentCounts } from './records-json.js';
import { putBlocks, Slices } from './slices.js';

type UploadDuplex = Duplex<FromUpload, ToUpload>;

const BASE_SPLIT = Buffer.from('{"dataset_split":["base"]}');
const DEFAULT_RUN_NAME = 'row';

/**
 * Processes an upload from its bytes to its last put: reads and validates it, lets the main thread assign its
 * place, then encodes it and sends it in slices. The data is invisible until the main thread publishes it.
 */
export async function upload(duplex: UploadDuplex, reader: Reader): Promise<UploadResult> {
  const { lines, encoding } = await receiveType(duplex, 'form');
  const body = await receiveBody(duplex, encoding);
  const read = readUpload(body, lines);
  duplex.send({
    type: 'identity',
    experimentName: read.experimentName,
    datasetId: read.datasetId,
    datasetName: read.datasetName,
    datasetDescription: read.datasetDescription,
    startUs: read.startUs,
    endUs: read.endUs,
    description: read.description,
    metadata: read.metadata,
    ownIds: read.ownIds,
    hasAttachments: read.rows.some(({ attachments }) => attachments !== null),
  });
  const place = await receiveType(duplex, 'place');
  reader.refresh();
  if (read.ownIds) checkFeedbackIds(reader, read);
  return new UploadEncoder(duplex, reader, read, place).encode();
}

/** Feedback ids must be unique. Throws INVALID_REQUEST, which names the ids that are already in use. */
function checkFeedbackIds(reader: Reader, { rows, summary }: ReadUpload): void {
  const problems: Problem[] = [];
  const check = ({ id }: ReadScore, ...loc: (string | number)[]): void => {
    if (id !== null && problems.length < LIMITS.problemsMax && findFeedback(reader, id) !== undefined)
      problems.push({ loc: [...loc, 'id'], msg: 'is already the id of other feedback', type: 'id_taken' });
  };
  summary.forEach((score, at) => check(score, 'summary_experiment_scores', at));
  rows.forEach((row, index) =>
    row.scores.forEach((score, at) => check(score, 'results', index, 'evaluation_scores', at)),
  );
  if (problems.length > 0) throw invalidRequest('body', problems);
}

type Content = Pick<ExampleVersion, 'inputs' | 'outputs'>;

class UploadEncoder {
  readonly #slices: Slices;
  readonly #reader: Reader;
  readonly #read: ReadUpload;
  readonly #place: UploadAllocation;
  readonly #dataset: DatasetRecord;
  readonly #experiment: ExperimentRecord;
  #examplesAdded = 0;

  constructor(duplex: UploadDuplex, reader: Reader, read: ReadUpload, place: UploadAllocation) {
    this.#slices = new Slices(duplex, reader.cipher);
    this.#reader = reader;
    this.#read = read;
    this.#place = place;
    this.#dataset = unpack(place.dataset);
    this.#experiment = unpack(place.experiment);
  }

  async encode(): Promise<UploadResult> {
    const { rows } = this.#read;
    const { versionUs } = this.#place;
    const exampleIds: string[] = [];
    const written: { exampleId: string; row: ReadRow; content: Content | null; stored: ExampleVersion | undefined }[] =
      [];
    const contents = this.#contents();
    for (const [at, row] of rows.entries()) {
      if (row.first !== at) {
        exampleIds.push(exampleIds[row.first]!);
        continue;
      }
      const exampleId = exampleIdOf(this.#dataset.datasetId, row.rowId);
      exampleIds.push(exampleId);
      const stored = this.#place.existing ? this.#newestVersion(exampleId) : undefined;
      const content = contents?.[at] ?? null;
      if (
        stored !== undefined &&
        !stored.removed &&
        sameJson(stored.inputs, (content ?? this.#contentOf(row)).inputs) &&
        sameJson(stored.outputs, (content ?? this.#contentOf(row)).outputs)
      )
        continue;
      if (stored === undefined || stored.removed) this.#examplesAdded += 1;
      written.push({ exampleId, row, content, stored });
    }
    await putBlocks(
      this.#slices,
      'E',
      { list: this.#place.exampleList, next: 0 },
      {
        count: written.length,
        write: (out, at) => {
          const { exampleId, row, content, stored } = written[at]!;
          writeExample(out, this.#exampleOf(exampleId, row, stored, content ?? this.#contentOf(row)));
        },
        keyOf: (at) => keys.example(written[at]!.exampleId, versionUs),
      },
    );
    const runs = await this.#runs(exampleIds);
    const feedback = await this.#feedback(runs);
    await this.#slices.finish();
    return {
      examplesAdded: this.#examplesAdded,
      examplesWritten: written.length > 0,
      nextRun: rows.length,
      nextFeedback: feedback,
      configs: this.#configs(),
      answer: joinBytes([
        '{"experiment":',
        experimentJson(this.#experiment, null),
        ',"dataset":',
        datasetJson(this.#dataset, experimentCounts(this.#reader, this.#dataset.datasetId)),
        '}',
      ]),
    };
  }

  /** Inputs and expected outputs of each row, by the rules of the dataset. Null if it has none. */
  #contents(): readonly Content[] | null {
    if (!hasRules(this.#dataset)) return null;
    const contents = this.#read.rows.map((row, at) => ({
      loc: ['results', at],
      ...this.#contentOf(row),
      runExtra: null,
    }));
    return applyDatasetRules(this.#dataset, contents, 'expected_outputs');
  }

  #contentOf(row: ReadRow): Content {
    return { inputs: this.#bytesOf(row.inputs)!, outputs: this.#bytesOf(row.expected) };
  }

  #exampleOf(
    exampleId: string,
    row: ReadRow,
    stored: ExampleVersion | undefined,
    { inputs, outputs }: Content,
  ): ExampleVersion {
    const { versionUs } = this.#place;
    return {
      exampleId,
      versionUs,
      createdAtUs: stored?.createdAtUs ?? versionUs,
      removed: false,
      name: stored?.name ?? defaultExampleName(exampleId),
      inputs,
      outputs,
      metadata: stored?.metadata ?? BASE_SPLIT,
      sourceRunId: null,
      attachments: stored?.attachments ?? null,
      rowId: row.rowId,
    };
  }

  #bytesOf(slice: Slice | null): JsonBytes | null {
    return slice === null ? null : bytesOf(this.#read.body, slice);
  }

  #newestVersion(exampleId: string): ExampleVersion | undefined {
    for (const { datasetId, version } of versionsOf(this.#reader, exampleId))
      if (datasetId === this.#dataset.datasetId) return version;
    return undefined;
  }

  /** Stores the attachments of the rows. Throws INVALID_REQUEST. */
  async #attachments(): Promise<(JsonBytes | null)[]> {
    const files = new AttachmentWriter();
    const { attachmentGroup: group } = this.#place;
    const stored = this.#read.rows.map(({ attachments }, at) =>
      packAttachments(
        readJsonAttachments(this.#bytesOf(attachments), ['results', at, 'attachments'], { skipUnreadable: false }).map(
          (sent) => ({ ...files.add(sent), group: group! }),
        ),
      ),
    );
    if (group !== null) await files.write(group, this.#slices, this.#reader);
    return stored;
  }

  async #runs(exampleIds: readonly string[]): Promise<string[]> {
    const { rows } = this.#read;
    const attachments = await this.#attachments();
    const runOf = (row: ReadRow, at: number, runId: string, exampleId: string): EvaluationRun => ({
      runId,
      traceId: runId,
      parentRunId: null,
      name: row.name ?? DEFAULT_RUN_NAME,
      runType: 'chain',
      startUs: row.startUs,
      endUs: row.endUs,
      dottedOrder: null,
      exampleId,
      error: this.#bytesOf(row.error),
      firstTokenUs: null,
      ...NO_USAGE,
      receivedUs: this.#place.nowUs,
      inputs: this.#bytesOf(row.inputs),
      outputs: this.#bytesOf(row.actual),
      extra: row.metadata === null ? null : wrapInExtra(bytesOf(this.#read.body, row.metadata)),
      tags: null,
      events: null,
      serialized: null,
      attachments: attachments[at]!,
    });
    const ids: string[] = [];
    await putBlocks(
      this.#slices,
      'R',
      { list: this.#experiment.list, next: 0 },
      {
        count: rows.length,
        write: (out, at, place) => {
          ids[at] = positionedId('run', place.list, place.first, place.at);
          writeEvaluationRun(out, runOf(rows[at]!, at, ids[at]!, exampleIds[at]!));
        },
      },
    );
    return ids;
  }

  /** Writes the feedback of the rows in order, then that of the experiment. Returns the next number. */
  async #feedback(runIds: readonly string[]): Promise<number> {
    const scores: ReadScore[] = [];
    const runs: (string | null)[] = [];
    const add = (score: ReadScore, runId: string | null): void => {
      scores.push(score);
      runs.push(runId);
    };
    for (const [at, row] of this.#read.rows.entries()) for (const score of row.scores) add(score, runIds[at]!);
    for (const score of this.#read.summary) add(score, null);
    const { nowUs } = this.#place;
    const feedbackOf = (score: ReadScore, runId: string | null, feedbackId: string): Feedback => ({
      feedbackId,
      runId,
      traceId: runId,
      key: score.key,
      createdAtUs: score.createdAtUs ?? nowUs,
      modifiedAtUs: score.modifiedAtUs ?? score.createdAtUs ?? nowUs,
      comment: this.#bytesOf(score.comment),
      error: false,
      score: this.#bytesOf(score.score),
      value: this.#bytesOf(score.value),
      correction: this.#bytesOf(score.correction),
      source: this.#bytesOf(score.source) ?? DEFAULT_SOURCE,
      config: this.#bytesOf(score.config),
      extra: this.#bytesOf(score.extra),
      groupId: score.groupId,
      comparativeId: score.comparativeId,
    });
    await putBlocks(
      this.#slices,
      'F',
      { list: this.#experiment.list, next: 0 },
      {
        count: scores.length,
        write: (out, at, place) => {
          const score = scores[at]!;
          const feedback = feedbackOf(
            score,
            runs[at]!,
            score.id ?? positionedId('feedback', place.list, place.first, place.at),
          );
          writeFeedback(out, feedback, score.words ?? undefined);
        },
        keyOf: (at) => {
          const { id } = scores[at]!;
          return id === null ? null : keys.feedback(id);
        },
      },
    );
    return scores.length;
  }

  #configs(): [string, JsonBytes][] {
    const configs = new Map<string, JsonBytes>();
    const note = ({ key, config }: ReadScore): void => {
      if (config !== null && !configs.has(key)) configs.set(key, bytesOf(this.#read.body, config));
    };
    for (const { scores } of this.#read.rows) scores.forEach(note);
    this.#read.summary.forEach(note);
    return [...configs];
  }
}

const EXTRA = Buffer.from('{"metadata":}');

/** Wraps it in `{"metadata": …}`. */
function wrapInExtra(metadata: JsonBytes): JsonBytes {
  const extra = Buffer.allocUnsafe(EXTRA.length + metadata.byteLength);
  EXTRA.copy(extra);
  extra.set(metadata, EXTRA.length - 1);
  extra[extra.length - 1] = EXTRA.at(-1)!;
  return extra;
}
