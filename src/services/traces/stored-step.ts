import { USAGE_FIELDS } from '../../domain/usage.js';
import type { EvaluationRun } from '../../wire/evaluation/evaluation-run.js';
import type { RunItem } from '../../wire/evaluation/run-item.js';
import type { TraceStep } from '../../wire/runs/trace-steps.js';

/** What is known of a step only when it has ended. */
export function endOf({ endUs, firstTokenUs, outputs, error, ...ended }: EvaluationRun): Partial<EvaluationRun> {
  const usage = Object.fromEntries(USAGE_FIELDS.map((field) => [field, ended[field]]));
  return { ...usage, endUs, firstTokenUs, outputs, error };
}

/** What is known of a step after a further message about it. */
export function mergeSteps(before: TraceStep | undefined, { item, isEndOnly }: TraceStep): TraceStep {
  if (before === undefined || !isEndOnly) return { item, isEndOnly };
  return { item: before.item.with(endOf(item.run)), isEndOnly: before.isEndOnly };
}

/** The step without its values, to remember it until it ends. */
export function withoutValues(step: EvaluationRun): EvaluationRun {
  return { ...step, inputs: null, tags: null, extra: null, outputs: null, error: null };
}

/** Memory that a step takes beside its values. */
const STEP_BYTES = 300;

export function stepBytes({ inputs, outputs, extra, error }: EvaluationRun): number {
  return [inputs, outputs, extra, error].reduce((sum, value) => sum + (value?.byteLength ?? 0), STEP_BYTES);
}

/** Without those of texts that it shares. */
export function itemBytes({ bytes }: RunItem): number {
  return bytes.byteLength + STEP_BYTES;
}

/** Bytes of the texts that the steps of a message share. */
export function textsBytes({ texts }: RunItem): number {
  return texts?.byteLength ?? 0;
}
