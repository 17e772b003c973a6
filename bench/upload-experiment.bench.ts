import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { atLeast, atMost, defineBench, type Row } from './bench.js';
import type { Ours } from './contenders/ours.js';
import { paced } from './load.js';
import { alternate, cpuPerUnit, median, medianRatio, quantile, show } from './measure.js';
import { checkReadBack, statisticsAfter, Uploads, type PreparedUpload, type Uploaded } from './uploads.js';
import type { Workbench } from './workbench.js';

const PER_SECOND_MIN = 20_000;
const STATISTICS_MS_MAX = 500;
const P99_MS_MAX = 20;
/** Where the machine itself takes so long that an empty server needs more than half of that. */
const P99_MS_ABOVE_MAX = 10;
const OK_RATE = 200;
/** An upload of the largest kind takes seconds. */
const UPLOAD_S_MAX = 120;

interface Size {
  rows: number;
  rounds: number;
  /** The one that the budget is about. */
  budget?: boolean;
}

interface Large {
  what: string;
  rows: number;
  outputSize: number;
  rounds: number;
  /** Of the network that it comes over; without it the client is on this machine. */
  bytesPerSecond?: number;
}

const GIGABIT = 125_000_000;

interface Params {
  sizes: Size[];
  large: Large[];
  restMs: number;
}

export default defineBench<Params>({
  name: 'upload-experiment',
  description:
    'Uploads of experiments with two scores a row, beside bare puts of the same rows; /ok and memory meanwhile',
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
    const ours = await bench.ours({ workers: 1 });
    const bare = bench.oursOnly
      ? null
      : fork(join(import.meta.dirname, 'contenders', 'bare-upload.js'), [bench.folder()]);
    if (bare !== null)
      bench.defer(async () => {
        bare.disconnect();
        await once(bare, 'exit');
      });
    for (const size of sizes) rows.push(...(await rates(uploads, ours, bare, size)));
    for (const one of large) rows.push(...(await meanwhile(bench, uploads, one, restMs)));
    return rows;
  },
});

type Bare = ReturnType<typeof fork>;

/** Rows a second of one size, each round the same body on both sides, in a dataset of its own. */
async function rates(
  uploads: Uploads,
  ours: Ours,
  bare: Bare | null,
  { rows, rounds, budget = false }: Size,
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
  uploads.forget(first);
  await oursOnce();
  if (bare !== null) await bareOnce();
  statisticsMs.length = 0;
  cpu.length = 0;
  const paired = await alternate(rounds, oursOnce, bare === null ? null : bareOnce);
  for (const file of files) uploads.forget(file);

  const perSecond = median(paired.ours);
  const many = rows.toLocaleString('en-US');
  const result: Row[] = [
    {
      what: `upload of ${many} rows, two scores each`,
      ours: `${show.perSecond(perSecond)} (${show.ms((rows / perSecond) * 1_000)})`,
      reference: bare === null ? null : `${show.perSecond(median(paired.reference))} bare puts`,
      ratio: show.ratio(medianRatio(paired)),
      budget: budget ? `at least ${PER_SECOND_MIN.toLocaleString('en-US')} rows/s` : 'none',
      missed: budget && bare !== null ? atLeast(perSecond, PER_SECOND_MIN) : null,
      method: [
        `${rounds} alternating rounds after a warm-up, each a body of about 0.9 KB a row in a dataset of its own, from sending it to the answer; the other side is a process of its own that takes the same body from memory, JSON.parses it and puts each row as one LMDB record, all in one awaited transaction: no HTTP, no checks, no index.`,
        "Median of the rounds, ratio the median of their quotients; before, the examples were counted and the row in the middle read back, and every round's statistics are those of the body.",
      ],
      evidence:
        [cpuText(cpu), budget ? '' : `Statistics ${show.ms(median(statisticsMs))} after the answer.`]
          .filter((text) => text !== '')
          .join(' ') || null,
    },
  ];
  if (!budget) return result;
  const worst = Math.max(...statisticsMs);
  return [
    ...result,
    {
      what: `its statistics after the answer`,
      ours: `${show.ms(median(statisticsMs))}, the slowest ${show.ms(worst)}`,
      reference: null,
      ratio: null,
      budget: `within ${STATISTICS_MS_MAX} ms`,
      missed: bare === null ? null : atMost(worst, STATISTICS_MS_MAX),
      method: [
        'The same rounds: from the answer until `GET /api/v1/sessions/{id}`, asked every 5 ms, has an error rate.',
        "The slowest round counts; counts, error rate and both means compared with the body's.",
      ],
    },
  ];
}

