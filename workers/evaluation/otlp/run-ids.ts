import { canonicalUuid, contentHash, uuidOf, uuidOfHex } from '../../../src/base/ids.js';

/** The trace of a span as a UUID: the same 16 bytes. */
export function traceUuidOf(traceId: string): string {
  return uuidOfHex(traceId);
}

/**
 * The id of a span's run: a UUID from the SHA-256 of trace and span, so that the id of a parent is known before it
 * arrives. Span ids alone are unique only in their trace.
 */
export function runIdOfSpan(traceId: string, spanId: string): string {
  return uuidOf(contentHash(Buffer.from(traceId + spanId, 'hex')));
}

const PADDED_SPAN = /^0{8}-0000-0000-([\da-f]{4})-([\da-f]{12})$/;

/** A run as the attributes of LangSmith name it: by its UUID, or by a span id that is padded to one. */
export function runIdOfName(name: unknown, traceId: string): string | null {
  const uuid = typeof name === 'string' ? canonicalUuid(name) : null;
  if (uuid === null) return null;
  const [, first, rest] = PADDED_SPAN.exec(uuid) ?? [];
  return first === undefined ? uuid : runIdOfSpan(traceId, `${first}${rest!}`);
}
