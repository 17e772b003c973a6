import { LIMITS } from '../../base/limits.js';
import type { RunItem } from '../../wire/evaluation/run-item.js';
import type { TraceStep } from '../../wire/runs/trace-steps.js';
import { itemBytes, mergeSteps, textsBytes } from './stored-step.js';

interface HeldTrace {
  steps: Map<string, TraceStep>;
  bytes: number;
  /** Those of the last step: the steps of a message have the same, which count once. */
  texts: Uint8Array | null;
}

/** Traces that the recorder does not store: whoever started their runs takes them, and stores them with the result. */
export class HeldTraces {
  readonly #traces = new Map<string, HeldTrace>();

  /** Returns false if the trace is too large, and the step is left out. The run itself is never left out. */
  put(step: TraceStep): boolean {
    const { item } = step;
    const { runId, traceId, isRoot, texts } = item;
    let trace = this.#traces.get(traceId);
    if (trace === undefined) this.#traces.set(traceId, (trace = { steps: new Map(), bytes: 0, texts: null }));
    const bytes = itemBytes(item) + (texts === trace.texts ? 0 : textsBytes(item));
    if (!isRoot && trace.bytes + bytes > LIMITS.traceHeldBytesMax) return false;
    trace.bytes += bytes;
    trace.texts = texts;
    trace.steps.set(runId, mergeSteps(trace.steps.get(runId), step));
    return true;
  }

  /** Tokens and cost of a run so far; null if nothing is known. */
  usageOf(runId: string): { tokens: number | null; cost: number | null } {
    const steps = this.#stepsOf(runId).map(({ run }) => run);
    return {
      tokens: sumOf(steps.map(({ totalTokens }) => totalTokens)),
      cost: sumOf(steps.map(({ totalCost }) => totalCost)),
    };
  }

  /** The steps of a run, the run itself among them; none if it was not recorded. Forgets them. */
  take(runId: string): RunItem[] {
    const steps = this.#stepsOf(runId);
    this.#traces.delete(runId);
    return steps;
  }

  #stepsOf(runId: string): RunItem[] {
    return [...(this.#traces.get(runId)?.steps.values() ?? [])].map(({ item }) => item);
  }
}

/** Null if no value is known. */
function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
