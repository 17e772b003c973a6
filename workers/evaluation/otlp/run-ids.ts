import { canonicalUuid } from '../../../src/base/ids.js';

/** The trace of a span as a UUID: the same 16 bytes. */
export function traceUuidOf(traceId: string): string {
  return `${traceId.slice(0, 8)}-${traceId.slice(8, 12)}-${traceId.slice(12, 16)}-${traceId.slice(16, 20)}-${traceId.slice(20)}`;
}

/**
 * The id of a span's run: a UUIDv8 of the first 13 digits of the trace and the 16 of the span, so that a parent is known
 * before it arrives. Span ids alone are unique only in their trace. The digit `f` distinguishes it from ids that contain
 * the position of a record.
 */
export function runIdOfSpan(traceId: string, spanId: string): string {
  return `${traceId.slice(0, 8)}-${traceId.slice(8, 12)}-8f${traceId.slice(12, 13)}${spanId.slice(0, 1)}-8${spanId.slice(1, 4)}-${spanId.slice(4)}`;
}

const PADDED_SPAN = /^0{8}-0000-0000-([\da-f]{4})-([\da-f]{12})$/;

/** A run as the attributes of LangSmith name it: by its UUID, or by a span id that is padded to one. */
export function runIdOfName(name: unknown, traceId: string): string | null {
  const uuid = typeof name === 'string' ? canonicalUuid(name) : null;
  if (uuid === null) return null;
  const [, first, rest] = PADDED_SPAN.exec(uuid) ?? [];
  return first === undefined ? uuid : runIdOfSpan(traceId, `${first}${rest!}`);
}
