import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { atLeast, atMost, defineBench, type Row } from './bench.js';
import type { ThreadmillServer } from './contenders/threadmill.js';
import { sendPaced } from './load.js';
import { alternate, cpuPerUnit, median, medianRatio, quantile, format } from './measure.js';
import { checkReadBack, statisticsAfter, Uploads, type PreparedUpload, type Uploaded } from './uploads.js';
import type { Workbench } from './workbench.js';

const PER_SECOND_MIN = 20_000;
const STATISTICS_MS_MAX = 500;
const P99_MS_MAX = 20;
/** Allowed time above an empty server, on machines where an empty server is slow itself. */
const P99_MS_ABOVE_MAX = 10;
const OK_RATE = 200;
/** Upper bound for the largest upload. */
const UPLOAD_S_MAX = 120;

interface RateCase {
  rows: number;
  rounds: number;
  /** True if the budget applies to this size. */
  budget?: boolean;
}

interface LargeUpload {
  what: string;
  rows: number;
  outputSize: number;
  rounds: number;
  /** Speed of the simulated network; unlimited if not set. */
  bytesPerSecond?: number;
}

const GIGABIT = 125_000_000;

interface Params {
  sizes: RateCase[];
  large: LargeUpload[];
  restMs: number;
}

export default defineBench<Params>({
  name: 'upload-experiment',
  description:
    'Uploads of experiments with two scores per row, compared with bare puts of the same rows; /ok and memory ' +
    'during uploads',
  smoke: {
    sizes: [
      { rows: 10, rounds: 1 },
      { rows: 100, rounds: 1, budget: true },
    ],
    large: [{ what: 'a little', rows: 20, outputSize: 5_000, rounds: 1, bytesPerSecond: GIGABIT }],
    restMs: 0,
  },
  real: {
    sizes: [
      { rows: 10, rounds: 15 },
      { rows: 1_000, rounds: 11 },
      { rows: 2_000, rounds: 15, budget: true },
      { rows: 10_000, rounds: 7 },
      { rows: 100_000, rounds: 3 },
    ],
    large: [
      {
        what: '100 MB in 2,000 rows over 1 Gbit/s',
        rows: 2_000,
        outputSize: 50_000,
        rounds: 15,
        bytesPerSecond: GIGABIT,
      },
      {
        what: '100 MB in 110,000 rows over 1 Gbit/s',
        rows: 110_000,
        outputSize: 300,
        rounds: 7,
        bytesPerSecond: GIGABIT,
      },
      { what: '100 MB in 2,000 rows from this machine', rows: 2_000, outputSize: 50_000, rounds: 5 },
    ],
    restMs: 10_000,
  },
  async run(bench, { sizes, large, restMs }) {
    const uploads = new Uploads(bench);
    const rows: Row[] = [];
    const ours = await bench.startServer({ workers: 1 });
    const bare = bench.isSmoke
      ? null
      : fork(join(import.meta.dirname, 'contenders', 'bare-upload.js'), [bench.createFolder()]);
    if (bare !== null)
      bench.onClose(async () => {
        bare.disconnect();
        await once(bare, 'exit');
      });
    for (const size of sizes) rows.push(...(await measureRate(uploads, ours, bare, size)));
    for (const one of large) rows.push(...(await measureSideEffects(bench, uploads, one, restMs)));
    return rows;
  },
});

type Bare = ReturnType<typeof fork>;

