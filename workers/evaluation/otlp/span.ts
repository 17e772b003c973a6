import { LIMITS } from '../../../src/base/limits.js';
import type { Attributes } from './attributes.js';

/** A span of OpenTelemetry, checked. Ids are hexadecimal in lower case, times are microseconds since 1970. */
export interface OtlpSpan {
  traceId: string;
  spanId: string;
  /** Null for a root. */
  parentSpanId: string | null;
  name: string;
  startUs: number;
  /** Null if the span has no end. */
  endUs: number | null;
  status: { code: number; message: string };
  attributes: Attributes;
  events: readonly OtlpEvent[];
  links: readonly { traceId: string; spanId: string }[];
}

export interface OtlpEvent {
  name: string;
  /** Null if it has no valid time. */
  timeUs: number | null;
  attributes: Attributes;
}

/** Attributes of what sent the spans, and the name of the instrumentation. */
export interface SpanOrigin {
  resource: Attributes;
  scope: string | null;
}

/** A span of a body that is not decoded yet. */
export interface EncodedSpan {
  /** Where it is: `resourceSpans.0.scopeSpans.0.spans.3`. */
  place: string;
  origin: SpanOrigin;
  /** Throws SpanProblem if the span cannot be stored, or the error of a malformed body. */
  decode(): OtlpSpan;
}

/** Status code of a span. */
export const STATUS = { unset: 0, ok: 1, error: 2 } as const;

/** Why one span is refused. The others of its body are stored. */
export class SpanProblem extends Error {}

/** A span as the readers find it. */
export interface RawSpan extends Omit<OtlpSpan, 'parentSpanId' | 'startUs' | 'endUs'> {
  parentSpanId: string;
  /** Nanoseconds since 1970. */
  startNanos: bigint;
  endNanos: bigint;
}

const END_NANOS = BigInt(Date.UTC(2200, 0, 1)) * 1_000_000n;
const TRACE_ID = /^(?!0{32})[\da-f]{32}$/;
const SPAN_ID = /^(?!0{16})[\da-f]{16}$/;

/** Throws SpanProblem. */
export function checkedSpan({ startNanos, endNanos, parentSpanId, ...raw }: RawSpan): OtlpSpan {
  if (!TRACE_ID.test(raw.traceId)) throw new SpanProblem('traceId: must be 16 bytes, as 32 hexadecimal digits in JSON');
  if (!SPAN_ID.test(raw.spanId)) throw new SpanProblem('spanId: must be 8 bytes, as 16 hexadecimal digits in JSON');
  const hasParent = parentSpanId !== '' && !/^0+$/.test(parentSpanId);
  if (hasParent && !SPAN_ID.test(parentSpanId))
    throw new SpanProblem('parentSpanId: must be 8 bytes, as 16 hexadecimal digits in JSON');
  if (parentSpanId === raw.spanId) throw new SpanProblem('parentSpanId: must not be the span itself');
  const startUs = microsOf(startNanos);
  if (startUs === null || startUs === 0)
    throw new SpanProblem('startTimeUnixNano: must be a time from 1970 to 2199, in nanoseconds');
  const endUs = microsOf(endNanos);
  if (endUs === null) throw new SpanProblem('endTimeUnixNano: must be a time from 1970 to 2199, in nanoseconds');
  if (raw.attributes.isTooDeep || raw.events.some(({ attributes }) => attributes.isTooDeep))
    throw new SpanProblem(`attributes: nested deeper than ${LIMITS.jsonDepthMax} levels`);
  return {
    ...raw,
    parentSpanId: hasParent ? parentSpanId : null,
    startUs,
    // Clocks of several machines differ, so a span may end before it began.
    endUs: endUs === 0 ? null : Math.max(startUs, endUs),
  };
}

/** Null outside the years that the store knows. */
export function microsOf(nanos: bigint): number | null {
  return nanos < 0n || nanos >= END_NANOS ? null : Number(nanos / 1_000n);
}
