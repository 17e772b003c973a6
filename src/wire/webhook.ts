import type { CipherKeys } from '../base/cipher-keys.js';
import type { WebhookRules } from '../domain/webhook-url.js';

/** Start data of the webhook thread. */
export interface WebhookWorkerData {
  /** Path of the data file. The thread opens it read-only. */
  dataFile: string;
  /** Null when the data folder is not encrypted. */
  encryption: CipherKeys | null;
  rules: WebhookRules;
  /** Sent with every delivery. Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Signing secrets, base64. Each one makes its own signature. */
  secrets: readonly string[];
  /** Time limit of one attempt, from the DNS lookup to the response head. */
  attemptMs: number;
  userAgent: string;
}

/** One attempt. The store has everything else under the id of the run or the message. */
export interface WebhookTask {
  runId: string;
}

/**
 * Result of an attempt:
 * `answered`: a response with any status.
 * `failed`: no response; with a `stack` if the server itself caused the failure.
 * `refused`: the rules forbid the address, and will again on a retry.
 * `gone`: the delivery is no longer owed.
 * `own`: the target is the project's HTTP app, so the front thread delivers it.
 */
export type WebhookResult =
  | { kind: 'answered'; status: number; retryAfterMs: number | null }
  | { kind: 'failed'; why: string; stack?: string }
  | { kind: 'refused'; why: string }
  | { kind: 'gone' }
  | AppDelivery;

export interface AppDelivery {
  kind: 'own';
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}
