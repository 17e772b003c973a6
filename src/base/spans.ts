/**
 * What a request or run took part in, told to a collector of traces when one is configured (src/server/tracing.ts). Only names, ids,
 * states and times go there: nothing that a user wrote.
 */
export interface Spans {
  /** `parent` is a `traceparent` (W3C Trace Context); null, or one that is none, begins a trace. */
  start(name: string, kind: 'server' | 'internal', parent: string | null, attributes: SpanAttributes): OpenSpan;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface OpenSpan {
  /** What is done for this one names it as its parent. */
  readonly traceparent: string;
  /** `error`: the kind of what went wrong, not its text. Ends once. */
  end(attributes: SpanAttributes, error: string | null): void;
}
