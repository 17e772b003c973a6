import { formatAddress } from '../base/node-address.js';
import { FEATURES } from '../domain/features.js';
import { ROLES } from '../domain/roles.js';
import { LIMITS } from '../base/limits.js';
import { ENCRYPTION_VARIABLES } from '../domain/secret-variables.js';
import type { Config, Flags } from './config.js';

/** One setting: the places where it can be set, and the value in effect. */
export interface Setting {
  name: string;
  flag?: { name: keyof Flags; long: string };
  /** Variables that set it; the first one that is set counts. */
  variables?: readonly string[];
  /** Dotted path in langgraph.json. */
  key?: string;
  /** If the file has this key, the file takes precedence over the variable. */
  fileFirst?: string;
  /** Only shown as set or not set. */
  secret?: true;
  /** The value in effect; null: none, or no limit. `written` is the value at the key in the file. */
  value(config: Config, written: unknown): unknown;
}

const flag = (name: keyof Flags, long: string): Setting['flag'] => ({ name, long });
const secs = (ms: number): number => ms / 1_000;
const minutes = (ms: number): number => ms / 60_000;
const days = (ms: number | null): number | null => (ms === null ? null : ms / 86_400_000);
/** A setting of langgraph.json. Its name is its path there. */
const fileSetting = (key: string, value: Setting['value'], more: Partial<Setting> = {}): Setting => ({
  name: key,
  key,
  value,
  ...more,
});
/** Returns the value as written, because the parsed form cannot be shown. */
const asWritten: Setting['value'] = (_, written) => written;

