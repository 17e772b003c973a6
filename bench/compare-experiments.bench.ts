import { atMost, defineBench, verify, type Row } from './bench.js';
import type { ThreadmillServer } from './contenders/threadmill.js';
import { sendJson, durationMs, sendPaced, type Length } from './load.js';
import { median, quantile, format } from './measure.js';
import { RequestClient } from './request-client.js';
import { statisticsAfter, Uploads } from './uploads.js';
import type { Workbench } from './workbench.js';

const P95_MS_MAX = 200;
const OK_P99_MS_MAX = 20;
const DEEP_MAX = 2;
const OK_RATE = 200;
const LIMIT = 50;
const PAGE = 100;

interface Params {
  examples: number;
  experiments: number;
  rounds: number;
  length: Length;
  /** Rows of the dataset that is paged through. */
  deep: number;
  /** Restarts the server after it is filled. */
  restart: boolean;
}

interface Comparison {
  total: number;
  experiments: {
    id: string;
    run_count: number;
    versus_baseline: { feedback: Record<string, { difference: number; interval: number[] | null }> } | null;
  }[];
  rows: { runs: Record<string, unknown[]> }[];
}

export default defineBench<Params>({
  name: 'compare-experiments',
  description:
    'First page of a comparison of experiments, and deep pages of large lists compared with their first pages',
  smoke: { examples: 60, experiments: 2, rounds: 1, length: { requests: 3 }, deep: 200, restart: false },
  real: { examples: 10_000, experiments: 10, rounds: 7, length: { seconds: 3 }, deep: 100_000, restart: true },
  async run(bench, { examples, experiments, rounds, length, deep, restart }) {
    const uploads = new Uploads(bench);
    const client = new RequestClient();
    bench.onClose(() => client.close());
    const options = restart ? { workers: 1, dataFolder: bench.createFolder() } : { workers: 1 };
    const filler = await bench.startServer(options);
    const { datasetId, ids, means } = await fillComparison(uploads, filler, examples, experiments);
    const large = uploads.prepare({ rows: deep });
    const { experimentId } = await uploadAndWait(uploads, filler, large);
    if (restart) await filler.close();

    const ours = restart ? await bench.startServer(options) : filler;
    const path = `/api/v1/datasets/${datasetId}/comparison`;
    const body = JSON.stringify({ experiment_ids: ids, limit: LIMIT });
    const compare = { url: ours.url, method: 'POST', path, body };
    const cold = await client.send(compare);
    verify(cold.status === 200, `the comparison returned ${cold.status}: ${cold.text.slice(0, 300)}`);
    checkComparison(JSON.parse(cold.text) as Comparison, { examples, ids, means });
    const paged = await measurePages(bench, client, ours, {
      datasetId: large.datasetId,
      experimentId,
      deep,
      rounds,
      length,
    });
    return [
      ...(await measureComparisons(bench, client, ours, { compare, cold, examples, experiments, rounds, length })),
      ...paged,
    ];
  },
});

/** Uploads an experiment and waits for its statistics. */
async function uploadAndWait(
  uploads: Uploads,
  ours: ThreadmillServer,
  upload: ReturnType<Uploads['prepare']>,
): Promise<{ experimentId: string }> {
  const done = await uploads.send(ours.url, upload);
  await statisticsAfter(ours.url, done, upload.body);
  uploads.remove(upload);
  return done;
}

/** Uploads experiments on the same examples. Returns their ids and mean scores. */
async function fillComparison(
  uploads: Uploads,
  ours: ThreadmillServer,
  examples: number,
  experiments: number,
): Promise<{ datasetId: string; ids: string[]; means: number[] }> {
  const ids: string[] = [];
  const means: number[] = [];
  let datasetId: string | undefined;
  let rowIds: string[] | undefined;
  for (let at = 0; at < experiments; at += 1) {
    const upload = uploads.prepare({ rows: examples, datasetId, rowIds, seed: at + 1 });
    ({ datasetId } = upload);
    ({ rowIds } = upload.body);
    ids.push((await uploadAndWait(uploads, ours, upload)).experimentId);
    means.push(upload.body.expected.conciseness);
  }
  return { datasetId: datasetId!, ids, means };
}

