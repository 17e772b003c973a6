/**
 * What an operator's instruments read. The one place that knows prom-client. Everything is a plain number elsewhere and is
 * read here when somebody asks (docs/decisions/0018-metrics.md).
 */
import type { Histogram, Metric, MetricValueWithName, Registry } from 'prom-client';
import type { Tally } from '../../base/histogram.js';
import type { Services } from '../../services/context.js';
import type { GraphCounts } from '../../services/runs/run-counts.js';
import { openStreams } from '../streams/event-stream.js';
import { openSockets } from '../transport/socket.js';
import type { RequestStats } from './request-stats.js';
import type { Sockets } from '../transport/uws.js';

export interface MetricSources {
  services: Services;
  requests: RequestStats;
  sockets: Readonly<Sockets>;
}

type Labels = Readonly<Record<string, string | number>>;
type Row = readonly [labels: Labels, value: number];
type Spread = readonly [labels: Labels, tally: Tally];

interface Figure {
  name: string;
  help: string;
  labels: readonly string[];
}
/** `rows` are those of this moment: what is not named has no row. */
type Plain = Figure & { type: 'counter' | 'gauge'; rows: (sources: MetricSources) => Iterable<Row> };
type Distribution = Figure & { type: 'histogram'; spreads: (sources: MetricSources) => Iterable<Spread> };

const single = (value: number): Row[] => [[{}, value]];
const graphs = ({ services }: MetricSources): [string, GraphCounts][] => [...services.counts.byGraph];
const perGraph =
  (value: (counts: GraphCounts) => number) =>
  (sources: MetricSources): Row[] =>
    graphs(sources).map(([graph, counts]) => [{ graph }, value(counts)]);