/** Measures rows per second of one size. In each round both sides get the same body, in a new dataset. */
async function measureRate(
  uploads: Uploads,
  ours: ThreadmillServer,
  bare: Bare | null,
  { rows, rounds, budget = false }: RateCase,
): Promise<Row[]> {
  const statisticsMs: number[] = [];
  const cpu: CpuOfRow[] = [];
  const files: PreparedUpload[] = [];
  const fileOf = (round: number): PreparedUpload => (files[round] ??= uploads.prepare({ rows, seed: round + 1 }));
  let round = 0;
  let bareRound = 0;
  const oursOnce = async (): Promise<number> => {
    const upload = fileOf(round++);
    let done!: Uploaded;
    const used = await cpuPerUnit(ours.pid, async () => {
      done = await uploads.send(ours.url, upload);
      return rows;
    });
    if (used !== null) cpu.push(used);
    statisticsMs.push(await statisticsAfter(ours.url, done, upload.body));
    return (rows / done.ms) * 1_000;
  };
  const bareOnce = async (): Promise<number> => {
    bare!.send(fileOf(bareRound++).file);
    const [ms] = (await once(bare!, 'message')) as [number];
    return (rows / ms) * 1_000;
  };
  const first = fileOf(0);
  await checkReadBack(ours.url, await uploads.send(ours.url, first), first.body);
  files.length = 0;
  uploads.remove(first);
  await oursOnce();
  if (bare !== null) await bareOnce();
  statisticsMs.length = 0;
  cpu.length = 0;
  const paired = await alternate(rounds, oursOnce, bare === null ? null : bareOnce);
  for (const file of files) uploads.remove(file);

  const perSecond = median(paired.ours);
  const many = rows.toLocaleString('en-US');
  const result: Row[] = [
    {
      what: `upload of ${many} rows, two scores each`,
      ours: `${format.perSecond(perSecond)} (${format.ms((rows / perSecond) * 1_000)})`,
      reference: bare === null ? null : `${format.perSecond(median(paired.reference))} bare puts`,
      ratio: format.ratio(medianRatio(paired)),
      budget: budget ? `at least ${PER_SECOND_MIN.toLocaleString('en-US')} rows/s` : 'none',
      missed: budget && bare !== null ? atLeast(perSecond, PER_SECOND_MIN) : null,
      method: [
        `${rounds} alternating rounds after a warm-up, each a body of about 0.9 KB per row in a new dataset, ` +
          'from sending it to the response. The other side is a separate process that parses the same body from ' +
          'memory and puts each row as one LMDB record, in one awaited transaction, without HTTP, validation or ' +
          'index.',
        'Median of the rounds, and median of their ratios. Before, the examples are counted and the row in the ' +
          'middle is read back; the statistics of every round equal those of the body.',
      ],
      evidence:
        [cpuText(cpu), budget ? '' : `Statistics ${format.ms(median(statisticsMs))} after the answer.`]
          .filter((text) => text !== '')
          .join(' ') || null,
    },
  ];
  if (!budget) return result;
  const worst = Math.max(...statisticsMs);
  return [
    ...result,
    {
      what: `its statistics after the response`,
      ours: `${format.ms(median(statisticsMs))}, the slowest ${format.ms(worst)}`,
      reference: null,
      ratio: null,
      budget: `within ${STATISTICS_MS_MAX} ms`,
      missed: bare === null ? null : atMost(worst, STATISTICS_MS_MAX),
      method: [
        'The same rounds: from the response until `GET /api/v1/sessions/{id}`, polled every 5 ms, has an error rate.',
        'The slowest round counts; counts, error rate and both means are compared with the body.',
      ],
    },
  ];
}

type CpuOfRow = NonNullable<Awaited<ReturnType<typeof cpuPerUnit>>>;

/** Uses means instead of medians, because a tick of the kernel is longer than the CPU time of a round. */
function cpuText(rounds: readonly CpuOfRow[]): string {
  if (rounds.length === 0) return '';
  const mean = (of: (one: CpuOfRow) => number): string =>
    format.us(rounds.reduce((sum, one) => sum + of(one), 0) / rounds.length);
  return (
    `CPU per row until the response: ${mean(({ busiest }) => busiest)} on the intake thread, ` +
    `${mean(({ main }) => main)} on the front thread, ${mean(({ rest }) => rest)} on all others (store writer, ` +
    'garbage collection).'
  );
}

