import type { Steps } from '../base/steps.js';
import type { Services } from '../services/context.js';
import type { Exchange } from './transport/exchange.js';
import type { Headers } from './transport/request-copy.js';
import { json, type Reply } from './route.js';

/** The JSON, or 304 where the client says that it has it: then it is not even put together. */
export async function unlessKnown(
  { turns }: Services,
  exchange: Exchange,
  { tag, json: steps }: { tag: string; json(): Steps<string> },
): Promise<Reply> {
  const headers: Headers = { etag: tag };
  if (isNamed(exchange.headers['if-none-match'], tag)) return { status: 304, body: '', headers };
  return json(await turns.run(steps(), () => exchange.aborted), headers);
}

/** Whether an If-Match names the tag; null where there is no such header. Weak tags match nothing there (RFC 9110, 13.1.1). */
export function ifMatch(headers: Headers): ((tag: string) => boolean) | null {
  const wanted = headers['if-match'];
  return wanted === undefined ? null : (tag) => wanted.trim() === '*' || tagsIn(wanted).includes(tag);
}

/** Whether an If-None-Match names the tag. Proxies that compress an answer make its tag a weak one (RFC 9110, 13.1.2: compared weakly). */
export function isNamed(wanted: string | undefined, tag: string): boolean {
  return (
    wanted !== undefined && (wanted.trim() === '*' || tagsIn(wanted).some((one) => one.replace(/^W\//, '') === tag))
  );
}

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
