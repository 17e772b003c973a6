import type { Services } from '../services/context.js';
import { headersFor, type Origin } from '../services/runs/request-context.js';
import type { Exchange } from './transport/exchange.js';

/** What a run takes over of the request that starts it. */
export function originOf({ requestId, headers, traceparent }: Exchange, { configurableHeaders }: Services): Origin {
  return { requestId, headers: headersFor(configurableHeaders, headers), traceparent };
}
