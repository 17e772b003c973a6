import { setTimeout as sleep } from 'node:timers/promises';
import type { AppPool } from '../../pool/user-code/app-pool.js';
import type { AppDelivery } from '../../wire/webhook.js';
import type { AttemptResult } from './webhooks.js';

/** Delivers a webhook to a route of the project's HTTP app, without a user or a socket. Never rejects. */
export async function deliverToApp(
  app: AppPool | null,
  { path, headers, body }: AppDelivery,
  timeoutMs: number,
): Promise<AttemptResult> {
  if (app === null) return { kind: 'refused', why: 'langgraph.json no longer configures an HTTP app (http.app)' };
  const stop = new AbortController();
  try {
    const duplex = app.request({
      method: 'POST',
      url: `http://localhost${path}`,
      hasBody: true,
      builtIn: false,
      user: null,
      headers: [...Object.entries(headers), ['content-length', String(body.byteLength)]],
    });
    stop.signal.addEventListener('abort', () => duplex.close());
    const timeout = sleep(timeoutMs, null, { signal: stop.signal, ref: false }).catch(() => null);
    for (;;) {
      const message = await Promise.race([duplex.receive(), timeout]);
      if (message === null) return { kind: 'failed', why: 'it did not answer in time' };
      if (message.type === 'want-body') duplex.send({ type: 'body', bytes: body });
      else if (message.type === 'answer') return { kind: 'answered', status: message.status, retryAfterMs: null };
      // Built-in routes do not receive webhooks.
      else if (message.type === 'through') return { kind: 'answered', status: 404, retryAfterMs: null };
      else return { kind: 'failed', why: 'the HTTP app failed' };
    }
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  } finally {
    stop.abort();
  }
}
