import { HISTOGRAM_BOUNDS, Histogram } from '../../base/histogram.js';
import type { RunStatus } from '../../store/runs/runs.js';
import type { RunObserver } from './run-observer.js';

/** Counters of one graph's runs: current ones, and totals since the server started. */
export class GraphCounts {
  /** Not ended. Runs that are neither queued nor running wait for their time or their thread. */
  alive = 0;
  /** Waiting for a worker. */
  queued = 0;
  running = 0;
  started = 0;
  /** Attempts after the first one since the server started. */
  retries = 0;
  readonly ended = new Map<RunStatus, number>();
  /** Seconds from queued to dispatched, for every attempt. */
  readonly queueWait = new Histogram(HISTOGRAM_BOUNDS.queue);
  /** Seconds from first queued to the end. */
  readonly duration = new Histogram(HISTOGRAM_BOUNDS.run);
}

type State = 'waiting' | 'queued' | 'running' | 'ended';

/** Counts one run, in one state at a time. */
export class RunCount implements RunObserver {
  readonly traceparent = null;
  readonly #graph: GraphCounts;
  #state: State = 'waiting';
  #queuedMs = 0;
  /** When the run was queued for the first time; 0 before. */
  #firstQueuedMs = 0;
  #dispatched = false;

  constructor(graph: GraphCounts) {
    this.#graph = graph;
    graph.alive += 1;
  }

  queued(): void {
    this.#queuedMs = performance.now();
    if (this.#firstQueuedMs === 0) this.#firstQueuedMs = this.#queuedMs;
    this.#enter('queued');
  }

  dispatched(): void {
    if (this.#dispatched) this.#graph.retries += 1;
    else this.#graph.started += 1;
    this.#dispatched = true;
    this.#graph.queueWait.observe((performance.now() - this.#queuedMs) / 1_000);
    this.#enter('running');
  }

  workerLost(): void {
    this.#enter('waiting');
  }

  ended(status: RunStatus): void {
    if (this.#state === 'ended') return;
    this.#enter('ended');
    const graph = this.#graph;
    graph.alive -= 1;
    graph.ended.set(status, (graph.ended.get(status) ?? 0) + 1);
    if (this.#firstQueuedMs !== 0) graph.duration.observe((performance.now() - this.#firstQueuedMs) / 1_000);
  }

  #enter(state: State): void {
    const graph = this.#graph;
    if (this.#state === 'queued') graph.queued -= 1;
    else if (this.#state === 'running') graph.running -= 1;
    this.#state = state;
    if (state === 'queued') graph.queued += 1;
    else if (state === 'running') graph.running += 1;
  }
}

/**
 * Graphs that are no longer configured share one entry, so the number of metrics is bounded. No graph can have this
 * name.
 */
const OTHER = '(other)';

/** Counters by graph. */
export class RunCounts {
  readonly byGraph = new Map<string, GraphCounts>();
  readonly #configured: ReadonlySet<string>;

  constructor(configured: ReadonlySet<string>) {
    this.#configured = configured;
  }

  begin(graphId: string): RunCount {
    const name = this.#configured.has(graphId) ? graphId : OTHER;
    let graph = this.byGraph.get(name);
    if (graph === undefined) this.byGraph.set(name, (graph = new GraphCounts()));
    return new RunCount(graph);
  }
}
