import { VERSION } from '../../base/version.js';
import { docsFile, DOCS_FILES, DOCS_PAGE } from '../docs.js';
import { openApi } from '../openapi.js';
import { defineRoute, json, type Route } from '../route.js';

export const ok = defineRoute({
  method: 'get', path: '/ok', action: 'public',
  summary: 'The server answers',
  handle(_context, services) {
    const { failure } = services.nouns.store;
    return failure === null ? json('{"ok":true}') : json(JSON.stringify({ ok: false, detail: failure.message }), {}, 503);
  },
});

export const info = defineRoute({
  method: 'get', path: '/info', action: 'public',
  summary: 'What this server is and can do',
  handle() {
    return json(JSON.stringify({
      version: VERSION,
      langgraph_js_version: null,
      context: 'js',
      flags: { assistants: true, crons: false, langsmith: false, langsmith_tracing_replicas: false, strict_resume: true, stream_namespaces: false },
      metadata: { server: 'threadmill' },
    }));
  },
});

export const docs = defineRoute({
  method: 'get', path: '/docs', action: 'public',
  summary: 'This page',
  handle: () => ({ status: 200, body: DOCS_PAGE, contentType: 'text/html; charset=utf-8' }),
});

/** Routes that describe the others need the whole table. */
export function metaRoutes(table: () => readonly Route[]): Route[] {
  const document = defineRoute({
    method: 'get', path: '/openapi.json', action: 'public',
    summary: 'The API as an OpenAPI document',
    handle: () => json(openApi(table())),
  });
  const files = DOCS_FILES.map((name) => defineRoute({
    method: 'get', path: `/docs/${name}`, action: 'public',
    summary: 'Part of the documentation page',
    handle: () => docsFile(name),
  }));
  return [ok, info, docs, document, ...files];
}
