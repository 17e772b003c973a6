import { BOUNDS, Tally } from '../../base/histogram.js';
import type { Exchange, OnResponse } from '../transport/exchange.js';
import type { ServedRoute } from '../route.js';

/** Statistics of the requests to one route. */
export interface RouteStats {
  method: string;
  /** The path pattern. The path itself contains ids, so every request would get its own row. */
  route: string;
  byStatus: Map<number, number>;
  /** From the request's head to the last byte of the response. */
  duration: Tally;
}

/** The client disconnected before there was a response. 499 is a known status that this server never sends. */
const GONE = 499;

/** Requests by route since the start. Each route has one entry, created at startup. */
export class RequestStats {
  readonly all: RouteStats[] = [];

  /** `route` null: requests that match no route, with any method. */
  watch(route: ServedRoute | null): OnResponse {
    const stats: RouteStats = {
      method: route === null ? 'ANY' : route.method.toUpperCase(),
      route: route?.path ?? '(none)',
      byStatus: new Map(),
      duration: new Tally(BOUNDS.request),
    };
    this.all.push(stats);
    return ({ status, startedMs }: Exchange) => {
      const said = status === 0 ? GONE : status;
      stats.byStatus.set(said, (stats.byStatus.get(said) ?? 0) + 1);
      stats.duration.note((performance.now() - startedMs) / 1_000);
    };
  }
}
