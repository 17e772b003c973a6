import { compactMicros } from '../base/micros.js';

/** One step of a dotted order: `20240102T030405678901Z<run id>`; a whole one joins those of all ancestors with dots. */
export function dottedOrderOf(startUs: number, runId: string): string {
  return `${compactMicros(startUs)}${runId}`;
}

/** The root's step names the trace. Null when the text is no dotted order. */
export function traceOf(dottedOrder: string): string | null {
  const first = dottedOrder.split('.', 1)[0]!;
  const at = first.indexOf('Z');
  return at === -1 ? null : first.slice(at + 1);
}
