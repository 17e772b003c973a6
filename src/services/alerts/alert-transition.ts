import { LIMITS } from '../../base/limits.js';
import { isNotable, type AlertState, type Measurement } from '../../domain/alert-condition.js';
import { addAlertChange, putAlert, type AlertRecord } from '../../store/evaluation/alerts.js';
import { keys } from '../../store/keys.js';
import type { Lookup } from '../../store/lookup.js';
import type { DraftCommit } from '../../store/read-your-writes.js';
import type { MessageDelivery } from '../../store/webhooks.js';
import { noticeBody, type NoticeType } from './alert-notice.js';
import type { AlertParts } from './parts.js';

/** The result of a check. */
export interface Outcome extends Measurement {
  state: AlertState;
  error: string | null;
}

type Parts = Pick<AlertParts, 'evaluation' | 'webhooks' | 'clock' | 'consoleUrl'>;

/**
 * Puts a changed state, its entry in the history and the webhook that reports it into one commit. Without a change,
 * puts the webhook that repeats a notice if one is due. Returns the webhook, to be scheduled when the commit is on
 * disk.
 */
export function putOutcome(
  parts: Parts,
  plan: DraftCommit,
  record: AlertRecord,
  outcome: Outcome,
): MessageDelivery | null {
  const { evaluation, clock } = parts;
  const { state, error } = outcome;
  const before = record.state;
  if (before === state) {
    if (isRepeatDue(record, clock.nowMs()))
      return putNotice(parts, plan, record, { ...outcome, before, type: 'alert.repeated' });
    if (error !== record.error) putAlert(plan, { ...record, error });
    return null;
  }
  const atUs = evaluation.nowUs();
  const changed = { ...record, state, error, sinceUs: atUs, notifiedAtMs: null };
  if (!isNotable(before, state)) {
    putAlert(plan, changed);
    return null;
  }
  const message = putNotice(parts, plan, changed, { ...outcome, before, type: 'alert.changed' });
  const { value, runCount } = outcome;
  addAlertChange(plan, record.alertId, {
    atUs,
    before,
    after: state,
    value,
    runCount,
    error,
    messageId: message?.runId ?? null,
  });
  return message;
}

function isRepeatDue({ state, repeatSeconds, notifiedAtMs }: AlertRecord, nowMs: number): boolean {
  if (state !== 'firing' || repeatSeconds === null || notifiedAtMs === null) return false;
  // After the wall clock was set back, it is repeated at once instead of never.
  return nowMs < notifiedAtMs || nowMs - notifiedAtMs >= repeatSeconds * 1_000;
}

/** Puts the record with the webhook. Null if it has none, or if too many of its webhooks are not delivered yet. */
export function putNotice(
  { evaluation, webhooks, clock, consoleUrl }: Parts,
  plan: DraftCommit,
  record: AlertRecord,
  { before, type, ...measured }: Measurement & { before: AlertState; type: NoticeType },
): MessageDelivery | null {
  const open = openMessages(plan, record);
  const { webhook } = record;
  const atMs = clock.nowMs();
  const message =
    webhook === null || open.length >= LIMITS.alertWebhooksMax
      ? null
      : webhooks.putMessage(plan, {
          messageId: evaluation.ids.next(),
          alertId: record.alertId,
          ...webhook,
          body: noticeBody(record, { ...measured, type, before, atMs, consoleUrl: consoleUrl() }),
        });
  putAlert(plan, {
    ...record,
    notifiedAtMs: type !== 'alert.test' && record.state === 'firing' ? atMs : record.notifiedAtMs,
    messageIds: message === null ? open : [...open, message.runId],
  });
  return message;
}

/** Ids of the webhooks that are not delivered yet. */
function openMessages(lookup: Lookup, { messageIds }: AlertRecord): string[] {
  return messageIds.filter((id) => lookup.get(keys.webhookMessage(id)) !== undefined);
}
