/**
 * Trace spans of requests and runs, exported to a collector if one is configured (src/server/tracing.ts). They contain
 * only names, ids, states and times, never user content.
 */
export interface Spans {
  /** For steps of runs that were recorded as traces. */
  readonly steps: StepSink;
  /** `parent` is a `traceparent` (W3C Trace Context). Null or an invalid one starts a new trace. */
  start(name: string, kind: 'server' | 'internal', parent: string | null, attributes: SpanAttributes): OpenSpan;
}

/** Takes steps of runs that have ended. They wait in a bounded queue, and are sent a batch at a time. */
export interface StepSink {
  /** Numbers of steps since the start. Dropped: the queue was full. Failed: the collector did not take them. */
  readonly counts: Readonly<Record<'sent' | 'failed' | 'dropped', number>>;
  /** `bytes`: memory that the step holds. `build` is called when it is sent, so that a dropped step costs nothing. */
  add(bytes: number, build: () => ExportedStep): void;
  drop(): void;
}

/** A step of a run as a span. Ids are hexadecimal, times are microseconds since 1970. */
export interface ExportedStep {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  isCall: boolean;
  startUs: number;
  endUs: number;
  attributes: Record<string, string | number>;
  /** Null if the step succeeded. The text is empty if it is not exported. */
  error: { type: string; text: string } | null;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface OpenSpan {
  /** Spans of work done on behalf of this one use it as their parent. */
  readonly traceparent: string;
  /** `error` is the kind of error, not its text. Only the first call counts. */
  end(attributes: SpanAttributes, error: string | null): void;
}
