import { fetchJson } from './http.js';

export type AlertState = 'ok' | 'firing' | 'no_data' | 'error';

export type AlertMetric =
  | 'run_count'
  | 'error_count'
  | 'error_rate'
  | 'latency_p50'
  | 'latency_p95'
  | 'latency_p99'
  | 'first_token_p50'
  | 'first_token_p95'
  | 'first_token_p99'
  | 'total_tokens'
  | 'total_cost'
  | 'feedback_score';

export interface AlertCondition {
  /** Null: the projects of all assistants. */
  project_id: string | null;
  filter: string | null;
  tree_filter: string | null;
  is_root: boolean;
  metric: AlertMetric;
  feedback_key: string | null;
  window_seconds: number;
  operator: 'above' | 'below';
  threshold: number;
  minimum_runs: number;
}

export interface Alert extends AlertCondition {
  id: string;
  name: string;
  is_enabled: boolean;
  /** Null also if the project was deleted. */
  project_name: string | null;
  webhook: { url: string; header_names: readonly string[] } | null;
  repeat_seconds: number | null;
  created_at: string;
  state: AlertState;
  state_since: string;
  error: string | null;
  last_value: number | null;
  last_run_count: number | null;
  last_checked_at: string | null;
}

/** Fields that people change. */
export interface AlertChanges extends AlertCondition {
  name: string;
  /** Without `headers` those of before stay, if the URL does. */
  webhook: { url: string; headers?: Readonly<Record<string, string>> } | null;
  repeat_seconds: number | null;
}

export interface AlertChange {
  at: string;
  state_before: AlertState;
  state: AlertState;
  value: number | null;
  run_count: number;
  error: string | null;
  /** Null: none was called, or what became of it is not known any more. */
  webhook: { status: 'pending' | 'delivered' | 'failed'; attempts: number; last_error: string | null } | null;
}

export interface AlertTestResult {
  value: number | null;
  run_count: number;
  state: AlertState;
}

const BASE = 'api/v1/alerts';
const at = (id: string, path = ''): string => `${BASE}/${encodeURIComponent(id)}${path}`;

export const alerts = {
  list: (signal?: AbortSignal) => fetchJson<Alert[]>(BASE, { signal }),
  firing: (signal?: AbortSignal) => fetchJson<Alert[]>(BASE, { query: { state: 'firing' }, signal }),
  get: (id: string, signal?: AbortSignal) => fetchJson<Alert>(at(id), { signal }),
  history: (id: string, signal?: AbortSignal) => fetchJson<AlertChange[]>(at(id, '/history'), { signal }),
  create: (body: AlertChanges) => fetchJson<Alert>(BASE, { method: 'POST', body }),
  update: (id: string, body: Partial<AlertChanges> | { is_enabled: boolean }) =>
    fetchJson<Alert>(at(id), { method: 'PATCH', body }),
  delete: (id: string) => fetchJson(at(id), { method: 'DELETE' }),
  /** The present value of a condition. */
  tryCondition: (body: AlertCondition, signal?: AbortSignal) =>
    fetchJson<AlertTestResult>(`${BASE}/test`, { method: 'POST', body, signal }),
  callWebhook: (id: string) =>
    fetchJson<AlertTestResult>(at(id, '/test'), { method: 'POST', body: { send_webhook: true } }),
};
