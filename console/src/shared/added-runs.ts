import type { AddedRuns, SkipReason } from '../api/evaluation.js';
import { pluralize } from '../components/format.js';

const REASONS: Readonly<Record<SkipReason, (count: string) => string>> = {
  already_added: (count) => `${count} in the dataset already`,
  running: (count) => `${count} still running`,
  no_inputs: (count) => `${count} without inputs there`,
  no_outputs: (count) => `${count} without outputs there`,
  truncated: (count) => `${count} too long: the trace has only the beginning`,
};

/** What became of the runs. */
export function addedText({ count, skipped }: AddedRuns, dataset: string): string {
  const counts = new Map<SkipReason, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const left = [...counts].map(([reason, one]) => REASONS[reason](pluralize(one, 'run is', 'runs are')));
  const added = `${pluralize(count, 'example is', 'examples are')} added to “${dataset}”.`;
  return left.length === 0 ? added : `${added} Left out: ${left.join('; ')}.`;
}
