import { UiParams, UiRequest } from '../../../schemas/compiled/validators.js';
import { fail } from '../../base/errors.js';
import { assistantIdOf } from '../../base/ids.js';
import { scriptName } from '../../domain/ui-script.js';
import type { UiBundles } from '../../pool/user-code/ui-builder.js';
import { matchesEtag } from '../conditional.js';
import { defineRoute, type Route } from '../route.js';

type FoundBundle = { name: string; files: UiBundles extends ReadonlyMap<string, infer Files> ? Files : never };

/**
 * UI components that render messages, in the form that the SDK's `LoadExternalComponent` expects. Public: the
 * scripts are loaded by tags, which send no key.
 */
export function uiRoutes({ mountPrefix }: { mountPrefix: string }): Route[] {
  const renderComponentRoute = defineRoute({
    method: 'post',
    path: '/ui/:agent',
    action: 'public',
    summary: 'Get the HTML that loads a UI component',
    params: UiParams,
    body: UiRequest,
    schemas: { params: 'UiParams', body: 'UiRequest' },
    handle({ params, body, headers }, { ui }) {
      const { name, files } = findBundle(ui.bundles, params.agent);
      const { scheme, host } = serverAddress(headers['host']);
      const at = (file: string): string => `${scheme}//${host}${mountPrefix}/ui/${encodeURIComponent(name)}/${file}`;
      const styles = [...files.keys()]
        .filter((file) => file.endsWith('.css'))
        .map((file) => `<link rel="stylesheet" href="${at(file)}" />`);
      // Clients replace the braces with the id of their shadow root.
      const call = `${scriptName(name)}.render(${JSON.stringify(body.name)}, "{{shadowRootId}}")`;
      return {
        status: 200,
        contentType: 'text/html; charset=utf-8',
        body: [...styles, `<script src="${at('entrypoint.js')}" onload='${escapeAttribute(call)}'></script>`].join(
          '\n',
        ),
      };
    },
  });
  const getUiFileRoute = defineRoute({
    // Browsers send no origin for the tags that load these files, and the files are the same for everyone.
    method: 'get',
    path: '/ui/:agent/:file',
    action: 'public',
    crossSite: 'always',
    summary: 'Get a file of the UI components',
    params: UiParams,
    schemas: { params: 'UiParams' },
    handle({ params, headers }, { ui }) {
      const found = findBundle(ui.bundles, params.agent).files.get(params.file ?? '');
      if (found === undefined) throw fail('UI_NOT_FOUND', { name: `${params.agent}/${params.file ?? ''}` });
      const known = { etag: found.etag, 'cache-control': 'no-cache' };
      if (matchesEtag(headers['if-none-match'], found.etag)) return { status: 304, body: '', headers: known };
      return { status: 200, body: found.bytes, contentType: found.contentType, headers: known };
    },
  });
  return [renderComponentRoute, getUiFileRoute];
}

/** Finds a bundle by its name, or by the id of the graph's system assistant. Throws UI_NOT_FOUND. */
function findBundle(bundles: UiBundles, wanted: string): FoundBundle {
  for (const [name, files] of bundles)
    if (name === wanted || assistantIdOf(name) === wanted.toLowerCase()) return { name, files };
  throw fail('UI_NOT_FOUND', { name: wanted });
}

/**
 * The server's address as the page used it. The scheme is the page's own, except on the local machine, which
 * has no TLS.
 */
function serverAddress(host: string | undefined): { scheme: string; host: string } {
  const named = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? host : 'localhost';
  return { scheme: /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(named) ? 'http:' : '', host: named };
}

/** Escapes text for an attribute in single quotes. */
function escapeAttribute(text: string): string {
  return text.replace(/[&'<>]/g, (char) => `&#${char.charCodeAt(0)};`);
}
