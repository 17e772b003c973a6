import { fail } from '../../base/errors.js';
import { consoleReply } from '../pages/console.js';
import { defineRoute, type Route } from '../route.js';

/** The page for people. Public: it holds nothing, and asks for a key where the server wants one. */
export function consoleRoutes({ mountPrefix }: { mountPrefix: string }): Route[] {
  const start = `${mountPrefix}/console/`;
  const entrance = defineRoute({
    method: 'get',
    path: '/console',
    action: 'public',
    crossSite: 'links',
    summary: 'To the console',
    // Relative, so that it is right behind a proxy with a prefix of its own.
    handle: () => ({ status: 302, body: '', headers: { location: 'console/' } }),
  });
  const files = defineRoute({
    method: 'get',
    path: '/console/*',
    action: 'public',
    crossSite: 'links',
    summary: 'The console: what runs, what it said, and how experiments compare',
    handle({ exchange, headers }) {
      const reply = consoleReply(exchange.path.slice(start.length), headers);
      if (reply === null) throw fail('ROUTE_NOT_FOUND', { method: 'GET', path: exchange.path });
      return reply;
    },
  });
  return [entrance, files];
}
