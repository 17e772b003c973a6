import { formatCount, formatNumber } from '../../components/format.js';
import type { Rule } from '../../api/rules.js';

/** On which runs a rule acts, in a sentence. */
export function describeRuns(rule: Rule): string {
  const of = projectWords(rule);
  const isEach = rule.sampling_rate === 1;
  const share = isEach ? 'Each run' : `${formatNumber(rule.sampling_rate * 100)} % of the runs`;
  const [ended, scored] = isEach ? ['it has ended', 'it gets feedback'] : ['they have ended', 'they get feedback'];
  return `${share} of ${of}, when ${rule.trigger === 'end' ? ended : scored}, at most ${formatCount(rule.runs_per_hour)} an hour`;
}

function projectWords({ session_id: id, session_name: name, assistants }: Rule): string {
  if (id !== null) return name ?? 'another project';
  return assistants === null ? 'all assistants' : assistants.join(', ');
}

/** What a rule does, one part for each action. */
export function describeActions(rule: Rule): string[] {
  const dataset = rule.add_to_dataset_name ?? 'a dataset that is deleted or hidden';
  const queue = rule.add_to_annotation_queue_name ?? 'a queue that is deleted or hidden';
  return [
    ...(rule.add_to_dataset_id === null ? [] : [`dataset ${dataset}`]),
    ...(rule.add_to_annotation_queue_id === null ? [] : [`queue ${queue}`]),
    ...(rule.evaluators.length === 0 ? [] : [`scores: ${rule.evaluators.join(', ')}`]),
  ];
}