type CpuOfRow = NonNullable<Awaited<ReturnType<typeof cpuPerUnit>>>;

/** Means, not medians: the kernel counts in ticks that are longer than a round's share. */
function cpuText(rounds: readonly CpuOfRow[]): string {
  if (rounds.length === 0) return '';
  const mean = (of: (one: CpuOfRow) => number): string =>
    show.us(rounds.reduce((sum, one) => sum + of(one), 0) / rounds.length);
  return `CPU of a row until the answer: ${mean(({ busiest }) => busiest)} on the intake thread, ${mean(({ main }) => main)} on the front, ${mean(({ rest }) => rest)} on all others (the store's writer, collectors of garbage).`;
}

/** What others notice of a large upload, and what it leaves in memory; on a server that has done nothing else. */
async function meanwhile(
  bench: Workbench,
  uploads: Uploads,
  { what, rows, outputSize, rounds, bytesPerSecond }: Large,
  restMs: number,
): Promise<Row[]> {
  const ours = await bench.ours({ workers: 1, fresh: !bench.oursOnly });
  let bareUrl: string | null = null;
  if (!bench.oursOnly) {
    const bare = fork(join(import.meta.dirname, 'contenders', 'bare-http.js'));
    bench.defer(async () => {
      bare.disconnect();
      await once(bare, 'exit');
    });
    const [port] = (await once(bare, 'message')) as [number];
    bareUrl = `http://127.0.0.1:${port}`;
  }
  const isOk = (body: string): boolean => body === '{"ok":true}';
  const warm = uploads.prepare({ rows: Math.min(rows, 2_000) });
  await statisticsAfter(ours.url, await uploads.send(ours.url, warm), warm.body);
  uploads.forget(warm);
  await paced({ url: ours.url, path: '/ok', perSecond: OK_RATE, seconds: 0.2, check: isOk });
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
      paced({ url: ours.url, path: '/ok', perSecond: OK_RATE, seconds: UPLOAD_S_MAX, until: uploading, check: isOk }),
      bareUrl === null
        ? []
        : paced({
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
    uploads.forget(upload);
  }
  const { peak } = ours.memory();
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const after = ours.memory();
  if (!bench.oursOnly) await ours.close();

  const p99 = median(here.map((one) => quantile(one, 0.99)));
  const machineP99 = bareUrl === null ? 0 : median(machines.map((one) => quantile(one, 0.99)));
  return [
    {
      what: `\`GET /ok\` during an upload of ${what}, p99`,
      ours: show.ms(p99),
      reference: bareUrl === null ? null : `${show.ms(machineP99)} an empty server at the same moments`,
      ratio:
        bareUrl === null
          ? null
          : `+${show.ms(median(here.map((one, round) => quantile(one, 0.99) - quantile(machines[round]!, 0.99))))}`,
      // A client on this machine sends faster than anyone can take it, and uWS reads a socket for as long as it is full.
      budget:
        bytesPerSecond === undefined
          ? 'none'
          : `under ${P99_MS_MAX} ms, or ${P99_MS_ABOVE_MAX} ms above an empty server that takes more than that`,
      missed:
        bench.oursOnly || bytesPerSecond === undefined
          ? null
          : atMost(p99, Math.max(P99_MS_MAX, machineP99 + P99_MS_ABOVE_MAX)),
      method: [
        `${rounds} uploads of ${show.mb(bytes)} from a process of their own${bytesPerSecond === undefined ? ', as fast as they are taken' : `, written at ${show.mb(bytesPerSecond)}/s`}, each in a dataset of its own; meanwhile ${OK_RATE} reads a second, each sent when due whether or not the last was answered, and as many to a bare \`node:http\` server in a process of its own, which shows what the machine adds.`,
        "Median of the rounds' p99; every body checked; statistics of every upload compared, the first one read back.",
      ],
      evidence: `An upload took ${show.ms(median(uploadMs))} (${show.mb((bytes / median(uploadMs)) * 1_000)}/s). Longest answer of /ok ${show.ms(Math.max(...here.flat()))}${bareUrl === null ? '' : `, of the empty server ${show.ms(Math.max(...machines.flat()))}`}. Memory of the server: ${show.mb(before.rss)} resident before (${show.mb(before.own)} its own, the rest pages of files), ${show.mb(peak)} at the peak, ${show.mb(after.rss)} ${restMs / 1_000} s after (${show.mb(after.own)} its own).`,
    },
  ];
}
