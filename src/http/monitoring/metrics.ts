/**
 * Metrics for operators. This is the only file that uses prom-client. All other code keeps plain numbers, which
 * are read here when the metrics are requested (docs/decisions/0018-metrics.md).
 */
import type { Histogram as PromHistogramType, Metric, MetricValueWithName, Registry } from 'prom-client';
import type { Histogram } from '../../base/histogram.js';
import type { Services } from '../../services/context.js';
import type { GraphCounts } from '../../services/runs/run-counts.js';
import type { WorkerStats } from '../../services/thread-stats.js';
import type { NodeStatus } from '../../store/cluster/postgres/nodes.js';
import { NODE_ROLES } from '../../store/cluster/node-roles.js';
import { countOpenStreams } from '../streams/event-stream.js';
import { countOpenSockets } from '../transport/socket.js';
import type { ClusterFacts } from './cluster-facts.js';
import type { RequestStats } from './request-stats.js';
import type { Sockets } from '../transport/http-app.js';

/** Of every process. */
export interface NodeSources {
  threads: WorkerStats;
  sockets: Readonly<Sockets>;
  /** Null without a cluster. */
  cluster: (() => ClusterFacts) | null;
}

/** Of a process that serves: a server without a cluster, or the owner of a cluster. */
export interface MetricSources extends NodeSources {
  services: Services;
  requests: RequestStats;
}

type Labels = Readonly<Record<string, string | number>>;
type Row = readonly [labels: Labels, value: number];
type HistogramRow = readonly [labels: Labels, tally: Histogram];

interface MetricSpec {
  name: string;
  help: string;
  labels: readonly string[];
}
/** `rows` returns the current values. A label combination that it omits has no row. */
type ScalarSpec<S> = MetricSpec & { type: 'counter' | 'gauge'; rows: (sources: S) => Iterable<Row> };
type HistogramSpec<S> = MetricSpec & { type: 'histogram'; histograms: (sources: S) => Iterable<HistogramRow> };
type Spec<S> = ScalarSpec<S> | HistogramSpec<S>;

const singleRow = (value: number): Row[] => [[{}, value]];
const graphCounts = ({ services }: MetricSources): [string, GraphCounts][] => [...services.counts.byGraph];
const perGraph =
  (value: (counts: GraphCounts) => number) =>
  (sources: MetricSources): Row[] =>
    graphCounts(sources).map(([graph, counts]) => [{ graph }, value(counts)]);

const clusterRows =
  (rows: (facts: ClusterFacts) => Iterable<Row>) =>
  ({ cluster }: NodeSources): Iterable<Row> =>
    cluster === null ? [] : rows(cluster());
const perNode = (value: (node: NodeStatus) => number): ((sources: NodeSources) => Iterable<Row>) =>
  clusterRows(({ list }) => (list?.nodes ?? []).map((node) => [{ node: node.name }, value(node)]));

