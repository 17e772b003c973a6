import type { Exchange } from '../transport/exchange.js';
import type { Headers } from '../transport/request-copy.js';

/** In a request that another node passes on. */
export const FORWARDED_HEADER = 'x-threadmill-forwarded';
/**
 * In the response to such a request: the path at which the other node continues the response, with the same headers,
 * when this node is lost. Clients do not see it.
 */
export const CONTINUE_HEADER = 'x-threadmill-continue';

/** `path`: with the query, and without the mount prefix. Empty for requests that clients sent to this node. */
export function continueHeaders({ headers }: Exchange, path: string): Headers {
  return headers[FORWARDED_HEADER] === undefined ? {} : { [CONTINUE_HEADER]: path };
}
