import { setTimeout as sleep } from 'node:timers/promises';
import { defineBench, verify, type Row } from './bench.js';
import { BenchCluster, PAUSE_ONLY } from './contenders/cluster.js';
import type { ThreadmillServer } from './contenders/threadmill.js';
import { ECHO_INPUT, streamOnThread, TURNS_PER_THREAD } from './echo.js';
import { durationMs, sendJson, sendLoad, type Length } from './load.js';
import { cpuPerUnit, format, median, processUs } from './measure.js';
import type { Workbench } from './workbench.js';

interface Params {
  clients: number;
  rounds: number;
  length: Length;
  /** Runs before the first round, so that the code of every process is compiled. */
  warmUpRuns: number;
  /** How long the cluster rests before it is measured. */
  restSeconds: number;
}

const PLACES = ['owner', 'worker', 'forwarder', 'standby', 'postgres'] as const;
type Place = (typeof PLACES)[number];

const PLACE_NAMES: Record<Place, string> = {
  owner: 'at the owner',
  worker: 'at the node whose worker executes it',
  forwarder: 'at the node that passes the request on',
  standby: 'at a standby that only applies the log',
  postgres: 'in PostgreSQL',
};

/** How long runs wait that keep the owner's worker occupied: longer than the bench. */
const WAITING_MS = 3_600_000;

/** CPU time in microseconds. PostgreSQL appends to the log, and reads it for the copies. */
type PlaceCpu = Record<(typeof COUNTED)[number], number>;

const COUNTED = [...PLACES, 'appends', 'reads'] as const;

interface RunCost {
  cpu: PlaceCpu;
  /** The front thread of the owner. */
  ownerFront: number;
  entries: number;
  logBytes: number;
  walBytes: number;
  perSecond: number;
}

interface Cluster {
  cluster: BenchCluster;
  nodes: Record<Exclude<Place, 'postgres'>, ThreadmillServer>;
}

export default defineBench<Params>({
  name: 'cluster-run-cpu',
  description: 'CPU time of a run by place in a cluster: owner, worker, forwarder, standby and PostgreSQL',
  smoke: { clients: 16, rounds: 1, length: { requests: 64 }, warmUpRuns: 16, restSeconds: 0.1 },
  real: { clients: 16, rounds: 7, length: { seconds: 3 }, warmUpRuns: 1_500, restSeconds: 10 },
  async run(bench, params) {
    const { clients, rounds, length, warmUpRuns, restSeconds } = params;
    const set = await startCluster(bench, clients);
    const single = bench.isSmoke
      ? null
      : await bench.startServer({ fresh: true, workers: 1, dataFolder: bench.createFolder() });

    const resting = await cpuOf(set);
    await sleep(restSeconds * 1_000);
    const rested = await cpuOf(set);
    const rest = byPlace((place) => (rested[place] - resting[place]) / restSeconds);

    const load = async (url: string, of = length): Promise<number> => {
      const { responses } = await sendLoad({
        url,
        clients,
        length: of,
        request: streamOnThread(),
        check: (body) => body.includes(`second ${ECHO_INPUT.text}`),
      });
      return responses;
    };
    for (const url of [set.nodes.forwarder.url, ...(single === null ? [] : [single.url])])
      await load(url, { requests: warmUpRuns });
    const costs: RunCost[] = [];
    const alone: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      costs.push(await costOf(set, rest, load));
      if (single !== null) alone.push(await singleUs(single, load));
    }

    const of = (value: (cost: RunCost) => number): number => median(costs.map(value));
    const all = of(({ cpu }) => PLACES.reduce((sum, place) => sum + cpu[place], 0));
    const method: [string, string] = [
      'Streamed `echo` runs on threads, every checkpoint durable, a new thread every ' +
        `${TURNS_PER_THREAD} runs; ${clients} clients of the node that passes requests on, ${rounds} rounds of ` +
        `${durationMs(length) / 1_000} s after ${warmUpRuns} runs. Four nodes with one graph worker each; the owner gives ` +
        'all runs to one other node, because its own worker holds runs that wait. PostgreSQL flushes each commit. CPU ' +
        'time of the processes by the kernel, without what they need at rest, divided by the runs.',
      'Median of the rounds; every body has the last text of the graph.',
    ];
    const row = (what: string, place: Place, evidence: string): Row => ({
      what,
      ours: format.us(of(({ cpu }) => cpu[place])),
      reference: null,
      ratio: `${((of(({ cpu }) => cpu[place]) / all) * 100).toFixed(0)} % of all`,
      budget: 'none',
      missed: null,
      method,
      evidence,
    });
    const atRest = (place: Place): string => `At rest ${format.us(rest[place])} a second.`;
    const evidence: Record<Place, string> = {
      owner: `Front thread ${format.us(of(({ ownerFront }) => ownerFront))}. ${atRest('owner')}`,
      worker: `It applies the log too. ${atRest('worker')}`,
      forwarder: `It applies the log too. ${atRest('forwarder')}`,
      standby: atRest('standby'),
      postgres:
        `Of it appends ${format.us(of(({ cpu }) => cpu.appends))}, and reads for three copies ` +
        `${format.us(of(({ cpu }) => cpu.reads))}. A run made ${of(({ entries }) => entries).toFixed(1)} entries, ` +
        `${format.bytes(of(({ logBytes }) => logBytes))} of log and ${format.bytes(of(({ walBytes }) => walBytes))} ` +
        `of WAL. ${atRest('postgres')}`,
    };
    return [
      ...PLACES.map((place, at) =>
        row(
          at === 0 ? `CPU of a streamed run in a cluster, ${PLACE_NAMES[place]}` : `the same ${PLACE_NAMES[place]}`,
          place,
          evidence[place],
        ),
      ),
      {
        what: 'the same in all five places',
        ours: format.us(all),
        reference: single === null ? null : `${format.us(median(alone))} a server without a cluster`,
        ratio: single === null ? null : format.ratio(all / median(alone)),
        budget: 'none',
        missed: null,
        method,
        evidence: `${format.perSecond(of(({ perSecond }) => perSecond))}, with everything on one machine.`,
      },
    ];
  },
});