/** Metrics of a process that serves. */
const SERVER_METRICS: readonly Spec<MetricSources>[] = [
  {
    name: 'threadmill_runs_started_total',
    type: 'counter',
    labels: ['graph'],
    help: 'Runs that a worker started for the first time',
    rows: perGraph(({ started }) => started),
  },
  {
    name: 'threadmill_runs_ended_total',
    type: 'counter',
    labels: ['graph', 'status'],
    help: 'Runs that ended, by status',
    rows: (sources) =>
      graphCounts(sources).flatMap(([graph, { ended }]) =>
        [...ended].map(([status, count]): Row => [{ graph, status }, count]),
      ),
  },
  {
    name: 'threadmill_run_retries_total',
    type: 'counter',
    labels: ['graph'],
    help: 'Attempts of a run after the first one',
    rows: perGraph(({ retries }) => retries),
  },
  {
    name: 'threadmill_runs_running',
    type: 'gauge',
    labels: ['graph'],
    help: 'Runs that a worker is executing',
    rows: perGraph(({ running }) => running),
  },
  {
    name: 'threadmill_runs_queued',
    type: 'gauge',
    labels: ['graph'],
    help: 'Runs that are ready and waiting for a worker',
    rows: perGraph(({ queued }) => queued),
  },
  {
    name: 'threadmill_runs_waiting',
    type: 'gauge',
    labels: ['graph'],
    help: 'Runs waiting for their scheduled time, or for another run of their thread or caller',
    rows: perGraph(({ alive, queued, running }) => alive - queued - running),
  },
  {
    name: 'threadmill_run_queue_wait_seconds',
    type: 'histogram',
    labels: ['graph'],
    help: 'Time from ready to assigned to a worker, for each attempt',
    histograms: (sources) => graphCounts(sources).map(([graph, { queueWait }]) => [{ graph }, queueWait]),
  },
  {
    name: 'threadmill_run_duration_seconds',
    type: 'histogram',
    labels: ['graph'],
    help: 'Time from ready for the first time to the end of the run',
    histograms: (sources) => graphCounts(sources).map(([graph, { duration }]) => [{ graph }, duration]),
  },
  {
    name: 'threadmill_trace_steps_exported_total',
    type: 'counter',
    labels: ['result'],
    help: 'Steps of recorded runs for the collector of OpenTelemetry: sent, failed, or dropped because its queue was full',
    rows: ({ services }) =>
      Object.entries(services.spans?.steps.counts ?? {}).map(([result, count]): Row => [{ result }, count]),
  },
  {
    name: 'threadmill_stream_readers',
    type: 'gauge',
    labels: [],
    help: 'Connected readers of event streams',
    rows: () => singleRow(countOpenStreams()),
  },
  {
    name: 'threadmill_websockets_open',
    type: 'gauge',
    labels: [],
    help: 'Open WebSockets of the second event protocol',
    rows: () => singleRow(countOpenSockets()),
  },
  {
    name: 'threadmill_http_requests_total',
    type: 'counter',
    labels: ['method', 'route', 'status'],
    help: 'Finished requests; 499: the client disconnected before a response',
    rows: ({ requests }) =>
      requests.routes.flatMap(({ method, route, byStatus }) =>
        [...byStatus].map(([status, count]): Row => [{ method, route, status }, count]),
      ),
  },
  {
    name: 'threadmill_http_request_duration_seconds',
    type: 'histogram',
    labels: ['method', 'route'],
    help: 'Time from the head of a request to the end of its response, streams included',
    histograms: ({ requests }) =>
      requests.routes
        .filter(({ duration }) => duration.count > 0)
        .map(({ method, route, duration }) => [{ method, route }, duration]),
  },
  {
    name: 'threadmill_store_file_bytes',
    type: 'gauge',
    labels: [],
    help: 'Size of data.mdb',
    rows: ({ services }) => singleRow(services.stores.store.fileBytes),
  },
  {
    name: 'threadmill_store_disk_free_bytes',
    type: 'gauge',
    labels: [],
    help: 'Free space on the disk of the data folder',
    rows: ({ services }) => singleRow(services.stores.store.diskFreeBytes),
  },
  {
    name: 'threadmill_store_commit_seconds',
    type: 'histogram',
    labels: [],
    help: 'Time from submitting a commit until it is on disk; the count is the number of commits',
    histograms: ({ services }) => [[{}, services.stores.store.commitSeconds]],
  },
  {
    name: 'threadmill_store_commits_pending',
    type: 'gauge',
    labels: [],
    help: 'Commits that are not on disk yet',
    rows: ({ services }) => singleRow(services.stores.store.pendingCommits),
  },
  {
    name: 'threadmill_store_failed',
    type: 'gauge',
    labels: [],
    help: '1 after the store has failed; the server then accepts no more writes',
    rows: ({ services }) => singleRow(services.stores.store.failure === null ? 0 : 1),
  },
  {
    name: 'threadmill_state_budget_total',
    type: 'counter',
    labels: ['result'],
    help: 'Threads over state_budget: runs and updates that left one so, requests that were refused, and thinnings',
    rows: ({ services: { stateBudgets } }) =>
      stateBudgets === null
        ? []
        : Object.entries(stateBudgets.counts).map(([result, count]): Row => [{ result }, count]),
  },
  {
    name: 'threadmill_evaluation_tasks_waiting',
    type: 'gauge',
    labels: ['thread'],
    help: 'Uploads and queries waiting for an evaluation thread',
    rows: ({ services }) =>
      services.threadStats.evaluation.queuedTasks.map(({ lane, tasks }) => [{ thread: `evaluation-${lane}` }, tasks]),
  },
  {
    name: 'threadmill_evaluation_body_bytes',
    type: 'gauge',
    labels: [],
    help: 'Bytes of request bodies being passed to an evaluation thread',
    rows: ({ services }) => singleRow(services.evaluation.bodies.bytes),
  },
  {
    name: 'threadmill_evaluation_statistics_waiting',
    type: 'gauge',
    labels: [],
    help: 'Experiments whose statistics are not computed yet',
    rows: ({ services }) => singleRow(services.evaluation.statistics.pendingCount),
  },
  {
    name: 'threadmill_alerts',
    type: 'gauge',
    labels: ['state'],
    help: 'Alerts by state: ok, firing, no_data, error, or disabled',
    rows: ({ services }) => [...services.alerts.counts()].map(([state, count]) => [{ state }, count]),
  },
  {
    name: 'threadmill_auth_asks_waiting',
    type: 'gauge',
    labels: [],
    help: 'Requests waiting for an auth handler',
    rows: ({
      services: {
        threadStats: { authWorkers },
      },
    }) => (authWorkers === null ? [] : singleRow(authWorkers.pendingCalls)),
  },
];

