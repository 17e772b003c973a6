import { AttachmentParams } from '../../../../schemas/compiled/validators.js';
import { LIMITS } from '../../../base/limits.js';
import { openAttachment } from '../../../services/evaluation/attachments.js';
import { chunksOf, type Attachment } from '../../../store/evaluation/attachments.js';
import { defineRoute } from '../../route.js';
import { contentDisposition } from '../../streams/download.js';
import { PacedWriter } from '../../transport/paced-writer.js';
import type { Headers } from '../../transport/request-copy.js';

/** Images that browsers show without running anything in them. SVG is not one of them. */
const INLINE = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;

/** The file comes from a client. It must not run as a page of this server, whatever it contains. */
function headersOf({ name, mime }: Attachment): Headers {
  return {
    'content-type': mime,
    'content-disposition': contentDisposition(name, INLINE.test(mime) ? 'inline' : 'attachment'),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
  };
}

export const getAttachmentRoute = defineRoute({
  // Pages of any origin may use it: the URL itself grants access, and cannot be guessed.
  method: 'get',
  path: '/attachments/:token',
  action: 'public',
  crossSite: 'always',
  errors: 'evaluation',
  summary: 'Download an attachment through a link of an example or a run',
  params: AttachmentParams,
  schemas: { params: 'AttachmentParams' },
  async handle({ params, exchange }, { evaluation }) {
    const attachment = openAttachment(evaluation, params.token);
    const headers = headersOf(attachment);
    const chunks = chunksOf(evaluation.latest.store, attachment);
    if (attachment.bytes <= LIMITS.exportPartBytes || exchange.method === 'head') {
      exchange.reply(200, headers, exchange.method === 'head' ? '' : Buffer.concat([...chunks]));
      return null;
    }
    const first = chunks.next();
    const out = exchange.open(200, headers);
    const writer = new PacedWriter(exchange, out);
    try {
      // A chunk that waits for the client is copied: the store reuses the memory of a value.
      for (let chunk = first; chunk.done !== true && !exchange.aborted; chunk = chunks.next())
        await writer.write(Buffer.from(chunk.value));
      out.end();
    } catch (error) {
      // The record was removed meanwhile. A partial file must not be taken for a whole one.
      if (!exchange.aborted)
        evaluation.log.warn({ err: error, requestId: exchange.requestId }, 'a download ended early');
      out.breakOff();
    }
    return null;
  },
});
