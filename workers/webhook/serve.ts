/**
 * Entry point of the webhook thread: composes deliveries from the store, which it only reads, then signs and
 * sends them. The main thread stores the result of each attempt.
 */
import { createHmac } from 'node:crypto';
import { webhookTarget } from '../../src/domain/webhook-url.js';
import { Reader } from '../../src/store/reader.js';
import { isMessage, Webhooks } from '../../src/store/webhooks.js';
import type { WebhookResult, WebhookTask, WebhookWorkerData } from '../../src/wire/webhook.js';
import { readWorkerData } from '../../src/wire/worker-data.js';
import { composeBody } from './compose.js';
import { WebhookSender } from './send.js';

const data = readWorkerData<WebhookWorkerData>();
const reader = Reader.attach(data.dataFile, data.encryption);
const sender = new WebhookSender(data.rules);
const secrets = data.secrets.map((secret) => Buffer.from(secret, 'base64'));

export default async function deliver(task: WebhookTask): Promise<WebhookResult> {
  try {
    return await attempt(task);
  } catch (error) {
    // The pool takes a rejected task as a lost thread.
    return {
      kind: 'failed',
      why: 'the server could not create its body',
      stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

async function attempt({ runId }: WebhookTask): Promise<WebhookResult> {
  reader.refresh();
  const owed = new Webhooks(reader).outboxEntry(runId);
  if (owed === undefined) return { kind: 'gone' };
  // The rules may have changed since the run was created.
  const target = webhookTarget(owed.url, data.rules);
  if (target.kind === 'refused') return target;
  const nowMs = Date.now();
  const body = isMessage(owed) ? Buffer.from(owed.body) : composeBody(reader, owed, nowMs);
  const ownHeaders = isMessage(owed) ? owed.headers : {};
  const headers = { ...data.headers, ...ownHeaders, ...headersOf(runId, nowMs, body) };
  return target.kind === 'path'
    ? { kind: 'own', path: target.path, headers, body }
    : sender.post({ url: target.url, body, headers, timeoutMs: data.attemptMs });
}

/** The Standard Webhooks convention (standardwebhooks.com). The id is the same for every attempt. */
function headersOf(id: string, nowMs: number, body: Buffer): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signed = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  );
  return {
    'content-type': 'application/json',
    'user-agent': data.userAgent,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signed.length === 0 ? {} : { 'webhook-signature': signed.join(' ') }),
  };
}
