import { isoTime } from '../../base/clock.js';
import { jsonBytes, type JsonBytes } from '../../base/json/json.js';
import { isoMicros } from '../../base/micros.js';
import type { AlertCondition, AlertState, Measurement } from '../../domain/alert-condition.js';
import type { AlertRecord } from '../../store/evaluation/alerts.js';
import { conditionJson } from './alert-json.js';
import { windowOf, type AlertWindow } from './measure-alert.js';

/** `repeated`: it is still firing. */
export type NoticeType = 'alert.changed' | 'alert.repeated' | 'alert.test';

export interface Notice extends Measurement {
  type: NoticeType;
  before: AlertState;
  atMs: number;
  consoleUrl: string | null;
}

/** The body of the webhook. `record` has the state after the change. */
export function noticeBody(
  record: AlertRecord,
  { type, before, value, runCount, atMs, consoleUrl }: Notice,
): JsonBytes {
  const { alertId, name, condition, state, sinceUs, error } = record;
  const window = windowOf(condition, atMs);
  return jsonBytes({
    type,
    timestamp: isoTime(atMs),
    alert: { id: alertId, name, ...conditionJson(condition) },
    state_before: before,
    state,
    state_since: isoMicros(sinceUs),
    value,
    run_count: runCount,
    error,
    window: { start_time: isoTime(window.fromMs), end_time: isoTime(window.toMs) },
    links:
      consoleUrl === null
        ? null
        : {
            alert: `${consoleUrl}/alerts/${alertId}`,
            traces: `${consoleUrl}/traces?${tracesQuery(condition, window)}`,
          },
  });
}

/** The query of the console's list of the traces that count. It lists whole traces, also those of steps. */
function tracesQuery(
  { projectId, filter, treeFilter, isRoot, metric }: AlertCondition,
  { fromMs, toMs }: AlertWindow,
): string {
  const query = {
    project: projectId,
    filter: isRoot ? filter : null,
    tree_filter: isRoot ? treeFilter : (filter ?? treeFilter),
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    errors: isRoot && (metric === 'error_count' || metric === 'error_rate') ? 'only' : null,
  };
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(given).toString();
}
