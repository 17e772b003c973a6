import { MetricsQuery, OkQuery } from '../../../schemas/compiled/validators.js';
import { BACK_UP, READ_METRICS } from '../../domain/actions.js';
import { VERSION } from '../../base/version.js';
import { zstdDecompress } from '../../base/zstd.js';
import { recordBackup } from '../../store/last-backup.js';
import { dataFile } from '../../store/files/data-file.js';
import { docsFile, DOCS_FILES, DOCS_PAGE } from '../pages/docs.js';
import { streamExport } from '../streams/download.js';
import { openApiDocument } from '../pages/openapi.js';
import {
  defineRoute,
  assignGroup,
  jsonReply,
  METRICS_PATH,
  mountRoutes,
  OK_PATH,
  type Route,
  type ServedRoute,
} from '../route.js';
import type { RouteConfig } from './route-config.js';

/**
 * The version that the evaluation clients check. Below 0.18.0 they warn and disable features. The actual
 * version of this server is in `metadata`.
 */
const EVALUATION_API_VERSION = '0.18.0';

/** Of a process that works. */
export const OK_BODY = '{"ok":true}';

const checkHealthRoute = defineRoute({
  method: 'get',
  path: OK_PATH,
  action: 'public',
  summary: 'Check that the server is running',
  query: OkQuery,
  schemas: { query: 'OkQuery' },
  handle({ query }, { stores: { store } }) {
    let problem = store.failure;
    try {
      if (query.check_db === true) store.checkReadable();
    } catch (error) {
      problem = error as Error;
    }
    return problem === null
      ? jsonReply(OK_BODY)
      : jsonReply(JSON.stringify({ ok: false, detail: problem.message }), {}, 500);
  },
});

/** Used with `http.disable_meta`: does not report the state of the store. */
const checkHealthPlainRoute = defineRoute({
  method: 'get',
  path: OK_PATH,
  action: 'public',
  summary: 'Check that the server is running',
  handle: () => jsonReply(OK_BODY),
});

const showDocsRoute = defineRoute({
  method: 'get',
  path: '/docs',
  action: 'public',
  crossSite: 'links',
  summary: 'Show this page',
  handle: () => DOCS_PAGE,
});

const docsFileRoutes = DOCS_FILES.map((name) =>
  defineRoute({
    method: 'get',
    path: `/docs/${name}`,
    action: 'public',
    summary: 'Get a file of the documentation page',
    handle: () => docsFile(name),
  }),
);

/** Routes about the server itself. Some of them describe all routes and need the whole table. */
export function metaRoutes(
  { disabled, mountPrefix, bodyBytesMax, metrics }: RouteConfig,
  table: () => readonly ServedRoute[],
): ServedRoute[] {
  const getInfoRoute = defineRoute({
    method: 'get',
    path: '/info',
    action: 'public',
    summary: 'Get the version and the features of this server',
    handle(_context, { library, evaluation, cluster }) {
      const groups = new Set(table().map(({ group }) => group));
      return jsonReply(
        JSON.stringify({
          version: EVALUATION_API_VERSION,
          langgraph_js_version: library.version,
          context: 'js',
          flags: {
            assistants: groups.has('assistants'),
            crons: groups.has('crons'),
            store: groups.has('store'),
            mcp: groups.has('mcp'),
            a2a: groups.has('a2a'),
            langsmith: false,
            langsmith_tracing_replicas: false,
            strict_resume: groups.has('runs'),
            stream_namespaces: groups.has('runs'),
          },
          metadata: {
            server: 'threadmill',
            version: VERSION,
            body_bytes_max: bodyBytesMax,
            ...(cluster === null ? {} : { cluster: true }),
          },
          instance_flags: {
            dataset_examples_multipart_enabled: true,
            gzip_body_enabled: true,
            zstd_compression_enabled: zstdDecompress !== null,
            sdb_query_enabled: false,
            public_shares_enabled: evaluation.allowsShares,
          },
          // The Python client requires all of these fields or none (evaluation-api.md, 4.4).
          batch_ingest_config: {
            use_multipart_endpoint: true,
            scale_up_qsize_trigger: 1_000,
            scale_up_nthreads_limit: 16,
            scale_down_nempty_trigger: 4,
            size_limit: 100,
            size_limit_bytes: 20_971_520,
          },
        }),
      );
    },
  });
  const getMetricsRoute = defineRoute({
    method: 'get',
    path: METRICS_PATH,
    action: READ_METRICS,
    summary: 'Get metrics in the format of Prometheus, or as JSON',
    query: MetricsQuery,
    schemas: { query: 'MetricsQuery' },
    async handle({ query }) {
      if (query.format === 'json') return jsonReply(await metrics().json(query.names ?? null));
      return { status: 200, body: await metrics().text(), contentType: 'text/plain; version=0.0.4; charset=utf-8' };
    },
  });
  const downloadBackupRoute = defineRoute({
    method: 'get',
    path: '/backup',
    action: BACK_UP,
    audited: true,
    summary: 'Download a backup of all data for threadmill restore',
    handle({ caller, exchange }, { stores, evaluation, clock }) {
      const madeAtMs = clock.nowMs();
      return streamExport(
        exchange,
        evaluation,
        evaluation.pool.openExport('server.backup', caller, { dataFile: dataFile(stores.store.folder) }),
        (bytes) => recordBackup(stores.store, { madeAtMs, bytes }),
      );
    },
  });
  let document: string | null = null;
  const getOpenApiRoute = defineRoute({
    method: 'get',
    path: '/openapi.json',
    action: 'public',
    summary: 'Get this API as an OpenAPI document',
    handle: () => jsonReply((document ??= openApiDocument(table(), mountPrefix))),
  });
  const healthRoute = disabled.has('meta') ? checkHealthPlainRoute : checkHealthRoute;
  return [
    ...assignGroup('health', [healthRoute, ...underEvaluationPrefix([healthRoute])]),
    ...assignGroup('meta', [
      getInfoRoute,
      getMetricsRoute,
      downloadBackupRoute,
      showDocsRoute,
      getOpenApiRoute,
      ...docsFileRoutes,
      ...underEvaluationPrefix([getInfoRoute]),
    ]),
  ];
}

/** The same routes under the base URL of the evaluation clients. */
function underEvaluationPrefix(some: readonly Route[]): Route[] {
  return mountRoutes(['/api/v1'], some).map((route) => ({ ...route, alias: true }));
}
