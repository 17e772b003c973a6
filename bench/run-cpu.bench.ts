import { execFileSync } from 'node:child_process';
import { atMost, defineBench, type Row } from './bench.js';
import type { CallMode, SaverKind } from './contenders/in-process.js';
import { ECHO_ANSWER, ECHO_INPUT, ECHO_REQUEST, streamOnThread, TURNS_PER_THREAD } from './echo.js';
import { durationMs, sendLoad, warmUpInTurns, type Length, type Load } from './load.js';
import { cpuPerUnit, format, median, totalCpu } from './measure.js';
import type { Workbench } from './workbench.js';

interface Params {
  clients: number;
  rounds: number;
  warmUp: Length;
  length: Length;
  coldRuns: number;
}

/** A version of Node with an HTTP transport. */
interface Platform {
  name: string;
  nodePath: string;
  transport: 'auto' | 'node';
}

interface Kind {
  what: string;
  request: () => Load['request'];
  how: CallMode;
  saver: SaverKind;
  /** Largest CPU time of a run, as a multiple of the same graph in process. */
  ratioMax: number;
}

/** CPU time of one run in microseconds. */
interface RunCpu {
  front: number;
  worker: number;
  others: number;
}

const KINDS: Kind[] = [
  { what: '`POST /runs/wait`', request: () => ECHO_REQUEST, how: 'values', saver: 'none', ratioMax: 1.2 },
  {
    what: 'a streamed run on a thread, every checkpoint on disk',
    request: streamOnThread,
    how: 'values and updates',
    saver: 'memory',
    ratioMax: 2,
  },
];

export default defineBench({
  name: 'run-cpu',
  description: 'CPU time of a run by thread, compared with the same graph in process, on two versions of Node',
  smoke: { clients: 16, rounds: 1, warmUp: { requests: 16 }, length: { requests: 64 }, coldRuns: 16 } as Params,
  // V8 compiles for 20 s. `coldRuns` show what that costs at the start.
  real: { clients: 16, rounds: 5, warmUp: { seconds: 20 }, length: { seconds: 2 }, coldRuns: 200 } as Params,
  async run(bench, params) {
    const rows: Row[] = [];
    for (const platform of platforms(bench.isSmoke))
      for (const kind of KINDS) rows.push(await measure(bench, platform, kind, params));
    return rows;
  },
});

/** `NEWEST_NODE` is the binary of the newest supported version. `make bench` installs it. */
function platforms(isSmoke: boolean): Platform[] {
  const own: Platform = { name: nodeVersion(process.execPath), nodePath: process.execPath, transport: 'auto' };
  const newest = process.env['NEWEST_NODE'];
  if (isSmoke) return [own];
  return [
    own,
    { ...own, name: `${own.name}, node:http`, transport: 'node' },
    ...(newest === undefined ? [] : [{ name: nodeVersion(newest), nodePath: newest, transport: 'auto' as const }]),
  ];
}

function nodeVersion(nodePath: string): string {
  return `Node ${execFileSync(nodePath, ['--version'], { encoding: 'utf8' }).trim()}`;
}

async function measure(
  bench: Workbench,
  { name, nodePath, transport }: Platform,
  { what, request, how, saver, ratioMax }: Kind,
  { clients, rounds, warmUp, length, coldRuns }: Params,
): Promise<Row> {
  const server = await bench.startServer({
    workers: 1,
    dataFolder: bench.createFolder(),
    nodePath,
    env: { THREADMILL_TRANSPORT: transport },
  });
  const inProcess = await bench.startInProcess(nodePath);
  const load = async (of: Length): Promise<number> =>
    (
      await sendLoad({
        url: server.url,
        clients,
        length: of,
        request: request(),
        check: (body) => body.includes('second hello'),
      })
    ).responses;
  const cpuOurs = async (of = length): Promise<RunCpu> => {
    const used = await cpuPerUnit(server.pid, () => load(of));
    return used === null
      ? { front: NaN, worker: NaN, others: NaN }
      : { front: used.main, worker: used.busiest, others: used.rest };
  };
  const cpuInProcess = async (of = length): Promise<number> => {
    const used = await cpuPerUnit(inProcess!.pid, async () => {
      const { runs } = await inProcess!.run({
        type: 'rate',
        graphId: 'echo',
        input: ECHO_INPUT,
        expect: ECHO_ANSWER,
        how,
        saver,
        turnsPerThread: TURNS_PER_THREAD,
        clients,
        ms: durationMs(of),
      });
      return runs;
    });
    return totalCpu(used);
  };
  const cold = await cpuOurs({ requests: coldRuns });
  await warmUpInTurns(warmUp, length, load, inProcess === null ? null : cpuInProcess);
  const ours: RunCpu[] = [];
  const reference: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await cpuOurs());
    if (inProcess !== null) reference.push(await cpuInProcess());
  }
  const total = median(ours.map(totalOf));
  const ratio = inProcess === null ? null : median(ours.map((one, round) => totalOf(one) / reference[round]!));
  const part = (of: (one: RunCpu) => number): string => format.us(median(ours.map(of)));
  return {
    what: `CPU of ${what}, ${name}`,
    inReadme: transport === 'auto',
    ours: `${format.us(total)}, of it front thread ${part(({ front }) => front)}`,
    reference: inProcess === null ? null : `${format.us(median(reference))} in process`,
    ratio: format.ratio(ratio),
    budget: `at most ${ratioMax}`,
    missed: atMost(ratio, ratioMax),
    method: [
      `${clients} clients, ${rounds} alternating rounds of ${durationMs(length) / 1_000} s after ` +
        `${durationMs(warmUp) / 1_000} s of warm-up on both sides in such rounds, one graph worker; CPU time of all ` +
        'threads by the kernel, divided by the runs. In process: LangGraph as npm has it, ' +
        (saver === 'none'
          ? 'without a saver.'
          : `with MemorySaver, a new thread every ${TURNS_PER_THREAD} runs on both sides.`),
      'Ratio of a round, median of the rounds; every body has the last text of the graph.',
    ],
    evidence:
      `Graph worker ${part(({ worker }) => worker)}, other threads ${part(({ others }) => others)}. The first ` +
      `${coldRuns} runs after the start: ${format.us(totalOf(cold))} each, of it front thread ${format.us(cold.front)}.`,
  };
}

function totalOf({ front, worker, others }: RunCpu): number {
  return front + worker + others;
}
