import type { Feature } from '../../domain/features.js';
import type { Metrics } from '../monitoring/metrics.js';
import { inGroup, isOff, withoutDisabled, type ServedRoute } from '../route.js';
import { a2aRoutes } from './a2a.js';
import { assistantRoutes } from './assistants.js';
import { consoleRoutes } from './console.js';
import { cronRoutes } from './crons.js';
import { evaluationRoutes } from './evaluation/index.js';
import { graphRoutes } from './graphs.js';
import { mcpRoutes } from './mcp.js';
import { metaRoutes } from './meta.js';
import { protocolRoutes } from './protocol.js';
import { runRoutes } from './runs.js';
import { threadChangeRoutes } from './thread-changes.js';
import { manyRunsRoutes } from './runs-many.js';
import { serverRoutes } from './server.js';
import { storeRoutes } from './store.js';
import { threadFileRoutes } from './thread-files.js';
import { threadRoutes } from './threads.js';
import { threadStreamRoutes } from './thread-stream.js';
import { uiRoutes } from './ui.js';
import { webhookRoutes } from './webhooks.js';

/** The parts of a server's configuration that decide on its routes. */
export interface Serving {
  disabled: ReadonlySet<Feature>;
  mountPrefix: string;
  /** Provides /metrics. */
  metrics: () => Pick<Metrics, 'text' | 'json'>;
}

/** The routes of a server. */
export interface Table {
  served: readonly ServedRoute[];
  /** Routes of disabled features. Their paths get 404, even when another route's pattern matches them. */
  switchedOff: readonly ServedRoute[];
}

export function tableFor(serving: Serving): Table {
  const all: readonly ServedRoute[] = [
    ...metaRoutes(serving, () => served),
    ...inGroup('meta', serverRoutes),
    ...inGroup('assistants', assistantRoutes),
    ...inGroup('assistants', graphRoutes),
    ...inGroup('threads', threadRoutes),
    ...inGroup('threads', threadChangeRoutes),
    ...inGroup('threads', threadFileRoutes),
    ...inGroup('threads', threadStreamRoutes),
    ...inGroup('runs', runRoutes),
    ...inGroup('runs', manyRunsRoutes),
    ...inGroup('runs', protocolRoutes),
    ...inGroup('store', storeRoutes),
    ...inGroup('crons', cronRoutes),
    ...inGroup('runs', webhookRoutes),
    ...inGroup('mcp', mcpRoutes),
    ...inGroup('a2a', a2aRoutes),
    ...inGroup('ui', uiRoutes(serving)),
    ...inGroup('console', consoleRoutes(serving)),
    ...inGroup('evaluation', evaluationRoutes),
  ];
  const served = withoutDisabled(all, serving.disabled);
  return { served, switchedOff: all.filter(({ group, shared }) => shared === null && isOff(group, serving.disabled)) };
}

/** A configuration with all routes enabled, without a server. */
export const WHOLE: Serving = {
  disabled: new Set(),
  mountPrefix: '',
  metrics: () => {
    throw new Error('this route table has no server');
  },
};

/** All routes. */
export const routes = tableFor(WHOLE).served;
