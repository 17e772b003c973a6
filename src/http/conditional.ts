import type { Steps } from '../base/steps.js';
import type { Needs } from '../services/context.js';
import type { Exchange } from './transport/exchange.js';
import type { Headers } from './transport/request-copy.js';
import { jsonReply, type Reply } from './route.js';

/** Responds with the JSON, or with 304 if the client already has this version. In that case the JSON is not built. */
export async function replyUnlessCached(
  { timeSlicer }: Needs<'timeSlicer'>,
  exchange: Exchange,
  { tag, json: steps }: { tag: string; json(): Steps<string> },
): Promise<Reply> {
  const headers: Headers = { etag: tag };
  if (matchesEtag(exchange.headers['if-none-match'], tag)) return { status: 304, body: '', headers };
  return jsonReply(await timeSlicer.run(steps(), () => exchange.aborted), headers);
}

/** Parses If-Match into a check; null without the header. Weak tags never match here (RFC 9110, 13.1.1). */
export function parseIfMatch(headers: Headers): ((tag: string) => boolean) | null {
  const wanted = headers['if-match'];
  return wanted === undefined ? null : (tag) => wanted.trim() === '*' || parseEtags(wanted).includes(tag);
}

/**
 * Whether If-None-Match contains the tag. The comparison is weak (RFC 9110, 13.1.2), because proxies that
 * compress a response make its tag weak.
 */
export function matchesEtag(wanted: string | undefined, tag: string): boolean {
  return (
    wanted !== undefined && (wanted.trim() === '*' || parseEtags(wanted).some((one) => one.replace(/^W\//, '') === tag))
  );
}

function parseEtags(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
