import type { Caller } from '../../domain/caller.js';
import type { JsonObject } from '../../base/json/json.js';

/**
 * What a graph reads of its caller in `configurable` after authentication (interface.md, 5.6): both names that people know
 * (DESIGN, decision 11). Without authentication there is no user, whatever a client presets.
 */
export function userConfigurable(caller: Caller): JsonObject {
  if (!caller.authenticated) return {};
  return {
    graph_auth_user: caller.user,
    langgraph_auth_user: caller.user,
    langgraph_auth_user_id: caller.identity,
    langgraph_auth_permissions: caller.permissions,
  };
}
