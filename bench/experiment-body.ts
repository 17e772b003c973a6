import { randomUUID } from 'node:crypto';

export interface BodyOptions {
  rows: number;
  datasetId: string;
  experimentName: string;
  /** Ids of the rows, to add runs to the examples of an earlier body. Without them every row is a new example. */
  rowIds?: readonly string[];
  /** Approximate characters of the actual output. */
  outputSize?: number;
  /** Determines scores, latencies and answers, but not questions and expected answers. */
  seed?: number;
}

export interface ExperimentBody {
  bytes: Buffer;
  rowIds: string[];
  /** Statistics that the server must report. */
  expected: { runs: number; errorRate: number; correctness: number; conciseness: number };
  /** The row in the middle, to read back. */
  sample: { inputs: unknown; outputs: unknown };
}

const WORDS = (
  'the customer asks whether an order that was paid by invoice can still be changed after it has left our warehouse and which of ' +
  'these terms apply when only a part comes back within fourteen days of delivery please answer in two sentences'
).split(' ');
const BEGIN_MS = Date.UTC(2026, 0, 5, 9);
const OUTPUT_SIZE = 300;
/** One of this many rows failed: it has an error and no answer. */
const ROWS_PER_ERROR = 50;

/** Generates a realistic upload: question, expected and actual answer, some metadata and two scores per row. */
export function experimentBody({
  rows,
  datasetId,
  experimentName,
  rowIds,
  outputSize = OUTPUT_SIZE,
  seed = 1,
}: BodyOptions): ExperimentBody {
  const ids = rowIds === undefined ? Array.from({ length: rows }, () => randomUUID()) : [...rowIds];
  const random = randomNumbers(seed);
  const texts: string[] = [];
  const expected = { runs: rows, errorRate: 0, correctness: 0, conciseness: 0 };
  let sample: ExperimentBody['sample'] | null = null;
  for (let at = 0; at < rows; at += 1) {
    const failed = at % ROWS_PER_ERROR === ROWS_PER_ERROR - 1;
    const correctness = random() < 0.7 ? 1 : 0;
    const conciseness = Math.round(random() * 100) / 100;
    const startMs = BEGIN_MS + at * 10;
    const row = {
      row_id: ids[at],
      inputs: { question: textOf(at * 7, 105) },
      expected_outputs: { answer: textOf(at * 11 + 3, 65) },
      actual_outputs: failed ? null : { answer: textOf(at * 13 + Math.floor(random() * 100), outputSize - 15) },
      ...(failed ? { error: 'TimeoutError: the model did not answer within 30 s' } : {}),
      evaluation_scores: [
        {
          key: 'correctness',
          score: correctness,
          comment: correctness === 1 ? 'matches the reference' : 'misses the deadline',
        },
        { key: 'conciseness', score: conciseness },
      ],
      start_time: new Date(startMs).toISOString(),
      end_time: new Date(startMs + 200 + Math.floor(random() * 1_800)).toISOString(),
      run_name: 'answer-question',
      run_metadata: { model: 'gpt-4o-mini', attempt: 1 },
    };
    if (at === rows >> 1) sample = { inputs: row.inputs, outputs: row.actual_outputs };
    if (failed) expected.errorRate += 1 / rows;
    expected.correctness += correctness / rows;
    expected.conciseness += conciseness / rows;
    texts.push(JSON.stringify(row));
  }
  const head = JSON.stringify({
    experiment_name: experimentName,
    experiment_description: 'nightly run',
    dataset_id: datasetId,
    dataset_name: `questions ${datasetId}`,
    experiment_start_time: new Date(BEGIN_MS).toISOString(),
    experiment_end_time: new Date(BEGIN_MS + rows * 10 + 10_000).toISOString(),
    experiment_metadata: { branch: 'main', prompt: 'v3' },
  });
  const bytes = Buffer.from(`${head.slice(0, -1)},"results":[${texts.join(',')}]}`);
  return { bytes, rowIds: ids, expected, sample: sample! };
}

/** A text of this size; another `start` gives another text. */
function textOf(start: number, size: number): string {
  let text = `${start}`;
  for (let at = start; text.length < size; at += 1) text += ` ${WORDS[(at * 5 + start) % WORDS.length]}`;
  return text;
}

/** Uniform random numbers from 0 to 1 for a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
