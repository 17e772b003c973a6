import { isoTime } from '../../base/clock.js';
import { parseJson, type JsonObject } from '../../base/json/json.js';
import { isoMicros } from '../../base/micros.js';
import type { AlertCondition, Measurement } from '../../domain/alert-condition.js';
import type { AlertChange, AlertRecord } from '../../store/evaluation/alerts.js';
import type { Delivery } from '../../store/webhooks.js';

/** The last check of this process. */
export interface AlertCheck extends Measurement {
  checkedAtMs: number;
}

export function conditionJson(condition: AlertCondition): JsonObject {
  return {
    project_id: condition.projectId,
    filter: condition.filter,
    tree_filter: condition.treeFilter,
    is_root: condition.isRoot,
    metric: condition.metric,
    feedback_key: condition.feedbackKey,
    window_seconds: condition.windowSeconds,
    operator: condition.operator,
    threshold: condition.threshold,
    minimum_runs: condition.minimumRuns,
  };
}

export function alertJson(
  record: AlertRecord,
  { check, projectName }: { check: AlertCheck | undefined; projectName: string | null },
): JsonObject {
  const { webhook, metadata } = record;
  return {
    id: record.alertId,
    name: record.name,
    is_enabled: record.isEnabled,
    ...conditionJson(record.condition),
    project_name: projectName,
    // Headers may be secrets.
    webhook: webhook === null ? null : { url: webhook.url, header_names: Object.keys(webhook.headers) },
    repeat_seconds: record.repeatSeconds,
    metadata: metadata === null ? null : (parseJson(metadata) as JsonObject),
    created_at: isoMicros(record.createdAtUs),
    modified_at: isoMicros(record.modifiedAtUs),
    state: record.state,
    state_since: isoMicros(record.sinceUs),
    error: record.error,
    last_value: check?.value ?? null,
    last_run_count: check?.runCount ?? null,
    last_checked_at: check === undefined ? null : isoTime(check.checkedAtMs),
  };
}

/** `delivery`: of the webhook; undefined if none was called, or its log has expired. */
export function changeJson(change: AlertChange, delivery: Delivery | undefined): JsonObject {
  return {
    at: isoMicros(change.atUs),
    state_before: change.before,
    state: change.after,
    value: change.value,
    run_count: change.runCount,
    error: change.error,
    webhook:
      delivery === undefined
        ? null
        : {
            id: delivery.runId,
            status: delivery.state,
            attempts: delivery.attempts.length,
            last_error: delivery.attempts.at(-1)?.error ?? null,
          },
  };
}
