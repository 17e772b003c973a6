import type { OpenSpan, Spans } from '../../base/spans.js';
import type { RunStatus } from '../../store/runs/runs.js';
import type { LiveRun } from './live.js';
import type { RunCount } from './run-counts.js';
import type { RunObserver } from './run-observer.js';

/** Counts a run, and traces it: one span for the run, with a span for each wait and each attempt. */
export class TracingObserver implements RunObserver {
  readonly #count: RunCount;
  readonly #spans: Spans;
  readonly #graphId: string;
  readonly #run: OpenSpan;
  #wait: OpenSpan | null = null;
  #attempt: OpenSpan | null = null;

  constructor(count: RunCount, spans: Spans, { record, traceparent }: LiveRun) {
    this.#count = count;
    this.#spans = spans;
    this.#graphId = record.graphId;
    this.#run = spans.start(`run ${record.graphId}`, 'internal', traceparent, {
      'threadmill.run.id': record.runId,
      'threadmill.thread.id': record.threadId,
      'threadmill.assistant.id': record.assistantId,
      'threadmill.graph.id': record.graphId,
    });
  }

  get traceparent(): string {
    return (this.#attempt ?? this.#run).traceparent;
  }

  queued(): void {
    this.#count.queued();
    this.#wait = this.#spans.start('queue', 'internal', this.#run.traceparent, {});
  }

  dispatched(attempt: number): void {
    this.#count.dispatched();
    this.#endWait();
    this.#attempt = this.#spans.start(`attempt ${this.#graphId}`, 'internal', this.#run.traceparent, {
      'threadmill.run.attempt': attempt,
    });
  }

  workerLost(): void {
    this.#count.workerLost();
    this.#endAttempt('lost', 'worker_lost');
  }

  ended(status: RunStatus, error: string | null): void {
    this.#count.ended(status);
    this.#endWait();
    this.#endAttempt(status, error);
    this.#run.end({ 'threadmill.run.status': status }, error);
  }

  #endWait(): void {
    this.#wait?.end({}, null);
    this.#wait = null;
  }

  #endAttempt(status: string, error: string | null): void {
    this.#attempt?.end({ 'threadmill.run.status': status }, error);
    this.#attempt = null;
  }
}
