/**
 * Trace spans of requests and runs, exported to a collector if one is configured (src/server/tracing.ts). They contain
 * only names, ids, states and times, never user content.
 */
export interface Spans {
  /** `parent` is a `traceparent` (W3C Trace Context). Null or an invalid one starts a new trace. */
  start(name: string, kind: 'server' | 'internal', parent: string | null, attributes: SpanAttributes): OpenSpan;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface OpenSpan {
  /** Spans of work done on behalf of this one use it as their parent. */
  readonly traceparent: string;
  /** `error` is the kind of error, not its text. Only the first call counts. */
  end(attributes: SpanAttributes, error: string | null): void;
}
