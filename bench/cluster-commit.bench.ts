import { atMost, defineBench, verify, type Row } from './bench.js';
import { AppendChild, type AppendResult } from './contenders/append-child.js';
import { BenchCluster } from './contenders/cluster.js';
import { durationMs, sendJson, sendLoad, type Length } from './load.js';
import { format, median, quantile } from './measure.js';
import type { Workbench } from './workbench.js';

const RATIO_MAX = 1.3;

interface Params {
  clients: number;
  rounds: number;
  length: Length;
  hasStandby: boolean;
}

/** Times that the clients of one round measured. Over the API, the times of the appends are missing. */
type Changes = Pick<AppendResult, 'latenciesMs' | 'wallMs'> & Partial<AppendResult>;

/** Changes in one round, beside the bare appends of the same entries. */
interface Round {
  ours: Changes;
  bare: AppendResult | null;
  entries: number;
  bytes: number;
}

export default defineBench<Params>({
  name: 'cluster-commit',
  description: 'Commits of the owner of a cluster, compared with bare fenced appends of the same entries',
  smoke: { clients: 16, rounds: 1, length: { requests: 64 }, hasStandby: false },
  real: { clients: 16, rounds: 25, length: { seconds: 0.4 }, hasStandby: true },
  async run(bench, params) {
    const { hasStandby } = params;
    const cluster = await BenchCluster.start(bench, { hasStandby });
    return [
      ...(await measureStore(bench, cluster, params)),
      ...(await measureApi(bench, await cluster.another(), params)),
    ];
  },
});

/** Commits of 1,000 bytes, of the store alone. */
async function measureStore(bench: Workbench, cluster: BenchCluster, params: Params): Promise<Row[]> {
  const { clients, rounds, length } = params;
  const store = await AppendChild.start('owner-store-child', [cluster.url, bench.createFolder()]);
  bench.onClose(() => store.close());
  const commit = (loops: number) => (): Promise<AppendResult> => store.run({ loops, ms: durationMs(length) });
  const measured = await measureRounds(bench, cluster, rounds, { one: commit(1), many: commit(clients) });
  await store.close();
  const method = methodOf(params, 'A process that owns the log commits 1,000 bytes to its store');
  return [
    latencyRow('a stored commit, one client, p50', measured.one, RATIO_MAX, method),
    timeRow(`stored commits, ${clients} clients`, measured.many, RATIO_MAX, method),
  ];
}

/** Items of long-term memory, over HTTP. */
async function measureApi(bench: Workbench, cluster: BenchCluster, params: Params): Promise<Row[]> {
  const { clients, rounds, length } = params;
  const { url } = await cluster.startNode({ name: 'owner' });
  const item = { namespace: ['bench'], key: 'item', value: { text: 'x'.repeat(1_000) } };
  await sendJsonWithoutAnswer(url, 'PUT', '/store/items', item);
  const read = await sendJson<{ value: unknown }>(url, 'GET', '/store/items?namespace=bench&key=item');
  verify(JSON.stringify(read.value) === JSON.stringify(item.value), 'the item');
  const put = (count: number) => async (): Promise<Changes> =>
    sendLoad({
      url,
      clients: count,
      length,
      request: {
        method: 'PUT',
        path: '/store/items',
        body: '',
        setupRequest(request, context) {
          context['key'] ??= `item-${Math.random()}`;
          return { ...request, body: JSON.stringify({ ...item, key: context['key'] }) };
        },
      },
      check: (body) => body === '',
    });
  const measured = await measureRounds(bench, cluster, rounds, { one: put(1), many: put(clients) });
  const method = methodOf(params, '`PUT /store/items` with 1,000 characters, over HTTP to the owner');
  return [
    latencyRow('an item over the API, one client, p50', measured.one, null, method),
    timeRow(`items over the API, ${clients} clients`, measured.many, null, method),
  ];
}

async function sendJsonWithoutAnswer(url: string, method: string, path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
  verify(response.ok, `${method} ${path} returned ${response.status}: ${await response.text()}`);
}

async function measureRounds<K extends string>(
  bench: Workbench,
  cluster: BenchCluster,
  rounds: number,
  kinds: Record<K, () => Promise<Changes>>,
): Promise<Record<K, Round[]>> {
  const bare = bench.isSmoke
    ? null
    : await AppendChild.start('bare-appends-child', [cluster.url, await cluster.postgres.createDatabase()]);
  if (bare !== null) bench.onClose(() => bare.close());
  const names = Object.keys(kinds) as K[];
  const measured = Object.fromEntries(names.map((name): [K, Round[]] => [name, []])) as Record<K, Round[]>;
  const round = async (name: K): Promise<Round> => {
    const before = await cluster.lastEntry();
    const ours = await kinds[name]();
    const after = await cluster.lastEntry();
    const entries = await cluster.entriesAfter(before);
    verify(entries.entries > 0 && entries.entries <= ours.latenciesMs.length + 1, `${entries.entries} entries`);
    return { ours, bare: (await bare?.run({ after: before, until: after })) ?? null, ...entries };
  };
  for (const name of names) await round(name);
  for (let count = 0; count < rounds; count += 1) for (const name of names) measured[name].push(await round(name));
  await bare?.close();
  return measured;
}