/** Settings from flags and variables. */
const PROCESS_SETTINGS: readonly Setting[] = [
  { name: 'config', flag: flag('config', '--config'), value: ({ project }) => project.file },
  { name: 'data', flag: flag('data', '--data'), value: ({ dataFolder }) => dataFolder },
  { name: 'host', flag: flag('host', '--host'), variables: ['LANGGRAPH_SERVER_HOST'], value: ({ host }) => host },
  { name: 'port', flag: flag('port', '--port'), variables: ['PORT'], value: ({ port }) => port },
  { name: 'insecure', flag: flag('insecure', '--insecure'), value: ({ insecure }) => insecure },
  {
    name: 'tls_cert',
    flag: flag('tlsCert', '--tls-cert'),
    variables: ['THREADMILL_TLS_CERT'],
    value: ({ tls }) => tls?.certFile ?? null,
  },
  {
    name: 'tls_key',
    flag: flag('tlsKey', '--tls-key'),
    variables: ['THREADMILL_TLS_KEY'],
    value: ({ tls }) => tls?.keyFile ?? null,
  },
  { name: 'api_url', variables: ['LANGGRAPH_API_URL'], value: ({ publicUrl }) => publicUrl },
  {
    name: 'log.level',
    variables: ['LOG_LEVEL'],
    value: ({ log }) =>
      [log.levels.base, ...[...log.levels.modules].map(([name, level]) => `${name}=${level}`)].join(','),
  },
  { name: 'link_port', variables: ['THREADMILL_LINK_PORT'], value: ({ linkPort }) => linkPort },
  { name: 'log.json', variables: ['LOG_JSON'], value: ({ log }) => log.pretty === null },
  { name: 'log.color', variables: ['LOG_COLOR', 'NO_COLOR'], value: ({ log }) => log.pretty?.color ?? false },
  { name: 'workers', flag: flag('workers', '--workers'), value: ({ workers }) => workers },
  { name: 'worker.runs', variables: ['N_JOBS_PER_WORKER'], value: ({ runsPerWorker }) => runsPerWorker },
  { name: 'worker.heap_mb', variables: ['THREADMILL_WORKER_HEAP_MB'], value: ({ workerHeapMb }) => workerHeapMb },
  {
    name: 'worker.watchdog_secs',
    variables: ['THREADMILL_WATCHDOG_SECS'],
    value: ({ watchdogMs }) => secs(watchdogMs),
  },
  { name: 'run.timeout_secs', variables: ['BG_JOB_TIMEOUT_SECS'], value: ({ runTimeoutMs }) => secs(runTimeoutMs) },
  {
    name: 'run.resumable_ttl_secs',
    variables: ['RESUMABLE_STREAM_TTL_SECONDS'],
    value: ({ resumableTtlMs }) => secs(resumableTtlMs),
  },
  {
    name: 'run.shutdown_grace_secs',
    variables: ['BG_JOB_SHUTDOWN_GRACE_PERIOD_SECS'],
    value: ({ shutdownGraceMs }) => secs(shutdownGraceMs),
  },
  { name: 'cron.late_secs', variables: ['THREADMILL_CRON_LATE_SECS'], value: ({ cronLateMs }) => secs(cronLateMs) },
  {
    name: 'schema.timeout_ms',
    variables: ['LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS'],
    value: ({ schemaResolveMs }) => schemaResolveMs,
  },
  { name: 'body.bytes_max', variables: ['HTTP_MAX_REQUEST_BODY_BYTES'], value: ({ bodyBytesMax }) => bodyBytesMax },
  {
    name: 'upload.bytes_max',
    variables: ['THREADMILL_MAX_UPLOAD_BYTES'],
    value: ({ uploadBytesMax }) => uploadBytesMax,
  },
  {
    name: 'connections_max',
    variables: ['THREADMILL_MAX_CONNECTIONS'],
    value: ({ connectionsMax }) => connectionsMax ?? LIMITS.connectionsMax,
  },
  { name: 'transport', variables: ['THREADMILL_TRANSPORT'], value: ({ transport }) => transport },
  {
    name: 'worker.optimizations',
    variables: ['THREADMILL_DISABLED_OPTIMIZATIONS'],
    value: ({ optimizations }) => optimizations.join(',') || 'none',
  },
  {
    name: 'caller.requests_per_second',
    variables: ['THREADMILL_CALLER_REQUESTS_PER_SECOND'],
    value: ({ quotas }) => quotas.requestsPerSecond,
  },
  {
    name: 'caller.running_runs',
    variables: ['THREADMILL_CALLER_RUNNING_RUNS'],
    value: ({ quotas }) => quotas.runningRuns,
  },
  {
    name: 'caller.queued_runs',
    variables: ['THREADMILL_CALLER_QUEUED_RUNS'],
    value: ({ quotas }) => quotas.queuedRuns,
  },
  { name: 'api_keys', variables: ['THREADMILL_API_KEYS'], secret: true, value: ({ apiKeys }) => apiKeys },
  { name: 'seal_key', variables: ['THREADMILL_SEAL_KEY'], secret: true, value: ({ sealKey }) => sealKey },
  {
    name: 'encryption_key',
    flag: flag('encryptionKeyFile', '--encryption-key-file'),
    variables: ENCRYPTION_VARIABLES,
    secret: true,
    value: ({ encryption }) => encryption,
  },
  {
    name: 'cluster.url',
    flag: flag('cluster', '--cluster'),
    variables: ['THREADMILL_CLUSTER'],
    secret: true,
    value: ({ cluster }) => cluster?.url ?? null,
  },
  {
    name: 'cluster.key',
    variables: ['THREADMILL_CLUSTER_KEY'],
    secret: true,
    value: ({ cluster }) => cluster?.keyFingerprint ?? null,
  },
  {
    name: 'cluster.node_name',
    variables: ['THREADMILL_NODE_NAME'],
    value: ({ cluster }) => cluster?.nodeName ?? null,
  },
  {
    name: 'cluster.node_address',
    variables: ['THREADMILL_NODE_ADDRESS'],
    value: ({ cluster }) => (cluster?.nodeAddress ? formatAddress(cluster.nodeAddress) : null),
  },
  { name: 'auth_type', variables: ['LANGGRAPH_AUTH_TYPE'], value: () => 'noop' },
  {
    name: 'assistants',
    variables: ['LANGGRAPH_CONFIG'],
    value: ({ assistantDefaults }) => Object.fromEntries(assistantDefaults),
  },
  {
    name: 'auth.oidc.client_secret',
    variables: ['THREADMILL_OIDC_CLIENT_SECRET'],
    secret: true,
    value: ({ oidcSecret }) => oidcSecret,
  },
  {
    name: 'webhooks.secret',
    variables: ['THREADMILL_WEBHOOK_SECRET'],
    secret: true,
    value: ({ webhooks }) => (webhooks.secrets.length === 0 ? null : webhooks.secrets),
  },
  {
    name: 'webhooks.allow_addresses',
    variables: ['THREADMILL_WEBHOOK_ALLOW_ADDRESSES'],
    value: ({ webhooks }) => webhooks.rules.ranges,
  },
  {
    name: 'webhooks.timeout_secs',
    variables: ['THREADMILL_WEBHOOK_TIMEOUT_SECS'],
    value: ({ webhooks }) => secs(webhooks.attemptMs),
  },
  {
    name: 'webhooks.retry_secs',
    variables: ['THREADMILL_WEBHOOK_RETRY_SECS'],
    value: ({ webhooks }) => webhooks.retryMs.map(secs),
  },
  {
    name: 'traces.url',
    variables: ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    value: ({ tracing }) => (tracing === null ? null : withoutCredentials(tracing.url)),
  },
  {
    name: 'traces.protocol',
    variables: ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'],
    value: ({ tracing }) => tracing?.protocol ?? null,
  },
  {
    name: 'traces.headers',
    variables: ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS'],
    secret: true,
    value: ({ tracing }) => (Object.keys(tracing?.headers ?? {}).length === 0 ? null : tracing!.headers),
  },
  {
    name: 'traces.resource',
    variables: ['OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES'],
    value: ({ tracing }) => tracing?.resource ?? null,
  },
  {
    name: 'traces.sampler',
    variables: ['OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'],
    value: ({ tracing }) => tracing?.sampler ?? null,
  },
  {
    name: 'traces.on',
    variables: ['OTEL_SDK_DISABLED', 'OTEL_TRACES_EXPORTER'],
    value: ({ tracing }) => tracing !== null,
  },
];

