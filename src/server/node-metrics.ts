import type { Logger } from '../base/log/log.js';
import type { Config } from '../config/config.js';
import { CrossOriginGuard } from '../http/access/cross-origin.js';
import { RequestHandler } from '../http/handle-request.js';
import { NodeMetrics, type NodeSources } from '../http/monitoring/metrics.js';
import { createPreHandler } from '../http/pre-handler.js';
import { METRICS_PATH } from '../http/route.js';
import { buildRouteTable } from '../http/routes/index.js';
import { Exchange } from '../http/transport/exchange.js';
import type { RouteCallback } from '../http/transport/http-app.js';
import { Access } from '../services/access/access.js';
import { Quotas } from '../services/access/quotas.js';
import type { Services } from '../services/context.js';
import { CopiedKeys } from '../store/access/copied-keys.js';
import type { Reader } from '../store/reader.js';

/**
 * The route of /metrics at a node that is not the owner: with the same checks, and with the metrics of this process
 * only. `reader`: the copy of the data, for the API keys. Null if the route is disabled.
 */
export function createNodeMetricsRoute(
  config: Config,
  { sources, reader, log }: { sources: NodeSources; reader: () => Reader; log: Logger },
): RouteCallback | null {
  const { auth, oidc } = config.project;
  const metrics = new NodeMetrics(sources);
  const route = buildRouteTable({
    ...config.api,
    bodyBytesMax: config.bodyBytesMax,
    metrics: () => metrics,
  }).served.find(({ path, method }) => path === METRICS_PATH && method === 'get');
  if (route === undefined) return null;
  const access = new Access({
    keys: new CopiedKeys(reader, config.apiKeys, { isHandled: auth !== null || oidc !== null }),
    authPool: null,
    auth: { allowsStudio: false, acceptsApiKeys: false },
    walk: null,
    signIn: null,
    log,
  });
  const crossOrigin = new CrossOriginGuard({
    cors: config.cors,
    hosts: { bound: config.host, allowed: config.allowedHosts, publicUrl: config.publicUrl },
    isOpen: () => access.isOpen,
    log,
  });
  // All that a route without a body and without records needs.
  const services: Pick<Services, 'access' | 'quotas' | 'spans'> = {
    access,
    quotas: new Quotas(config.quotas, () => performance.now()),
    spans: null,
  };
  return new RequestHandler(route, {
    services: services as Services,
    log,
    bodyBytesMax: config.bodyBytesMax,
    createExchange: (res, req) => new Exchange(res, req, crossOrigin.corsHeaders),
    preHandler: createPreHandler(crossOrigin, null, log),
  }).callback;
}
