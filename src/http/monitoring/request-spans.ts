import { READ_METRICS } from '../../domain/actions.js';
import type { Spans } from '../../base/spans.js';
import type { Exchange } from '../transport/exchange.js';
import type { Route } from '../route.js';

/**
 * Starts a span for each request to the route; it ends with the response. Null for health checks and metrics,
 * which are not traced.
 */
export function createSpanStarter(spans: Spans | null, route: Route): ((exchange: Exchange) => void) | null {
  if (spans === null || route.action === 'public' || route.action === READ_METRICS) return null;
  const name = `${route.method.toUpperCase()} ${route.path}`;
  return (exchange) => {
    const span = spans.start(name, 'server', exchange.headers['traceparent'] ?? null, {
      'http.request.method': exchange.method.toUpperCase(),
      'http.route': route.path,
      'threadmill.request.id': exchange.requestId,
    });
    exchange.traceparent = span.traceparent;
    exchange.onFinished(() => {
      const { status } = exchange;
      span.end(
        status === 0 ? {} : { 'http.response.status_code': status },
        status >= 500 ? String(status) : status === 0 ? 'client_gone' : null,
      );
    });
  };
}
