import { RuleCreate, RuleListQuery, RuleParams, RulePatch } from '../../../../schemas/compiled/validators.js';
import { isoTime } from '../../../base/clock.js';
import { parseJson } from '../../../base/json/json.js';
import type { Action } from '../../../domain/actions.js';
import type { Caller } from '../../../domain/caller.js';
import type { ListedRule, RuleBook, RuleNames } from '../../../services/rules/rule-book.js';
import { defineRoute, jsonReply, type Reply } from '../../route.js';
import { changeAndConfirm } from './change.js';

/** A rule reads runs, and writes examples and feedback on behalf of who makes or changes it. */
const RULE_ACTIONS: readonly Action[] = [
  'evaluation_runs:read',
  'datasets:read',
  'examples:create',
  'feedback:create',
  'experiments:read',
];

/** Rules have the actions of experiments, as annotation queues have (docs/decisions/0071). */

export const createRuleRoute = defineRoute({
  method: 'post',
  path: '/runs/rules',
  action: 'experiments:create',
  additionalActions: RULE_ACTIONS,
  // Feedback of users who do not see the project belongs to the threads of its runs.
  relatedReads: ['threads:read'],
  errors: 'evaluation',
  summary: 'Create a rule that adds runs to a dataset or an annotation queue, or scores them',
  body: RuleCreate,
  schemas: { body: 'RuleCreate' },
  async handle({ body, caller }, { rules, scheduler }) {
    scheduler.checkIntake();
    return ruleReply(rules, caller, await rules.create(caller, body));
  },
});

export const listRulesRoute = defineRoute({
  method: 'get',
  path: '/runs/rules',
  action: 'experiments:search',
  relatedReads: ['datasets:read'],
  errors: 'evaluation',
  summary: 'List the rules with their counts, those of langgraph.json first',
  query: RuleListQuery,
  schemas: { query: 'RuleListQuery' },
  handle: ({ query, caller }, { rules }) =>
    jsonReply(JSON.stringify(rules.list(caller, query).map((one) => ruleJson(one, rules.namesFor(caller, one))))),
});

export const getRuleRoute = defineRoute({
  method: 'get',
  path: '/runs/rules/:rule_id',
  action: 'experiments:read',
  relatedReads: ['datasets:read'],
  errors: 'evaluation',
  summary: 'Get a rule with its counts',
  params: RuleParams,
  schemas: { params: 'RuleParams' },
  handle: ({ params, caller }, { rules }) => ruleReply(rules, caller, rules.get(caller, params.rule_id.toLowerCase())),
});

export const updateRuleRoute = defineRoute({
  method: 'patch',
  path: '/runs/rules/:rule_id',
  action: 'experiments:update',
  additionalActions: RULE_ACTIONS,
  // Feedback of users who do not see the project belongs to the threads of its runs.
  relatedReads: ['threads:read'],
  errors: 'evaluation',
  summary: 'Update a rule, which from then on acts on behalf of the caller',
  params: RuleParams,
  body: RulePatch,
  schemas: { params: 'RuleParams', body: 'RulePatch' },
  async handle({ params, body, caller }, { rules, scheduler }) {
    scheduler.checkIntake();
    return ruleReply(rules, caller, await rules.patch(caller, params.rule_id.toLowerCase(), body));
  },
});

export const deleteRuleRoute = defineRoute({
  method: 'delete',
  path: '/runs/rules/:rule_id',
  action: 'experiments:delete',
  errors: 'evaluation',
  summary: 'Delete a rule; what it has added stays',
  params: RuleParams,
  schemas: { params: 'RuleParams' },
  handle: ({ params, caller }, services) =>
    changeAndConfirm(services, () => services.rules.delete(caller, params.rule_id.toLowerCase())),
});

export const ruleRoutes = [createRuleRoute, listRulesRoute, getRuleRoute, updateRuleRoute, deleteRuleRoute];

function ruleReply(rules: RuleBook, caller: Caller, listed: ListedRule): Reply {
  return jsonReply(JSON.stringify(ruleJson(listed, rules.namesFor(caller, listed))));
}

function ruleJson({ rule: { settings, counts }, record, place }: ListedRule, names: RuleNames): object {
  const { dataset, queueId, evaluators } = settings.actions;
  return {
    id: settings.ruleId,
    display_name: settings.name,
    is_enabled: settings.isEnabled,
    read_only: record === null,
    source: record === null ? `langgraph.json, ${place}` : 'api',
    session_id: record?.projectId ?? null,
    session_name: names.project,
    assistants: 'assistants' in settings.scope ? settings.scope.assistants : null,
    trigger: settings.trigger,
    filter: settings.filter,
    trace_filter: settings.traceFilter,
    tree_filter: settings.treeFilter,
    sampling_rate: settings.samplingRate,
    runs_per_hour: settings.runsPerHour,
    add_to_dataset_id: dataset?.datasetId ?? null,
    add_to_dataset_name: names.dataset,
    add_to_dataset_prefer_correction: dataset?.prefersCorrection ?? false,
    dataset_inputs_path: dataset?.inputsPath ?? null,
    dataset_outputs_path: dataset?.outputsPath ?? null,
    dataset_split: dataset?.splits ?? null,
    add_to_annotation_queue_id: queueId,
    add_to_annotation_queue_name: names.queue,
    evaluators,
    metadata: record?.metadata == null ? null : (parseJson(record.metadata) as object),
    created_at: record === null ? null : isoTime(record.createdAtMs),
    updated_at: record === null ? null : isoTime(record.modifiedAtMs),
    matched_count: counts.matched,
    acted_count: counts.acted,
    dropped_count: counts.dropped,
    last_acted_at: counts.actedAtMs === null ? null : isoTime(counts.actedAtMs),
    last_error: counts.error,
    last_error_at: counts.errorAtMs === null ? null : isoTime(counts.errorAtMs),
  };
}
