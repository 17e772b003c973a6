import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verify } from './bench.js';
import { experimentBody, type BodyOptions, type ExperimentBody } from './experiment-body.js';
import { sendJson } from './load.js';
import { RequestClient } from './request-client.js';
import type { Workbench } from './workbench.js';

/** An upload in a file that both sides read. */
export interface PreparedUpload {
  file: string;
  bytes: number;
  datasetId: string;
  body: Body;
}

/** An upload without its bytes, which are in a file. */
type Body = Omit<ExperimentBody, 'bytes'>;

export interface Uploaded {
  experimentId: string;
  datasetId: string;
  /** Time from sending the body to the answer. */
  ms: number;
}

interface RunPage {
  runs: { outputs: unknown }[];
  cursors: { next: string | null };
}

interface Session {
  run_count: number;
  error_rate: number | null;
  latency_p50: number | null;
  feedback_stats: Record<string, { n: number; avg: number }>;
}

/** Generates uploads and sends them from a separate process. */
export class Uploads {
  readonly #folder: string;
  readonly #client = new RequestClient();

  constructor(bench: Workbench) {
    this.#folder = bench.createFolder();
    bench.onClose(() => this.#client.close());
  }

  /** Writes an upload to a file. Without `datasetId` it creates a new dataset. */
  prepare({
    datasetId = randomUUID(),
    ...options
  }: Omit<BodyOptions, 'datasetId' | 'experimentName'> & { datasetId?: string }): PreparedUpload {
    const { bytes, ...body } = experimentBody({ ...options, datasetId, experimentName: `experiment-${randomUUID()}` });
    const file = join(this.#folder, `${randomUUID()}.json`);
    writeFileSync(file, bytes);
    return { file, bytes: bytes.byteLength, datasetId, body };
  }

  async send(url: string, { file, datasetId }: PreparedUpload, bytesPerSecond?: number): Promise<Uploaded> {
    const { status, text, latenciesMs } = await this.#client.send({
      url,
      method: 'POST',
      path: '/api/v1/datasets/upload-experiment',
      file,
      ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    });
    verify(status === 200, `the upload returned ${status}: ${text.slice(0, 300)}`);
    const { experiment, dataset } = JSON.parse(text) as { experiment: { id: string }; dataset: { id: string } };
    verify(dataset.id === datasetId, 'the dataset of the answer');
    return { experimentId: experiment.id, datasetId, ms: latenciesMs[0]! };
  }

  remove({ file }: PreparedUpload): void {
    rmSync(file);
  }
}

const POLL_MS = 5;
const STATISTICS_MS_MAX = 60_000;

/** Waits for the statistics of the experiment and checks them. Returns the waiting time in ms. */
export async function statisticsAfter(url: string, { experimentId }: Uploaded, { expected }: Body): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const session = await sendJson<Session>(url, 'GET', `/api/v1/sessions/${experimentId}`);
    const ms = performance.now() - begun;
    if (session.error_rate !== null) {
      checkStatistics(session, expected);
      return ms;
    }
    verify(ms < STATISTICS_MS_MAX, 'the statistics are missing');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function checkStatistics(
  { run_count: runs, error_rate: errorRate, latency_p50: latency, feedback_stats: feedback }: Session,
  expected: ExperimentBody['expected'],
): void {
  const near = (found: number | null | undefined, wanted: number): boolean => Math.abs(Number(found) - wanted) < 1e-6;
  verify(
    runs === expected.runs && near(errorRate, expected.errorRate) && latency !== null && latency > 0.2 && latency < 2,
    'counts, errors and latency',
  );
  for (const key of ['correctness', 'conciseness'] as const)
    verify(feedback[key]?.n === expected.runs && near(feedback[key].avg, expected[key]), `statistics of ${key}`);
}

/** Checks that the upload can be read: the counts of examples and runs, and the row in the middle. */
export async function checkReadBack(
  url: string,
  { experimentId, datasetId }: Uploaded,
  { expected, sample }: Body,
): Promise<void> {
  verify(
    (await sendJson<number>(url, 'GET', `/api/v1/examples/count?dataset=${datasetId}`)) === expected.runs,
    'the count of examples',
  );
  const [example] = await sendJson<{ id: string; inputs: unknown }[]>(
    url,
    'GET',
    `/api/v1/examples?dataset=${datasetId}&offset=${expected.runs >> 1}&limit=1`,
  );
  verify(isEqual(example?.inputs, sample.inputs), 'the example in the middle');
  const runs: { outputs: unknown }[] = [];
  let cursor: string | null = null;
  do {
    const page: RunPage = await sendJson(url, 'POST', '/api/v1/runs/query', {
      session: [experimentId],
      reference_example: [example!.id],
      cursor,
    });
    runs.push(...page.runs);
    cursor = page.cursors.next;
  } while (cursor !== null);
  verify(runs.length === 1 && isEqual(runs[0]!.outputs, sample.outputs), 'the run in the middle');
}

function isEqual(found: unknown, wanted: unknown): boolean {
  return JSON.stringify(found) === JSON.stringify(wanted);
}
