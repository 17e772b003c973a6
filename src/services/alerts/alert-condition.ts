import type { Problem } from '../../base/errors.js';
import { canonicalUuid } from '../../base/ids.js';
import type { AlertCondition, AlertMetric } from '../../domain/alert-condition.js';
import type { RequestObject } from '../../wire/evaluation/request-object.js';

const DEFAULTS = {
  projectId: null,
  filter: null,
  treeFilter: null,
  isRoot: true,
  feedbackKey: null,
  minimumRuns: 0,
} satisfies Partial<AlertCondition>;

/** Fields of a request that change what is measured, by the member of the condition. */
const FIELDS: Readonly<Record<keyof AlertCondition, string>> = {
  projectId: 'project_id',
  filter: 'filter',
  treeFilter: 'tree_filter',
  isRoot: 'is_root',
  metric: 'metric',
  feedbackKey: 'feedback_key',
  windowSeconds: 'window_seconds',
  operator: 'operator',
  threshold: 'threshold',
  minimumRuns: 'minimum_runs',
};

export function namesCondition(read: RequestObject): boolean {
  return Object.values(FIELDS).some((name) => read.has(name));
}

/** The condition of a request over an earlier one. Adds problems to those of the request. */
export function readCondition(read: RequestObject, before: AlertCondition | null): AlertCondition {
  const given = Object.entries(FIELDS)
    .filter(([, name]) => read.has(name))
    .map(([member, name]) => [member, read.values[name]] as const);
  const condition = { ...DEFAULTS, ...before, ...Object.fromEntries(given) } as AlertCondition;
  read.problems.push(...problemsOf(condition));
  const { metric, projectId, filter, treeFilter } = condition;
  return {
    ...condition,
    projectId: typeof projectId === 'string' ? canonicalUuid(projectId) : null,
    filter: blankToNull(filter),
    treeFilter: blankToNull(treeFilter),
    // A change to another metric leaves the key of the earlier one behind.
    feedbackKey: metric === 'feedback_score' || read.has('feedback_key') ? condition.feedbackKey : null,
  };
}

function blankToNull(text: string | null): string | null {
  return typeof text === 'string' && text.trim() === '' ? null : text;
}

function problemsOf({ projectId, metric, feedbackKey, threshold }: AlertCondition): Problem[] {
  const problems: Problem[] = [];
  const add = (name: string, msg: string, type: string): number => problems.push({ loc: [name], msg, type });
  if (typeof projectId === 'string' && canonicalUuid(projectId) === null)
    add('project_id', 'must be a UUID', 'uuid_parsing');
  if (metric === ('feedback_score' satisfies AlertMetric) && feedbackKey === null)
    add('feedback_key', 'is required for the metric feedback_score', 'missing');
  if (typeof threshold === 'number' && !Number.isFinite(threshold))
    add('threshold', 'must be a number that fits 64 bits', 'finite_number');
  return problems;
}
