import type { Steps } from '../base/steps.js';
import type { Services } from '../services/context.js';
import type { Exchange } from './transport/exchange.js';
import type { Headers } from './transport/request-copy.js';
import { json, type Reply } from './route.js';

/** Responds with the JSON, or with 304 if the client already has this version. In that case the JSON is not built. */
export async function unlessKnown(
  { turns }: Services,
  exchange: Exchange,
  { tag, json: steps }: { tag: string; json(): Steps<string> },
): Promise<Reply> {
  const headers: Headers = { etag: tag };
  if (isNamed(exchange.headers['if-none-match'], tag)) return { status: 304, body: '', headers };
  return json(await turns.run(steps(), () => exchange.aborted), headers);
}

/** Parses If-Match into a check; null without the header. Weak tags never match here (RFC 9110, 13.1.1). */
export function ifMatch(headers: Headers): ((tag: string) => boolean) | null {
  const wanted = headers['if-match'];
  return wanted === undefined ? null : (tag) => wanted.trim() === '*' || tagsIn(wanted).includes(tag);
}

/**
 * Whether If-None-Match contains the tag. The comparison is weak (RFC 9110, 13.1.2), because proxies that
 * compress a response make its tag weak.
 */
export function isNamed(wanted: string | undefined, tag: string): boolean {
  return (
    wanted !== undefined && (wanted.trim() === '*' || tagsIn(wanted).some((one) => one.replace(/^W\//, '') === tag))
  );
}

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