/** Settings from langgraph.json. */
const FILE_SETTINGS: readonly Setting[] = [
  fileSetting('graphs', ({ project }) =>
    Object.fromEntries(project.graphs.map(({ graphId, file, exportName }) => [graphId, `${file}:${exportName}`])),
  ),
  // Only the names: the values are meant for graphs and are often secrets.
  fileSetting('env', ({ project }) => Object.keys(project.env)),
  fileSetting('auth.path', ({ project }) =>
    project.auth === null ? null : `${project.auth.file}:${project.auth.exportName}`,
  ),
  fileSetting('auth.disable_studio_auth', ({ project }) => project.auth?.allowsStudio !== true),
  fileSetting('auth.allow_langsmith_api_keys', ({ project }) => project.auth?.acceptsApiKeys ?? false),
  fileSetting('auth.cache', ({ project }) =>
    project.auth?.cache == null
      ? null
      : {
          cache_keys: project.auth.cache.headers,
          ttl_seconds: secs(project.auth.cache.ttlMs),
          max_size: project.auth.cache.entriesMax,
        },
  ),
  fileSetting('auth.oidc.issuer', ({ project }) => project.oidc?.issuer ?? null),
  fileSetting('auth.oidc.client_id', ({ project }) => project.oidc?.clientId ?? null),
  fileSetting('auth.oidc.name', ({ project }) => project.oidc?.name ?? null),
  fileSetting('auth.oidc.scopes', ({ project }) => project.oidc?.scopes ?? null),
  fileSetting('auth.oidc.allowed_domains', ({ project }) => project.oidc?.allowedDomains ?? null),
  fileSetting('auth.oidc.session_hours', ({ project: { oidc } }) =>
    oidc === null ? null : oidc.sessionMs / 3_600_000,
  ),
  fileSetting('auth.oidc.roles.claim', ({ project }) => project.oidc?.roleClaim ?? null),
  ...ROLES.map((role) =>
    fileSetting(`auth.oidc.roles.${role}`, ({ project }) => project.oidc?.roleValues[role] ?? null),
  ),
  fileSetting('auth.oidc.roles.default', ({ project }) => project.oidc?.defaultRole ?? null),
  fileSetting('audit.keep_entries', ({ project }) => project.audit.entriesMax),
  fileSetting('audit.keep_days', ({ project }) => days(project.audit.keepMs)),
  fileSetting('backups.schedule', ({ project }) => project.backups?.schedule ?? null),
  fileSetting('backups.timezone', ({ project }) => project.backups?.timezone ?? null),
  fileSetting('backups.folder', ({ project }) => project.backups?.folder ?? null),
  fileSetting('backups.keep', ({ project }) => project.backups?.keep ?? null),
  fileSetting('code_versions.keep', ({ project }) => project.codeVersions.keep),
  fileSetting('code_versions.parked_threads', ({ project }) => project.codeVersions.parkedThreads),
  fileSetting('code_versions.deploy_from', ({ project }) => project.codeVersions.deployFrom.join(', ')),
  fileSetting('state_budget.thread_bytes', ({ project }) => project.stateBudget?.threadBytes ?? null),
  fileSetting('state_budget.on_exceed', ({ project }) => project.stateBudget?.onExceed ?? null),
  fileSetting('state_budget.keep_last', ({ project: { stateBudget } }) =>
    stateBudget?.onExceed === 'thin' ? stateBudget.keepLast : null,
  ),
  fileSetting('store.ttl.refresh_on_read', ({ project }) => project.store.ttl.refreshOnRead),
  fileSetting('store.ttl.default_ttl', ({ project: { store } }) =>
    store.ttl.defaultMs === null ? null : minutes(store.ttl.defaultMs),
  ),
  fileSetting('store.ttl.sweep_interval_minutes', ({ project }) => minutes(project.store.sweepMs)),
  fileSetting('store.index', ({ project: { store } }) =>
    store.index === null
      ? null
      : { dims: store.index.dims, embed: `${store.index.file}:${store.index.exportName}`, fields: store.index.fields },
  ),
  fileSetting('traces.enabled', ({ project }) => project.traces !== null),
  fileSetting('traces.sample_rate', ({ project }) => project.traces?.sampleRate ?? null),
  fileSetting('traces.hide_inputs', ({ project }) => project.traces?.hideInputs ?? null),
  fileSetting('traces.hide_outputs', ({ project }) => project.traces?.hideOutputs ?? null),
  fileSetting('traces.hide', ({ project }) => project.traces?.hide ?? null),
  fileSetting('traces.hide_with', ({ project }) => project.traces?.hideFunction?.path ?? null),
  fileSetting('traces.assistants', asWritten),
  fileSetting('traces.max_value_bytes', ({ project }) => project.traces?.valueBytesMax ?? null),
  fileSetting('traces.record_calls', ({ project: { traces } }) =>
    traces === null ? null : traces.calls === 'failed' ? 'on_error' : traces.calls === 0 ? false : traces.calls,
  ),
  fileSetting('traces.keep_traces', ({ project }) => project.traces?.keepTraces ?? null),
  fileSetting('traces.keep_days', ({ project }) => days(project.traces?.keepMs ?? null)),
  fileSetting('traces.answers', ({ project }) => project.traces?.answers ?? null),
  fileSetting('traces.export', ({ project }) => project.traces?.export ?? null),
  fileSetting('traces.prices', asWritten),
  fileSetting('traces.evaluate', asWritten),
  fileSetting('evaluators', ({ project }) =>
    Object.fromEntries(project.evaluators.map(({ name, path }) => [name, path])),
  ),
  fileSetting('checkpointer.keep_last', ({ project }) => project.threadTtl.keepLast),
  fileSetting('checkpointer.ttl.strategy', ({ project }) => project.threadTtl.defaultTtl?.strategy ?? null),
  fileSetting('checkpointer.ttl.default_ttl', ({ project }) => project.threadTtl.defaultTtl?.minutes ?? null),
  fileSetting('checkpointer.ttl.sweep_interval_minutes', ({ project }) => minutes(project.threadTtl.sweepMs)),
  fileSetting('checkpointer.ttl.sweep_limit', ({ project }) => project.threadTtl.sweepMax),
  fileSetting('http.mount_prefix', ({ api }) => api.mountPrefix, { variables: ['MOUNT_PREFIX'] }),
  ...FEATURES.map((feature) =>
    fileSetting(`http.disable_${feature}`, ({ api, webhooks }) =>
      feature === 'webhooks' ? !webhooks.enabled : api.disabled.has(feature),
    ),
  ),
  fileSetting('http.app', ({ api }) => (api.app === null ? null : `${api.app.file}:${api.app.exportName}`)),
  fileSetting('http.middleware_order', ({ api }) =>
    api.app === null ? null : api.app.authFirst ? 'auth_first' : 'middleware_first',
  ),
  fileSetting('http.enable_custom_route_auth', ({ api }) => api.app?.routesRequireAuth ?? null),
  fileSetting('http.configurable_headers', asWritten),
  fileSetting('http.logging_headers', asWritten),
  fileSetting('http.allowed_hosts', ({ allowedHosts }) => allowedHosts, {
    flag: flag('allowedHosts', '--allowed-hosts'),
    variables: ['THREADMILL_ALLOWED_HOSTS'],
  }),
  fileSetting('http.public_shares', ({ publicShares }) => publicShares, {
    flag: flag('publicShares', '--public-shares'),
    variables: ['THREADMILL_PUBLIC_SHARES'],
  }),
  fileSetting(
    'http.cors.allow_origins',
    ({ cors }) => cors.allowOrigins ?? 'loopback while nobody has to authenticate, else *',
    { variables: ['CORS_ALLOW_ORIGINS'], fileFirst: 'http.cors' },
  ),
  fileSetting('http.cors.allow_origin_regex', asWritten),
  fileSetting('http.cors.allow_methods', ({ cors }) => cors.allowMethods),
  fileSetting('http.cors.allow_headers', ({ cors }) => cors.allowHeaders ?? ['*']),
  fileSetting('http.cors.allow_credentials', ({ cors }) => cors.allowCredentials),
  fileSetting('http.cors.expose_headers', ({ cors }) => cors.exposeHeaders),
  fileSetting('http.cors.max_age', ({ cors }) => cors.maxAgeSeconds),
  fileSetting('webhooks.env_prefix', ({ project }) => project.webhooks.envPrefix),
  // Only the names: the values contain secrets.
  fileSetting('webhooks.headers', ({ webhooks }) => Object.keys(webhooks.headers)),
  fileSetting('webhooks.url.require_https', ({ webhooks }) => webhooks.rules.requireHttps),
  fileSetting('webhooks.url.allowed_domains', ({ webhooks }) => webhooks.rules.domains),
  fileSetting('webhooks.url.allowed_ports', ({ webhooks }) => webhooks.rules.ports),
  fileSetting('webhooks.url.max_url_length', ({ webhooks }) => webhooks.rules.urlCharsMax),
  fileSetting('webhooks.url.disable_loopback', ({ webhooks }) => !webhooks.rules.loopback),
  fileSetting('ui', ({ project }) => Object.fromEntries(project.ui.modules.map(({ name, file }) => [name, file]))),
  fileSetting('ui_config.shared', ({ project }) => project.ui.shared),
];

/** All settings, each listed once. */
export const SETTINGS: readonly Setting[] = [...PROCESS_SETTINGS, ...FILE_SETTINGS];

function withoutCredentials(text: string): string {
  const url = new URL(text);
  [url.username, url.password] = ['', ''];
  return url.href;
}
