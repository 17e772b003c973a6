import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atLeast, atMost, defineBench, verify, type Row } from './bench.js';
import type { ThreadmillServer } from './contenders/threadmill.js';
import { sendJson } from './load.js';
import { format, median } from './measure.js';
import { RequestClient } from './request-client.js';
import type { Workbench } from './workbench.js';

const PEAK_MB_MAX = 350;
const AFTER_MB_MAX = 100;
const PER_SECOND_MIN = 40_000;
const FIRST_RATIO_MAX = 2;
const SAMPLE_MS = 20;

interface MemoryCase {
  what: string;
  rows: number;
  bytesPerRow: number;
  clients: number;
}

interface Params {
  memory: MemoryCase[];
  /** Time after the upload at which memory is measured again, and before it until the server is at rest. */
  restMs: number;
  warm: { rows: number; bytesPerRow: number; uploads: number; starts: number; readyMs: number };
}

export default defineBench<Params>({
  name: 'upload-memory',
  description: 'Memory of the server during and after large uploads, and the first upload against later ones',
  smoke: {
    memory: [{ what: 'a little from two clients', rows: 50, bytesPerRow: 2_000, clients: 2 }],
    restMs: 0,
    warm: { rows: 20, bytesPerRow: 300, uploads: 3, starts: 1, readyMs: 0 },
  },
  real: {
    memory: [
      { what: '100 MB in 2,000 rows', rows: 2_000, bytesPerRow: 50_000, clients: 1 },
      { what: '100 MB in 250,000 rows', rows: 250_000, bytesPerRow: 400, clients: 1 },
      { what: 'ten times 100 MB at once, in 2,000 rows each', rows: 2_000, bytesPerRow: 50_000, clients: 10 },
    ],
    restMs: 10_000,
    warm: { rows: 2_000, bytesPerRow: 300, uploads: 15, starts: 5, readyMs: 5_000 },
  },
  async run(bench, { memory, restMs, warm }) {
    const rows: Row[] = [];
    for (const one of memory) rows.push(...(await measureMemory(bench, one, restMs)));
    return [...rows, ...(await measureFirst(bench, warm))];
  },
});

/** A body with rows of this size: ids, times, inputs, outputs and one score. */
function uploadBody(rows: number, bytesPerRow: number): Buffer {
  const padding = 'x'.repeat(bytesPerRow);
  const texts = Array.from({ length: rows }, (_, index) => {
    const time = new Date(Date.UTC(2026, 0, 5) + index * 10).toISOString();
    const head = `{"row_id":"${randomUUID()}","inputs":{"n":${index}},"actual_outputs":{"a":"`;
    const tail = `"},"evaluation_scores":[{"key":"correct","score":${index % 2}}],"start_time":"${time}","end_time":"${time}"}`;
    return `${head}${padding.slice(0, Math.max(0, bytesPerRow - 1 - head.length - tail.length))}${tail}`;
  });
  const name = randomUUID();
  return Buffer.from(
    `{"experiment_name":"experiment ${name}","dataset_name":"dataset ${name}",` +
      '"experiment_start_time":"2026-01-05T00:00:00Z","experiment_end_time":"2026-01-06T00:00:00Z",' +
      `"results":[${texts.join(',')}]}`,
  );
}

interface Answer {
  experimentId: string;
  /** Time from sending the body to the answer. */
  ms: number;
}

/** Sends the files at once, one from each client. */
async function sendUploads(
  url: string,
  files: readonly string[],
  clients: readonly RequestClient[],
): Promise<Answer[]> {
  const path = '/api/v1/datasets/upload-experiment';
  const results = await Promise.all(
    files.map((file, index) => clients[index]!.send({ url, method: 'POST', path, file })),
  );
  for (const { status, text } of results)
    verify(status === 200, `the upload returned ${status}: ${text.slice(0, 300)}`);
  return results.map(({ text, latenciesMs }) => ({
    experimentId: (JSON.parse(text) as { experiment: { id: string } }).experiment.id,
    ms: latenciesMs[0]!,
  }));
}

