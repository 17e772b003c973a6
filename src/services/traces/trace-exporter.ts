import { LIMITS } from '../../base/limits.js';
import type { StepSink } from '../../base/spans.js';
import type { EvaluationRun } from '../../wire/evaluation/evaluation-run.js';
import type { TraceStep } from '../../wire/runs/trace-steps.js';
import { exportedStep } from './exported-step.js';
import { endOf, stepBytes, withoutValues } from './stored-step.js';
import type { TracedRun } from './trace-writer.js';

/** The span of the run's attempt, which the steps are below. */
export interface StepParent {
  traceId: string;
  spanId: string;
}

/** Null if the trace is not sampled. `traceparent`: of the W3C. */
export function stepParentOf(traceparent: string | null | undefined): StepParent | null {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return (Number.parseInt(flags, 16) & 1) === 1 ? { traceId, spanId } : null;
}

/** Sends the steps of recorded runs to a collector of OpenTelemetry, each when it has ended. */
export class TraceExporter {
  readonly #sink: StepSink;
  readonly #withContent: boolean;
  /** Steps that have begun, because their end does not repeat what was known at the beginning. */
  readonly #open = new Map<string, EvaluationRun>();
  #openBytes = 0;

  constructor(sink: StepSink, withContent: boolean) {
    this.#sink = sink;
    this.#withContent = withContent;
  }

  put(run: TracedRun, parent: StepParent, { item, isEndOnly }: TraceStep): void {
    const before = this.#forget(item.runId);
    const known = before === undefined || !isEndOnly ? item.run : { ...before, ...endOf(item.run) };
    if (item.endUs === null) return this.#keep(known);
    // Its beginning was forgotten, or is in an earlier process.
    if (known.extra === null && !item.isRoot) return this.#sink.drop();
    this.#sink.add(stepBytes(known), () => exportedStep({ run, parent, withContent: this.#withContent }, known));
  }

  #keep(step: EvaluationRun): void {
    const bytes = stepBytes(step);
    if (this.#openBytes + bytes > LIMITS.stepsQueuedBytesMax) return;
    this.#open.set(step.runId, this.#withContent ? step : { ...withoutValues(step), extra: step.extra });
    this.#openBytes += stepBytes(this.#open.get(step.runId)!);
  }

  #forget(stepId: string): EvaluationRun | undefined {
    const step = this.#open.get(stepId);
    if (step === undefined) return undefined;
    this.#open.delete(stepId);
    this.#openBytes -= stepBytes(step);
    return step;
  }
}
