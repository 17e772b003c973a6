import { compactMicros } from '../base/micros.js';

/**
 * One step of a dotted order: `20240102T030405678901Z<run id>`. A dotted order joins the steps of all ancestors
 * by dots.
 */
export function dottedOrderOf(startUs: number, runId: string): string {
  return `${compactMicros(startUs)}${runId}`;
}

/** The trace id, which is in the root's step. Null when the text is not a dotted order. */
export function traceOf(dottedOrder: string): string | null {
  const first = dottedOrder.split('.', 1)[0]!;
  const at = first.indexOf('Z');
  return at === -1 ? null : first.slice(at + 1);
}
