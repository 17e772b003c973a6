import type { CallPool } from '../pool/user-code/call-pool.js';
import type { EvaluationPool } from '../pool/evaluation-pool.js';
import type { AuthPool } from '../pool/user-code/auth-pool.js';
import type { GraphPool } from '../pool/graphs/graph-pool.js';
import { createMetricsMemory, startHeartbeat, readThreadMetrics, type ThreadMetrics } from '../wire/thread-metrics.js';

/** Metrics of one server thread. `thread` is a stable name: a replacement thread gets the same one. */
export interface NamedThreadMetrics extends ThreadMetrics {
  thread: string;
}

type MetricsSource = Pick<CallPool<never, never, never>, 'metrics'>;

/** The front thread and the graph workers of this process, and their health. Computed only on request. */
export class WorkerStats {
  readonly #front = createMetricsMemory();
  readonly #stop = startHeartbeat(this.#front);
  readonly graphs: GraphPool;

  constructor(graphs: GraphPool) {
    this.graphs = graphs;
  }

  get threads(): NamedThreadMetrics[] {
    return [
      { thread: 'front', ...readThreadMetrics(this.#front) },
      ...this.graphs.servingWorkers.map(({ name, heartbeat }) => ({ thread: name, ...heartbeat.metrics })),
    ];
  }

  close(): void {
    this.#stop();
  }
}

/** All threads of a server. */
export class ThreadStats extends WorkerStats {
  readonly #authWorkers: () => AuthPool | null;
  readonly #evaluation: EvaluationPool;
  readonly #callPools: Readonly<Record<string, MetricsSource>>;

  /** The keys of `callPools` become the thread names in metrics. */
  constructor(options: {
    graphs: GraphPool;
    authWorkers: () => AuthPool | null;
    evaluation: EvaluationPool;
    callPools: Readonly<Record<string, MetricsSource>>;
  }) {
    super(options.graphs);
    this.#authWorkers = options.authWorkers;
    this.#evaluation = options.evaluation;
    this.#callPools = options.callPools;
  }

  get authWorkers(): AuthPool | null {
    return this.#authWorkers();
  }

  get evaluation(): EvaluationPool {
    return this.#evaluation;
  }

  override get threads(): NamedThreadMetrics[] {
    return [
      ...super.threads,
      ...(this.authWorkers?.metrics ?? []).map((metrics, at) => ({ thread: `gate-${at}`, ...metrics })),
      ...Object.entries(this.#callPools).flatMap(([name, pool]) =>
        pool.metrics.map((metrics) => ({ thread: name, ...metrics })),
      ),
      ...this.#evaluation.metrics.map(({ lane, metrics }) => ({ thread: `evaluation-${lane}`, ...metrics })),
    ];
  }
}