/**
 * The owner gives a run to the node with the fewest runs that has the graph. Its own worker holds runs that wait, so
 * all others go to the only other node with the graph.
 */
async function startCluster(bench: Workbench, clients: number): Promise<Cluster> {
  const cluster = await BenchCluster.start(bench);
  const owner = await cluster.startNode({ name: 'owner' });
  for (let count = 0; count < 2 * clients; count += 1)
    await sendJson(owner.url, 'POST', '/runs', { assistant_id: 'pause', input: { ms: WAITING_MS } });
  const worker = await cluster.startNode({ name: 'worker' });
  while ((await nodeOfRun(owner)) !== 'worker') await sleep(100);
  const forwarder = await cluster.startNode({ name: 'forwarder', config: PAUSE_ONLY });
  const standby = await cluster.startNode({ name: 'standby', config: PAUSE_ONLY });
  // An owner that is asked to end would wait for its runs.
  bench.onClose(() => void process.kill(owner.pid, 'SIGKILL'));
  return { cluster, nodes: { owner, worker, forwarder, standby } };
}

/** The name of the node that a new run executes on; null at the owner. */
async function nodeOfRun({ url }: ThreadmillServer): Promise<string | null> {
  const { thread_id: threadId } = await sendJson<{ thread_id: string }>(url, 'POST', '/threads', {});
  const { run_id: runId } = await sendJson<{ run_id: string }>(url, 'POST', `/threads/${threadId}/runs`, {
    assistant_id: 'pause',
    input: { ms: WAITING_MS },
  });
  const path = `/threads/${threadId}/runs/${runId}`;
  const { node } = await sendJson<{ node: string | null }>(url, 'GET', `${path}/why`);
  const canceled = await fetch(`${url}${path}/cancel?wait=1`, { method: 'POST' });
  verify(canceled.ok, `the run could not be canceled: ${await canceled.text()}`);
  return node;
}

async function cpuOf({ cluster, nodes }: Cluster): Promise<PlaceCpu> {
  const { owner, worker, forwarder, standby } = nodes;
  const { all: postgres, appends, reads } = await cluster.postgresUs();
  return {
    owner: processUs(owner.pid),
    worker: processUs(worker.pid),
    forwarder: processUs(forwarder.pid),
    standby: processUs(standby.pid),
    postgres,
    appends,
    reads,
  };
}

/** The cost of a run. `rest` is what a second without runs costs, which is not counted. */
async function costOf(set: Cluster, rest: PlaceCpu, load: (url: string) => Promise<number>): Promise<RunCost> {
  const { cluster, nodes } = set;
  const lastEntry = await cluster.lastEntry();
  const walBytes = await cluster.walBytes();
  const before = await cpuOf(set);
  const begun = performance.now();
  let runs = 0;
  const ofOwner = await cpuPerUnit(nodes.owner.pid, async () => {
    runs = await load(nodes.forwarder.url);
    return runs;
  });
  const seconds = (performance.now() - begun) / 1_000;
  const after = await cpuOf(set);
  const { entries, bytes } = await cluster.entriesAfter(lastEntry);
  return {
    cpu: byPlace((place) => (after[place] - before[place] - rest[place] * seconds) / runs),
    ownerFront: ofOwner?.main ?? NaN,
    entries: entries / runs,
    logBytes: bytes / runs,
    walBytes: ((await cluster.walBytes()) - walBytes) / runs,
    perSecond: runs / seconds,
  };
}

function byPlace(value: (place: keyof PlaceCpu) => number): PlaceCpu {
  return Object.fromEntries(COUNTED.map((place) => [place, value(place)])) as PlaceCpu;
}

async function singleUs({ pid, url }: ThreadmillServer, load: (url: string) => Promise<number>): Promise<number> {
  const before = processUs(pid);
  const runs = await load(url);
  return (processUs(pid) - before) / runs;
}
