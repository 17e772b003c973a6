import { HISTOGRAM_BOUNDS, Histogram } from '../../base/histogram.js';
import type { RequestTotals } from '../../services/history/history-sampler.js';
import type { Exchange, OnResponse } from '../transport/exchange.js';
import { isAboutServer, type ServedRoute } from '../route.js';

/** Statistics of the requests to one route. */
export interface RouteStats {
  method: string;
  /** The path pattern. The path itself contains ids, so every request would get its own row. */
  route: string;
  /** Not counted as load of users. */
  isAboutServer: boolean;
  byStatus: Map<number, number>;
  /** From the request's head to the last byte of the response. */
  duration: Histogram;
}

/** The client disconnected before there was a response. 499 is a known status that this server never sends. */
const CLIENT_CLOSED_REQUEST = 499;

/** Requests by route since the start. Each route has one entry, created at startup. */
export class RequestStats {
  readonly routes: RouteStats[] = [];
  /** Requests, streams and WebSockets that are under way. */
  open = 0;

  /** Those of `open`; null while they are not kept. */
  #exchanges: Set<Exchange> | null = null;

  /** Finished requests to all routes but those about the server, and how many of them failed with 500 or above. */
  get userTotals(): RequestTotals {
    const totals: RequestTotals = { requests: 0, failed: 0 };
    for (const { isAboutServer: skipped, byStatus } of this.routes) {
      if (skipped) continue;
      for (const [status, count] of byStatus) {
        totals.requests += count;
        if (status >= 500) totals.failed += count;
      }
    }
    return totals;
  }

  readonly onRequest = (exchange: Exchange): void => {
    this.open += 1;
    this.#exchanges?.add(exchange);
  };

  /** Keeps what is under way from now on, so that it can be terminated. Call it before the first request. */
  keepExchanges(): void {
    this.#exchanges = new Set();
  }

  /** Ends the connections of everything that is under way, if it is kept. */
  terminateAll(): void {
    for (const exchange of this.#exchanges ?? []) exchange.terminate(503);
  }

  /** `route` null: requests that match no route, with any method. */
  observe(route: ServedRoute | null): OnResponse {
    const stats: RouteStats = {
      method: route === null ? 'ANY' : route.method.toUpperCase(),
      route: route?.path ?? '(none)',
      isAboutServer: isAboutServer(route),
      byStatus: new Map(),
      duration: new Histogram(HISTOGRAM_BOUNDS.request),
    };
    this.routes.push(stats);
    return (exchange: Exchange) => {
      const { status, startedMs } = exchange;
      this.open -= 1;
      this.#exchanges?.delete(exchange);
      const statusCode = status === 0 ? CLIENT_CLOSED_REQUEST : status;
      stats.byStatus.set(statusCode, (stats.byStatus.get(statusCode) ?? 0) + 1);
      stats.duration.observe((performance.now() - startedMs) / 1_000);
    };
  }
}