function checkComparison(
  { total, rows, experiments }: Comparison,
  { examples, ids, means }: { examples: number; ids: string[]; means: number[] },
): void {
  verify(total === examples && rows.length === Math.min(LIMIT, examples), 'the examples of the comparison');
  verify(
    rows.every(({ runs }) => ids.every((id) => runs[id]?.length === 1)),
    'a run of every experiment in every row',
  );
  experiments.forEach(({ id, run_count: runs, versus_baseline: versus }, at) => {
    verify(
      id === ids[at] && runs === examples && (versus === null) === (at === 0),
      'the experiments of the comparison',
    );
    if (versus === null) return;
    const { difference, interval } = versus.feedback['conciseness']!;
    const wanted = means[at]! - means[0]!;
    verify(
      Math.abs(difference - wanted) < 1e-6 &&
        interval !== null &&
        interval[0]! <= difference &&
        difference <= interval[1]!,
      'a mean difference and its interval',
    );
  });
}

interface ComparisonOptions {
  compare: { url: string; method: string; path: string; body: string };
  cold: { latenciesMs: number[]; text: string };
  examples: number;
  experiments: number;
  rounds: number;
  length: Length;
}

async function measureComparisons(
  bench: Workbench,
  client: RequestClient,
  ours: ThreadmillServer,
  { compare, cold, examples, experiments, rounds, length }: ComparisonOptions,
): Promise<Row[]> {
  const ok = { url: ours.url, path: '/ok', perSecond: OK_RATE, check: (text: string) => text === '{"ok":true}' };
  const ms = durationMs(length);
  await client.send({ ...compare, ms });
  const p50s: number[] = [];
  const p95s: number[] = [];
  const okP99s: number[] = [];
  const answered: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const comparing = client.send({ ...compare, ms });
    const [{ text, latenciesMs }, okMs] = await Promise.all([
      comparing,
      sendPaced({ ...ok, seconds: ms / 1_000, until: comparing }),
    ]);
    verify(text === cold.text, 'later comparisons equal the first one');
    p50s.push(quantile(latenciesMs, 0.5));
    p95s.push(quantile(latenciesMs, 0.95));
    okP99s.push(quantile(okMs, 0.99));
    answered.push(latenciesMs.length);
  }
  const what = `${experiments} experiments × ${examples.toLocaleString('en-US')} examples`;
  const [p95, okP99] = [median(p95s), median(okP99s)];
  const check =
    'Median of the rounds; every answer equals the first one, whose counts, runs, mean differences and intervals ' +
    'were checked.';
  return [
    {
      what: `compare ${what}: first page of ${LIMIT}, p95`,
      ours: `${format.ms(p95)} (p50 ${format.ms(median(p50s))})`,
      reference: null,
      ratio: null,
      budget: `under ${P95_MS_MAX} ms`,
      missed: bench.isSmoke ? null : atMost(p95, P95_MS_MAX),
      method: [
        `\`POST /api/v1/datasets/{id}/comparison\`, two scores and a latency and an error rate each, one client ` +
          `in a separate process, ${rounds} rounds of ${ms / 1_000} s; ${format.mb(Buffer.byteLength(cold.text))} ` +
          'per answer.',
        check,
      ],
      evidence:
        `${median(answered)} answers per round. The first one after a restart, which reads every run and score: ` +
        `${format.ms(cold.latenciesMs[0]!)}.`,
    },
    {
      what: '`GET /ok` during these comparisons, p99',
      ours: format.ms(okP99),
      reference: null,
      ratio: null,
      budget: `under ${OK_P99_MS_MAX} ms`,
      missed: bench.isSmoke ? null : atMost(okP99, OK_P99_MS_MAX),
      method: [
        `${OK_RATE} reads a second during the same rounds, each sent when due whether or not the last was answered.`,
        check,
      ],
    },
  ];
}

interface PagingOptions {
  datasetId: string;
  experimentId: string;
  deep: number;
  rounds: number;
  length: Length;
}

