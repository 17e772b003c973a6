import { fail, type Problem } from '../../src/base/errors.js';
import { exampleIdOf, placedId } from '../../src/base/ids.js';
import { joinBytes, type JsonBytes } from '../../src/base/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { refusal } from '../../src/base/problems.js';
import type { DatasetRecord } from '../../src/store/datasets.js';
import { writeEvaluationRun, type EvaluationRun } from '../../src/store/evaluation-runs.js';
import { versionsOf, writeExample, type ExampleVersion } from '../../src/store/examples.js';
import type { ExperimentRecord } from '../../src/store/experiments.js';
import { DEFAULT_SOURCE, findFeedback, writeFeedback, type Feedback } from '../../src/store/feedback.js';
import { keys } from '../../src/store/keys.js';
import type { Reader } from '../../src/store/reader.js';
import { unpack } from '../../src/wire/codec.js';
import type { Conversation } from '../../src/wire/conversation.js';
import type { FromUpload, ToUpload, UploadDone, UploadPlace } from '../../src/wire/evaluation.js';
import { receiveBody } from './body.js';
import { nameOf } from './example-metadata.js';
import { readUpload, sameJson, type ReadRow, type ReadScore, type ReadUpload } from './read-upload.js';
import { datasetJson, experimentJson, experimentsAround } from './records-json.js';
import { putBlocks, Slices } from './slices.js';

type Talk = Conversation<FromUpload, ToUpload>;

const BASE_SPLIT = Buffer.from('{"dataset_split":["base"]}');
const DEFAULT_RUN_NAME = 'row';

/**
 * An upload from its bytes to its last put: read and checked whole, placed by the front, encoded and handed over in slices.
 * What is handed over is invisible until the front publishes it.
 */
export async function upload(talk: Talk, reader: Reader): Promise<UploadDone> {
  const { lines, encoding } = await expected(talk, 'form');
  const body = await receiveBody(talk, encoding);
  const read = readUpload(body, lines);
  talk.send({
    type: 'identity',
    experimentName: read.experimentName, datasetId: read.datasetId, datasetName: read.datasetName, datasetDescription: read.datasetDescription,
    startUs: read.startUs, endUs: read.endUs, description: read.description, metadata: read.metadata,
    ownIds: [...read.rows.flatMap(({ scores }) => scores), ...read.summary].some(({ id }) => id !== null),
  });
  const place = await expected(talk, 'place');
  reader.refresh();
  checkFeedbackIds(reader, read);
  return new UploadEncoder(talk, reader, read, place).encode();
}

/** An id names one piece of feedback. Throws INVALID_REQUEST naming those that are another's already. */
function checkFeedbackIds(reader: Reader, { rows, summary }: ReadUpload): void {
  const problems: Problem[] = [];
  const check = ({ id }: ReadScore, ...loc: (string | number)[]): void => {
    if (id !== null && problems.length < LIMITS.problemsMax && findFeedback(reader, id) !== undefined) problems.push({ loc: [...loc, 'id'], msg: 'is the id of other feedback', type: 'id_taken' });
  };
  summary.forEach((score, at) => check(score, 'summary_experiment_scores', at));
  rows.forEach((row, index) => row.scores.forEach((score, at) => check(score, 'results', index, 'evaluation_scores', at)));
  if (problems.length > 0) throw refusal('body', problems);
}

/** The next message, which must be of this type. Throws REQUEST_ABORTED when the front has given up. */
async function expected<T extends ToUpload['type']>(talk: Talk, type: T): Promise<ToUpload & { type: T }> {
  const message = await talk.next();
  if (message.type === 'abort') throw fail('REQUEST_ABORTED', {});
  if (message.type !== type) throw new Error(`expected ${type}, got ${message.type}`);
  return message as ToUpload & { type: T };
}

class UploadEncoder {
  readonly #slices: Slices;
  readonly #reader: Reader;
  readonly #read: ReadUpload;
  readonly #place: UploadPlace;
  readonly #dataset: DatasetRecord;
  readonly #experiment: ExperimentRecord;
  #examplesAdded = 0;

  constructor(talk: Talk, reader: Reader, read: ReadUpload, place: UploadPlace) {
    this.#slices = new Slices(talk);
    this.#reader = reader;
    this.#read = read;
    this.#place = place;
    this.#dataset = unpack(place.dataset);
    this.#experiment = unpack(place.experiment);
  }

