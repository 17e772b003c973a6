import { PublicParams } from '../../../schemas/compiled/validators.js';
import { fail } from '../../base/errors.js';
import { canonicalUuid } from '../../base/ids.js';
import { defineRoute, type Route } from '../route.js';

/**
 * Links that evaluation clients print, such as `View results at …/o/{workspace}/datasets/{id}/compare?…`. They are
 * redirected to the page of the console. Public: a redirect only repeats ids of the link, and the page loads its
 * data with the user's own key.
 */
export function linkRoutes({ mountPrefix }: { mountPrefix: string }): Route[] {
  const openWorkspaceLinkRoute = defineRoute({
    method: 'get',
    path: '/o/*',
    action: 'public',
    crossSite: 'links',
    summary: 'Redirect a link that an evaluation client printed to the page of the console',
    handle({ exchange: { path, query } }) {
      const [workspace, ...segments] = path.slice(`${mountPrefix}/o/`.length).split('/');
      const page = workspace === '' ? null : consolePageOf(segments, new URLSearchParams(query));
      if (page === null) throw fail('LINK_NOT_FOUND', { path });
      // Relative, so that the redirect also works behind a proxy with its own prefix.
      return { status: 302, body: '', headers: { location: `${'../'.repeat(segments.length + 1)}console/${page}` } };
    },
  });
  const openShareLinkRoute = (kind: 'd' | 'r'): Route =>
    defineRoute({
      method: 'get',
      path: `/public/:token/${kind}`,
      action: 'public',
      crossSite: 'always',
      summary: 'Redirect a public link to its page in the console',
      params: PublicParams,
      schemas: { params: 'PublicParams' },
      handle({ params, exchange: { path } }) {
        const token = canonicalUuid(params.token);
        if (token === null) throw fail('LINK_NOT_FOUND', { path });
        return { status: 302, body: '', headers: { location: `../../console/public/${token}?kind=${kind}` } };
      },
    });
  return [openWorkspaceLinkRoute, openShareLinkRoute('d'), openShareLinkRoute('r')];
}

/** Page of the console for the path after the workspace, relative to the console. Null if there is none. */
function consolePageOf(segments: readonly string[], query: URLSearchParams): string | null {
  const path = segments.filter((segment) => segment !== '');
  const [kind, ...rest] = path;
  if (kind === undefined) return '';
  if (kind === 'datasets') return datasetPage(rest, query);
  if (kind === 'annotation-queues') return queuePage(rest);
  if (kind === 'projects' && (rest[0] === 'p' || rest.length === 0)) return projectPage(rest.slice(1));
  return null;
}

function datasetPage([first, view, exampleId, ...rest]: string[], query: URLSearchParams): string | null {
  if (first === undefined) return 'datasets';
  const id = canonicalUuid(first);
  if (id === null || rest.length > 0) return null;
  if (view === undefined) return `datasets/${id}`;
  if (view === 'e') {
    const example = canonicalUuid(exampleId ?? '');
    return example === null ? null : `datasets/${id}?tab=examples&example=${example}`;
  }
  if (view !== 'compare' || exampleId !== undefined) return null;
  const experiments = (query.get('selectedSessions') ?? '').split(',').filter((one) => one !== '');
  if (experiments.length === 0) return `datasets/${id}`;
  const ids = experiments.map(canonicalUuid);
  return ids.includes(null) ? null : `datasets/${id}/compare?experiments=${ids.join(',')}`;
}

function queuePage([first, ...rest]: string[]): string | null {
  if (first === undefined) return 'queues';
  const id = canonicalUuid(first);
  return id === null || rest.length > 0 ? null : `queues/${id}`;
}

function projectPage([first, view, runId, ...rest]: string[]): string | null {
  if (first === undefined) return 'experiments';
  const id = canonicalUuid(first);
  if (id === null || rest.length > 0) return null;
  if (view === undefined) return `experiments/${id}`;
  const run = view === 'r' ? canonicalUuid(runId ?? '') : null;
  return run === null ? null : `experiments/${id}?run=${run}`;
}