/** All there is; docs/operations.md has the same list, compared by a test. */
export const FIGURES: readonly (Plain | Distribution)[] = [
  {
    name: 'threadmill_runs_started_total',
    type: 'counter',
    labels: ['graph'],
    help: 'Runs that a worker took for the first time',
    rows: perGraph(({ started }) => started),
  },
  {
    name: 'threadmill_runs_ended_total',
    type: 'counter',
    labels: ['graph', 'status'],
    help: 'Runs that ended, by how',
    rows: (sources) =>
      graphs(sources).flatMap(([graph, { ended }]) =>
        [...ended].map(([status, count]): Row => [{ graph, status }, count]),
      ),
  },
  {
    name: 'threadmill_run_retries_total',
    type: 'counter',
    labels: ['graph'],
    help: 'Attempts after the first one of a run',
    rows: perGraph(({ retries }) => retries),
  },
  {
    name: 'threadmill_runs_running',
    type: 'gauge',
    labels: ['graph'],
    help: 'Runs that a worker has',
    rows: perGraph(({ running }) => running),
  },
  {
    name: 'threadmill_runs_queued',
    type: 'gauge',
    labels: ['graph'],
    help: 'Runs that are ready and wait for a worker',
    rows: perGraph(({ queued }) => queued),
  },
  {
    name: 'threadmill_runs_waiting',
    type: 'gauge',
    labels: ['graph'],
    help: 'Runs that wait for their time, or for another run of their thread or caller',
    rows: perGraph(({ alive, queued, running }) => alive - queued - running),
  },
  {
    name: 'threadmill_run_queue_wait_seconds',
    type: 'histogram',
    labels: ['graph'],
    help: 'From ready to handed to a worker, each attempt',
    spreads: (sources) => graphs(sources).map(([graph, { queueWait }]) => [{ graph }, queueWait]),
  },
  {
    name: 'threadmill_run_duration_seconds',
    type: 'histogram',
    labels: ['graph'],
    help: 'From ready for the first time to the end of the run',
    spreads: (sources) => graphs(sources).map(([graph, { duration }]) => [{ graph }, duration]),
  },

  {
    name: 'threadmill_workers',
    type: 'gauge',
    labels: ['kind'],
    help: 'Threads that run graphs; solo ones repeat a run that lost its worker',
    rows: ({ services }) => {
      const { serving } = services.machine.graphs;
      return (['graph', 'solo'] as const).map((kind) => [
        { kind },
        serving.filter(({ solo }) => solo === (kind === 'solo')).length,
      ]);
    },
  },
  {
    name: 'threadmill_workers_silent',
    type: 'gauge',
    labels: [],
    help: 'Workers whose loop stands still',
    rows: ({ services }) => single(services.machine.graphs.serving.filter(({ beat }) => beat.silent).length),
  },
  {
    name: 'threadmill_workers_lost_total',
    type: 'counter',
    labels: [],
    help: 'Workers that died or were ended, and replaced',
    rows: ({ services }) => single(services.machine.graphs.lost),
  },
  {
    name: 'threadmill_worker_runs',
    type: 'gauge',
    labels: ['thread'],
    help: 'Runs that a worker holds',
    rows: ({ services }) => services.machine.graphs.serving.map(({ name, runs }) => [{ thread: name }, runs.size]),
  },
  {
    name: 'threadmill_event_loop_delay_seconds',
    type: 'histogram',
    labels: ['thread'],
    help: 'How late the timers of a thread are, looked at twenty times a second',
    spreads: ({ services }) => services.machine.vitals.map(({ thread, delay }) => [{ thread }, delay]),
  },
  {
    name: 'threadmill_heap_bytes',
    type: 'gauge',
    labels: ['thread'],
    help: 'Heap in use, by thread',
    rows: ({ services }) => services.machine.vitals.map(({ thread, heapBytes }) => [{ thread }, heapBytes]),
  },
  {
    name: 'threadmill_memory_resident_bytes',
    type: 'gauge',
    labels: [],
    help: 'Memory of the whole process',
    rows: () => single(process.memoryUsage.rss()),
  },
  {
    name: 'threadmill_cpu_seconds_total',
    type: 'counter',
    labels: ['mode'],
    help: 'Processor time of the whole process',
    rows: () => {
      const { user, system } = process.cpuUsage();
      return [
        [{ mode: 'user' }, user / 1e6],
        [{ mode: 'system' }, system / 1e6],
      ];
    },
  },

  {
    name: 'threadmill_stream_readers',
    type: 'gauge',
    labels: [],
    help: 'Connected readers of events',
    rows: () => single(openStreams()),
  },
  {
    name: 'threadmill_websockets_open',
    type: 'gauge',
    labels: [],
    help: 'Open WebSockets of the second event protocol',
    rows: () => single(openSockets()),
  },
  {
    name: 'threadmill_sockets_open',
    type: 'gauge',
    labels: [],
    help: 'Open connections',
    rows: ({ sockets }) => single(sockets.open),
  },
  {
    name: 'threadmill_sockets_refused_total',
    type: 'counter',
    labels: [],
    help: 'Connections that were one too many',
    rows: ({ sockets }) => single(sockets.refused),
  },
  {
    name: 'threadmill_http_requests_total',
    type: 'counter',
    labels: ['method', 'route', 'status'],
    help: 'Requests that are over; 499: the client went away before an answer',
    rows: ({ requests }) =>
      requests.all.flatMap(({ method, route, byStatus }) =>
        [...byStatus].map(([status, count]): Row => [{ method, route, status }, count]),
      ),
  },
  {
    name: 'threadmill_http_request_duration_seconds',
    type: 'histogram',
    labels: ['method', 'route'],
    help: 'From the head of a request to the end of its answer, streams included',
    spreads: ({ requests }) =>
      requests.all
        .filter(({ duration }) => duration.count > 0)
        .map(({ method, route, duration }) => [{ method, route }, duration]),
  },

  {
    name: 'threadmill_store_file_bytes',
    type: 'gauge',
    labels: [],
    help: 'Size of data.mdb',
    rows: ({ services }) => single(services.stores.store.fileBytes),
  },
  {
    name: 'threadmill_store_commit_seconds',
    type: 'histogram',
    labels: [],
    help: 'From a commit handed over to on disk; its count is the number of commits',
    spreads: ({ services }) => [[{}, services.stores.store.commitTimes]],
  },
  {
    name: 'threadmill_store_commits_pending',
    type: 'gauge',
    labels: [],
    help: 'Commits that are not on disk yet',
    rows: ({ services }) => single(services.stores.store.pendingCommits),
  },
  {
    name: 'threadmill_store_failed',
    type: 'gauge',
    labels: [],
    help: '1 after the store has failed: nothing more is accepted',
    rows: ({ services }) => single(services.stores.store.failure === null ? 0 : 1),
  },

  {
    name: 'threadmill_evaluation_tasks_waiting',
    type: 'gauge',
    labels: ['thread'],
    help: 'Uploads and questions that wait for an evaluation thread',
    rows: ({ services }) =>
      services.machine.evaluation.waiting.map(({ lane, tasks }) => [{ thread: `evaluation-${lane}` }, tasks]),
  },
  {
    name: 'threadmill_evaluation_body_bytes',
    type: 'gauge',
    labels: [],
    help: 'Bodies on their way to an evaluation thread',
    rows: ({ services }) => single(services.evaluation.bytesUnderWay),
  },
  {
    name: 'threadmill_evaluation_statistics_waiting',
    type: 'gauge',
    labels: [],
    help: 'Experiments whose statistics are not made yet',
    rows: ({ services }) => single(services.evaluation.statistics.waiting),
  },
  {
    name: 'threadmill_auth_asks_waiting',
    type: 'gauge',
    labels: [],
    help: 'Requests that wait for an auth handler',
    rows: ({
      services: {
        machine: { gates },
      },
    }) => (gates === null ? [] : single(gates.asks)),
  },
];

