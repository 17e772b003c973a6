import { BOUNDS, Tally } from '../../base/histogram.js';
import type { RunStatus } from '../../store/runs/runs.js';
import type { RunObserver } from './run-observer.js';

/** What has happened to the runs of one graph since the server started, and what is happening now. */
export class GraphCounts {
  /** Not ended: what is neither queued nor running waits for its time or for its thread. */
  alive = 0;
  /** Ready, and no worker had room yet. */
  queued = 0;
  running = 0;
  started = 0;
  /** Attempts after a run's first one here. */
  retries = 0;
  readonly ended = new Map<RunStatus, number>();
  /** From ready to handed to a worker, every attempt. */
  readonly queueWait = new Tally(BOUNDS.queue);
  /** From ready to the end. */
  readonly duration = new Tally(BOUNDS.run);
}

type State = 'waiting' | 'queued' | 'running' | 'ended';

/** One run's part in that: it is counted in one state at a time, whatever way it takes. */
export class RunCount implements RunObserver {
  readonly traceparent = null;
  readonly #graph: GraphCounts;
  #state: State = 'waiting';
  #readyMs = 0;
  /** When it was ready for the first time; 0 before. */
  #beganMs = 0;
  #dispatched = false;

  constructor(graph: GraphCounts) {
    this.#graph = graph;
    graph.alive += 1;
  }

  queued(): void {
    this.#readyMs = performance.now();
    if (this.#beganMs === 0) this.#beganMs = this.#readyMs;
    this.#enter('queued');
  }

  /** A worker has it. */
  dispatched(): void {
    if (this.#dispatched) this.#graph.retries += 1;
    else this.#graph.started += 1;
    this.#dispatched = true;
    this.#graph.queueWait.note((performance.now() - this.#readyMs) / 1_000);
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
    if (this.#beganMs !== 0) graph.duration.note((performance.now() - this.#beganMs) / 1_000);
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

/** Graphs that are not configured share one entry: names that a store remembers may not grow the list. No graph has this name. */
const OTHER = '(other)';

/** Runs by graph. */
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