/** Metrics of every process. In a cluster, nodes that are not the owner have only these. */
const NODE_METRICS: readonly Spec<NodeSources>[] = [
  {
    name: 'threadmill_workers',
    type: 'gauge',
    labels: ['kind'],
    help: 'Graph worker threads; solo workers retry a run whose worker was lost',
    rows: ({ threads }) => {
      const { servingWorkers } = threads.graphs;
      return (['graph', 'solo'] as const).map((kind) => [
        { kind },
        servingWorkers.filter(({ solo }) => solo === (kind === 'solo')).length,
      ]);
    },
  },
  {
    name: 'threadmill_workers_silent',
    type: 'gauge',
    labels: [],
    help: 'Workers whose event loop is blocked',
    rows: ({ threads }) =>
      singleRow(threads.graphs.servingWorkers.filter(({ heartbeat }) => heartbeat.isSilent).length),
  },
  {
    name: 'threadmill_workers_lost_total',
    type: 'counter',
    labels: [],
    help: 'Workers that died or were terminated, and were replaced',
    rows: ({ threads }) => singleRow(threads.graphs.workersLost),
  },
  {
    name: 'threadmill_worker_runs',
    type: 'gauge',
    labels: ['thread'],
    help: 'Runs that a worker holds',
    rows: ({ threads }) => threads.graphs.servingWorkers.map(({ name, runs }) => [{ thread: name }, runs.size]),
  },
  {
    name: 'threadmill_event_loop_delay_seconds',
    type: 'histogram',
    labels: ['thread'],
    help: "Delay of a thread's timers, sampled twenty times per second",
    histograms: ({ threads }) => threads.threads.map(({ thread, delay }) => [{ thread }, delay]),
  },
  {
    name: 'threadmill_heap_bytes',
    type: 'gauge',
    labels: ['thread'],
    help: 'Heap in use, by thread',
    rows: ({ threads }) => threads.threads.map(({ thread, heapBytes }) => [{ thread }, heapBytes]),
  },
  {
    name: 'threadmill_memory_resident_bytes',
    type: 'gauge',
    labels: [],
    help: 'Resident memory of the whole process',
    rows: () => singleRow(process.memoryUsage.rss()),
  },
  {
    name: 'threadmill_cpu_seconds_total',
    type: 'counter',
    labels: ['mode'],
    help: 'CPU time of the whole process',
    rows: () => {
      const { user, system } = process.cpuUsage();
      return [
        [{ mode: 'user' }, user / 1e6],
        [{ mode: 'system' }, system / 1e6],
      ];
    },
  },
  {
    name: 'threadmill_sockets_open',
    type: 'gauge',
    labels: [],
    help: 'Open connections',
    rows: ({ sockets }) => singleRow(sockets.open),
  },
  {
    name: 'threadmill_sockets_refused_total',
    type: 'counter',
    labels: [],
    help: 'Connections refused because the limit was reached',
    rows: ({ sockets }) => singleRow(sockets.refused),
  },
  {
    name: 'threadmill_cluster_is_owner',
    type: 'gauge',
    labels: [],
    help: '1 if this node is the owner of the cluster and serves',
    rows: clusterRows(({ isServing }) => singleRow(isServing ? 1 : 0)),
  },
  {
    name: 'threadmill_cluster_epoch',
    type: 'gauge',
    labels: [],
    help: 'Epoch of the owner of the cluster; it increases with every takeover',
    rows: clusterRows(({ list }) => (list === null ? [] : singleRow(list.epoch))),
  },
  {
    name: 'threadmill_cluster_takeovers_total',
    type: 'counter',
    labels: ['reason'],
    help: 'Times that this process has become the owner: first: there was none before; left: the last one gave up; lost: it was silent',
    rows: clusterRows(({ takeovers }) => Object.entries(takeovers).map(([reason, count]) => [{ reason }, count])),
  },
  {
    name: 'threadmill_cluster_last_entry',
    type: 'gauge',
    labels: [],
    help: 'Number of the last entry of the log of the cluster',
    rows: clusterRows(({ log, list }) => (list === null ? [] : singleRow(log?.lastEntry ?? list.lastEntry))),
  },
  {
    name: 'threadmill_cluster_appended_bytes_total',
    type: 'counter',
    labels: [],
    help: 'Bytes of the entries that the owner has appended to the log',
    rows: clusterRows(({ log }) => (log === null ? [] : singleRow(log.appendedBytes))),
  },
  {
    name: 'threadmill_cluster_append_seconds',
    type: 'histogram',
    labels: [],
    help: 'Time until an entry is in the log; the count is the number of entries',
    histograms: ({ cluster }) => {
      const log = cluster?.().log ?? null;
      return log === null ? [] : [[{}, log.appendSeconds]];
    },
  },
  {
    name: 'threadmill_cluster_database_away',
    type: 'gauge',
    labels: [],
    help: '1 while the database of the cluster does not answer this node',
    rows: clusterRows(({ isReachable }) => singleRow(isReachable ? 0 : 1)),
  },
  {
    name: 'threadmill_cluster_clock_offset_seconds',
    type: 'gauge',
    labels: [],
    help: "Time by which the clock of this machine is ahead of the database's",
    rows: clusterRows(({ clockOffsetMs }) => (clockOffsetMs === null ? [] : singleRow(clockOffsetMs / 1_000))),
  },
  {
    name: 'threadmill_cluster_nodes',
    type: 'gauge',
    labels: ['role'],
    help: 'Nodes of the cluster by role: owner, standby, loading, lost',
    rows: clusterRows(({ list }) =>
      list === null ? [] : NODE_ROLES.map((role) => [{ role }, list.nodes.filter((node) => node.role === role).length]),
    ),
  },
  {
    name: 'threadmill_cluster_nodes_drained',
    type: 'gauge',
    labels: [],
    help: 'Nodes of the cluster that are drained, or asked to be',
    rows: clusterRows(({ list }) =>
      list === null ? [] : singleRow(list.nodes.filter(({ drain }) => drain !== 'none').length),
    ),
  },
  {
    name: 'threadmill_cluster_node_lag_entries',
    type: 'gauge',
    labels: ['node'],
    help: 'Entries of the log that the copy of a node does not have yet',
    rows: perNode(({ behind }) => behind),
  },
  {
    name: 'threadmill_cluster_node_lag_seconds',
    type: 'gauge',
    labels: ['node'],
    help: 'Time since the copy of a node had all entries; 0 if it has them',
    rows: perNode(({ lagMs }) => lagMs / 1_000),
  },
  {
    name: 'threadmill_cluster_node_seen_seconds',
    type: 'gauge',
    labels: ['node'],
    help: 'Time since a node last showed in the database that it lives',
    rows: perNode(({ seenMs }) => seenMs / 1_000),
  },
  {
    name: 'threadmill_cluster_node_workers',
    type: 'gauge',
    labels: ['node'],
    help: 'Graph workers that the owner can use, by node; only at the owner',
    rows: clusterRows(({ places }) => places.map(({ node, workers }) => [{ node }, workers])),
  },
  {
    name: 'threadmill_cluster_node_runs',
    type: 'gauge',
    labels: ['node'],
    help: 'Runs that the graph workers of a node hold; only at the owner',
    rows: clusterRows(({ places }) => places.map(({ node, runs }) => [{ node }, runs])),
  },
  {
    name: 'threadmill_cluster_forwarded_requests_total',
    type: 'counter',
    labels: ['outcome'],
    help: 'Requests that this node has passed on: answered; no_owner: 503; unknown: 502; aborted: the client disconnected',
    rows: clusterRows(({ forwarded }) =>
      Object.entries(forwarded.byOutcome).map(([outcome, count]) => [{ outcome }, count]),
    ),
  },
  {
    name: 'threadmill_cluster_forwarded_request_duration_seconds',
    type: 'histogram',
    labels: [],
    help: 'Time from the head of a request that was passed on to the end of its response, streams included',
    histograms: ({ cluster }) => (cluster === null ? [] : [[{}, cluster().forwarded.seconds]]),
  },
  {
    name: 'threadmill_cluster_forwarded_open',
    type: 'gauge',
    labels: [],
    help: 'Requests and WebSockets that this node passes on now, or holds while there is no owner',
    rows: clusterRows(({ forwardedOpen }) => singleRow(forwardedOpen)),
  },
];

