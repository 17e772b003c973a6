import type { RunStatus } from '../../store/runs/runs.js';

/** Callbacks for the steps of a run, for metrics, logs and traces. The scheduler calls each once a step. */
export interface RunObserver {
  /** The run waits for a worker. */
  queued(): void;
  /** A worker gets the run, as this attempt. */
  dispatched(attempt: number): void;
  workerLost(): void;
  /** `error`: the error's name. */
  ended(status: RunStatus, error: string | null): void;
  /** Parent of the spans that the graph makes itself; null when tracing is off. */
  readonly traceparent: string | null;
}