/** Measures the last and the first page of each list, alternately. */
async function measurePages(
  bench: Workbench,
  client: RequestClient,
  ours: ThreadmillServer,
  { datasetId, experimentId, deep, rounds, length }: PagingOptions,
): Promise<Row[]> {
  const many = deep.toLocaleString('en-US');
  const get =
    (path: string) =>
    (offset: number): ListRequest => ({
      url: ours.url,
      method: 'GET',
      path: `/api/v1/${path}&limit=${PAGE}&offset=${offset}`,
    });
  const query = (cursor: string | null): ListRequest => ({
    url: ours.url,
    method: 'POST',
    path: '/api/v1/runs/query',
    body: JSON.stringify({ session: [experimentId], limit: PAGE, cursor }),
  });
  const examples = get(`examples?dataset=${datasetId}`);
  const feedback = get(`feedback?session=${experimentId}`);
  const lastCursor = await cursorBefore(ours, query, deep - PAGE);
  const ms = durationMs(length) / 3;
  const rows: Row[] = [];
  for (const [what, first, last] of [
    [
      `\`GET /examples\`, offset ${(deep - PAGE).toLocaleString('en-US')} of ${many}`,
      examples(0),
      examples(deep - PAGE),
    ],
    [
      `\`POST /runs/query\`, last of ${(deep / PAGE).toLocaleString('en-US')} pages by cursor`,
      query(null),
      query(lastCursor),
    ],
    [
      `\`GET /feedback?session\`, offset ${(2 * deep - PAGE).toLocaleString('en-US')} of ` +
        (2 * deep).toLocaleString('en-US'),
      feedback(0),
      feedback(2 * deep - PAGE),
    ],
  ] as const) {
    const [head, tail] = [await idsOf(client, first), await idsOf(client, last)];
    verify(
      head.length === PAGE && tail.length === PAGE && new Set([...head, ...tail]).size === 2 * PAGE,
      `both pages of ${what} are full and have nothing in common`,
    );
    const p50 = async (request: ListRequest): Promise<number> =>
      quantile((await client.send({ ...request, ms })).latenciesMs, 0.5);
    await p50(first);
    await p50(last);
    const firsts: number[] = [];
    const lasts: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      if (round % 2 === 0) firsts.push(await p50(first));
      lasts.push(await p50(last));
      if (round % 2 === 1) firsts.push(await p50(first));
    }
    const ratio = median(lasts.map((value, round) => value / firsts[round]!));
    rows.push({
      what: `${what}, p50`,
      ours: format.ms(median(lasts)),
      reference: `${format.ms(median(firsts))} the first page`,
      ratio: format.ratio(ratio),
      budget: `at most ${DEEP_MAX}`,
      missed: bench.isSmoke ? null : atMost(ratio, DEEP_MAX),
      method: [
        `${PAGE} rows per page, one client in a separate process, ${rounds} alternating rounds of ` +
          `${(ms / 1_000).toFixed(1)} s. The first request of a list, which reads all of it, is not counted.`,
        'Ratio of a round, median of the rounds. Both pages are full and have no row in common; every answer ' +
          'equals the first one.',
      ],
    });
  }
  return rows;
}

interface ListRequest {
  url: string;
  method: string;
  path: string;
  body?: string;
}

/** The cursor after so many rows. */
async function cursorBefore(
  ours: ThreadmillServer,
  query: (cursor: string | null) => ListRequest,
  rows: number,
): Promise<string> {
  let cursor: string | null = null;
  for (let at = 0; at < rows; at += PAGE) {
    const { path, body }: ListRequest = query(cursor);
    const page: { cursors: { next: string | null } } = await sendJson(ours.url, 'POST', path, JSON.parse(body!));
    cursor = page.cursors.next;
    verify(cursor !== null, 'pages ended early');
  }
  return cursor!;
}

async function idsOf(client: RequestClient, request: ListRequest): Promise<string[]> {
  const { status, text } = await client.send(request);
  verify(status === 200, `${request.path} returned ${status}: ${text.slice(0, 300)}`);
  const answer = JSON.parse(text) as { id: string }[] | { runs: { id: string }[] };
  return (Array.isArray(answer) ? answer : answer.runs).map(({ id }) => id);
}
