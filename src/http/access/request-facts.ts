import type { RequestFacts } from '../../services/access/access.js';
import type { Exchange } from '../transport/exchange.js';

/** The parts of a request that identify the caller. */
export function requestFacts({ method, path, query, headers, duplicatedHeaders }: Exchange): RequestFacts {
  return { method, target: query === '' ? path : `${path}?${query}`, headers, duplicated: duplicatedHeaders };
}
