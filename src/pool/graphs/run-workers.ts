import type { RunJob } from '../../wire/runs/messages.js';
import type { RunChannel } from './run-channel.js';

/** A thread that runs graphs, in this process or on another node of the cluster. */
export interface RunWorker {
  /** Unique among all workers that this process has seen. */
  readonly id: number;
  readonly name: string;
  /** Name of the node; null in this process. */
  readonly node: string | null;
  /** Runs on this worker, including canceled runs whose code has not returned yet. */
  readonly runs: ReadonlySet<string>;
  /** Hash of the code that it has of a graph; undefined if it does not have the graph. */
  codeOf(graphId: string): string | undefined;
}

/** Code that a run must execute on, and that is not the newest. */
export interface NeededCode {
  hash: string;
  /** This process can load it into its own workers. */
  isKept: boolean;
}

/**
 * How a worker was lost: `worker`: it died alone; `node`: its node is lost or cannot be reached; `withdrawn`: it was
 * taken away on purpose, so its runs have not caused it.
 */
export type LossCause = 'worker' | 'node' | 'withdrawn';

/** What scheduling needs of the graph workers. */
export interface RunWorkers {
  /**
   * Selects the worker for a run of this graph: `preferred`, the id of a worker, if it has capacity, otherwise the one
   * with the fewest runs. Null if none that has the graph, in the code that is needed, has capacity.
   */
  pickWorker(preferred: number | null, graphId: string, code?: NeededCode | null): RunWorker | null;
  /** False while no worker that takes runs has the graph. */
  canRun(graphId: string, code?: NeededCode | null): boolean;
  /** True if every worker has every graph. */
  readonly isUniform: boolean;
  /** A worker for one isolated run of this graph; null while none is ready. */
  pickSoloWorker(graphId: string, code?: NeededCode | null): RunWorker | null;
  closeIdleSoloWorkers(): void;
  readonly soloCount: number;
  /** `isListening`: the worker sends events from the start. */
  startRun(worker: RunWorker, job: RunJob, isListening: boolean): RunChannel;
  /** Ends the thread immediately. */
  terminate(worker: RunWorker): void;
}

/** What the owner of the runs is told of their workers. */
export interface RunWorkerHooks {
  /** A worker has free capacity again. */
  onCapacity(): void;
  /**
   * The worker's code for a run has returned, or the channel of the run has closed. The end of the run may still
   * arrive shortly after.
   */
  onRunReturned(worker: RunWorker, runId: string): void;
  /** A worker has died, with all runs on it. */
  onWorkerLost(worker: RunWorker, runIds: string[], loss: { reason: string; cause: LossCause }): void;
}
