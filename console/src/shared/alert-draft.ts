import type { Alert, AlertChanges, AlertCondition, AlertMetric } from '../api/alerts.js';
import { METRICS } from './alert-words.js';

export const WINDOW_UNITS = { minutes: 60, hours: 3_600, days: 86_400 } as const;
export type WindowUnit = keyof typeof WINDOW_UNITS;

/** Content of the form. Numbers are as people write them: 5 for 5 %. */
export interface AlertDraft {
  name: string;
  metric: AlertMetric;
  feedbackKey: string;
  /** Empty: all assistants. */
  project: string;
  operator: 'above' | 'below';
  threshold: number | null;
  windowCount: number | null;
  windowUnit: WindowUnit;
  minimumRuns: number | null;
  filter: string;
  treeFilter: string;
  countsSteps: boolean;
  url: string;
  /** New headers of the webhook. Null: those of before stay, whose values the server does not show. */
  headers: readonly WebhookHeader[] | null;
  /** Seconds; empty: never. */
  repeat: string;
}

export interface WebhookHeader {
  name: string;
  value: string;
}

/** What an alert begins with, for example the filters of the list of traces. */
export type AlertStart = Partial<Pick<AlertDraft, 'project' | 'metric' | 'filter' | 'treeFilter'>>;

export function newDraft(start: AlertStart): AlertDraft {
  return {
    name: '',
    metric: 'error_rate',
    feedbackKey: '',
    project: '',
    operator: 'above',
    threshold: start.metric === 'error_count' ? 0 : 5,
    windowCount: 15,
    windowUnit: 'minutes',
    minimumRuns: 0,
    filter: '',
    treeFilter: '',
    countsSteps: false,
    url: '',
    headers: null,
    repeat: '',
    ...start,
  };
}

export function draftOf(alert: Alert): AlertDraft {
  const { window_seconds: seconds, metric, threshold } = alert;
  const unit = (['days', 'hours', 'minutes'] as const).find((one) => seconds % WINDOW_UNITS[one] === 0) ?? 'minutes';
  return {
    name: alert.name,
    metric,
    feedbackKey: alert.feedback_key ?? '',
    project: alert.project_id ?? '',
    operator: alert.operator,
    threshold: rounded(threshold * METRICS[metric].scale),
    windowCount: rounded(seconds / WINDOW_UNITS[unit]),
    windowUnit: unit,
    minimumRuns: alert.minimum_runs,
    filter: alert.filter ?? '',
    treeFilter: alert.tree_filter ?? '',
    countsSteps: !alert.is_root,
    url: alert.webhook?.url ?? '',
    headers: null,
    repeat: alert.repeat_seconds === null ? '' : String(alert.repeat_seconds),
  };
}

/** Null while a field is missing. */
export function conditionOf(draft: AlertDraft): AlertCondition | null {
  const { metric, threshold, windowCount, minimumRuns, feedbackKey } = draft;
  const key = feedbackKey.trim();
  if (threshold === null || windowCount === null || windowCount <= 0) return null;
  if (metric === 'feedback_score' && key === '') return null;
  return {
    project_id: draft.project === '' ? null : draft.project,
    filter: textOrNull(draft.filter),
    tree_filter: textOrNull(draft.treeFilter),
    is_root: !draft.countsSteps,
    metric,
    feedback_key: metric === 'feedback_score' ? key : null,
    window_seconds: Math.round(windowCount * WINDOW_UNITS[draft.windowUnit]),
    operator: draft.operator,
    threshold: rounded(threshold / METRICS[metric].scale),
    minimum_runs: minimumRuns ?? 0,
  };
}

/** Null while a field is missing. */
export function changesOf(draft: AlertDraft): AlertChanges | null {
  const condition = conditionOf(draft);
  const name = draft.name.trim();
  if (condition === null || name === '') return null;
  const url = draft.url.trim();
  if (url !== '' && draft.headers?.some(isIncomplete)) return null;
  return {
    ...condition,
    name,
    webhook: url === '' ? null : { url, ...(draft.headers === null ? {} : { headers: headersOf(draft.headers) }) },
    repeat_seconds: draft.repeat === '' ? null : Number(draft.repeat),
  };
}

export function isIncomplete({ name, value }: WebhookHeader): boolean {
  return name.trim() === '' || value.trim() === '';
}

function headersOf(rows: readonly WebhookHeader[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ name, value }) => [name.trim(), value.trim()]));
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

/** 0.07 × 100 is not 7 in binary numbers. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
