import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { formatAddress } from '../base/node-address.js';
import type { Log, Logger } from '../base/log/log.js';
import type { Config } from '../config/config.js';
import { CrossOriginGuard } from '../http/access/cross-origin.js';
import { mount } from '../http/app.js';
import type { CustomApp } from '../http/custom-app.js';
import type { Metrics } from '../http/monitoring/metrics.js';
import { createRequestLog } from '../http/monitoring/request-log.js';
import type { RequestStats } from '../http/monitoring/request-stats.js';
import { buildRouteTable } from '../http/routes/index.js';
import type { ServedRoute } from '../http/route.js';
import { callBoth, type OnResponse } from '../http/transport/exchange.js';
import { createApp } from '../http/transport/create-app.js';
import type { HttpApp, Sockets, TransportName } from '../http/transport/http-app.js';
import { openFilesMax } from '../http/transport/open-files.js';
import type { Services } from '../services/context.js';

export interface HttpParts {
  config: Config;
  services: Services;
  /** Null when the project has no HTTP app. */
  customApp: CustomApp | null;
  metrics: Metrics;
  requests: RequestStats;
  logs: Log;
}

/** A port that is open. */
export interface Listening {
  port: number;
  url: string;
  stopListening(): void;
}

/** Address of the second port. */
const LOOPBACK = '127.0.0.1';

/** The app of the public port. Nothing is bound yet. `close` of the app ends all connections. */
export function createHttpApp(
  config: Config,
  { transport, sockets, log }: { transport: TransportName; sockets: Sockets; log: Logger },
): Promise<HttpApp> {
  return createApp(transport, { tls: config.tls, sockets, connectionsMax: connectionsMax(config, log) });
}

/** Binds every route to each of the apps. */
export function bindRoutes(apps: readonly HttpApp[], parts: HttpParts): void {
  const { config, services, customApp, metrics, requests, logs } = parts;
  const log = logs.forModule('http');
  const crossOrigin = new CrossOriginGuard({
    cors: config.cors,
    hosts: { bound: config.host, allowed: config.allowedHosts, publicUrl: config.publicUrl },
    isOpen: () => services.access.isOpen,
    log,
  });
  const table = buildRouteTable({ ...config.api, bodyBytesMax: config.bodyBytesMax, metrics: () => metrics });
  // Created once for each route, so that its requests are counted together whichever app they reach.
  const callbacks = new Map<ServedRoute | null, OnResponse>();
  const onResponse = (route: ServedRoute | null): OnResponse => {
    const callback =
      callbacks.get(route) ??
      callBoth(requests.observe(route), createRequestLog(log, route, config.api.loggingHeaders));
    callbacks.set(route, callback);
    return callback;
  };
  for (const app of apps)
    mount(app, table, services, {
      log,
      bodyBytesMax: config.bodyBytesMax,
      crossOrigin,
      mountPrefix: config.api.mountPrefix,
      customApp,
      onRequest: requests.onRequest,
      onResponse,
    });
}

/** Listens on the configured ports. Throws PORT_IN_USE. */
export async function listenOn(app: HttpApp, { host, port, linkPort, tls, api }: Config): Promise<Listening> {
  const listener = await app.listen(host, port);
  if (listener === null) throw fail('PORT_IN_USE', { host, port });
  const links = linkPort === null || linkPort === listener.port ? null : await app.listen(LOOPBACK, linkPort);
  if (links === null && linkPort !== null && linkPort !== listener.port)
    throw fail('PORT_IN_USE', { host: LOOPBACK, port: linkPort });
  const authority = formatAddress({ host, port: listener.port });
  return {
    port: listener.port,
    url: `${tls === null ? 'http' : 'https'}://${authority}${api.mountPrefix}`,
    stopListening() {
      listener.stopListening();
      links?.stopListening();
    },
  };
}

/** As many connections as are configured, or as the system's limit on open files allows. */
function connectionsMax({ connectionsMax: configured }: Config, log: Logger): number {
  const files = openFilesMax();
  const room = Math.max(1, (files ?? Infinity) - LIMITS.reservedFiles);
  if (configured !== null && configured > room)
    log.warn(
      `THREADMILL_MAX_CONNECTIONS is ${configured}, but the system lets this process open ${files} files: it takes ${room} connections. Raise the limit (ulimit -n).`,
    );
  return Math.min(configured ?? LIMITS.connectionsMax, room);
}
