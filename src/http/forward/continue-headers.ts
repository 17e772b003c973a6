import type { Exchange } from '../transport/exchange.js';
import type { Headers } from '../transport/request-copy.js';

/**
 * In the response to a request that another node passed on: the path at which the other node continues the response,
 * with the same headers, when this node is lost. Clients do not see it.
 */
export const CONTINUE_HEADER = 'x-threadmill-continue';

/** `path`: with the query, and without the mount prefix. Empty for requests that clients sent to this node. */
export function continueHeaders({ isForwarded }: Exchange, path: string): Headers {
  return isForwarded ? { [CONTINUE_HEADER]: path } : {};
}
