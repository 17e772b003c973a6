import type { Caller } from '../../domain/caller.js';
import type { RuleCounts, RuleRecord } from '../../store/evaluation/rules.js';
import type { EvaluationRule } from '../traces/trace-settings.js';
import type { HourlyBudget } from './hourly-budget.js';

/** The settings of a rule, from the API or from langgraph.json. */
export type RuleSettings = Pick<
  RuleRecord,
  | 'ruleId'
  | 'name'
  | 'isEnabled'
  | 'trigger'
  | 'filter'
  | 'traceFilter'
  | 'treeFilter'
  | 'samplingRate'
  | 'runsPerHour'
  | 'actions'
> & {
  scope: RuleScope;
};

/** Whose runs it looks at: those of one project, or those of assistants. Null: of all assistants. */
export type RuleScope = { projectId: string } | { assistants: readonly string[] | null };

/** On whose behalf a rule acts, or why it cannot act. */
export type RuleCaller = { caller: Caller } | { refusal: string };

/** A rule at work. */
export interface Rule {
  settings: RuleSettings;
  counts: RuleCounts;
  budget: HourlyBudget;
  /** Called for each run, because a key may be revoked. */
  callerOf: () => RuleCaller;
  /** The counts have changed. */
  onCounted: () => void;
}

/** Of an action: true if something was done, false if it had been done before, or why it cannot be done. */
export type Attempted = boolean | string;

export const NO_COUNTS: Readonly<RuleCounts> = {
  matched: 0,
  acted: 0,
  dropped: 0,
  actedAtMs: null,
  error: null,
  errorAtMs: null,
};

export function settingsOfRecord(record: RuleRecord): RuleSettings {
  const { projectId } = record;
  return { ...record, scope: projectId === null ? { assistants: null } : { projectId } };
}

/** Where a rule of langgraph.json is in the file. */
export function placeOf(index: number): string {
  return `traces.evaluate.${index}`;
}

export function settingsOfFile(rule: EvaluationRule, index: number, ruleId: string): RuleSettings {
  const { evaluators, assistants, filter, sampleRate, runsPerHour } = rule;
  return {
    ruleId,
    name: placeOf(index),
    isEnabled: true,
    trigger: 'end',
    filter,
    traceFilter: null,
    treeFilter: null,
    samplingRate: sampleRate,
    runsPerHour,
    actions: { dataset: null, queueId: null, evaluators },
    scope: { assistants },
  };
}
