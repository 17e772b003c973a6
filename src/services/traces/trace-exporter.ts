import { LIMITS } from '../../base/limits.js';
import type { StepSink } from '../../base/spans.js';
import type { Span } from '../../wire/runs/spans.js';
import { exportedStep } from './exported-step.js';
import { mergeSpans, spanBytes, withoutValues } from './stored-span.js';
import type { TracedRun } from './trace-writer.js';

/** The span of the run's attempt, which the steps are below. */
export interface StepParent {
  traceId: string;
  spanId: string;
}

/** Null if the trace is not sampled. `traceparent`: of the W3C. */
export function stepParentOf(traceparent: string | null | undefined): StepParent | null {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return (Number.parseInt(flags, 16) & 1) === 1 ? { traceId, spanId } : null;
}

/** Sends the steps of recorded runs to a collector of OpenTelemetry, each when it has ended. */
export class TraceExporter {
  readonly #sink: StepSink;
  readonly #withContent: boolean;
  /** Steps that have begun, because their end does not repeat what was known at the beginning. */
  readonly #open = new Map<string, Span>();
  #openBytes = 0;

  constructor(sink: StepSink, withContent: boolean) {
    this.#sink = sink;
    this.#withContent = withContent;
  }

  put(run: TracedRun, parent: StepParent, span: Span): void {
    const before = this.#forget(span.spanId);
    const known = before === undefined ? span : mergeSpans(before, span);
    if (span.endUs === null) return this.#keep(known);
    // Its beginning was forgotten, or is in an earlier process.
    if (known.extra === null && known.parentId !== null) return this.#sink.drop();
    this.#sink.add(spanBytes(known), () => exportedStep({ run, parent, withContent: this.#withContent }, known));
  }

  #keep(span: Span): void {
    const bytes = spanBytes(span);
    if (this.#openBytes + bytes > LIMITS.stepsQueuedBytesMax) return;
    this.#open.set(span.spanId, this.#withContent ? span : { ...withoutValues(span), extra: span.extra });
    this.#openBytes += spanBytes(this.#open.get(span.spanId)!);
  }

  #forget(spanId: string): Span | undefined {
    const span = this.#open.get(spanId);
    if (span === undefined) return undefined;
    this.#open.delete(spanId);
    this.#openBytes -= spanBytes(span);
    return span;
  }
}