/** All metrics. docs/operations.md has the same list, compared by a test. */
export const METRIC_SPECS: readonly Spec<MetricSources>[] = [...SERVER_METRICS, ...NODE_METRICS];

/** Metrics in both formats, from current values. */
class RegisteredMetrics<S extends NodeSources> {
  protected readonly sources: S;
  readonly #specs: readonly Spec<S>[];
  #registry: Promise<Registry> | null = null;

  constructor(sources: S, specs: readonly Spec<S>[]) {
    this.sources = sources;
    this.#specs = specs;
  }

  /** Loads the library. Call it while waiting for something else anyway. */
  async load(): Promise<void> {
    await this.#open();
  }

  /** Returns the metrics in the Prometheus text format. */
  async text(): Promise<string> {
    return (await this.#open()).metrics();
  }

  /** All metrics, or those with these names, as JSON. Unknown names are skipped. */
  async json(names: readonly string[] | null = null): Promise<string> {
    return JSON.stringify({ ...this.summary(), metrics: await this.#values(names) });
  }

  /** What the JSON has besides the metrics. */
  protected summary(): object {
    const { threads, sockets } = this.sources;
    return { workers: workerCounts(threads), http: { sockets: sockets.open } };
  }

  async #values(names: readonly string[] | null): Promise<unknown[]> {
    const registry = await this.#open();
    return names === null
      ? registry.getMetricsAsJSON()
      : Promise.all(names.flatMap((name) => registry.getSingleMetric(name) ?? []).map((metric) => metric.get()));
  }

  #open(): Promise<Registry> {
    return (this.#registry ??= this.#makeRegistry());
  }

  async #makeRegistry(): Promise<Registry> {
    const { Counter, Gauge, Histogram: PromHistogram, Registry: PromRegistry } = await import('prom-client');
    const { sources } = this;

    /** A histogram with values from our own counts. prom-client would count by itself. */
    class Read extends PromHistogram {
      readonly #figure: HistogramSpec<S>;

      constructor(figure: HistogramSpec<S>) {
        super(configOf(figure));
        this.#figure = figure;
      }

      override async get(): Promise<Awaited<ReturnType<PromHistogramType['get']>>> {
        const { name, help } = this.#figure;
        return {
          name,
          help,
          type: 'histogram' as never,
          aggregator: 'sum',
          collect: () => undefined,
          values: [...this.#figure.histograms(sources)].flatMap(([labels, tally]) => valuesOf(name, labels, tally)),
        };
      }

      /** The text format calls this instead of `get`; prom-client's types omit it. */
      getForPromString(): ReturnType<PromHistogramType['get']> {
        return this.get();
      }
    }

    const metricOf = (figure: Spec<S>): Metric => {
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
    for (const figure of this.#specs) registry.registerMetric(metricOf(figure));
    return registry;
  }
}

/** Metrics of a process that serves. */
export class Metrics extends RegisteredMetrics<MetricSources> {
  constructor(sources: Omit<MetricSources, 'threads'>) {
    super({ ...sources, threads: sources.services.threadStats }, METRIC_SPECS);
  }

  /** The three parts of the Agent Server's response. */
  protected override summary(): object {
    const { services, requests, sockets, threads } = this.sources;
    const counts = [...services.counts.byGraph.values()];
    const sum = (value: (one: GraphCounts) => number): number => counts.reduce((total, one) => total + value(one), 0);
    return {
      queue: {
        n_pending: sum(({ alive, running }) => alive - running),
        n_running: sum(({ running }) => running),
        n_queued: sum(({ queued }) => queued),
      },
      workers: workerCounts(threads),
      http: {
        sockets: sockets.open,
        stream_readers: countOpenStreams(),
        requests: requests.routes.reduce((total, { duration }) => total + duration.count, 0),
      },
    };
  }
}

/** Metrics of a node of a cluster that is not the owner. */
export class NodeMetrics extends RegisteredMetrics<NodeSources> {
  constructor(sources: NodeSources) {
    super(sources, NODE_METRICS);
  }
}

function workerCounts({ graphs: { servingWorkers } }: WorkerStats): object {
  const active = servingWorkers.filter(({ runs }) => runs.size > 0).length;
  return { max: servingWorkers.length, active, available: servingWorkers.length - active };
}

function configOf({ name, help, labels }: MetricSpec): {
  name: string;
  help: string;
  labelNames: string[];
  registers: [];
} {
  return { name, help, labelNames: [...labels], registers: [] };
}

/** The Prometheus format: each bucket includes the counts of all lower buckets. */
function valuesOf(
  name: string,
  labels: Labels,
  { bounds, counts, sum, count }: Histogram,
): MetricValueWithName<string>[] {
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
