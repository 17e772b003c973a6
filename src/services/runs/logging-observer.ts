import type { Logger } from '../../base/log/log.js';
import { withoutSecrets } from '../../base/log/secrets.js';
import type { RunStatus } from '../../store/runs/runs.js';
import type { LiveRun } from './live.js';
import type { RunObserver } from './run-observer.js';

/**
 * Logs one line at the end of every run: its ids, how long it waited and executed, and how it ended. Only the name of
 * an error is logged, because its message may contain user data.
 */
export class LoggingObserver implements RunObserver {
  readonly #inner: RunObserver;
  readonly #log: Logger;
  readonly #run: LiveRun;
  #sinceMs = 0;
  #running = false;
  /** Sums over all attempts since the server started. */
  #queueMs = 0;
  #runMs = 0;
  #over = false;

  constructor(inner: RunObserver, log: Logger, run: LiveRun) {
    this.#inner = inner;
    this.#log = log;
    this.#run = run;
  }

  get traceparent(): string | null {
    return this.#inner.traceparent;
  }

  queued(): void {
    this.#inner.queued();
    this.#sinceMs = performance.now();
  }

  dispatched(attempt: number): void {
    this.#inner.dispatched(attempt);
    const now = performance.now();
    this.#queueMs += now - this.#sinceMs;
    this.#sinceMs = now;
    this.#running = true;
  }

  workerLost(): void {
    this.#inner.workerLost();
    this.#leaveWorker();
  }

  ended(status: RunStatus, error: string | null): void {
    this.#inner.ended(status, error);
    this.#leaveWorker();
    if (this.#over) return;
    this.#over = true;
    const { record, caller, log } = this.#run;
    this.#log[status === 'error' || status === 'timeout' ? 'warn' : 'info'](
      {
        runId: record.runId,
        threadId: record.threadId,
        assistantId: record.assistantId,
        graphId: record.graphId,
        caller: caller.identity,
        status,
        error: error === null ? undefined : withoutSecrets(error.slice(0, 100)),
        attempts: record.attempt,
        queueMs: rounded(this.#queueMs),
        runMs: rounded(this.#runMs),
        events: log.events,
      },
      'run',
    );
  }

  #leaveWorker(): void {
    if (!this.#running) return;
    this.#running = false;
    this.#runMs += performance.now() - this.#sinceMs;
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
