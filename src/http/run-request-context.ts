import type { Needs } from '../services/context.js';
import { headersFor, type RunRequestContext } from '../services/runs/request-context.js';
import type { Exchange } from './transport/exchange.js';

/** The parts of a request that its run keeps. */
export function runRequestContext(
  { requestId, headers, traceparent }: Exchange,
  { configurableHeaders }: Needs<'configurableHeaders'>,
): RunRequestContext {
  return { requestId, headers: headersFor(configurableHeaders, headers), traceparent };
}