export class Metrics {
  readonly #sources: MetricSources;
  #registry: Promise<Registry> | null = null;

  constructor(sources: MetricSources) {
    this.#sources = sources;
  }

  /** Loads the library: call it while there is something else to wait for. */
  async load(): Promise<void> {
    await this.#open();
  }

  /** In the text form of Prometheus. */
  async text(): Promise<string> {
    return (await this.#open()).metrics();
  }

  /** The official server's three parts, and every figure, or those of these names: names of none are left out. */
  async json(names: readonly string[] | null = null): Promise<string> {
    const registry = await this.#open();
    const { services, requests, sockets } = this.#sources;
    const counts = [...services.counts.byGraph.values()];
    const sum = (value: (one: GraphCounts) => number): number => counts.reduce((total, one) => total + value(one), 0);
    const { serving } = services.machine.graphs;
    const active = serving.filter(({ runs }) => runs.size > 0).length;
    return JSON.stringify({
      queue: {
        n_pending: sum(({ alive, running }) => alive - running),
        n_running: sum(({ running }) => running),
        n_queued: sum(({ queued }) => queued),
      },
      workers: { max: serving.length, active, available: serving.length - active },
      http: {
        sockets: sockets.open,
        stream_readers: openStreams(),
        requests: requests.all.reduce((total, { duration }) => total + duration.count, 0),
      },
      metrics:
        names === null
          ? await registry.getMetricsAsJSON()
          : await Promise.all(
              names.flatMap((name) => registry.getSingleMetric(name) ?? []).map((metric) => metric.get()),
            ),
    });
  }

  #open(): Promise<Registry> {
    return (this.#registry ??= this.#makeRegistry());
  }

  async #makeRegistry(): Promise<Registry> {
    const { Counter, Gauge, Histogram: PromHistogram, Registry: PromRegistry } = await import('prom-client');
    const sources = this.#sources;

    /** prom-client's own counts by itself; ours are counted already. */
    class Read extends PromHistogram {
      readonly #figure: Distribution;

      constructor(figure: Distribution) {
        super(configOf(figure));
        this.#figure = figure;
      }

      override async get(): Promise<Awaited<ReturnType<Histogram['get']>>> {
        const { name, help } = this.#figure;
        return {
          name,
          help,
          type: 'histogram' as never,
          aggregator: 'sum',
          collect: () => undefined,
          values: [...this.#figure.spreads(sources)].flatMap(([labels, tally]) => valuesOf(name, labels, tally)),
        };
      }

      /** What the text form asks instead of `get`; its types leave it out. */
      getForPromString(): ReturnType<Histogram['get']> {
        return this.get();
      }
    }

    const metricOf = (figure: Plain | Distribution): Metric => {
      if (figure.type === 'histogram') return new Read(figure);
      const { rows } = figure;
      if (figure.type === 'gauge')
        return new Gauge({
          ...configOf(figure),
          collect() {
            this.reset();
            for (const [labels, value] of rows(sources)) this.set(labels, value);
          },
        });
      return new Counter({
        ...configOf(figure),
        collect() {
          this.reset();
          for (const [labels, value] of rows(sources)) this.inc(labels, value);
        },
      });
    };
    const registry = new PromRegistry();
    for (const figure of FIGURES) registry.registerMetric(metricOf(figure));
    return registry;
  }
}

function configOf({ name, help, labels }: Figure): { name: string; help: string; labelNames: string[]; registers: [] } {
  return { name, help, labelNames: [...labels], registers: [] };
}

/** As Prometheus has them: each bucket counts those below it too. */
function valuesOf(name: string, labels: Labels, { bounds, counts, sum, count }: Tally): MetricValueWithName<string>[] {
  let below = 0;
  const buckets = counts.map((one, at): MetricValueWithName<string> => {
    below += one;
    return {
      metricName: `${name}_bucket`,
      labels: { ...labels, le: at < bounds.length ? bounds[at]! : '+Inf' },
      value: below,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
