import type { HeaderPredicate } from '../../domain/header-predicate.js';
import { setOwn, type JsonObject } from '../../base/json/json.js';
import { clientConfigurable } from '../../domain/run-config.js';

/** What a run takes from the HTTP request that starts it. */
export interface RunRequestContext {
  /** `x-request-id` of the request. */
  requestId: string | null;
  /** Headers that `http.configurable_headers` names. */
  headers: JsonObject;
  /** Of the request's span; null when tracing is off. */
  traceparent: string | null;
}

/** For runs that no HTTP request starts. */
export const NO_REQUEST: RunRequestContext = Object.freeze({
  requestId: null,
  headers: Object.freeze({}),
  traceparent: null,
});

const NO_HEADERS: JsonObject = Object.freeze({});
/** Names in `configurable` that identify run, thread, state and user. Headers cannot set them. */
const RESERVED = /^(?:thread_id|run_id|graph_id|assistant_id|user_id|checkpoint_\w+|langgraph_\w+|graph_\w+)$/;

/** The headers that the rule selects, for the graph's `configurable`. Names are in lower case. */
export function headersFor(rule: HeaderPredicate | null, headers: Readonly<Record<string, string>>): JsonObject {
  if (rule === null) return NO_HEADERS;
  const chosen: JsonObject = {};
  for (const [name, value] of Object.entries(headers))
    if (rule(name) && !RESERVED.test(name)) setOwn(chosen, name, value);
  return clientConfigurable(chosen);
}
