import { setTimeout as sleep } from 'node:timers/promises';
import type { AppPool } from '../../pool/user-code/app-pool.js';
import type { OwnDelivery } from '../../wire/webhook.js';
import type { SentResult } from './webhooks.js';

/** Hands a webhook to a route of the project's own HTTP app, as whoever sends webhooks: no user, no socket. Never rejects. */
export async function deliverToApp(
  app: AppPool | null,
  { path, headers, body }: OwnDelivery,
  timeoutMs: number,
): Promise<SentResult> {
  if (app === null) return { kind: 'refused', why: 'langgraph.json names no HTTP app (http.app) any more' };
  const stop = new AbortController();
  try {
    const talk = app.request({
      method: 'POST',
      url: `http://localhost${path}`,
      hasBody: true,
      builtIn: false,
      user: null,
      headers: [...Object.entries(headers), ['content-length', String(body.byteLength)]],
    });
    stop.signal.addEventListener('abort', () => talk.close());
    const late = sleep(timeoutMs, null, { signal: stop.signal, ref: false }).catch(() => null);
    for (;;) {
      const message = await Promise.race([talk.next(), late]);
      if (message === null) return { kind: 'failed', why: 'it did not answer in time' };
      if (message.type === 'want-body') talk.send({ type: 'body', bytes: body });
      else if (message.type === 'answer') return { kind: 'answered', status: message.status, retryAfterMs: null };
      // A built-in route is no receiver.
      else if (message.type === 'through') return { kind: 'answered', status: 404, retryAfterMs: null };
      else return { kind: 'failed', why: 'the HTTP app failed' };
    }
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  } finally {
    stop.abort();
  }
}