function latencyRow(what: string, rounds: readonly Round[], ratioMax: number | null, method: [string, string]): Row {
  const p50 = ({ latenciesMs }: Changes): number => quantile(latenciesMs, 0.5);
  const p99 = ({ latenciesMs }: Changes): number => quantile(latenciesMs, 0.99);
  const middle = (of: (result: Changes) => number, side: 'ours' | 'bare'): string =>
    format.ms(median(rounds.map((round) => of(round[side]!))));
  const hasBare = rounds[0]!.bare !== null;
  const ratio = hasBare ? median(rounds.map(({ ours, bare }) => p50(ours) / p50(bare!))) : null;
  return {
    what,
    ours: `${middle(p50, 'ours')} (p99 ${middle(p99, 'ours')})`,
    reference: hasBare ? `${middle(p50, 'bare')} (p99 ${middle(p99, 'bare')}) a bare append` : null,
    ratio: format.ratio(ratio),
    ...budget(ratio, ratioMax),
    method,
    evidence: `${ratiosOf(rounds, ({ ours, bare }) => p50(ours) / p50(bare!))}${partsOf(rounds)}`,
  };
}

function timeRow(what: string, rounds: readonly Round[], ratioMax: number | null, method: [string, string]): Row {
  const hasBare = rounds[0]!.bare !== null;
  const changes = median(rounds.map(({ ours }) => (ours.latenciesMs.length / ours.wallMs) * 1_000));
  const ratioOf = ({ ours, bare }: Round): number => ours.wallMs / bare!.wallMs;
  const ratio = hasBare ? median(rounds.map(ratioOf)) : null;
  const entriesPerSecond = (side: 'ours' | 'bare'): string =>
    format.perSecond(median(rounds.map((round) => (round.entries / round[side]!.wallMs) * 1_000)));
  const entryBytes = median(rounds.map(({ entries, bytes }) => bytes / entries));
  return {
    what,
    ours: `${format.perSecond(changes)} in ${entriesPerSecond('ours').replace('/s', '')} entries/s`,
    reference: hasBare ? `${entriesPerSecond('bare').replace('/s', '')} bare appends/s of these entries` : null,
    ratio: ratio === null ? null : `${format.ratio(ratio)} × the time`,
    ...budget(ratio, ratioMax),
    method,
    evidence:
      `An entry had ${format.bytes(entryBytes)}: changes that arrive during an append share the next one. ` +
      `${ratiosOf(rounds, ratioOf)}${partsOf(rounds)}`,
  };
}

function ratiosOf(rounds: readonly Round[], ratioOf: (round: Round) => number): string {
  if (rounds[0]!.bare === null) return '';
  const ratios = rounds.map(ratioOf);
  return `Half of the rounds between ${quantile(ratios, 0.25).toFixed(2)} and ${quantile(ratios, 0.75).toFixed(2)}. `;
}

/** Means of an entry, where the store was measured alone. */
function partsOf(rounds: readonly Round[]): string {
  const mean = (of: (round: Round) => number | undefined): number =>
    median(rounds.map((round) => (of(round) ?? NaN) / round.entries));
  const appendMs = mean(({ ours }) => ours.appendMs);
  if (Number.isNaN(appendMs)) return '';
  const bareUs = mean(({ bare }) => bare?.cpuUs);
  return (
    `Of the ${format.ms(mean(({ ours }) => ours.wallMs))} of an entry, its append takes ${format.ms(appendMs)}. CPU of ` +
    `the process for an entry: ${format.us(mean(({ ours }) => ours.cpuUs))}` +
    `${Number.isNaN(bareUs) ? '' : `, of the bare one ${format.us(bareUs)}`}.`
  );
}

function budget(ratio: number | null, ratioMax: number | null): Pick<Row, 'budget' | 'missed'> {
  return ratioMax === null
    ? { budget: 'none', missed: null }
    : { budget: `at most ${ratioMax}`, missed: atMost(ratio, ratioMax) };
}

function methodOf({ rounds, length, hasStandby }: Params, what: string): [string, string] {
  return [
    `${what}; ${rounds} rounds of ${durationMs(length) / 1_000} s after a warm-up. After each round, another process ` +
      'appends the very entries that the round has made to another database of the same PostgreSQL, one after the ' +
      `other, with the same statement. fsync is on, ${hasStandby ? 'with' : 'without'} a synchronous standby on ` +
      'the same machine.',
    'Ratio of a round, median of the rounds; every append is confirmed by its row count.',
  ];
}
