import { SpanKind, SpanStatusCode, TraceFlags, type HrTime } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { LIMITS } from '../base/limits.js';
import type { ExportedStep, StepSink } from '../base/spans.js';
import { VERSION } from '../base/version.js';

interface QueuedStep {
  bytes: number;
  build: () => ExportedStep;
}

/**
 * Sends steps of runs to the collector, one batch after the other. The library's own processor bounds the number of
 * spans, but not the bytes of their values, and does not count what it drops.
 */
export class StepQueue implements StepSink {
  readonly counts = { sent: 0, failed: 0, dropped: 0 };
  readonly #exporter: SpanExporter;
  readonly #resource: Resource;
  #queue: QueuedStep[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> | null = null;

  constructor(exporter: SpanExporter, resource: Resource) {
    this.#exporter = exporter;
    this.#resource = resource;
  }

  add(bytes: number, build: () => ExportedStep): void {
    if (this.#queue.length >= LIMITS.stepsQueuedMax || this.#bytes + bytes > LIMITS.stepsQueuedBytesMax) {
      this.drop();
      return;
    }
    this.#queue.push({ bytes, build });
    this.#bytes += bytes;
    if (this.#sending !== null) return;
    if (this.#queue.length >= LIMITS.stepsPerExport) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), LIMITS.stepsDelayMs).unref();
  }

  drop(): void {
    this.counts.dropped += 1;
  }

  /** Resolves when the queue is empty, and everything was sent or has failed. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    return (this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    }));
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#exporter.shutdown();
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      const spans = batch.map((step) => readableSpan(step, this.#resource));
      const isSent = await new Promise<boolean>((resolve) => {
        this.#exporter.export(spans, ({ code }) => resolve(isSuccess(code)));
      });
      this.counts[isSent ? 'sent' : 'failed'] += spans.length;
      // Other work comes between two batches.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  #takeBatch(): ExportedStep[] {
    let [count, bytes] = [0, 0];
    while (count < this.#queue.length && count < LIMITS.stepsPerExport && bytes < LIMITS.stepBytesPerExport) {
      bytes += this.#queue[count]!.bytes;
      count += 1;
    }
    const taken = this.#queue.slice(0, count);
    this.#queue = this.#queue.slice(count);
    this.#bytes -= bytes;
    return taken.map(({ build }) => build());
  }
}

/** `ExportResultCode.SUCCESS` of a package that is not a dependency. */
function isSuccess(code: number): boolean {
  return code === 0;
}

function readableSpan(step: ExportedStep, resource: Resource): ReadableSpan {
  const { traceId, spanId, parentSpanId, error, startUs, endUs } = step;
  const flags = { traceFlags: TraceFlags.SAMPLED };
  return {
    name: step.name,
    kind: step.isCall ? SpanKind.CLIENT : SpanKind.INTERNAL,
    spanContext: () => ({ traceId, spanId, ...flags }),
    parentSpanContext: { traceId, spanId: parentSpanId, ...flags },
    startTime: timeOf(startUs),
    endTime: timeOf(endUs),
    duration: timeOf(endUs - startUs),
    status: error === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error.text },
    attributes: error === null ? step.attributes : { ...step.attributes, 'error.type': error.type },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'threadmill.traces', version: VERSION },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  } as ReadableSpan;
}

function timeOf(us: number): HrTime {
  const micros = us % 1e6;
  return [(us - micros) / 1e6, micros * 1_000];
}