/** Measures other requests during a large upload, and memory after it, on a new server. */
async function measureSideEffects(
  bench: Workbench,
  uploads: Uploads,
  { what, rows, outputSize, rounds, bytesPerSecond }: LargeUpload,
  restMs: number,
): Promise<Row[]> {
  const ours = await bench.startServer({ workers: 1, fresh: !bench.isSmoke });
  let bareUrl: string | null = null;
  if (!bench.isSmoke) {
    const bare = fork(join(import.meta.dirname, 'contenders', 'bare-http.js'));
    bench.onClose(async () => {
      bare.disconnect();
      await once(bare, 'exit');
    });
    const [port] = (await once(bare, 'message')) as [number];
    bareUrl = `http://127.0.0.1:${port}`;
  }
  const isOk = (body: string): boolean => body === '{"ok":true}';
  const warm = uploads.prepare({ rows: Math.min(rows, 2_000) });
  await statisticsAfter(ours.url, await uploads.send(ours.url, warm), warm.body);
  uploads.remove(warm);
  await sendPaced({ url: ours.url, path: '/ok', perSecond: OK_RATE, seconds: 0.2, check: isOk });
  const before = ours.memory();

  const here: number[][] = [];
  const machines: number[][] = [];
  const uploadMs: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const upload = uploads.prepare({ rows, outputSize, seed: round + 1 });
    bytes = upload.bytes;
    const uploading = uploads.send(ours.url, upload, bytesPerSecond);
    const [done, mine, machine] = await Promise.all([
      uploading,
      sendPaced({
        url: ours.url,
        path: '/ok',
        perSecond: OK_RATE,
        seconds: UPLOAD_S_MAX,
        until: uploading,
        check: isOk,
      }),
      bareUrl === null
        ? []
        : sendPaced({
            url: bareUrl,
            path: '/ok',
            perSecond: OK_RATE,
            seconds: UPLOAD_S_MAX,
            until: uploading,
            check: isOk,
          }),
    ]);
    uploadMs.push(done.ms);
    here.push(mine);
    machines.push(machine);
    await statisticsAfter(ours.url, done, upload.body);
    if (round === 0) await checkReadBack(ours.url, done, upload.body);
    uploads.remove(upload);
  }
  const { peak } = ours.memory();
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const after = ours.memory();
  if (!bench.isSmoke) await ours.close();

  const p99 = median(here.map((one) => quantile(one, 0.99)));
  const machineP99 = bareUrl === null ? 0 : median(machines.map((one) => quantile(one, 0.99)));
  const pace =
    bytesPerSecond === undefined ? 'as fast as the server accepts them' : `written at ${format.mb(bytesPerSecond)}/s`;
  const bareLongest = bareUrl === null ? '' : `, of the empty server ${format.ms(Math.max(...machines.flat()))}`;
  return [
    {
      what: `\`GET /ok\` during an upload of ${what}, p99`,
      ours: format.ms(p99),
      reference: bareUrl === null ? null : `${format.ms(machineP99)} an empty server at the same time`,
      ratio:
        bareUrl === null
          ? null
          : format.addedMs(median(here.map((one, round) => quantile(one, 0.99) - quantile(machines[round]!, 0.99)))),
      // A local client sends faster than the server can process, and uWS reads a socket as long as it has data.
      budget:
        bytesPerSecond === undefined
          ? 'none'
          : `under ${P99_MS_MAX} ms, or ${P99_MS_ABOVE_MAX} ms above an empty server that takes more than that`,
      missed:
        bench.isSmoke || bytesPerSecond === undefined
          ? null
          : atMost(p99, Math.max(P99_MS_MAX, machineP99 + P99_MS_ABOVE_MAX)),
      method: [
        `${rounds} uploads of ${format.mb(bytes)} from a separate process, ${pace}, each in a new dataset; meanwhile ` +
          `${OK_RATE} reads a second, each sent when due whether or not the last was answered, and as many to a bare ` +
          '`node:http` server in a separate process, which shows the share of the machine.',
        "Median of the rounds' p99. Every body is checked, the statistics of every upload are compared, and the " +
          'first upload is read back.',
      ],
      evidence:
        `An upload took ${format.ms(median(uploadMs))} (${format.mb((bytes / median(uploadMs)) * 1_000)}/s). ` +
        `Longest response of /ok ${format.ms(Math.max(...here.flat()))}${bareLongest}. Memory of the server: ` +
        `${format.mb(before.rss)} resident before (${format.mb(before.own)} of it without file pages), ` +
        `${format.mb(peak)} at the peak, ${format.mb(after.rss)} ${restMs / 1_000} s later ` +
        `(${format.mb(after.own)} without file pages).`,
    },
  ];
}