async function measureMemory(
  bench: Workbench,
  { what, rows, bytesPerRow, clients: count }: MemoryCase,
  restMs: number,
): Promise<Row[]> {
  const ours = await bench.startServer({ workers: 1, fresh: !bench.isSmoke });
  const folder = bench.createFolder();
  const clients = Array.from({ length: count }, () => new RequestClient());
  bench.onClose(async () => void (await Promise.all(clients.map((client) => client.close()))));
  const fileOf = (index: number, body: Buffer): string => {
    const file = join(folder, `${index}.json`);
    writeFileSync(file, body);
    return file;
  };
  // After its first upload, a server keeps an intake thread ready. Its memory is part of the rest.
  await sendUploads(ours.url, [fileOf(0, uploadBody(10, 300))], clients);
  await sleep(restMs);
  const files = clients.map((_, index) => fileOf(index, uploadBody(rows, bytesPerRow)));
  const atRest = ours.memory();
  let peak = atRest;
  const timer = setInterval(() => {
    const now = ours.memory();
    if (now.own > peak.own) peak = now;
  }, SAMPLE_MS);
  const begun = performance.now();
  // A failed bench must not stop the others.
  const answers = await sendUploads(ours.url, files, clients).finally(() => clearInterval(timer));
  const wallMs = performance.now() - begun;
  await sleep(restMs);
  const after = ours.memory();
  for (const { experimentId } of answers) {
    const { run_count: runs } = await sendJson<{ run_count: number }>(
      ours.url,
      'GET',
      `/api/v1/sessions/${experimentId}`,
    );
    verify(runs === rows, `${runs} runs of ${rows}`);
  }
  if (!bench.isSmoke) await ours.close();
  const method: Row['method'] = [
    `${count === 1 ? 'One separate process sends' : `${count} separate processes send`} the body as fast as the server ` +
      `takes it. Memory of the process without file pages (RssAnon), every ${SAMPLE_MS} ms. Rest: after a small upload ` +
      `and ${restMs / 1_000} s.`,
    'Every upload is accepted, and the number of runs of every experiment is compared.',
  ];
  const above = (own: number): number => (own - atRest.own) / 1e6;
  return [
    {
      what: `memory above rest at the peak of an upload: ${what}`,
      ours: `${above(peak.own).toFixed(0)} MB`,
      reference: null,
      ratio: null,
      budget: `at most ${PEAK_MB_MAX} MB`,
      missed: bench.isSmoke ? null : atMost(above(peak.own), PEAK_MB_MAX),
      method,
      evidence:
        `${format.mb(atRest.own)} at rest. The answers came after ${answers.map(({ ms }) => format.ms(ms)).join(', ')}: ` +
        `${format.perSecond(((rows * count) / wallMs) * 1_000)} rows. Pages of the data file in memory: ` +
        `${format.mb(atRest.rss - atRest.own)} at rest, ${format.mb(peak.rss - peak.own)} at the peak, which the kernel ` +
        'can drop at any time.',
    },
    {
      what: `the same ${restMs / 1_000} s after the last answer`,
      ours: `${above(after.own).toFixed(0)} MB`,
      reference: null,
      ratio: null,
      budget: `at most ${AFTER_MB_MAX} MB`,
      missed: bench.isSmoke ? null : atMost(above(after.own), AFTER_MB_MAX),
      method,
    },
  ];
}

/** First upload after a start of a server with experiments, and later ones. */
async function measureFirst(
  bench: Workbench,
  { rows, bytesPerRow, uploads, starts, readyMs }: Params['warm'],
): Promise<Row[]> {
  const dataFolder = bench.createFolder();
  const file = join(bench.createFolder(), 'upload.json');
  const firstMs: number[] = [];
  const warmMs: number[] = [];
  for (let start = 0; start <= starts; start += 1) {
    const ours: ThreadmillServer = await bench.startServer({ workers: 1, dataFolder });
    const client = new RequestClient();
    await sleep(start === 0 ? 0 : readyMs);
    for (let upload = 0; upload < (start === 0 ? 1 : uploads); upload += 1) {
      writeFileSync(file, uploadBody(rows, bytesPerRow));
      const [answer] = await sendUploads(ours.url, [file], [client]);
      // The start of the empty folder only makes an experiment.
      if (start > 0) (upload === 0 ? firstMs : warmMs).push(answer!.ms);
      await sleep(50);
    }
    await client.close();
    await ours.close();
  }
  const perSecond = (rows / median(warmMs)) * 1_000;
  const ratio = median(firstMs) / median(warmMs);
  const method: Row['method'] = [
    `${starts} starts of a server that has an experiment, ${uploads} uploads after each, the first one ` +
      `${readyMs / 1_000} s after the start. Median over the starts, from sending the body to the response.`,
    'Every upload is accepted.',
  ];
  return [
    {
      what: `uploads of ${rows.toLocaleString('en-US')} rows of ${bytesPerRow} bytes, one after the other`,
      ours: `${format.perSecond(perSecond)} (${format.ms(median(warmMs))})`,
      reference: null,
      ratio: null,
      budget: `at least ${PER_SECOND_MIN.toLocaleString('en-US')} rows/s`,
      missed: bench.isSmoke ? null : atLeast(perSecond, PER_SECOND_MIN),
      method,
    },
    {
      what: 'the first of them after a start',
      ours: format.ms(median(firstMs)),
      reference: `${format.ms(median(warmMs))} a later one`,
      ratio: format.ratio(ratio),
      budget: `at most ${FIRST_RATIO_MAX} times as long`,
      missed: bench.isSmoke ? null : atMost(ratio, FIRST_RATIO_MAX),
      method,
    },
  ];
}
