import type { RequestFacts } from '../../services/access/access.js';
import type { Exchange } from '../transport/exchange.js';

/** What of a request tells who asks. */
export function factsOf({ method, path, query, headers, duplicatedHeaders }: Exchange): RequestFacts {
  return { method, target: query === '' ? path : `${path}?${query}`, headers, duplicated: duplicatedHeaders };
}
