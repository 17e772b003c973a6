import type { AlertCondition, AlertState, Measurement } from '../../domain/alert-condition.js';
import type { JsonBytes } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { pack, unpack } from '../../wire/codec.js';
import type { Commit } from '../store.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';

export interface AlertWebhook {
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** A condition that the server checks. The filter of experiments applies to its metadata. */
export interface AlertRecord {
  alertId: string;
  name: string;
  isEnabled: boolean;
  metadata: JsonBytes | null;
  condition: AlertCondition;
  webhook: AlertWebhook | null;
  /** Null: the webhook is called for changes only. */
  repeatSeconds: number | null;
  /** The caller who changed it last, sealed. It is checked with what this caller may see. */
  sealed: Uint8Array;
  createdAtUs: number;
  /** Changes of the state do not count. */
  modifiedAtUs: number;
  state: AlertState;
  sinceUs: number;
  /** Why it cannot be checked, in the state `error` only. */
  error: string | null;
  /** When the webhook was called last because it is firing. */
  notifiedAtMs: number | null;
  /** Messages that may not be delivered yet. */
  messageIds: readonly string[];
}

/** A change of the state, for the history. */
export interface AlertChange extends Measurement {
  atUs: number;
  before: AlertState;
  after: AlertState;
  error: string | null;
  /** Null: no webhook was called. */
  messageId: string | null;
}

/** Without access check. */
export function unpackAlert(bytes: Uint8Array): AlertRecord {
  return unpack<AlertRecord>(bytes);
}

/** Without access check. */
export function alertOf(lookup: Lookup, alertId: string): AlertRecord | undefined {
  const bytes = lookup.get(keys.alert(alertId));
  return bytes === undefined ? undefined : unpackAlert(bytes);
}

export function putAlert(commit: Commit, record: AlertRecord): void {
  commit.put(keys.alert(record.alertId), pack(record));
}

export function removeAlert(commit: Commit, alertId: string): void {
  commit.remove(keys.alert(alertId));
  commit.remove(keys.alertHistory(alertId));
}

/** Newest first. */
export function alertHistory(lookup: Lookup, alertId: string): readonly AlertChange[] {
  const bytes = lookup.get(keys.alertHistory(alertId));
  return bytes === undefined ? [] : unpack<AlertChange[]>(bytes);
}

/** Adds a change. The oldest one is dropped when there are too many. */
export function addAlertChange(commit: Commit & Lookup, alertId: string, change: AlertChange): void {
  const changes = [change, ...alertHistory(commit, alertId)].slice(0, LIMITS.alertHistoryMax);
  commit.put(keys.alertHistory(alertId), pack(changes));
}
