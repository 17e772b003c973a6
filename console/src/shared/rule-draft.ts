import type { Queue } from '../api/queues.js';
import type { Rule, RuleChanges, RuleTrigger } from '../api/rules.js';

const RUNS_PER_HOUR = 1_000;

/** Content of the form. */
export interface RuleDraft {
  name: string;
  /** Empty: all assistants. */
  project: string;
  trigger: RuleTrigger;
  filter: string;
  treeFilter: string;
  /** From 0 to 100. */
  percent: number | null;
  runsPerHour: number | null;
  addsToDataset: boolean;
  /** Of a dataset that exists, or of a new one. */
  datasetName: string;
  prefersCorrection: boolean;
  inputsPath: string;
  outputsPath: string;
  /** Separated by commas. */
  splits: string;
  addsToQueue: boolean;
  queue: Pick<Queue, 'id' | 'name'> | null;
  evaluators: readonly string[];
}

/** What a rule begins with, for example the filters of the list of traces. */
export type RuleStart = Partial<Pick<RuleDraft, 'project' | 'filter' | 'treeFilter'>>;

export function newRuleDraft(start: RuleStart): RuleDraft {
  return {
    name: '',
    project: '',
    trigger: 'end',
    filter: '',
    treeFilter: '',
    percent: 100,
    runsPerHour: RUNS_PER_HOUR,
    addsToDataset: false,
    datasetName: '',
    prefersCorrection: false,
    inputsPath: '',
    outputsPath: '',
    splits: '',
    addsToQueue: false,
    queue: null,
    evaluators: [],
    ...start,
  };
}

export function draftOfRule(rule: Rule): RuleDraft {
  const { add_to_annotation_queue_id: queueId, add_to_annotation_queue_name: queueName } = rule;
  return {
    name: rule.display_name,
    project: rule.session_id ?? '',
    trigger: rule.trigger,
    filter: rule.filter ?? '',
    treeFilter: rule.tree_filter ?? '',
    percent: rounded(rule.sampling_rate * 100),
    runsPerHour: rule.runs_per_hour,
    addsToDataset: rule.add_to_dataset_id !== null,
    datasetName: rule.add_to_dataset_name ?? '',
    prefersCorrection: rule.add_to_dataset_prefer_correction,
    inputsPath: rule.dataset_inputs_path ?? '',
    outputsPath: rule.dataset_outputs_path ?? '',
    splits: (rule.dataset_split ?? []).join(', '),
    addsToQueue: queueId !== null,
    queue: queueId === null || queueName === null ? null : { id: queueId, name: queueName },
    evaluators: rule.evaluators,
  };
}

/** True if the form can be sent. */
export function isRuleComplete(draft: RuleDraft): boolean {
  const { name, percent, runsPerHour, addsToDataset, datasetName, addsToQueue, queue } = draft;
  if (name.trim() === '' || percent === null || runsPerHour === null) return false;
  if ((addsToDataset && datasetName.trim() === '') || (addsToQueue && queue === null)) return false;
  return addsToDataset || addsToQueue || evaluatorsOf(draft).length > 0;
}

/** `datasetId`: that of the dataset with the name of the draft; null if the rule has none. */
export function changesOfRule(draft: RuleDraft, datasetId: string | null): RuleChanges {
  const splits = draft.splits
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return {
    display_name: draft.name.trim(),
    session_id: draft.project === '' ? null : draft.project,
    trigger: draft.trigger,
    filter: textOrNull(draft.filter),
    tree_filter: textOrNull(draft.treeFilter),
    sampling_rate: rounded((draft.percent ?? 100) / 100),
    runs_per_hour: draft.runsPerHour ?? RUNS_PER_HOUR,
    add_to_dataset_id: datasetId,
    add_to_dataset_prefer_correction: draft.prefersCorrection,
    dataset_inputs_path: textOrNull(draft.inputsPath),
    dataset_outputs_path: textOrNull(draft.outputsPath),
    dataset_split: splits.length === 0 ? null : splits,
    add_to_annotation_queue_id: draft.addsToQueue ? (draft.queue?.id ?? null) : null,
    evaluators: evaluatorsOf(draft),
  };
}

/** Scores are feedback, so a rule for feedback has no evaluators. */
function evaluatorsOf({ trigger, evaluators }: RuleDraft): readonly string[] {
  return trigger === 'feedback' ? [] : evaluators;
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

/** 0.07 × 100 is not 7 in binary numbers. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
