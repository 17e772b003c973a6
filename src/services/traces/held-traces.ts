import { LIMITS } from '../../base/limits.js';
import type { EvaluationRun } from '../../store/evaluation/evaluation-runs.js';
import type { Span } from '../../wire/runs/spans.js';
import { mergeSpans, spanBytes, toEvaluationRun } from './stored-span.js';

/** Traces that the recorder does not store: whoever started their runs takes them, and stores them with the result. */
export class HeldTraces {
  readonly #traces = new Map<string, { spans: Map<string, Span>; bytes: number }>();

  /** Returns false if the trace is too large, and the step is left out. The run itself is never left out. */
  put(runId: string, span: Span): boolean {
    let trace = this.#traces.get(runId);
    if (trace === undefined) this.#traces.set(runId, (trace = { spans: new Map(), bytes: 0 }));
    const before = trace.spans.get(span.spanId);
    const bytes = spanBytes(span);
    if (span.parentId !== null && trace.bytes + bytes > LIMITS.traceHeldBytesMax) return false;
    trace.bytes += bytes;
    trace.spans.set(span.spanId, before === undefined ? span : mergeSpans(before, span));
    return true;
  }

  /** Tokens and cost of a run so far; null if nothing is known. */
  usageOf(runId: string): { tokens: number | null; cost: number | null } {
    const spans = [...(this.#traces.get(runId)?.spans.values() ?? [])];
    return {
      tokens: sumOf(spans.map(({ totalTokens }) => totalTokens)),
      cost: sumOf(spans.map(({ totalCost }) => totalCost)),
    };
  }

  /** The steps of a run, the run itself among them; none if it was not recorded. Forgets them. */
  take(runId: string, receivedUs: number): EvaluationRun[] {
    const trace = this.#traces.get(runId);
    this.#traces.delete(runId);
    return [...(trace?.spans.values() ?? [])].map((span) => toEvaluationRun(runId, span, receivedUs));
  }
}

/** Null if no value is known. */
function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
