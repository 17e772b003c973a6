import { exportParts, type ExportSession } from '../../pool/export-parts.js';
import type { EvaluationContext } from '../../services/evaluation/context.js';
import type { Exchange } from '../transport/exchange.js';
import { PacedWriter } from '../transport/paced-writer.js';

/**
 * Streams a file at the speed at which the client reads, while the evaluation thread produces it. Errors before
 * the first part are thrown. After that, the connection is closed in the middle of the response, so that a
 * partial file is not taken for a whole one. `onSent` is called when the whole file was sent.
 */
export async function streamExport(
  exchange: Exchange,
  { log }: EvaluationContext,
  session: ExportSession,
  onSent: (bytes: number) => Promise<void> = () => Promise.resolve(),
): Promise<null> {
  const { duplex } = session;
  exchange.onAborted(() => duplex.send({ type: 'abort' }));
  const parts = exportParts(session);
  const { value: head } = await parts.next();
  if (head?.type !== 'head') throw new Error('an export did not start with its head');
  if (exchange.aborted) return null;
  const headers = {
    'content-type': head.contentType,
    'content-disposition': contentDisposition(head.fileName),
    'cache-control': 'no-store',
  };
  if (exchange.method === 'head') {
    duplex.send({ type: 'abort' });
    exchange.reply(200, headers, '');
    return null;
  }
  const out = exchange.open(200, headers);
  const sink = new PacedWriter(exchange, out);
  let bytes = 0;
  const write = async (part: Uint8Array): Promise<void> => {
    await sink.write(part);
    bytes += part.byteLength;
  };
  try {
    await write(head.bytes);
    for await (const part of parts) await write(part.bytes);
    // Before the client knows the end, so that what it asks next finds it.
    if (!exchange.aborted) await onSent(bytes);
    out.end();
  } catch (error) {
    if (!exchange.aborted) log.error({ err: error, requestId: exchange.requestId }, 'an export failed');
    out.breakOff();
  }
  return null;
}

/** RFC 6266: an ASCII name that every client can read, and the full name for clients that read UTF-8. */
export function contentDisposition(fileName: string, type: 'attachment' | 'inline' = 'attachment'): string {
  const plain = fileName.replace(/[^\w.-]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
