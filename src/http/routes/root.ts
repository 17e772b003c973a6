import { VERSION } from '../../base/version.js';
import { defineRoute, jsonReply, OK_PATH, ROOT_PATH, type Route } from '../route.js';
import type { RouteConfig } from './route-config.js';

/** The base URL of the server: browsers get the console, programs get links as JSON. */
export function rootRoutes({ disabled, mountPrefix }: RouteConfig): Route[] {
  const page = disabled.has('console') ? 'docs' : 'console/';
  const links = {
    ...(disabled.has('console') ? {} : { console: `${mountPrefix}/console/` }),
    docs: `${mountPrefix}/docs`,
    openapi: `${mountPrefix}/openapi.json`,
    ok: mountPrefix + OK_PATH,
  };
  const body = JSON.stringify({ name: 'threadmill', version: VERSION, links });
  // Both representations have the same URL.
  const vary = { vary: 'accept' };
  const showRootRoute = defineRoute({
    method: 'get',
    path: ROOT_PATH,
    action: 'public',
    crossSite: 'links',
    summary: 'Get the version and links; browsers are redirected to the console',
    handle({ exchange: { path }, headers }) {
      if (!/\btext\/html\b/i.test(headers['accept'] ?? '')) return jsonReply(body, vary);
      // Relative, so that the redirect also works behind a proxy with its own prefix. The prefix itself is served
      // with and without a final slash, and a relative URL replaces the last segment.
      const start = path.endsWith('/') ? '' : `${path.slice(path.lastIndexOf('/') + 1)}/`;
      // 302 like /console. A GET stays a GET, and browsers do not store the redirect, so the target may change.
      return { status: 302, body: '', headers: { ...vary, location: start + page } };
    },
  });
  return [showRootRoute];
}
