import { atMost, defineBench, verify, type Row } from './bench.js';
import { BenchCluster, PAUSE_ONLY } from './contenders/cluster.js';
import type { ThreadmillServer } from './contenders/threadmill.js';
import { ECHO_INPUT, ECHO_REQUEST } from './echo.js';
import { durationMs, sendJson, sendLoad, type Length, type Load, type LoadResult } from './load.js';
import { cpuPerUnit, format, median, quantile, totalCpu, type ThreadsCpu } from './measure.js';

const ADDED_MS_MAX = 0.4;
/** A node may lose 15 % of its throughput. */
const OWNER_CPU_RATIO_MAX = 1 / 0.85;

interface Params {
  clients: number;
  rounds: number;
  length: Length;
}

interface Kind {
  what: string;
  request: Load['request'];
  check: Load['check'];
}

/** CPU time of one request in microseconds. */
interface RequestCpu {
  owner: number;
  ownerFront: number;
  forwarder: number;
  forwarderFront: number;
}

export default defineBench<Params>({
  name: 'cluster-forwarding',
  description: 'Requests to a node that passes them on, compared with the same requests to the owner',
  smoke: { clients: 16, rounds: 1, length: { requests: 64 } },
  real: { clients: 16, rounds: 9, length: { seconds: 2 } },
  async run(bench, params) {
    const cluster = await BenchCluster.start(bench);
    const owner = await cluster.startNode({ name: 'owner' });
    const { thread_id: threadId } = await sendJson<{ thread_id: string }>(owner.url, 'POST', '/threads', {
      metadata: { topic: 'weather' },
    });
    const path = `/threads/${threadId}`;
    const expected = await (await fetch(`${owner.url}${path}`)).text();
    verify(expected.includes('weather'), 'the thread');
    // It does not have the graph of these runs, so all of them execute at the owner.
    const forwarder = await cluster.startNode({ name: 'forwarder', config: PAUSE_ONLY });
    const kinds: Kind[] = [
      { what: '`GET /threads/{id}`', request: { method: 'GET', path }, check: (body) => body === expected },
      { what: '`POST /runs/wait`', request: ECHO_REQUEST, check: (body) => body.includes(`second ${ECHO_INPUT.text}`) },
    ];
    const rows: Row[] = [];
    for (const kind of kinds) rows.push(...(await measure(kind, owner, forwarder, params)));
    return rows;
  },
});

async function measure(
  { what, request, check }: Kind,
  owner: ThreadmillServer,
  forwarder: ThreadmillServer,
  { clients, rounds, length }: Params,
): Promise<Row[]> {
  const load = (server: ThreadmillServer, count: number): Promise<LoadResult> =>
    sendLoad({ url: server.url, clients: count, length, request, check });
  const single = await alternatePlaces(rounds, (isForwarded) => load(isForwarded ? forwarder : owner, 1));
  const many = await alternatePlaces(rounds, async (isForwarded) => {
    const server = isForwarded ? forwarder : owner;
    let perSecond = NaN;
    const cpu = await cpuOf(owner, forwarder, async () => {
      const result = await load(server, clients);
      ({ perSecond } = result);
      return result.responses;
    });
    return { perSecond, ...cpu };
  });

  const added = (q: number): number =>
    median(
      single.forwarded.map(
        (result, round) => quantile(result.latenciesMs, q) - quantile(single.direct[round]!.latenciesMs, q),
      ),
    );
  const middle = (results: readonly LoadResult[], q: number): string =>
    format.ms(median(results.map(({ latenciesMs }) => quantile(latenciesMs, q))));
  const shareOf = (key: keyof RequestCpu | 'perSecond'): number =>
    median(many.forwarded.map((one, round) => one[key] / many.direct[round]![key]));
  const part = (side: 'direct' | 'forwarded', key: 'perSecond' | keyof RequestCpu): number =>
    median(many[side].map((one) => one[key]));
  const method = `${rounds} alternating rounds of ${durationMs(length) / 1_000} s after a warm-up, on one machine.`;
  return [
    {
      what: `${what}, passed on by another node, one client, p50`,
      ours: `${middle(single.forwarded, 0.5)} (p99 ${middle(single.forwarded, 0.99)})`,
      reference: `${middle(single.direct, 0.5)} (p99 ${middle(single.direct, 0.99)}) at the owner`,
      ratio: `${format.addedMs(added(0.5))} (p99 ${format.addedMs(added(0.99))})`,
      budget: `at most +${ADDED_MS_MAX} ms`,
      missed: atMost(added(0.5), ADDED_MS_MAX),
      method: [method, 'Difference of the two p50 of a round, median of the rounds; every body is checked.'],
    },
    {
      what: `the same, CPU of the owner with ${clients} clients`,
      ours: format.us(part('forwarded', 'owner')),
      reference: `${format.us(part('direct', 'owner'))} when it is asked itself`,
      ratio: format.ratio(shareOf('owner')),
      budget: `at most ${OWNER_CPU_RATIO_MAX.toFixed(2)} (15 % less throughput)`,
      missed: atMost(shareOf('owner'), OWNER_CPU_RATIO_MAX),
      method: [
        `${method} CPU time of all threads by the kernel, divided by the requests: what limits the owner when every ` +
          'node has a machine of its own.',
        'Ratio of a round, median of the rounds; every body is checked.',
      ],
      evidence:
        `Of it front thread ${format.us(part('forwarded', 'ownerFront'))}, when it is asked itself ` +
        `${format.us(part('direct', 'ownerFront'))}. The node that passes requests on takes ` +
        `${format.us(part('forwarded', 'forwarder'))}, of it front thread ` +
        `${format.us(part('forwarded', 'forwarderFront'))}.`,
    },
    {
      what: `the same, throughput of both nodes on one machine, ${clients} clients`,
      ours: format.perSecond(part('forwarded', 'perSecond')),
      reference: `${format.perSecond(part('direct', 'perSecond'))} at the owner`,
      ratio: format.ratio(shareOf('perSecond')),
      budget: 'none',
      missed: null,
      method: [
        `${method} The load generator, both nodes and PostgreSQL share its processors, so what the node that passes ` +
          'requests on takes is missing elsewhere. On a machine of its own it is not.',
        'Ratio of a round, median of the rounds; every body is checked.',
      ],
    },
  ];
}

async function cpuOf(
  owner: ThreadmillServer,
  forwarder: ThreadmillServer,
  work: () => Promise<number>,
): Promise<RequestCpu> {
  let ofForwarder: ThreadsCpu | null = null;
  const ofOwner = await cpuPerUnit(owner.pid, async () => {
    let units = 0;
    ofForwarder = await cpuPerUnit(forwarder.pid, async () => {
      units = await work();
      return units;
    });
    return units;
  });
  const frontOf = (used: ThreadsCpu | null): number => used?.main ?? NaN;
  return {
    owner: totalCpu(ofOwner),
    ownerFront: frontOf(ofOwner),
    forwarder: totalCpu(ofForwarder),
    forwarderFront: frontOf(ofForwarder),
  };
}

/** Measures both places alternately after a warm-up, and swaps their order every round. */
async function alternatePlaces<T>(
  rounds: number,
  work: (isForwarded: boolean) => Promise<T>,
): Promise<{ direct: T[]; forwarded: T[] }> {
  await work(false);
  await work(true);
  const measured: { direct: T[]; forwarded: T[] } = { direct: [], forwarded: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const isForwarded of round % 2 === 0 ? [false, true] : [true, false])
      measured[isForwarded ? 'forwarded' : 'direct'].push(await work(isForwarded));
  return measured;
}
