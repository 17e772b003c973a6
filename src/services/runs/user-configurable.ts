import type { Caller } from '../../domain/caller.js';
import type { JsonObject } from '../../base/json/json.js';

/**
 * The authenticated user, as graphs read it in `configurable` (interface.md, 5.6). Two names are in use, so both are
 * set. Without authentication there is no user, even if a client sets these names.
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
