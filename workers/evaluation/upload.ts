import { freeMemory } from '../../src/base/free-memory.js';
import type { Problem } from '../../src/base/errors.js';
import { exampleIdOf, positionedId } from '../../src/base/ids.js';
import { joinBytes, type JsonBytes } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { NO_USAGE } from '../../src/domain/usage.js';
import { packAttachments } from '../../src/store/evaluation/attachments.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { writeEvaluationRun, type EvaluationRun } from '../../src/wire/evaluation/evaluation-run.js';
import { versionsOf, writeExample, type ExampleVersion } from '../../src/store/evaluation/examples.js';
import type { ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import {
  DEFAULT_SOURCE,
  findFeedback,
  summarizeComment,
  writeFeedback,
  type Feedback,
} from '../../src/store/evaluation/feedback.js';
import { keys } from '../../src/store/keys.js';
import type { Reader } from '../../src/store/reader.js';
import { unpack } from '../../src/wire/codec.js';
import type { Duplex } from '../../src/wire/user-code/duplex.js';
import type { FromUpload, ToUpload, UploadResult, UploadAllocation } from '../../src/wire/evaluation/evaluation.js';
import { AttachmentWriter, readJsonAttachments } from './attachments.js';
import { receiveBody, receiveType } from './body.js';
import { applyDatasetRules, hasRules } from './dataset-rules.js';
import { defaultExampleName } from './example-metadata.js';
import { readUpload, sameJson, type ReadUpload } from './read-upload.js';
import { datasetJson, experimentJson, experimentCounts } from './records-json.js';
import { putBlocks, Slices } from './slices.js';
import { IdColumn, parsedWords, type UploadScores } from './upload-rows.js';
import { DEFAULT_RUN_NAME, RUN_TYPE, statisticsOfUpload } from './upload-statistics.js';

/** The part of a duplex channel that an upload needs. */
export type UploadChannel = Pick<Duplex<FromUpload, ToUpload>, 'send' | 'sendWithBytes' | 'receive'>;

const BASE_SPLIT = Buffer.from('{"dataset_split":["base"]}');

/**
 * Processes an upload from its bytes to its last put: reads and validates it, lets the main thread assign its
 * place, then encodes it and sends it in slices. The data is invisible until the main thread publishes it.
 */
export async function upload(duplex: UploadChannel, reader: Reader): Promise<UploadResult> {
  const { lines, encoding } = await receiveType(duplex, 'form');
  const body = await receiveBody(duplex, encoding);
  try {
    return await sendUpload(duplex, reader, readUpload(body, lines));
  } finally {
    freeMemory(body);
  }
}

/** Sends an upload that was read, and frees its rows. */
export async function sendUpload(duplex: UploadChannel, reader: Reader, read: ReadUpload): Promise<UploadResult> {
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
    hasAttachments: read.rows.haveAttachments,
  });
  const place = await receiveType(duplex, 'place');
  reader.refresh();
  if (read.ownIds) checkFeedbackIds(reader, read);
  try {
    return await new UploadEncoder(duplex, reader, read, place).encode();
  } finally {
    read.rows.free();
  }
}

/** Feedback ids must be unique. Throws INVALID_REQUEST, which names the ids that are already in use. */
function checkFeedbackIds(reader: Reader, { rows, summary }: ReadUpload): void {
  const problems: Problem[] = [];
  const check = (id: string | null, ...loc: (string | number)[]): void => {
    if (id !== null && problems.length < LIMITS.problemsMax && findFeedback(reader, id) !== undefined)
      problems.push({ loc: [...loc, 'id'], msg: 'is already the id of other feedback', type: 'id_taken' });
  };
  for (let at = 0; at < summary.count; at += 1) check(summary.id(at), 'summary_experiment_scores', at);
  for (let row = 0; row < rows.count; row += 1) {
    const start = rows.scoresStart(row);
    for (let at = start; at < rows.scoresEnd(row); at += 1)
      check(rows.scores.id(at), 'results', row, 'evaluation_scores', at - start);
  }
  if (problems.length > 0) throw invalidRequest('body', problems);
}

type Content = Pick<ExampleVersion, 'inputs' | 'outputs'>;

/** What a new version of an example keeps of the one before. */
type KeptFields = Pick<ExampleVersion, 'createdAtUs' | 'name' | 'metadata' | 'attachments'>;

class UploadEncoder {
  readonly #slices: Slices;
  readonly #reader: Reader;
  readonly #read: ReadUpload;
  readonly #place: UploadAllocation;
  readonly #dataset: DatasetRecord;
  readonly #experiment: ExperimentRecord;
  #examplesAdded = 0;

