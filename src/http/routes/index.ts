import { LIMITS } from '../../base/limits.js';
import { assignGroup, auditChanges, isDisabled, removeDisabled, type ServedRoute } from '../route.js';
import { a2aRoutes } from './a2a.js';
import { auditRoutes } from './audit.js';
import { assistantRoutes } from './assistants.js';
import { consoleRoutes } from './console.js';
import { cronRoutes } from './crons.js';
import { evaluationRoutes } from './evaluation/index.js';
import { graphRoutes } from './graphs.js';
import { linkRoutes } from './links.js';
import { mcpRoutes } from './mcp.js';
import { metaRoutes } from './meta.js';
import { protocolRoutes } from './protocol.js';
import { rootRoutes } from './root.js';
import type { RouteConfig } from './route-config.js';
import { runRoutes } from './runs.js';
import { threadChangeRoutes } from './thread-changes.js';
import { manyRunsRoutes } from './runs-many.js';
import { serverRoutes } from './server.js';
import { signInRoutes } from './sign-in.js';
import { storeRoutes } from './store.js';
import { threadFileRoutes } from './thread-files.js';
import { threadRoutes } from './threads.js';
import { threadStreamRoutes } from './thread-stream.js';
import { uiRoutes } from './ui.js';
import { webhookRoutes } from './webhooks.js';

/** The routes of a server. */
export interface RouteTable {
  served: readonly ServedRoute[];
  /** Routes of disabled features. Their paths get 404, even when another route's pattern matches them. */
  disabled: readonly ServedRoute[];
}

export function buildRouteTable(serving: RouteConfig): RouteTable {
  const all: readonly ServedRoute[] = [
    ...assignGroup('meta', rootRoutes(serving)),
    ...metaRoutes(serving, () => served),
    ...assignGroup('meta', auditChanges(serverRoutes)),
    ...assignGroup('meta', auditRoutes),
    ...assignGroup('console', auditChanges(signInRoutes)),
    ...assignGroup('assistants', auditChanges(assistantRoutes)),
    ...assignGroup('assistants', graphRoutes),
    ...assignGroup('threads', auditChanges(threadRoutes, ['threads:delete'])),
    ...assignGroup('threads', auditChanges(threadChangeRoutes, ['threads:delete'])),
    ...assignGroup('threads', auditChanges(threadFileRoutes)),
    ...assignGroup('threads', threadStreamRoutes),
    ...assignGroup('runs', runRoutes),
    ...assignGroup('runs', manyRunsRoutes),
    ...assignGroup('runs', protocolRoutes),
    ...assignGroup('store', storeRoutes),
    ...assignGroup('crons', auditChanges(cronRoutes)),
    ...assignGroup('runs', webhookRoutes),
    ...assignGroup('mcp', mcpRoutes),
    ...assignGroup('a2a', a2aRoutes),
    ...assignGroup('ui', uiRoutes(serving)),
    ...assignGroup('console', consoleRoutes(serving)),
    ...assignGroup('console', linkRoutes(serving)),
    ...assignGroup('evaluation', evaluationRoutes),
  ];
  const served = removeDisabled(all, serving.disabled);
  return {
    served,
    disabled: all.filter(({ group, alternative }) => alternative === null && isDisabled(group, serving.disabled)),
  };
}

/** A configuration with all routes enabled, without a server. */
export const ALL_ENABLED: RouteConfig = {
  disabled: new Set(),
  mountPrefix: '',
  bodyBytesMax: LIMITS.bodyBytesMax,
  metrics: () => {
    throw new Error('this route table has no server');
  },
};

/** All routes. */
export const routes = buildRouteTable(ALL_ENABLED).served;
