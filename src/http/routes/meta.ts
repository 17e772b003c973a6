import { VERSION } from '../../base/version.js';
import { docsFile, DOCS_FILES, DOCS_PAGE } from '../docs.js';
import { openApi } from '../openapi.js';
import { defineRoute, json, mountedAt, type Route } from '../route.js';

/**
 * What the clients of evaluation results compare with: below 0.18.0 they warn and leave features out. Our own version stands
 * in `metadata`.
 */
const EVALUATION_API_VERSION = '0.18.0';

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
      version: EVALUATION_API_VERSION,
      langgraph_js_version: null,
      context: 'js',
      flags: { assistants: true, crons: false, langsmith: false, langsmith_tracing_replicas: false, strict_resume: true, stream_namespaces: true },
      metadata: { server: 'threadmill', version: VERSION },
      instance_flags: { dataset_examples_multipart_enabled: true, gzip_body_enabled: true, zstd_compression_enabled: false, sdb_query_enabled: false },
      // Python indexes these; all of them or none (evaluation-api.md, 4.4).
      batch_ingest_config: { use_multipart_endpoint: true, scale_up_qsize_trigger: 1_000, scale_up_nthreads_limit: 16, scale_down_nempty_trigger: 4, size_limit: 100, size_limit_bytes: 20_971_520 },
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
  return [ok, info, docs, document, ...files, ...mountedAt(['/api/v1'], [ok, info]).map((route) => ({ ...route, alias: true }))];
}
