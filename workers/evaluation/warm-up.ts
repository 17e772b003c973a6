import { randomUUID } from 'node:crypto';
import { freeMemory } from '../../src/base/free-memory.js';
import { newDataset } from '../../src/store/evaluation/datasets.js';
import type { ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import type { Reader } from '../../src/store/reader.js';
import { pack, unpack } from '../../src/wire/codec.js';
import type { ToUpload } from '../../src/wire/evaluation/evaluation.js';
import { readUpload } from './read-upload.js';
import { sendUpload, type UploadChannel } from './upload.js';

const ROWS = 2_000;
/** After as many rows, the first upload takes a third of the time that it takes without (bench/upload-memory). */
const ROUNDS = 12;
const TIME = '2026-01-01T00:00:00Z';

/**
 * Processes invented uploads that are never stored, so that the compiler has seen the code before the first real one,
 * which would otherwise take several times as long. Lets real ones in between.
 */
export async function warmUp(reader: Reader): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const body = inventedBody();
    await sendUpload(inventedChannel(round), reader, readUpload(body));
    freeMemory(body);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The front thread's side, which accepts everything. */
function inventedChannel(round: number): UploadChannel {
  let hasPlace = false;
  return {
    send: () => undefined,
    sendWithBytes: ({ bytes }) => freeMemory(bytes),
    receive(): Promise<ToUpload> {
      if (hasPlace) return Promise.resolve({ type: 'more' });
      hasPlace = true;
      return Promise.resolve(inventedPlace(round));
    },
  };
}

/** Like a received message: with lists and times of the usual size, in an object with the shape of unpacked ones. */
function inventedPlace(round: number): ToUpload {
  const datasetId = randomUUID();
  const nowUs = Date.now() * 1_000;
  const list = 2 * round + 1;
  const place: ToUpload = {
    type: 'place',
    dataset: pack(newDataset({ datasetId, name: 'warm-up', description: null, nowUs, externallyManaged: true })),
    existing: false,
    experiment: pack({
      experimentId: randomUUID(),
      list,
      name: 'warm-up',
      description: null,
      startTimeUs: nowUs,
      endTimeUs: nowUs,
      createdAtUs: nowUs,
      extra: null,
      progress: null,
      defaultDatasetId: null,
      referenceDatasetId: datasetId,
      traceTier: 'longlived',
      testRunNumber: 1,
    } satisfies ExperimentRecord),
    exampleList: list + 1,
    attachmentGroup: null,
    versionUs: nowUs,
    nowUs,
  };
  return unpack<ToUpload>(pack(place));
}

/** Rows of every shape: code that has never seen a missing or a long value is compiled again when it meets one. */
function inventedBody(): Buffer {
  const results = Array.from({ length: ROWS }, (_, index) => {
    const has = (bit: number): boolean => ((index >> bit) & 1) === 1;
    const text = (has(4) ? 'é' : 'x').repeat(has(3) ? 400 : 20);
    const scores = [
      { key: 'correct', score: has(0), ...(has(1) ? { comment: text } : {}) },
      { key: 'exact', score: has(2) ? index / 7 : index },
      { key: 'label', value: has(2) ? 'good' : index, feedback_source: { type: 'model' }, comment: null },
    ];
    return {
      row_id: randomUUID(),
      inputs: { question: text, list: [index, null] },
      ...(has(0) ? { expected_outputs: { answer: text } } : {}),
      ...(has(5) ? { error: text } : { actual_outputs: { answer: text } }),
      evaluation_scores: scores.slice(0, index % 4),
      start_time: TIME,
      end_time: TIME,
      ...(has(1) ? { run_name: 'warm-up' } : {}),
      ...(has(2) ? { run_metadata: { index } } : {}),
    };
  });
  return Buffer.from(
    JSON.stringify({
      experiment_name: 'warm-up',
      dataset_name: 'warm-up',
      experiment_start_time: TIME,
      experiment_end_time: TIME,
      results,
    }),
  );
}
