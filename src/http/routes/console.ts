import { fail } from '../../base/errors.js';
import { consoleReply } from '../pages/console.js';
import { defineRoute, type Route } from '../route.js';

/** The web console. Public: the page itself contains no data, and asks for a key if the server requires one. */
export function consoleRoutes({ mountPrefix }: { mountPrefix: string }): Route[] {
  const start = `${mountPrefix}/console/`;
  const redirectToConsoleRoute = defineRoute({
    method: 'get',
    path: '/console',
    action: 'public',
    crossSite: 'links',
    summary: 'Redirect to the console',
    // Relative, so that the redirect also works behind a proxy with its own prefix.
    handle: () => ({ status: 302, body: '', headers: { location: 'console/' } }),
  });
  const serveConsoleRoute = defineRoute({
    method: 'get',
    path: '/console/*',
    action: 'public',
    crossSite: 'links',
    summary: 'Serve the web console',
    handle({ exchange, headers }) {
      const reply = consoleReply(exchange.path.slice(start.length), headers);
      if (reply === null) throw fail('ROUTE_NOT_FOUND', { method: 'GET', path: exchange.path });
      return reply;
    },
  });
  return [redirectToConsoleRoute, serveConsoleRoute];
}