  constructor(duplex: UploadChannel, reader: Reader, read: ReadUpload, place: UploadAllocation) {
    this.#slices = new Slices(duplex, reader.cipher);
    this.#reader = reader;
    this.#read = read;
    this.#place = place;
    this.#dataset = unpack(place.dataset);
    this.#experiment = unpack(place.experiment);
  }

  async encode(): Promise<UploadResult> {
    const { rows } = this.#read;
    const exampleIds = new IdColumn();
    const examplesWritten = await this.#examples(exampleIds);
    const runIds = await this.#runs(exampleIds);
    exampleIds.free();
    const feedback = await this.#feedback(runIds);
    await this.#slices.finish();
    const statistics = statisticsOfUpload(this.#read, runIds, this.#place.nowUs);
    runIds.free();
    return {
      examplesAdded: this.#examplesAdded,
      examplesWritten,
      nextRun: rows.count,
      nextFeedback: feedback,
      configs: this.#configs(),
      statistics,
      answer: joinBytes([
        '{"experiment":',
        experimentJson(this.#experiment, null),
        ',"dataset":',
        datasetJson(this.#dataset, experimentCounts(this.#reader, this.#dataset.datasetId)),
        '}',
      ]),
    };
  }

  /** Writes new and changed examples, and adds the example id of each row to the list. Returns true if it wrote any. */
  async #examples(exampleIds: IdColumn): Promise<boolean> {
    const { rows } = this.#read;
    const written: number[] = [];
    const changed = new Map<number, KeptFields>();
    const contents = this.#contents();
    const contentOf = (at: number): Content => contents?.[at] ?? this.#contentOf(at);
    for (let at = 0; at < rows.count; at += 1) {
      const first = rows.first(at);
      if (first !== at) {
        exampleIds.add(exampleIds.get(first));
        continue;
      }
      const exampleId = exampleIdOf(this.#dataset.datasetId, rows.rowId(at));
      exampleIds.add(exampleId);
      const stored = this.#place.existing ? this.#newestVersion(exampleId) : undefined;
      if (stored !== undefined && !stored.removed) {
        const { inputs, outputs } = contentOf(at);
        if (sameJson(stored.inputs, inputs) && sameJson(stored.outputs, outputs)) continue;
      } else this.#examplesAdded += 1;
      if (stored !== undefined) {
        const { createdAtUs, name, metadata, attachments } = stored;
        changed.set(at, { createdAtUs, name, metadata, attachments });
      }
      written.push(at);
    }
    const { versionUs } = this.#place;
    await putBlocks(
      this.#slices,
      'E',
      { list: this.#place.exampleList, next: 0 },
      {
        count: written.length,
        write: (out, index) => {
          const at = written[index]!;
          writeExample(out, this.#exampleOf(exampleIds.get(at), rows.rowId(at), changed.get(at), contentOf(at)));
        },
        keyOf: (index) => keys.example(exampleIds.get(written[index]!), versionUs),
      },
    );
    return written.length > 0;
  }

  /** Inputs and expected outputs of each row, by the rules of the dataset. Null if it has none. */
  #contents(): readonly Content[] | null {
    if (!hasRules(this.#dataset)) return null;
    const contents = Array.from({ length: this.#read.rows.count }, (_, at) => ({
      loc: ['results', at],
      ...this.#contentOf(at),
      runExtra: null,
    }));
    return applyDatasetRules(this.#dataset, contents, 'expected_outputs');
  }

  #contentOf(at: number): Content {
    const { rows } = this.#read;
    return { inputs: rows.bytes(at, 'inputs')!, outputs: rows.bytes(at, 'expected') };
  }

  #exampleOf(
    exampleId: string,
    rowId: string,
    stored: KeptFields | undefined,
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
      rowId,
    };
  }

  #newestVersion(exampleId: string): ExampleVersion | undefined {
    for (const { datasetId, version } of versionsOf(this.#reader, exampleId))
      if (datasetId === this.#dataset.datasetId) return version;
    return undefined;
  }

  /** Stores the attachments of the rows; null if there are none. Throws INVALID_REQUEST. */
  async #attachments(): Promise<(JsonBytes | null)[] | null> {
    const { attachmentGroup: group } = this.#place;
    if (group === null) return null;
    const { rows } = this.#read;
    const files = new AttachmentWriter();
    const stored = Array.from({ length: rows.count }, (_, at) =>
      packAttachments(
        readJsonAttachments(rows.bytes(at, 'attachments'), ['results', at, 'attachments'], {
          skipUnreadable: false,
        }).map((sent) => ({ ...files.add(sent), group })),
      ),
    );
    await files.write(group, this.#slices, this.#reader);
    return stored;
  }

  async #runs(exampleIds: IdColumn): Promise<IdColumn> {
    const { rows } = this.#read;
    const attachments = await this.#attachments();
    const runOf = (at: number, runId: string): EvaluationRun => {
      const metadata = rows.bytes(at, 'metadata');
      return {
        runId,
        traceId: runId,
        parentRunId: null,
        name: rows.name(at) ?? DEFAULT_RUN_NAME,
        runType: RUN_TYPE,
        startUs: rows.startUs(at),
        endUs: rows.endUs(at),
        dottedOrder: null,
        exampleId: exampleIds.get(at),
        error: rows.bytes(at, 'error'),
        firstTokenUs: null,
        ...NO_USAGE,
        receivedUs: this.#place.nowUs,
        inputs: rows.bytes(at, 'inputs'),
        outputs: rows.bytes(at, 'actual'),
        extra: metadata === null ? null : wrapInExtra(metadata),
        tags: null,
        events: null,
        serialized: null,
        attachments: attachments?.[at] ?? null,
      };
    };
    const ids = new IdColumn();
    await putBlocks(
      this.#slices,
      'R',
      { list: this.#experiment.list, next: 0 },
      {
        count: rows.count,
        write: (out, at, place) => {
          const runId = positionedId('run', place.list, place.first, place.at);
          ids.set(at, runId);
          writeEvaluationRun(out, runOf(at, runId));
        },
      },
    );
    return ids;
  }

  /** Writes the feedback of the rows in order, then that of the experiment. Returns the next number. */
  async #feedback(runIds: IdColumn): Promise<number> {
    const { rows, summary } = this.#read;
    const rowScores = rows.scores.count;
    let row = 0;
    // Feedback is written in the order of the rows.
    const runOf = (at: number): string => {
      while (rows.scoresEnd(row) <= at) row += 1;
      return runIds.get(row);
    };
    const count = rowScores + summary.count;
    await putBlocks(
      this.#slices,
      'F',
      { list: this.#experiment.list, next: 0 },
      {
        count,
        write: (out, index, place) => {
          const isOfRow = index < rowScores;
          const [scores, at] = isOfRow ? [rows.scores, index] : [summary, index - rowScores];
          const feedbackId = scores.id(at) ?? positionedId('feedback', place.list, place.first, place.at);
          const feedback = this.#feedbackOf(scores, at, feedbackId, isOfRow ? runOf(index) : null);
          writeFeedback(out, feedback, {
            ...parsedWords(scores, at),
            remark: summarizeComment(feedback.comment),
          });
        },
        keyOf: (index) => {
          const id = index < rowScores ? rows.scores.id(index) : summary.id(index - rowScores);
          return id === null ? null : keys.feedback(id);
        },
      },
    );
    return count;
  }

  #feedbackOf(scores: UploadScores, at: number, feedbackId: string, runId: string | null): Feedback {
    const { nowUs } = this.#place;
    const createdAtUs = scores.timeUs(at, 'createdAtUs');
    return {
      feedbackId,
      runId,
      traceId: runId,
      key: scores.key(at),
      createdAtUs: createdAtUs ?? nowUs,
      modifiedAtUs: scores.timeUs(at, 'modifiedAtUs') ?? createdAtUs ?? nowUs,
      comment: scores.bytes(at, 'comment'),
      error: false,
      score: scores.bytes(at, 'score'),
      value: scores.bytes(at, 'value'),
      correction: scores.bytes(at, 'correction'),
      source: scores.bytes(at, 'source') ?? DEFAULT_SOURCE,
      config: scores.bytes(at, 'config'),
      extra: scores.bytes(at, 'extra'),
      groupId: scores.id(at, 'groupId'),
      comparativeId: scores.id(at, 'comparativeId'),
    };
  }

  #configs(): [string, JsonBytes][] {
    const configs = new Map<string, JsonBytes>();
    for (const scores of [this.#read.rows.scores, this.#read.summary]) {
      if (!scores.haveConfigs) continue;
      for (let at = 0; at < scores.count; at += 1) {
        const config = scores.bytes(at, 'config');
        // A copy, because the body is freed before the result is sent.
        if (config !== null && !configs.has(scores.key(at))) configs.set(scores.key(at), Buffer.from(config));
      }
    }
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