  async encode(): Promise<UploadDone> {
    const exampleIds = new Map<string, string>();
    const versions: ExampleVersion[] = [];
    for (const row of this.#read.rows) {
      if (exampleIds.has(row.rowId)) continue;
      const exampleId = exampleIdOf(this.#dataset.datasetId, row.rowId);
      exampleIds.set(row.rowId, exampleId);
      const version = this.#exampleOf(exampleId, row);
      if (version !== null) versions.push(version);
    }
    await putBlocks(this.#slices, 'E', this.#place.exampleList, 0, versions.length, (out, at) => writeExample(out, versions[at]!), (at) => keys.example(versions[at]!.exampleId, versions[at]!.versionUs));
    const runs = await this.#runs(exampleIds);
    const feedback = await this.#feedback(runs);
    await this.#slices.finish();
    return {
      examplesAdded: this.#examplesAdded,
      examplesWritten: versions.length > 0,
      nextRun: this.#read.rows.length,
      nextFeedback: feedback,
      configs: this.#configs(),
      answer: joinBytes(['{"experiment":', experimentJson(this.#experiment, null), ',"dataset":', datasetJson(this.#dataset, experimentsAround(this.#reader, this.#dataset.datasetId)), '}']),
    };
  }

  /** The version to write, or null when the dataset has this example just so. */
  #exampleOf(exampleId: string, row: ReadRow): ExampleVersion | null {
    const { versionUs } = this.#place;
    const stored = this.#place.existing ? this.#newestVersion(exampleId) : undefined;
    if (stored !== undefined && !stored.removed && sameJson(stored.inputs, row.inputs) && sameJson(stored.outputs, row.expected)) return null;
    if (stored === undefined || stored.removed) this.#examplesAdded += 1;
    return {
      exampleId, versionUs,
      createdAtUs: stored?.createdAtUs ?? versionUs,
      removed: false,
      name: stored?.name ?? nameOf(exampleId),
      inputs: row.inputs,
      outputs: row.expected,
      metadata: stored?.metadata ?? BASE_SPLIT,
      sourceRunId: null,
      attachments: stored?.attachments ?? null,
      rowId: row.rowId,
    };
  }

  #newestVersion(exampleId: string): ExampleVersion | undefined {
    for (const { datasetId, version } of versionsOf(this.#reader, exampleId)) if (datasetId === this.#dataset.datasetId) return version;
    return undefined;
  }

  async #runs(exampleIds: ReadonlyMap<string, string>): Promise<string[]> {
    const { rows } = this.#read;
    const runOf = (row: ReadRow, runId: string): EvaluationRun => ({
      runId, traceId: runId, parentRunId: null,
      name: row.name ?? DEFAULT_RUN_NAME,
      runType: 'chain',
      startUs: row.startUs, endUs: row.endUs,
      dottedOrder: null,
      exampleId: exampleIds.get(row.rowId)!,
      error: row.error,
      firstTokenUs: null, promptTokens: null, completionTokens: null, totalTokens: null, promptCost: null, completionCost: null, totalCost: null,
      receivedUs: this.#place.nowUs,
      inputs: row.inputs, outputs: row.actual,
      extra: row.metadata === null ? null : joinBytes(['{"metadata":', row.metadata, '}']),
      tags: null, events: null, serialized: null,
    });
    const ids: string[] = [];
    await putBlocks(this.#slices, 'R', this.#experiment.list, 0, rows.length, (out, at, place) => {
      ids[at] = placedId('run', place.list, place.first, place.at);
      writeEvaluationRun(out, runOf(rows[at]!, ids[at]!));
    });
    return ids;
  }

  /** Feedback of rows in their order, then that of the experiment; returns the next number. */
  async #feedback(runIds: readonly string[]): Promise<number> {
    const all = [
      ...this.#read.rows.flatMap((row, at) => row.scores.map((score) => ({ score, runId: runIds[at]! as string | null }))),
      ...this.#read.summary.map((score) => ({ score, runId: null })),
    ];
    const { nowUs } = this.#place;
    const feedbackOf = ({ score, runId }: { score: ReadScore; runId: string | null }, feedbackId: string): Feedback => ({
      feedbackId, runId, traceId: runId,
      key: score.key,
      createdAtUs: score.createdAtUs ?? nowUs,
      modifiedAtUs: score.modifiedAtUs ?? score.createdAtUs ?? nowUs,
      comment: score.comment,
      error: false,
      score: score.score, value: score.value, correction: score.correction,
      source: score.source ?? DEFAULT_SOURCE,
      config: score.config, extra: score.extra,
      groupId: score.groupId, comparativeId: score.comparativeId,
    });
    const ids: string[] = [];
    await putBlocks(this.#slices, 'F', this.#experiment.list, 0, all.length, (out, at, place) => {
      ids[at] = all[at]!.score.id ?? placedId('feedback', place.list, place.first, place.at);
      writeFeedback(out, feedbackOf(all[at]!, ids[at]!));
    }, (at) => (all[at]!.score.id === null ? null : keys.feedback(ids[at]!)));
    return all.length;
  }

  #configs(): [string, JsonBytes][] {
    const configs = new Map<string, JsonBytes>();
    const scores = [...this.#read.rows.flatMap((row) => row.scores), ...this.#read.summary];
    for (const { key, config } of scores) if (config !== null && !configs.has(key)) configs.set(key, config);
    return [...configs];
  }
}
