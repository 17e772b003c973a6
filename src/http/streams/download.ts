import type { EvaluationTalk } from '../../pool/evaluation-pool.js';
import type { Evaluation } from '../../services/evaluation/context.js';
import type { FromExport, ToExport } from '../../wire/evaluation/exports.js';
import type { Exchange } from '../transport/exchange.js';
import { Sink } from '../transport/sink.js';

export type ExportTalk = EvaluationTalk<ToExport, FromExport, null>;

/**
 * Sends a file while the evaluation thread makes it, as fast as the client takes it. What goes wrong before the first part
 * is thrown; after that the connection is closed in the middle of the answer, so that nobody takes a part for the whole.
 */
export async function download(exchange: Exchange, { log }: Evaluation, { talk, done }: ExportTalk): Promise<null> {
  exchange.onAborted(() => talk.send({ type: 'abort' }));
  // The worker's end of the conversation may close before its task ends; how it ended, the task says.
  const next = (): Promise<FromExport | null> => talk.next().catch(() => done);
  const head = await next();
  if (head?.type !== 'head') throw new Error('an export began without its head');
  if (exchange.aborted) return null;
  const headers = {
    'content-type': head.contentType,
    'content-disposition': disposition(head.fileName),
    'cache-control': 'no-store',
  };
  if (exchange.method === 'head') {
    talk.send({ type: 'abort' });
    exchange.reply(200, headers, '');
    return null;
  }
  const out = exchange.open(200, headers);
  const sink = new Sink(exchange, out);
  try {
    for (let part: FromExport | null = head; part !== null; part = await next()) {
      await sink.take(part.bytes);
      talk.send({ type: 'more' });
    }
    out.end();
  } catch (error) {
    if (!exchange.aborted) log.error({ err: error, requestId: exchange.requestId }, 'an export broke off');
    out.breakOff();
  }
  return null;
}

/** RFC 6266: a name that any client can read, and the whole name for those that read UTF-8. */
function disposition(fileName: string): string {
  const plain = fileName.replace(/[^\w.-]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
