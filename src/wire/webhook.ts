import type { CipherKeys } from '../base/cipher-keys.js';
import type { WebhookRules } from '../domain/webhook-url.js';

/** What the webhook thread is started with. */
export interface WebhookWorkerData {
  /** The store's file; opened to read only. */
  dataFile: string;
  /** Null: the folder is not encrypted. */
  encryption: CipherKeys | null;
  rules: WebhookRules;
  /** Sent with every delivery, names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** What deliveries are signed with, each by itself: base64 of the bytes. */
  secrets: readonly string[];
  /** How long one attempt may take, from the look-up of the name to the head of the answer. */
  attemptMs: number;
  userAgent: string;
}

/** One attempt: everything else stands in the store under the run. */
export interface WebhookTask {
  runId: string;
}

/**
 * How an attempt went. `answered`: with any status; `failed`: no answer, with a `stack` when that was our own fault; `refused`: the rules say no, and will again;
 * `gone`: nothing is owed any more; `own`: it is for the project's own HTTP app, which the front asks.
 */
export type WebhookResult =
  | { kind: 'answered'; status: number; retryAfterMs: number | null }
  | { kind: 'failed'; why: string; stack?: string }
  | { kind: 'refused'; why: string }
  | { kind: 'gone' }
  | OwnDelivery;

export interface OwnDelivery {
  kind: 'own';
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}
