import { toErrorRecord } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Exchange } from '../transport/exchange.js';
import type { Headers } from '../transport/request-copy.js';

/**
 * Responds with JSON that may take long. A quick result is one write. After a moment, status and headers are
 * sent, followed by a newline per second, so that neither client nor proxy times out. JSON allows leading
 * whitespace.
 */
export async function replyWhenReady(exchange: Exchange, headers: Headers, body: Promise<string>): Promise<void> {
  const all = { 'content-type': 'application/json', ...headers };
  let out: ReturnType<Exchange['open']> | null = null;
  const headTimer = setTimeout(() => {
    if (exchange.aborted) return;
    out = exchange.open(200, all);
    out.flushHead();
  }, LIMITS.waitHeadersAfterMs);
  const aliveTimer = setInterval(() => out?.write('\n'), LIMITS.waitKeepAliveMs);
  const stop = (): void => {
    clearTimeout(headTimer);
    clearInterval(aliveTimer);
  };
  // The awaited run may continue long after the client has disconnected.
  exchange.onFinished(stop);
  try {
    const text = await body;
    stop();
    const opened = out as ReturnType<Exchange['open']> | null;
    if (opened === null) exchange.reply(200, all, text);
    else opened.end(text);
  } catch (error) {
    const opened = out as ReturnType<Exchange['open']> | null;
    if (opened === null) throw error;
    // The status has already been sent, so the error is reported in the body.
    const { name, message } = toErrorRecord(error);
    opened.end(JSON.stringify({ __error__: { error: name, message } }));
  } finally {
    stop();
  }
}
