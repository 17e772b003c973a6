import type { HeaderRule } from '../../domain/header-rule.js';
import { setOwn, type JsonObject } from '../../base/json/json.js';
import { clientConfigurable } from '../../domain/run-config.js';

/** What a run takes over from the request that starts it. */
export interface RunRequestContext {
  /** `x-request-id` of the request. */
  requestId: string | null;
  /** Headers that `http.configurable_headers` names. */
  headers: JsonObject;
  /** Of the request's span; null when nobody traces. */
  traceparent: string | null;
}

/** A run that no request started. */
export const NO_REQUEST: RunRequestContext = Object.freeze({
  requestId: null,
  headers: Object.freeze({}),
  traceparent: null,
});

const NO_HEADERS: JsonObject = Object.freeze({});
/** Names in `configurable` that say which run, thread, state and user it is: no header stands for one. */
const OWN = /^(?:thread_id|run_id|graph_id|assistant_id|user_id|checkpoint_\w+|langgraph_\w+|graph_\w+)$/;

/** The headers that the rule means, as a graph reads them: lower case, as they came. */
export function headersFor(rule: HeaderRule | null, headers: Readonly<Record<string, string>>): JsonObject {
  if (rule === null) return NO_HEADERS;
  const chosen: JsonObject = {};
  for (const [name, value] of Object.entries(headers)) if (rule(name) && !OWN.test(name)) setOwn(chosen, name, value);
  return clientConfigurable(chosen);
}
