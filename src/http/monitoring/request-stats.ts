import { BOUNDS, Tally } from '../../base/histogram.js';
import type { Exchange, OnResponse } from '../transport/exchange.js';
import type { ServedRoute } from '../route.js';

/** Requests to one route. */
export interface RouteStats {
  method: string;
  /** The pattern, not the path: ids would make a row of every request. */
  route: string;
  byStatus: Map<number, number>;
  /** From the request's head to the last byte of the answer. */
  duration: Tally;
}

/** The client went away before there was an answer. The number is a known one that nothing here answers with. */
const GONE = 499;

/** Requests by route, since the start. One entry a route, made when the server is. */
export class RequestStats {
  readonly all: RouteStats[] = [];

  /** `route` null: requests that no route answers, of whatever method. */
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
